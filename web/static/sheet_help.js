// Help for learners: every clear of the player on turn by attack, and what may roll in next.

import { h } from "./dom.js";
import { COLOURS, marble } from "./draw.js";
import { words } from "./words.js";

/** `show(chain)`: picks the marbles of a clear on the tray. */
export function openHelp({ open, close }, help, show) {
  const attacks = [...new Set(help.clears.map((clear) => clear.attack))];
  const one = (clear) =>
    h(
      "button",
      {
        class: "choice",
        type: "button",
        "data-clear": clear.cells.join("-"),
        onclick: () => {
          close();
          show(clear.chain);
        },
      },
      clear.chain.join(" "),
    );
  const chances = help.next && [
    h("h3", {}, words.help.next),
    h(
      "p",
      { class: "chances" },
      COLOURS.map((colour) =>
        h(
          "span",
          { "data-chance": colour },
          h("span", { class: "call-glass" }, marble(colour)),
          words.help.chance(help.next[colour]),
        ),
      ),
    ),
  ];
  open(
    words.help.title(help.player),
    [
      h("p", { class: "how" }, help.clears.length ? words.help.how : words.help.none),
      attacks.map((attack) =>
        h(
          "section",
          {},
          h("h3", {}, words.attack(attack)),
          h(
            "div",
            { class: "choices" },
            help.clears.filter((clear) => clear.attack === attack).map(one),
          ),
        ),
      ),
      chances,
    ],
    { wide: true },
  );
}
