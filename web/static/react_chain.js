// The React Chain as a stack: the last card on top, since it resolves first.

import { h, redraw } from "./dom.js";
import { unitName } from "./react_field.js";
import { words } from "../words/react.js";

/** `tap(slot)`: a card was tapped; without it nothing can be. */
export function drawChain(root, state, tap = null) {
  const { chain, due } = state;
  redraw(root, [chain, due], () => [
    h("h2", {}, words.chain.title),
    h("p", { class: "soft" }, chain.resolving ? words.chain.resolving : chain.passes ? words.chain.pass : ""),
    h(
      "ol",
      { class: "stack", reversed: true },
      due.filter((item) => item.part !== "card").map((item) => h("li", { class: "slot due", "data-due": item.id }, words.chain.first(item), item.zone && h("span", {}, words.chain.target(item.zone)))),
      [...chain.slots].map((card, at) => slot(card, at + 1, chain, tap)).reverse(),
    ),
  ]);
}

function slot(card, number, chain, tap) {
  if (!card) return h("li", { class: "slot empty", "data-slot": number }, h("b", {}, number), h("span", {}, words.chain.empty));
  const next = chain.resolving && chain.next === number;
  const token = [card.zone && words.chain.target(card.zone), card.direction && words.chain.directions[card.direction]];
  const paid = card.costs.filter((cost) => cost.do !== "target" && cost.do !== "direction");
  const inside = [
    h("b", {}, number),
    h("span", { class: "name" }, `${card.player}: ${words.chain.card(card)}`, card.effect && ` (${card.effect})`),
    h("span", { class: "soft" }, words.chain.kinds[card.kind]),
    token.filter(Boolean).length > 0 && h("span", { class: "token" }, token.filter(Boolean).join(" ")),
    paid.length > 0 && h("span", { class: "soft" }, `${words.chain.paid}: ${paid.map((cost) => words.forms.line(cost.do, cost, unitName)).join(", ")}`),
    next && h("span", { class: "tag" }, words.chain.next),
  ];
  return h(
    "li",
    { class: `slot ${card.kind} ${next ? "next" : ""}`, "data-slot": number, "data-player": card.player },
    tap ? h("button", { class: "slot-button", type: "button", "data-card": number, onclick: () => tap(number) }, inside) : inside,
  );
}
