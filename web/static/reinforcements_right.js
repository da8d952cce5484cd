// Reinforcements put right: what is on the table set by hand, and what can be changed about an older entry.

import { h } from "./dom.js";
import { openEntries } from "./entries.js";
import { differing } from "./facts.js";
import { amounts, choice, part } from "./form.js";
import { COLOURS, pickCard, pickStack, shown, theirs, who } from "./reinforcements_pick.js";
import { openRight } from "./right.js";
import { words } from "../words/reinforcements.js";

const text = words.right;
const FLAGS = ["drawn", "main", "locked"];
const laid = (stack) =>
  stack.cards.map((card, i) => shown(card) + (stack.shields[i] ? `◆${stack.shields[i]}` : "")).join(" ");

/** What there is to say of a state; see facts.js. */
function facts(state) {
  const found = Object.entries(state.players).flatMap(([seat, side]) => [
    [text.handOf(who(state, seat)), side.hand],
    ...side.stacks.map((stack) => [stack.id, `${laid(stack)} ${stack.revealed ? "" : `(${text.hidden})`}`]),
    ...FLAGS.map((flag) => [`${who(state, seat)}, ${text.flags[flag]}`, text.is(side[flag])]),
    [`${who(state, seat)}, ${words.out}`, text.is(side.out)],
  ]);
  return [
    ...found,
    [text.turn(state.mode), who(state, state.turn)],
    [text.deck, state.deck],
    [text.discard, state.discard.count],
    ...Object.entries(state.totems).map(([name, owner]) => [words.totems[name], whose(state, owner)]),
    ...Object.entries(state.rules)
      .filter(([name]) => name in words.more.switches)
      .map(([name, value]) => [words.more.switches[name], words.more.value(value)]),
    ...(state.asks.length ? [[text.asked, text.asks[state.asks[0].kind]]] : []),
    ...(state.over ? [[text.over, words.todo.over(state.over.winner && who(state, state.over.winner))]] : []),
  ];
}

export const differences = differing(facts);

const whose = (state, owner) => (owner in state.players ? who(state, owner) : text.piles[owner]);

const onOff = (label, on, onclick, name) =>
  h("button", { class: "choice", type: "button", "data-mark": name, "aria-pressed": String(on), onclick }, label);

export function openRightOf(host) {
  const { state } = host.model;
  openRight(host, words.right.title, (propose) => controls(state, propose), { differences });
}

function controls(state, propose) {
  const set = (fields) => propose({ do: "correct", ...fields });
  const side = h("div", { class: "column" });
  const seats = Object.keys(state.players);
  const named = (list) => list.map((seat) => [seat, who(state, seat)]);
  const show = (seat) => {
    propose(null);
    side.replaceChildren(...sideOf(state, seat, set));
  };
  show(state.turn);
  return [
    part(text.whose, choice(named(seats), state.turn, show)),
    side,
    part(text.turn(state.mode), choice(named(seats.filter((seat) => !state.players[seat].out)), state.turn, (turn) => set({ turn }))),
    Object.keys(words.totems).map((totem) => {
      const owners = state.mode === "chaos" ? ["deck", "gone"] : ["", ...seats];
      return part(words.totems[totem], choice(owners.map((owner) => [owner, whose(state, owner)]), state.totems[totem], (owner) => set({ totem, owner })));
    }),
    part(text.discard, counter(state.discard.count, (discard) => set({ discard }))),
  ];
}

/** A number that may be large, by steps. */
function counter(value, changed) {
  let now = value;
  const count = h("b", { class: "pile-count" }, now);
  const step = (by) =>
    h("button", { class: "choice", type: "button", "data-step": by, onclick: () => changed((count.textContent = now = Math.max(0, now + by))) }, by > 0 ? `+${by}` : `−${-by}`);
  return h("div", { class: "shell-row counter" }, step(-5), step(-1), count, step(1), step(5));
}

function sideOf(state, seat, set) {
  const own = state.players[seat];
  const below = h("div", { class: "column" });
  const edit = (stack) => below.replaceChildren(...stackOf(state, seat, stack, set));
  const stacks = own.stacks.map((stack) => onOff(`${stack.id} ${laid(stack)}`, false, () => edit(stack), stack.id));
  return [
    part(text.hand, amounts(0, (hand) => set({ player: seat, hand }), { stays: true, value: own.hand, to: Math.max(10, own.hand) })),
    part(text.marks, h("div", { class: "shell-row" }, FLAGS.map((flag) => onOff(text.flags[flag], own[flag], () => set({ player: seat, [flag]: !own[flag] }), flag)))),
    part(text.stacks, h("div", { class: "shell-row" }, stacks, own.stacks.length < 5 && onOff(text.newStack, false, () => edit(null), "new"))),
    below,
  ];
}

/** One stack, or a new one (null): how many cards lie hidden, or which ones open, the bottom one first. */
function stackOf(state, seat, stack, set) {
  let revealed = stack?.revealed ?? false;
  let cards = stack ? [...stack.cards] : ["?"];
  const send = () => {
    if (stack) set({ stack: stack.id, cards, revealed });
    else if (cards.length) set({ player: seat, new: cards, revealed });
  };
  const list = h("div", { class: "column" });
  const show = () => {
    if (!revealed) {
      const least = stack ? 0 : 1;
      const count = amounts(least, (n) => ((cards = Array(n).fill("?")), send()), { stays: true, value: cards.length, to: 2 });
      return list.replaceChildren(part(text.count, count));
    }
    const out = cards.map((card, i) =>
      h("button", { class: "choice", type: "button", "data-colour": card[0], "data-out": i, onclick: () => (cards.splice(i, 1), show(), send()) }, `${card} ✕`, h("span", { class: "unseen" }, ` ${text.takeOut(words.card(card))}`)),
    );
    const add = (card) => {
      cards.push(card);
      show();
      send();
    };
    return list.replaceChildren(
      part(text.cards, h("div", { class: "shell-row" }, out)),
      part(text.more, pickCard(add, { name: "more", of: (card) => !cards.length || card[0] === cards[0][0] })),
    );
  };
  const turned = (how) => {
    revealed = how === "revealed";
    cards = revealed ? cards.filter((card) => card !== "?") : cards.slice(0, 2).map(() => "?");
    show();
    if (cards.length) send();
  };
  show();
  const shields = (stack?.cards ?? []).map((card, i) => {
    const place = `${stack.id}.${i + 1}`;
    const mercenaries = COLOURS.map((colour) => [`${colour}C`, `${colour}C`]);
    return part(text.shieldOn(place, words.card(card)), choice([["", text.none], ...mercenaries], stack.shields[i] ?? "", (shield) => set({ shield_on: place, shield })));
  });
  return [
    h("h3", {}, stack ? stack.id : text.newStack),
    choice([["hidden", text.hidden], ["revealed", text.revealed]], revealed ? "revealed" : "hidden", turned),
    list,
    shields,
  ].flat();
}

// --- older entries ------------------------------------------------------------------------------------------------------

/** Several things of one command, each with `set` of what it changes. */
const form = (...makers) => (command, before, changed) => {
  let now = command;
  const set = (fields) => changed((now = { ...now, ...fields }));
  return makers.map((make) => make(command, before, set));
};
const card = (key, title) => (command, before, set) =>
  part(title, pickCard((value) => set({ [key]: value }), { value: command[key], name: key }));
const target = (command, before, set) =>
  part(words.pick.target, pickStack(before, (value) => value && set({ target: value }), { of: theirs(command.player), value: command.target }));
const count = (command, before, set) =>
  part(words.pick.count, amounts(0, (value) => set({ count: value }), { stays: true, value: command.count ?? null, to: 10 }));
const three = (command, before, set) => {
  const cards = [...command.cards];
  const pick = (i) => (value) => {
    cards[i] = value;
    set({ cards: [...cards] });
  };
  return cards.map((value, i) => part(String(i + 1), pickCard(pick(i), { value, name: `reveal${i}` })));
};
const used = (command, before, set) =>
  choice([["yes", words.asks.use], ["no", words.asks.let]], command.use ? "yes" : "no", (value) => set({ use: value === "yes" }));
const blow = form(card("card", words.pick.card), target);

const entries = {
  forms: {
    draw: form(count),
    discard: (command, ...rest) => (command.cards ? [] : form(count)(command, ...rest)),
    attack: blow,
    // a card that was taken from a stack is the one that lay there
    barrage: (command, ...rest) => (command.from ? form(target) : blow)(command, ...rest),
    fortify: form(card("card", words.pick.card)),
    flip: form(card("card", words.pick.card)),
    rallied: form(card("card", words.pick.card)),
    reveal: form(three),
    reinforcements: (command, ...rest) =>
      command.winner ? [] : form(card("defender", text.defender), card("attacker", text.attacker))(command, ...rest),
    hero: form(used),
  },
  differences,
};

export const openHistoryOf = (host) => openEntries(host, entries);
