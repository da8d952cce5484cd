// An illegal pull that both players let stand: as which attack?

import { h } from "./dom.js";
import { COLOURS, marble } from "./draw.js";
import { at } from "./tray.js";
import { words } from "./words.js";
import { correctWords } from "./words_correct.js";

const text = correctWords.stand;
const SIZES = [4, 2, 1];
const ATTACKS = COLOURS.flatMap((colour) => SIZES.map((size) => `${colour}${size}`));

/** All attacks, the likeliest first: of the colour that most marbles had, as many of them as an attack can have. */
function likeliest(cells, tray) {
  const count = (colour) => cells.filter((cell) => at(tray, cell) === colour).length;
  const far = (attack) => {
    const [n, size] = [count(attack[0]), Number(attack[1])];
    return (cells.length - n) * 100 + (size > n ? 10 + size - n : n - size);
  };
  return [...ATTACKS].sort((one, two) => far(one) - far(two));
}

/** `pull`: { player, cells, lines, seen }: `seen`: the camera saw it, and the table knows what dropped in. */
export function openStand({ open, close }, state, { player, cells, lines, seen }, { command, control }) {
  const stand = (attack) => {
    close();
    if (seen) control({ do: "let_stand", attack });
    else command({ do: "clear", player, cells, attack, overrule: true });
  };
  const button = (attack, i) =>
    h(
      "button",
      { class: `call c-${attack[0]} ${i === 0 ? "likely" : ""}`, type: "button", "data-attack": attack, onclick: () => stand(attack) },
      h("span", { class: "unseen" }, text.attack(attack)),
      h("span", { class: "call-glass", "aria-hidden": "true" }, marble(attack[0])),
      h("b", { "aria-hidden": "true" }, `×${attack[1]}`),
    );
  open(text.title(player), [
    h("p", {}, text.although, " ", lines.join(" ")),
    h(
      "p",
      { class: "answer-glasses" },
      cells.map((cell) => h("span", { class: "mini" }, h("span", { class: "mini-glass" }, marble(at(state.tray, cell))), h("small", {}, cell))),
    ),
    h("p", { class: "how" }, text.how, " ", text.likely),
    h("div", { class: "calls" }, likeliest(cells, state.tray).map(button)),
  ]);
}
