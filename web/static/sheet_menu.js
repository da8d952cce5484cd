// The menu, and the camera's picture.

import { h } from "./dom.js";
import { big, part } from "./form.js";
import { games } from "./games.js";
import { keeping } from "./keeping.js";
import { words } from "./words.js";

const PAGES = [
  ["seen", "/seen"],
  ["doctor", "/doctor"],
  ["records", "/records"],
  ["watch", "/watch"],
  ["overlay", "/watch?overlay"],
];

export function openMenu({ open, close, send }, { state, view }, { newMatch, realMatch, setTableUp, rules, markers, history, boards, devices, setHelp, announcer, awake, flat, setFlat }) {
  open(words.menu, [
    h(
      "div",
      { class: "column twos" },
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
      ["A", "B"].some((player) => state?.players[player].fighter) && big(words.boards, boards, { name: "boards" }),
      view.table?.aimed && view.table.camera && big(words.table.aim, () => setTableUp({ aimOnly: true }), { name: "aim" }),
      view.table && big(view.table.aimed ? words.table.again : words.table.setUp, () => setTableUp(), { name: "set-up" }),
      state && big(words.rules.title, rules, { name: "rules" }),
      state && !state.over && big(words.markers.title, markers, { name: "markers" }),
      big(view.help ? words.help.on : words.help.off, () => setHelp(!view.help), { name: "help" }),
      state && big(words.flat(flat.on), () => setFlat(!flat.on), { name: "flat" }),
      loud(announcer, "sounds", words.voice.sounds),
      announcer.canSpeak && loud(announcer, "voice", words.voice.voice),
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
    part(
      words.pages.title,
      PAGES.map(([name, href]) => h("a", { class: "action", href, "data-do": name }, words.pages[name])),
    ),
    games(view),
    keeping(view.keeping),
    languages(),
    !awake.can && h("p", { class: "how" }, words.awake),
  ]);
}

/** One link a language: the server keeps the pick for this device and sends the page anew. */
function languages() {
  const { lang, dataset } = document.documentElement;
  return part(
    words.pages.language,
    Object.entries(JSON.parse(dataset.languages)).map(([code, name]) =>
      h(
        "a",
        {
          class: `action ${code === lang ? "main" : ""}`,
          href: `${location.pathname}?language=${code}`,
          lang: code,
          hreflang: code,
          "data-language": code,
          "aria-current": code === lang ? "true" : null,
        },
        name,
      ),
    ),
  );
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
