// What opens on a tap on a player or the menu: cards, what is known wrongly about a player, rules, the match so far.

import { openEntries } from "./entries.js";
import { h } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { games } from "./games.js";
import { openEffect, openPassive } from "./react_effects.js";
import { forms, fresh, kindsToPutIn, whole } from "./react_forms.js";
import { differences } from "./react_outlook.js";
import { words as page } from "./words.js";
import { words } from "../words/react.js";

const row = (...buttons) => h("div", { class: "row" }, ...buttons);

/** A button that asks back before it acts. */
function twice(label, act, name) {
  let asked = false;
  const one = big(label, () => {
    if (asked) act();
    asked = true;
    one.textContent = `${label}: ${words.person.surely}`;
  }, { name });
  return one;
}

export function openPlayer({ sheets, model }, player) {
  const { state } = model;
  const side = state.players[player];
  const button = (label, fields, name) => big(label, () => sheets.send(fields), { name });
  const correct = (fields) => sheets.send({ do: "correct", player, ...fields });
  /** One card more in hand is one less in the deck: there are no more than there are. */
  const inHand = (hand) => {
    const deck = side.deck === null ? -1 : side.deck + side.hand - hand;
    correct({ hand, ...(deck >= 0 ? { deck } : {}) });
  };
  const surely = (label, fields, name) => twice(label, () => sheets.send(fields), name);
  const flipped = side.masterpiece.filter((card) => card.flipped).map((card) => card.card);
  const turned = side.masterpiece.map(({ card, flipped: down }) => {
    const one = big(`${player}${card}`, () => correct({ flipped: down ? flipped.filter((other) => other !== card) : [...flipped, card] }), { name: `flip-${card}` });
    one.setAttribute("aria-pressed", String(down));
    return one;
  });
  const pileOf = (name, label) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, label),
      h("input", { type: "number", min: 0, max: 99, value: side[name], "data-pile": name, onchange: (event) => correct({ [name]: Number(event.target.value) }) }),
    );
  const right = [
    part(words.person.hand, amounts(0, inHand, { stays: true, value: side.hand, to: 6 })),
    row(side.deck !== null && pileOf("deck", words.person.deck), pileOf("discard", words.person.discarded)),
    !state.over && part(words.person.flipped, turned),
    !state.over &&
      row(
        button(side.ascended ? words.person.notAscended : words.person.isAscended, { do: "correct", player, ascended: !side.ascended }, "right-ascended"),
        player !== state.turn && button(words.person.turn, { do: "correct", turn: player }, "turn"),
      ),
  ];
  sheets.open(
    `${words.player(player)}${side.artist ? `: ${side.artist}` : ""}`,
    h(
      "div",
      { class: "column" },
      side.sheet && h("p", { class: "soft" }, words.person.sheet(page.said(side.sheet))),
      side.passives.length > 0 && h("p", { class: "soft" }, words.person.passives(side.passives.map((one) => one.name).join(", "))),
      !state.over &&
        row(
          button(words.person.draw, { do: "draw", player }, "draw-one"),
          button(words.person.discard, { do: "discard", player }, "discard-one"),
          side.ascended
            ? button(words.person.descend, { do: "descend", player }, "descend")
            : button(words.person.ascend, { do: "ascend", player }, "ascend"),
        ),
      h("h3", {}, words.person.right),
      right,
      !state.over && row(surely(words.person.lose, { do: "lose", player }, "lose"), surely(words.person.concede, { do: "concede", player }, "concede")),
    ),
  );
}

export function openMenu(host) {
  const { sheets, model, newMatch, devices } = host;
  const { state } = model;
  const on = state && !state.over;
  sheets.open(
    words.menu,
    h(
      "div",
      { class: "column" },
      big(words.newMatch, newMatch, { name: "new-match" }),
      on && row(big(words.act.effect, () => openEffect(host), { name: "effect" }), big(words.act.passive, () => openPassive(host), { name: "passive" })),
      state && big(words.history, () => openHistory(host), { name: "history" }),
      on && !state.chain.stack.length && !state.due.length && big(words.phase.title, () => openPhase(host), { name: "phase" }),
      state && big(words.rules.title, () => openRules(host), { name: "rules" }),
      big(words.devices, devices, { name: "devices" }),
      h("a", { class: "action", href: "/records", "data-do": "records" }, words.records),
      games(model.view),
    ),
  );
}

/** The phase is another one: put right between chains. */
function openPhase({ sheets, model }) {
  const phases = ["masterpiece", "draw", "main"].map((name) => [name, words.phases[name]]);
  sheets.open(words.phase.title, part(words.phase.now, choice(phases, model.state.phase, (phase) => sheets.send({ do: "correct", phase }))));
}

/** The open points of the rulebook: until the first card is played each can be chosen. */
function openRules({ sheets, model, command }) {
  const { rules, played } = model.state;
  const one = ([name, [text, options]]) => {
    const set = (value) => command({ do: "rules", [name]: typeof rules[name] === "boolean" ? value === "true" : value });
    const shown = played ? { [rules[name]]: options[rules[name]] } : options;
    return part(text, choice(Object.entries(shown), String(rules[name]), set));
  };
  sheets.open(
    words.rules.title,
    h(
      "div",
      { class: "column" },
      played > 0 && h("p", { class: "soft" }, words.rules.late),
      Object.entries(words.rules.switches).map(one),
    ),
    { wide: true },
  );
}

const openHistory = (host) => openEntries(host, { forms, fresh, whole, kinds: kindsToPutIn, differences });
