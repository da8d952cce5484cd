// What is picked from on the sheets of Reinforcements: cards by colour and rank, stacks, cards on the table.

import { h } from "./dom.js";
import { words } from "../words/reinforcements.js";

export const SEATS = ["A", "B", "C", "D"];
export const COLOURS = ["R", "B", "G"];
const RANKS = ["1", "2", "3", "4", "5", "6", "7", "A", "M", "C"];
const HIDDEN = "▮";
export const who = (state, seat) => words.seat(seat, state.players[seat].name);
export const shown = (card) => (card === "?" ? HIDDEN : card);

/** A card by colour and rank; `of`: which there are to choose from; `value`: the one that is picked already. */
export function pickCard(onpick, { of = () => true, name = "card", columns = RANKS, value = null } = {}) {
  const buttons = [];
  const rows = COLOURS.map((colour) =>
    columns
      .map((rank) => colour + rank)
      .filter(of)
      .map((card) => {
        const button = h(
          "button",
          { class: "pick-card", type: "button", "data-colour": colour, [`data-pick-${name}`]: card, "aria-pressed": String(card === value), onclick: () => pick(card, button) },
          h("b", {}, card), // the letter too: colour alone tells some nothing
          h("span", { class: "unseen" }, ` ${words.card(card)}`),
        );
        buttons.push(button);
        return button;
      }),
  ).filter((row) => row.length);
  function pick(card, button) {
    for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
    onpick(card);
  }
  return h("div", { class: "card-picker" }, rows.map((row) => h("div", { class: "card-row" }, row)));
}

/** A stack, or a card in one (`places`), among those that `of` allows. */
export function pickStack(state, onpick, { of, places = false, several = 1, name = "stack", value = null }) {
  const picked = value ? [value] : [];
  const buttons = [];
  const made = Object.entries(state.players).flatMap(([seat, side]) =>
    side.stacks
      .filter((stack) => of(stack, seat))
      .flatMap((stack) =>
        (places ? spots(stack) : [[stack.id, `${stack.id} ${stack.cards.map(shown).join(" ")}`]]).map(([value, label]) => {
          const button = h(
            "button",
            { class: "choice", type: "button", "data-colour": stack.colour, [`data-pick-${name}`]: value, "aria-pressed": String(picked.includes(value)), onclick: () => pick(value) },
            label,
          );
          buttons.push([value, button]);
          return button;
        }),
      ),
  );
  function pick(value) {
    if (picked.includes(value)) picked.splice(picked.indexOf(value), 1);
    else picked.push(value);
    while (picked.length > several) picked.shift();
    for (const [one, button] of buttons) button.setAttribute("aria-pressed", String(picked.includes(one)));
    onpick(several === 1 ? (picked[0] ?? null) : [...picked]);
  }
  return h("div", { class: "shell-row" }, made);
}

const spots = (stack) =>
  stack.cards.flatMap((card, i) => {
    const place = `${stack.id}.${i + 1}`;
    return [
      [place, `${place} ${shown(card)}`],
      ...(stack.shields[i] ? [[`${place}s`, `${place} ${stack.shields[i]}`]] : []),
    ];
  });

export const theirs = (player) => (stack, seat) => seat !== player;
export const own = (player, of = () => true) => (stack, seat) => seat === player && of(stack);
