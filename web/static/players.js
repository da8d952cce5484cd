// One player's side: three dials, the credits.

import { attribute, h, redraw } from "./dom.js";
import { COLOURS, coin, dial } from "./draw.js";
import { whoActs } from "./opening.js";
import { together } from "./say.js";
import { words } from "./words.js";

const SLOTS = 4; // credits at the start; spent ones leave an empty place
const MOST_COINS = 8;

export function createPlayer(root, player, { openDial, openCredits }) {
  const dials = Object.fromEntries(
    COLOURS.map((colour) => {
      const name = h("span", { class: "unseen" }); // for those who hear the page; the dial's own digits are hidden to them
      const face = h("span", { class: "face" });
      const change = h("span", { class: "change", "aria-hidden": "true" });
      const button = h(
        "button",
        { class: "dial", type: "button", "data-dial": `${player}${colour}`, onclick: () => openDial(player, colour) },
        name,
        face,
        change,
      );
      return [colour, { button, name, face, change, hp: null }];
    }),
  );
  const fighter = h("span", { class: "fighter" });
  const coins = h("span", { class: "coins" });
  const count = h("span", { class: "coin-count" });
  const credits = h(
    "button",
    { class: "credits", type: "button", "data-credits": player, onclick: () => openCredits(player) },
    coins,
    count,
  );
  root.append(
    h(
      "h2",
      { class: "name" },
      h("span", { class: "lamp" }, player),
      h("span", { class: "name-text" }, words.player(player)),
      fighter,
    ),
    h(
      "div",
      { class: "dials" },
      Object.values(dials).map((part) => part.button),
      credits,
    ),
  );

  /** What has changed since it was last looked at: nothing has in a match that has just begun. */
  function changes(own, { view, version }) {
    const begun = view?.last?.do === "setup" && view.last.version === version;
    for (const colour of COLOURS) {
      const part = dials[colour];
      const hp = own?.buttons[colour].hp ?? null;
      if (begun) part.change.classList.remove("shown");
      else if (part.hp !== null && hp !== null && part.hp !== hp) showChange(part.change, hp - part.hp);
      part.hp = hp;
    }
  }

  return function render(model, say = {}) {
    const { state, chosen = null } = model;
    const own = state?.players[player];
    if (together(model)) changes(own, model);
    root.hidden = !own;
    if (!own) return;
    attribute(root, "data-on-turn", whoActs(state) === player);
    attribute(root, "data-won", state.over?.winner === player);
    redraw(fighter, own.fighter, () => own.fighter);
    const choice = say.due?.choice?.kind === "dial" && say.due.choice.player === player ? say.due.choice : null;
    for (const colour of COLOURS) {
      const part = dials[colour];
      attribute(part.button, "data-choosable", choice?.options.includes(colour));
      attribute(part.button, "data-chosen", choice && chosen?.item === say.due.id && chosen.answer.button === colour);
      const button = own.buttons[colour];
      redraw(part.face, [button.hp, button.broken], () => dial(colour, button));
      redraw(part.name, [button.hp, button.broken], () => words.dial(player, colour, button));
      attribute(part.button, "data-broken", button.broken);
    }
    const n = own.credits;
    redraw(coins, n, () =>
      Array.from({ length: Math.min(MOST_COINS, Math.max(SLOTS, n)) }, (_, i) =>
        h("span", { class: "coin" }, coin(i >= n)),
      ),
    );
    redraw(count, n, () => [h("b", {}, n), ` ${words.creditsShort(n)}`]);
    attribute(credits, "aria-label", words.credits(player, n));
  };
}

function showChange(element, by) {
  element.textContent = by > 0 ? `+${by}` : `−${-by}`;
  element.classList.remove("shown");
  void element.offsetWidth; // starts the animation again
  element.classList.add("shown");
}
