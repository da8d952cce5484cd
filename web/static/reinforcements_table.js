// The table of Reinforcements: the piles, and everybody's stacks. Only what lies open has a name.

import { h, redraw } from "./dom.js";
import { shown, who } from "./reinforcements_pick.js";
import { words } from "../words/reinforcements.js";

export function drawPile(root, state) {
  redraw(root, [state.deck, state.discard, state.totems, state.players], () => [
    h("span", { class: "pile-count", "data-pile": "deck" }, words.deck(state.deck)),
    h("span", { class: "pile-count", "data-pile": "discard" }, words.discard(state.discard.count)),
    Object.entries(state.totems)
      .filter(([, owner]) => owner === "" || state.players[owner])
      .map(([name, owner]) => h("span", { class: "pile-totem", "data-totem": name, "data-owner": owner || null }, owner ? words.held(name, who(state, owner)) : words.totems[name])),
  ]);
}

export function drawSeats(root, state) {
  redraw(root, [state.players, state.turn, state.fight, state.over], () => Object.keys(state.players).map((seat) => player(state, seat)));
}

function player(state, seat) {
  const side = state.players[seat];
  return h(
    "article",
    { class: "seat", "data-seat": seat, "data-turn": state.turn === seat && !state.over, "data-out": side.out },
    h(
      "header",
      {},
      h("h2", {}, who(state, seat)),
      h("span", { class: "soft" }, side.out ? words.out : words.hand(side.hand)),
      side.locked && h("span", { class: "seat-mark" }, words.locked),
      side.totems.map((name) => h("span", { class: "seat-mark" }, words.totems[name])),
    ),
    h("div", { class: "stacks" }, side.stacks.map((stack) => stackOf(state, stack))),
  );
}

const stackOf = (state, stack) =>
  h(
    "div",
    { class: "stack-box", role: "img", "data-stack": stack.id, "data-colour": stack.colour, "data-target": state.fight?.target === stack.id, "aria-label": `${words.stack(stack)}: ${stack.cards.map(words.card).join(", ")}` },
    h("span", { class: "stack-name" }, stack.id),
    stack.cards
      .map((card, i) =>
        h(
          "span",
          { class: "card", "data-colour": card === "?" ? null : card[0] },
          shown(card),
          stack.shields[i] && h("i", { class: "card-shield", title: words.shield(stack.shields[i]) }, "◆"),
        ),
      )
      .reverse(),
  );
