// Credits, a fan, a marble: what can be done to them.

import { h } from "./dom.js";
import { COLOURS, coin, fan, marble } from "./draw.js";
import { big, part } from "./form.js";
import { PLACES, placeOf } from "./stage.js";
import { COLOUR_NAMES, words } from "./words.js";

export function openCredits({ open, send }, state, player) {
  const { credits } = state.players[player];
  open(words.sheet.credits(player), [
    h("p", { class: "how" }, words.sheet.creditsHow),
    part(
      words.sheet.setHp,
      h(
        "div",
        { class: "amounts" },
        Array.from({ length: 10 }, (_, n) =>
          h(
            "button",
            {
              class: "amount",
              type: "button",
              "data-amount": n,
              "aria-pressed": String(n === credits),
              onclick: () => send({ do: "correct", player, credits: n }),
            },
            n,
            h("span", { class: "mini-coin" }, coin(n === 0)),
          ),
        ),
      ),
    ),
  ]);
}

export function openFan({ open, send }, state, colour) {
  const place = placeOf(state, colour);
  open(words.sheet.fan(colour), [
    h("div", { class: "portrait" }, fan(colour)),
    h("p", { class: "how" }, words.fan(colour, place), "."),
    h(
      "div",
      { class: "row" },
      ["A", "B"]
        .filter((p) => p !== place)
        .map((player) =>
          big(words.sheet.takes(player), () => send({ do: "fan", player, fan: colour }), {
            main: true,
            name: `take-${player}`,
          }),
        ),
    ),
    part(
      words.sheet.correction,
      PLACES.filter((p) => p !== place).map((p) =>
        big(words.sheet.putThere(p), () => send({ do: "correct", fan: colour, place: p }), { name: `put-${p}` }),
      ),
    ),
  ]);
}

export function openCell({ open, send }, cell) {
  open(
    words.sheet.cell(cell),
    h(
      "div",
      { class: "row swatches" },
      [...COLOURS, "."].map((letter) =>
        h(
          "button",
          {
            class: "swatch big",
            type: "button",
            "data-colour": letter,
            "aria-label": COLOUR_NAMES[letter],
            onclick: () => send({ do: "correct", cell, colour: letter }),
          },
          marble(letter),
          h("small", {}, COLOUR_NAMES[letter]),
        ),
      ),
    ),
  );
}
