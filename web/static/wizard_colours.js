// What lies in each cell: read by the companion, put right by a tap. From then on these marbles are its references.

import { h, s } from "./dom.js";
import { icon, marble, signOf } from "./draw.js";
import { big } from "./form.js";
import * as ask from "./wizard_ask.js";
import { wizardWords as words } from "../words/wizard.js";

const TURNS = { "?": "R", R: "Y", Y: "B", B: ".", ".": "R" };

export function coloursStep({ shared, ready, say, work, aimOnly }) {
  const how = h("p", { class: "prompt", id: "colours-prompt", role: "status" });
  const picture = h("img", { class: "live", alt: words.colours.picture });
  const cells = h("div", { class: "cells" });
  const shot = h("div", { class: "shot upright" }, picture, cells);
  const result = h("p", { class: "fit", id: "learnt", role: "status" });
  const again = big(words.colours.again, take, { name: "again" });
  let letters = {};
  let number = null;
  let corners = null;
  let saved = false;
  let score = null;

  const names = () => Object.keys(letters);
  const unknown = () => names().filter((name) => letters[name] === "?");

  function prompt() {
    saved = false;
    const missing = unknown();
    how.textContent = missing.length ? words.colours.missing(missing) : words.colours.check;
    const counts = ["R", "Y", "B"].filter((colour) => !Object.values(letters).includes(colour));
    const differs = score ? names().filter((name, i) => !["?", letters[name]].includes(score.replaceAll("/", "")[i])) : [];
    result.textContent = counts.length ? words.colours.lacks(counts) : differs.length ? words.colours.differs(differs) : "";
    result.dataset.word = result.textContent ? "fair" : "";
    ready(!missing.length && !counts.length, words.colours.learn);
  }

  function draw(places) {
    cells.replaceChildren(
      ...names().map((name, i) => {
        const [x, y, radius] = places[i];
        const button = h("button", { class: "spot", type: "button", "data-cell": name, onclick: () => turn(name, button) });
        const ratio = picture.naturalWidth / picture.naturalHeight;
        Object.assign(button.style, {
          left: `${(x - radius) * 100}%`,
          top: `${(y - radius * ratio) * 100}%`,
          width: `${radius * 200}%`,
          height: `${radius * ratio * 200}%`,
        });
        show(name, button);
        return button;
      }),
    );
  }

  function show(name, button) {
    const letter = letters[name];
    button.dataset.letter = letter;
    button.setAttribute("aria-label", words.colours.cell(name, letter));
    button.replaceChildren(s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, signOf(letter, 0.62, 74, 74)));
  }

  function turn(name, button) {
    letters[name] = TURNS[letters[name]];
    show(name, button);
    prompt();
  }

  async function take() {
    ready(false);
    if (!shared.corners) {
      how.textContent = words.colours.noAim;
      again.hidden = true;
      ready(true);
      return;
    }
    const reply = await work(words.colours.looking, () => ask.step({ do: "read", corners: shared.corners }));
    if (!reply) return;
    number = reply.shot;
    corners = reply.corners;
    score = reply.score;
    letters = Object.fromEntries(Object.entries(reply.cells).map(([name, cell]) => [name, cell.letter]));
    picture.src = `/api/table/tray.jpg?shot=${number}`;
    await picture.decode().catch(() => null);
    shot.style.setProperty("--ratio", String(picture.naturalWidth / picture.naturalHeight || 0.7));
    shot.style.aspectRatio = `${picture.naturalWidth} / ${picture.naturalHeight}`;
    draw(reply.places);
    prompt();
  }

  async function learn() {
    const all = names().map((name) => letters[name]);
    const tray = [0, 5, 10].map((i) => all.slice(i, i + 5).join("")).join("/");
    const reply = await work(words.colours.learning, () =>
      ask.step({ do: "save", shot: number, tray, corners, stage: shared.stage ?? null }),
    );
    if (!reply) return false;
    const told = words.colours.learnt(reply.fit, reply.differs);
    if (!reply.unsaved && !reply.differs.length) {
      shared.done = told;
      return true;
    }
    // something to be read first: it is used already
    saved = true;
    result.textContent = [told, reply.unsaved && words.said(reply.unsaved)].filter(Boolean).join(" ");
    result.dataset.word = "fair";
    ready(true, words.next);
    return false;
  }

  return {
    element: h(
      "div",
      { class: "aim" },
      h("div", { class: "shot-room" }, shot),
      h("div", { class: "side-panel" }, how, legend(), result, again, aimOnly && h("p", { class: "how" }, words.colours.goesOn)),
    ),
    enter: take,
    next: () => (saved || !shared.corners ? true : learn()),
  };
}

const legend = () =>
  h("p", { class: "how legend-row" }, ["R", "Y", "B"].map((colour) => h("span", { class: "legend-glass" }, marble(colour))), h("span", {}, icon("pen"), words.colours.tap));
