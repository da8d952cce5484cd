// A new match: who starts, and what lies in the tray (as seen, entered, or not known yet).

import { h, redraw } from "./dom.js";
import { COLOURS, marble } from "./draw.js";
import { fighterPicker } from "./fighters.js";
import { choice } from "./form.js";
import { rulesForm } from "./rules.js";
import { LANES, ROWS, at, cells } from "./tray.js";
import { words } from "./words.js";

const UNKNOWN = LANES.map(() => "?".repeat(ROWS)).join("/");
const known = (tray) => Boolean(tray) && !/[?.]/.test(tray);

/** The form as an element; `start` is called with the fields of a set-up. `fighters`: [{ name, remarks }] on record. */
export function setupForm({ seen, running, start, fighters = [] }) {
  let first = "A";
  let letters = cells.map(() => "?");
  let cursor = 0;
  const rules = {};
  const names = {};
  let way = seen ? "seen" : "unknown";
  const tray = () => {
    if (way === "seen") return seen;
    if (way === "unknown") return UNKNOWN;
    return LANES.map((_, i) => letters.slice(i * ROWS, (i + 1) * ROWS).join("")).join("/");
  };

  const typed = h("input", {
    id: "tray-text",
    name: "tray",
    type: "text",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 40,
  });
  const grid = h("div", { class: "mini-tray" });
  const editor = h("div", { class: "editor" });
  const preview = h("div", { class: "preview" });

  function drawGrid(target, text, onpick) {
    redraw(target, [text, onpick ? cursor : null], () =>
      Array.from({ length: ROWS }, (_, i) =>
        LANES.map((lane) => {
          const cell = `${lane}${ROWS - i}`;
          const index = cells.indexOf(cell);
          const letter = at(text, cell);
          return onpick
            ? h(
                "button",
                {
                  class: "mini-cell",
                  type: "button",
                  "data-edit": cell,
                  "data-cursor": index === cursor,
                  "aria-label": words.cell(cell, letter, 0),
                  onclick: () => onpick(index),
                },
                marble(letter),
              )
            : h("span", { class: "mini-cell" }, marble(letter));
        }),
      ),
    );
  }

  function show() {
    editor.hidden = way !== "enter";
    preview.hidden = way !== "seen";
    if (way === "seen") drawGrid(preview, seen, null);
    drawGrid(grid, tray(), (index) => {
      cursor = index;
      show();
    });
    if (document.activeElement !== typed) typed.value = tray();
  }

  const put = (letter) => {
    letters[cursor] = letter;
    cursor = Math.min(cursor + 1, cells.length - 1);
    show();
  };
  typed.addEventListener("input", () => {
    const text = typed.value.toUpperCase().replace(/[^RYB?.]/g, "");
    letters = cells.map((_, i) => text[i] ?? "?");
    cursor = Math.min(text.length, cells.length - 1);
    show();
  });

  editor.append(
    h("p", { class: "how" }, words.setup.enterHow),
    h(
      "div",
      { class: "editor-row" },
      grid,
      h(
        "div",
        { class: "palette" },
        COLOURS.map((colour) =>
          h(
            "button",
            { class: "swatch", type: "button", "data-put": colour, "aria-label": colour, onclick: () => put(colour) },
            marble(colour),
          ),
        ),
      ),
    ),
    h("label", { for: "tray-text" }, words.setup.typed),
    typed,
  );
  show();

  const fighter = (player) => fighterPicker(player, fighters, (name) => (names[player] = name));
  /** What is left out is as the rules have it. */
  const chosen = () => {
    const players = Object.fromEntries(
      Object.entries(names)
        .filter(([, name]) => name)
        .map(([player, name]) => [player, { fighter: name }]),
    );
    return {
      ...(Object.keys(players).length ? { players } : {}),
      ...(Object.keys(rules).length ? { rules } : {}),
    };
  };

  const ways = [
    seen && ["seen", words.setup.seen],
    ["unknown", words.setup.unknown],
    ["enter", words.setup.enter],
  ].filter(Boolean);
  return h(
    "form",
    {
      class: "setup",
      onsubmit: (event) => {
        event.preventDefault();
        const text =
          way === "enter" && document.activeElement === typed && !known(tray()) ? typed.value.trim() : tray();
        start({ first, tray: text, ...chosen() });
      },
    },
    running && h("p", { class: "notice warn" }, words.setup.ends),
    h(
      "section",
      {},
      h("h3", {}, words.setup.who),
      choice(
        [
          ["A", words.player("A")],
          ["B", words.player("B")],
        ],
        first,
        (name) => (first = name),
      ),
    ),
    h(
      "section",
      {},
      h("h3", {}, words.setup.tray),
      choice(ways, way, (name) => {
        way = name;
        show();
      }),
    ),
    h(
      "section",
      {},
      h("h3", {}, words.setup.fighters),
      h("div", { class: "row seats" }, fighter("A"), fighter("B")),
    ),
    h(
      "details",
      { class: "rule-set" },
      h("summary", {}, words.setup.rules),
      rulesForm({}, (name, value) => (rules[name] = value)),
    ),
    h("div", { class: "side" }, preview, editor),
    h("button", { class: "action main start", type: "submit", id: "start" }, words.setup.start),
  );
}
