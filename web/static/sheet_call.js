// An attack called by its name: nobody has to say which marbles.

import { h } from "./dom.js";
import { COLOURS, marble } from "./draw.js";
import { words } from "./words.js";

const ATTACKS = [1, 2, 4];

export function openCall({ open, send }, state) {
  const player = state.turn;
  const own = state.players[player].buttons;
  const shorts = {};
  const stepper = (colour) => {
    const value = h("output", {}, "0");
    const step = (by) => {
      shorts[colour] = Math.max(0, Math.min(9, (shorts[colour] ?? 0) + by));
      value.textContent = shorts[colour];
    };
    return h(
      "div",
      { class: "stepper" },
      h("span", {}, words.sheet.shorts(colour)),
      h("button", { class: "amount", type: "button", "aria-label": "−1", onclick: () => step(-1) }, "−"),
      value,
      h("button", { class: "amount", type: "button", "aria-label": "+1", onclick: () => step(1) }, "+"),
    );
  };
  const call = (attack) => {
    const used = Object.fromEntries(Object.entries(shorts).filter(([, n]) => n > 0));
    send({ do: "clear", player, attack, ...(Object.keys(used).length ? { shorts: used } : {}) });
  };
  open(words.sheet.call(player), [
    h("p", { class: "how" }, words.sheet.callHow),
    COLOURS.filter((colour) => own[colour].broken).map(stepper),
    h(
      "div",
      { class: "calls" },
      COLOURS.map((colour) =>
        ATTACKS.map((n) =>
          h(
            "button",
            {
              class: `call c-${colour}`,
              type: "button",
              "data-attack": `${colour}${n}`,
              disabled: own[colour].broken,
              onclick: () => call(`${colour}${n}`),
            },
            h("span", { class: "unseen" }, words.attack(`${colour}${n}`)),
            h("span", { class: "call-glass", "aria-hidden": "true" }, marble(colour)),
            h("b", { "aria-hidden": "true" }, `×${n}`),
          ),
        ),
      ),
    ),
  ]);
}
