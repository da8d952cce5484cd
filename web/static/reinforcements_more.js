// What seldom happens in Reinforcements: somebody gives up, a mixed stack is found, cards at the same time, other rules.

import { h } from "./dom.js";
import { big, choice, part } from "./form.js";
import { own, pickStack, who } from "./reinforcements_pick.js";
import { differences } from "./reinforcements_right.js";
import { openRight, switches } from "./right.js";
import { words } from "../words/reinforcements.js";

const text = words.more;
const RULES = {
  bleed_hides_again: [true, false],
  bleed_tie_red: [true, false],
  reveal_at_five: ["nothing", "draw"],
  adapt: ["own", "any"],
  mage_on_one: [true, false],
  lock_by_any: [true, false],
  hero_lost: ["any", "all"],
  totem_call: ["second", "later"],
  rally: ["R", "B", "G"],
  foresight: ["G", "R", "B"],
};

export function openMoreOf(host) {
  const { state } = host.model;
  openRight(host, text.title, (propose) => controls(state, host, propose), { differences });
}

function controls(state, host, propose) {
  const there = Object.keys(state.players).filter((seat) => !state.players[seat].out);
  const named = there.map((seat) => [seat, who(state, seat)]);
  const mixed = (stack) => !stack.revealed && stack.cards.length > 1;
  const found = there.some((seat) => state.players[seat].stacks.some(mixed));
  return [
    found &&
      part(
        text.broken,
        pickStack(state, (stack) => propose(stack && { do: "broken", player: stack[0], stack }), {
          of: (stack, seat) => there.some((one) => own(one, mixed)(stack, seat)),
          name: "broken",
        }),
      ),
    state.mode === "chaos" && part(text.clash, clash(named, host)),
    part(text.concede, choice(named, null, (player) => propose({ do: "concede", player }))),
    h(
      "details",
      {},
      h("summary", { class: "action" }, text.rules),
      switches(RULES, state.rules, text.switches, text.value, propose),
    ),
  ];
}

/** Whoever is picked first was first, as the players settled it. */
function clash(named, host) {
  const players = [];
  const buttons = named.map(([seat, name]) =>
    h("button", { class: "choice", type: "button", "data-clash": seat, "aria-pressed": "false", onclick: () => pick(seat) }, name),
  );
  const keep = big(text.keep, () => players.length > 1 && host.sheets.send({ do: "clash", players, first: players[0] }), { name: "clash" });
  function pick(seat) {
    if (players.includes(seat)) players.splice(players.indexOf(seat), 1);
    else players.push(seat);
    for (const [i, button] of buttons.entries()) button.setAttribute("aria-pressed", String(players.includes(named[i][0])));
  }
  return h("div", { class: "shell-row" }, buttons, keep);
}
