// What is due: the first item of the list with its choice, the others after it.

import { h } from "./dom.js";
import { createOutlook } from "./outlook.js";
import { COLOUR_NAMES, words } from "./words.js";

/** The item to decide now, or null. A player without a board has nothing but "enter it by taps", which is said anyway. */
export function firstDue(state) {
  const due = state?.due ?? [];
  const silent = due.every((item) => item.effect.do === "unknown" && !state.players[item.player].board);
  return silent ? null : due[0];
}

/** What comes after it. */
export const laterDue = (state) => (firstDue(state) ? state.due.slice(1) : []);

const FEW = 12; // what X counts is nearly always fewer
const MOST = 36; // marbles in play, the spare ones too: nothing on the table is more
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const button = (label, name, onclick, main = true) =>
  h("button", { class: `action ${main ? "main" : ""}`, type: "button", "data-resolve": name, onclick }, h("span", {}, label));

const HITS_ALL = ["deal_all", "take_all"];

/**
 * The buttons of an item's choice. `picked`: the marbles that are tapped on the tray; `choose`: takes an answer that is
 * to be confirmed, null: every tap is the answer.
 */
export function dueButtons(item, { state, picked }, command, choose = null) {
  const send = (answer) => command({ do: "resolve", item: item.id, ...answer });
  const { choice } = item;
  /** What a dial would come to stands on its own button: one tap is enough. */
  const foreseen = (button, answer) => {
    if (!choose) return button;
    const { line, show } = createOutlook(state, () => ({ do: "resolve", item: item.id, ...answer }), true);
    button.append(line);
    show();
    return button;
  };
  const each = (key, label) => choice.options.map((value) => button(label(value), value, () => send({ [key]: value })));
  const dial = (colour) => words.due.dial(choice.player, colour, state.players[choice.player].buttons[colour]);
  const kinds = {
    dial: () => choice.options.map((value) => foreseen(button(dial(value), value, () => send({ button: value })), { button: value })),
    fan: () => each("fan", words.due.fan),
    colour: () => each("colour", (colour) => COLOUR_NAMES[colour]),
    when: () => each("when", words.due.when),
    option: () => choice.options.map((text, i) => button(text, i, () => send({ option: i }))),
    yes_no: () => [
      button(words.due.yes, "yes", () => send({ yes: true })),
      button(words.due.no, "no", () => send({ yes: false }), false),
    ],
    done: () => [button(words.due.done, "done", () => send({ done: true }))],
    amount: () => {
      // damage that hits at once is shown before it does
      const told = choose && HITS_ALL.includes(item.effect.do) ? (n) => choose({ item: item.id, answer: { amount: n } }) : null;
      const number = (n) =>
        h(
          "button",
          { class: "amount", type: "button", "data-resolve": n, onclick: () => (told ? told(n) : send({ amount: n })) },
          String(n),
        );
      const name = h("span", {}, words.due.howMany(choice.x));
      const group = h("div", { class: "count", role: "group", "aria-label": choice.x });
      const show = (from, to, label, other) =>
        group.replaceChildren(
          name,
          ...range(from, to).map(number),
          h("button", { class: "amount other", type: "button", "data-do": "others", onclick: other }, label),
        );
      const few = () => show(0, FEW, words.due.more, many);
      const many = () => show(FEW + 1, MOST, words.due.fewer, few);
      few();
      return group;
    },
    cells: () => [
      picked.length > 0 &&
        picked.length <= choice.most &&
        button(words.destroy(picked.length), "cells", () => send({ cells: picked })),
      button(picked.length ? words.unpickFirst : words.due.noMore, "no-more", () => send({ done: true }), false),
    ],
    place: () =>
      h(
        "label",
        { class: "rule" },
        h("span", {}, words.due.where),
        placeList(choice.options, (place) => send({ place })),
      ),
  };
  return [
    kinds[choice?.kind ?? "done"]?.() ?? [],
    h(
      "button",
      { class: "action quiet", type: "button", "data-resolve": "drop", onclick: () => send({ drop: true }) },
      words.due.drop,
    ),
  ];
}

/** The answer that was chosen by a tap on its dial or number, to be confirmed. */
export function chosenButtons(item, { state, chosen }, { command, choose, moreOfDial }) {
  const answer = { do: "resolve", item: item.id, ...chosen.answer };
  const { button: colour, amount } = chosen.answer;
  const player = item.choice?.player;
  const { line, show } = createOutlook(state, () => answer, true);
  show();
  const confirm = button(colour ? words.due.dial(player, colour, state.players[player].buttons[colour]) : words.due.amount(item.choice.x, amount), "confirm", () => command(answer));
  confirm.append(line);
  return [
    confirm,
    button(words.due.other, "other", () => choose(null), false),
    colour && button(words.due.byHand, "by-hand", () => moreOfDial(player, colour), false),
  ];
}

/** A list of places for a marker; the pick is told at once. */
export function placeList(places, onpick) {
  const select = h(
    "select",
    { "data-places": true, "aria-label": words.due.where },
    h("option", { value: "" }, words.due.choose),
    places.map((place) => h("option", { value: place }, words.due.place(place))),
  );
  select.addEventListener("change", () => select.value && onpick(select.value));
  return select;
}
