// The menu, and the camera's picture.

import { h } from "./dom.js";
import { big, part } from "./form.js";
import { words } from "./words.js";
import { recordsWords } from "./words_records.js";
import { seenWords } from "./words_seen.js";

export function openMenu({ open, close, send }, { state, view }, { newMatch, realMatch, rules, markers, history, devices, setHelp, announcer, awake, flat, setFlat }) {
  open(words.menu, [
    h(
      "div",
      { class: "column" },
      big(words.newMatch, newMatch, { main: !view.simulated, name: "new-match" }),
      view.simulated &&
        big(
          words.realMatch,
          () => {
            close();
            realMatch();
          },
          { name: "real-match" },
        ),
      state && big(words.history.title, history, { name: "history" }),
      state && big(words.rules.title, rules, { name: "rules" }),
      state && !state.over && big(words.markers.title, markers, { name: "markers" }),
      h("a", { class: "action", href: "/seen", "data-do": "seen" }, seenWords.title),
      big(view.help ? words.help.on : words.help.off, () => setHelp(!view.help), { name: "help" }),
      state && big(words.flat(flat.on), () => setFlat(!flat.on), { name: "flat" }),
      loud(announcer, "sounds", words.voice.sounds),
      announcer.canSpeak && loud(announcer, "voice", words.voice.voice),
      h("a", { class: "action", href: "/records", "data-do": "records" }, recordsWords.title),
      big(words.pairing.devices, devices, { name: "devices" }),
      view.camera?.state !== "none" && big(words.sheet.camera, () => openCamera(open), { name: "camera" }),
    ),
    state &&
      !state.over &&
      part(
        words.sheet.turn,
        ["A", "B"]
          .filter((p) => p !== state.turn)
          .map((p) => big(words.turn(p), () => send({ do: "correct", turn: p }), { name: `turn-${p}` })),
      ),
    !awake.can && h("p", { class: "how" }, words.awake),
  ]);
}

/** A switch of this device alone: the menu stays, so that one can hear what it does. */
function loud(announcer, name, label) {
  const button = big(label(announcer.on[name]), () => {
    announcer.set(name, !announcer.on[name]);
    button.textContent = label(announcer.on[name]);
    button.setAttribute("aria-pressed", String(announcer.on[name]));
  }, { name });
  button.setAttribute("aria-pressed", String(announcer.on[name]));
  return button;
}

function openCamera(open) {
  const picture = h("img", { class: "camera", alt: words.sheet.camera });
  const how = h("p", { class: "how" });
  let timer = null;
  let n = 0;
  // one picture after another, so a slow link shows fewer of them and never old ones
  const next = () => {
    timer = null;
    n += 1;
    if (document.visibilityState === "visible") picture.src = `/frame.jpg?n=${n}`;
    else timer = setTimeout(next, 1000);
  };
  picture.onload = () => {
    how.textContent = "";
    timer = setTimeout(next, 200);
  };
  picture.onerror = () => {
    how.textContent = words.sheet.noPicture;
    timer = setTimeout(next, 2000);
  };
  next();
  open(words.sheet.camera, [picture, how], {
    wide: true,
    closed: () => {
      clearTimeout(timer);
      picture.onload = picture.onerror = null;
    },
  });
}
