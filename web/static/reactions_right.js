// The reaction sheet put right: characters, relations and rules set by hand, and what can be changed about an older entry.

import { h } from "./dom.js";
import { openEntries } from "./entries.js";
import { differing } from "./facts.js";
import { amounts, big, choice, part } from "./form.js";
import { openRight, switches } from "./right.js";
import { words } from "../words/reactions.js";

const text = words.right;
const RULES = {
  range: Array.from({ length: 10 }, (_, n) => n),
  adjacency: [4, 8],
  disabled_stops: ["everything", "actions", "reactions", "nothing"],
  any_includes_target: [true, false],
  unsaid_timing: ["before", "open"],
  refresh: ["turn", "by_hand"],
  actives_react: [true, false],
  attack_needs_range: [true, false],
};
const symbols = (offer) => Object.keys(offer.reactions).map((one) => words.actions[one]).join(", ");
const told = (one, key) => text.relation[key](one[key]);

/** What there is to say of a state; see facts.js. */
function facts(state) {
  const character = (one) => [
    one.id,
    [
      one.at ? words.square(...one.at) : text.nowhere,
      one.range !== null && words.marks.range(one.range),
      one.disabled && words.marks.disabled,
      one.reacted && words.marks.reacted,
    ]
      .filter(Boolean)
      .join(", "),
  ];
  const may = new Map();
  for (const offer of state.offers) may.set(offer.character, [...(may.get(offer.character) ?? []), symbols(offer)]);
  return [
    ...state.characters.map(character),
    ...state.relations.map((one) => [text.between(one.who, one.to), `${told(one, "adjacent")}, ${told(one, "in_range")}`]),
    ...[...may].map(([who, what]) => [text.may(who), what.join("; ")]),
    ...Object.entries(state.rules).map(([name, value]) => [text.rules[name], text.value(value)]),
    [text.turn, state.turn ? words.turn(state.turn) : words.between],
    ...(state.step ? [[text.announced, words.step(state.step)]] : []),
    [words.logTitle, state.log.length],
  ];
}

/** `put(name)`: the page asks for the square that somebody stands on. */
export function openCharacter(host, name, { put }) {
  const { state } = host.model;
  const placed = (who) => {
    host.sheets.close();
    put(who);
  };
  openRight(host, text.title, (propose) => controls(state, name, propose, placed), { differences: differing(facts) });
}

export const openRightOf = (host, acts) => openCharacter(host, host.model.state.characters[0]?.id ?? null, acts);

function controls(state, name, propose, put) {
  const below = h("div", { class: "column" });
  const names = state.characters.map((one) => [one.id, one.id]);
  const show = (who) => {
    propose(null);
    below.replaceChildren(...characterOf(state, who, propose, put));
  };
  if (name) show(name);
  return [names.length > 0 && part(text.whom, choice(names, name, show)), below, joining(state, propose), rules(state, propose)];
}

function characterOf(state, name, propose, put) {
  const one = state.characters.find((character) => character.id === name);
  const set = (fields) => propose({ do: "correct", character: name, ...fields });
  const mark = (key) => {
    const pick = choice([["yes", text.yes], ["no", text.no]], one[key] ? "yes" : "no", (value) => set({ [key]: value === "yes" }));
    pick.dataset.mark = key;
    return part(words.marks[key], pick);
  };
  const range = (value) => set({ range: value });
  const others = state.characters.filter((other) => other.id !== name);
  return [
    mark("disabled"),
    mark("reacted"),
    part(
      text.range,
      amounts(0, range, { stays: true, value: one.range, to: 9 }),
      one.range !== null && big(text.asRules, () => range(null), { name: "range-rules" }),
    ),
    h(
      "div",
      { class: "shell-row" },
      state.grid && big(words.character.move, () => put(name), { name: "put" }),
      one.at && big(text.offGrid, () => set({ at: null }), { name: "off" }),
      big(words.character.leave, () => propose({ do: "leave", character: name }), { name: "leave" }),
    ),
    others.length > 0 && h("h3", {}, words.character.relations),
    ...others.map((other) => relations(state, name, other.id, propose)),
  ].filter(Boolean);
}

/** Two relations of one pair; what is not set by hand is as the grid says, and without one not so. */
function relations(state, who, to, propose) {
  const now = state.relations.find((one) => one.who === who && one.to === to) ?? { adjacent: null, in_range: null };
  let told = { adjacent: now.adjacent, in_range: now.in_range };
  const options = state.grid ? [["", text.asGrid], ["yes", text.yes], ["no", text.no]] : [["yes", text.yes], ["", text.no]];
  const one = (key, label) => {
    const value = { true: "yes", false: state.grid ? "no" : "", null: "" }[told[key]];
    const pick = choice(options, value, (chosen) => {
      told = { ...told, [key]: { yes: true, no: false, "": null }[chosen] };
      propose({ do: "relate", who, to, ...told });
    });
    pick.dataset.relate = `${key} ${to}`;
    return part(label, pick);
  };
  return h("div", { class: "pair" }, one("adjacent", words.character.adjacent(to)), one("in_range", words.character.inRange(to)));
}

function joining(state, propose) {
  const name = h("input", { type: "text", maxlength: 40, autocomplete: "off", "data-input": "join" });
  const free = () => {
    for (let y = 1; y <= state.grid.rows; y++)
      for (let x = 1; x <= state.grid.columns; x++)
        if (!state.characters.some((one) => one.at?.[0] === x && one.at[1] === y)) return [x, y];
    return null;
  };
  const join = () => {
    const id = name.value.trim();
    if (id) propose({ do: "join", character: { id, ...(state.grid && free() ? { at: free() } : {}) } });
  };
  return part(text.join, h("label", { class: "field" }, h("span", {}, text.name), name), big(text.joins, join, { name: "join" }));
}

const rules = (state, propose) =>
  h(
    "details",
    {},
    h("summary", { class: "action" }, text.rulesTitle),
    switches(RULES, state.rules, text.rules, text.value, propose),
  );

// --- older entries ------------------------------------------------------------------------------------------------------

const one = (title, options, value, changed) => [part(title, choice(options, value, changed))];

const entries = {
  forms: {
    announce(command, before, changed) {
      if (!command.target) return [];
      const others = before.characters.filter((character) => character.id !== command.by);
      return one(words.pickTarget, others.map(({ id }) => [id, id]), command.target, (target) => changed({ ...command, target }));
    },
    react(command, before, changed) {
      const options = ["A", ">", "!", "D"].map((symbol) => [symbol, `${symbol} ${words.actions[symbol]}`]);
      return one(text.reaction, options, command.reaction, (reaction) => changed({ ...command, reaction }));
    },
    proceed(command, before, changed) {
      if (!before.step?.may_be_stopped) return [];
      const options = [["no", words.proceed], ["yes", words.stopped]];
      return one(text.outcome, options, command.stopped ? "yes" : "no", (value) => changed({ ...command, stopped: value === "yes" }));
    },
  },
  differences: differing(facts),
};

export const openHistoryOf = (host) => openEntries(host, entries);
