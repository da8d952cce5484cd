// What the camera sees of the board: one line beside the match, and what it asks. Nothing is applied without a tap.

import { attribute, h, redraw } from "./dom.js";
import { big } from "./form.js";
import { words } from "../words/react_camera.js";

/** `before`: the element above which it stands. Gives the function that draws it. */
export function createCamera(host, before) {
  const section = h("section", { class: "react-camera", id: "camera", "aria-live": "polite", hidden: true });
  before.before(section);
  return (view) => {
    const { question, board, camera, notices = [], differs = [] } = view;
    const lost = board && camera?.state === "lost";
    const state = lost ? "gone" : board?.state;
    const told = notices.filter(({ level }) => level !== "info");
    section.hidden = !board && !question && !told.length;
    for (const place of document.querySelectorAll(".field-zone, .mp-space"))
      attribute(place, "data-asked", differs.includes(place.dataset.zone ?? `mp${place.dataset.space}`));
    redraw(section, [question, board, lost, told], () => [
      told.map(({ text }) => h("p", { class: "bad" }, words.said(text))),
      question && asked(host, question),
      board && line(state, board, question),
      told.length > 0 &&
        !question &&
        !host.onlooking &&
        h("div", { class: "answers" }, big(words.read, () => host.control({ do: "dismiss" }), { name: "read" })),
    ]);
  };
}

function asked(host, { id, text, answers }) {
  return h(
    "div",
    { class: "asked", role: "group", "aria-label": words.asks },
    h("p", { class: "head" }, words.sentences(text)),
    !host.onlooking &&
      h(
        "div",
        { class: "answers" },
        answers.map(({ label }, choice) =>
          big(words.answer(label), () => host.control({ do: "answer", id, choice }), { name: `answer-${choice}`, main: choice === 0 }),
        ),
      ),
  );
}

function line(state, { text, unseen }, question) {
  const more = state === "differs" && !question ? text.map(words.said) : [];
  if (unseen.length && !["gone", "lost"].includes(state)) more.push(words.unseen(unseen));
  if (question && !more.length) return null;
  return h("p", { class: "camera-line", "data-state": state }, h("b", {}, words.states[state]), more.length > 0 && ` ${more.join(" ")}`);
}
