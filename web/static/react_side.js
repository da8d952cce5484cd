// The Masterpiece Zone, and each player's numbers: hands and decks are counts, damage is three cards.

import { h, redraw } from "./dom.js";
import { words } from "../words/react.js";

export function drawSide(root, state, { tapSpace, tapPlayer }) {
  redraw(root, [state.masterpiece, state.players, state.turn, state.chain.priority, state.over], () => [
    player("B"),
    h(
      "div",
      { class: "masterpiece" },
      h("h2", {}, words.masterpiece.title),
      h("div", { class: "spaces" }, state.masterpiece.map((card, at) => space(card, at + 1))),
    ),
    player("A"),
  ]);

  function space(card, number) {
    const flipped = card && state.players[card[0]].masterpiece[card[1] - 1].flipped;
    return h(
      "button",
      {
        class: `mp-space ${flipped ? "flipped" : ""}`,
        type: "button",
        "data-space": number,
        "data-player": card?.[0],
        "aria-label": `${words.masterpiece.space(number)}: ${card ?? words.chain.empty}`,
        onclick: () => tapSpace(number),
      },
      card ?? number,
    );
  }

  function player(name) {
    const side = state.players[name];
    const acts = state.over ? state.over.winner === name : (state.chain.priority ?? state.turn) === name;
    const pools = [...Object.entries(side.summons), ...Object.entries(side.tokens), ...Object.entries(side.tiles)];
    return h(
      "button",
      { class: `person ${acts ? "acts" : ""}`, type: "button", "data-player": name, onclick: () => tapPlayer(name) },
      h(
        "span",
        { class: "who" },
        h("b", {}, name),
        ` ${side.artist ?? ""}`,
        side.ascended && h("span", { class: "tag" }, words.masterpiece.ascended),
      ),
      h(
        "span",
        { class: "hp", role: "img", "aria-label": words.side.hp(side.hp) },
        side.masterpiece.map((card) => h("i", { class: card.flipped ? "lost" : "" }, card.card)),
      ),
      h("span", { class: "count", "data-count": "hand" }, words.side.hand(side.hand)),
      h("span", { class: "count", "data-count": "deck" }, words.side.deck(side.deck)),
      h("span", { class: "count" }, words.side.discard(side.discard)),
      pools.map(([kind, pool]) => h("span", { class: "count soft" }, words.side.pool(kind, pool.left))),
    );
  }
}
