// The table of the reaction sheet: the grid, who is there, who may react, and the reactions so far.

import { attribute, h, redraw } from "./dom.js";
import { words } from "../words/reactions.js";

/** `begun`: what a page has begun; `tap(x, y)`: a square is tapped, null: it cannot be. */
export function drawGrid(root, state, begun, tap) {
  root.hidden = !state.grid;
  if (!state.grid) return;
  const { columns, rows } = state.grid;
  const way = (x, y) => begun.path.findIndex((one) => one[0] === x && one[1] === y) + 1;
  redraw(root, [state.characters, state.grid, state.step, state.turn, begun.path, begun.active, begun.target], () => {
    const squares = [];
    for (let y = 1; y <= rows; y++)
      for (let x = 1; x <= columns; x++) {
        const here = state.characters.find((one) => one.at?.[0] === x && one.at[1] === y);
        const step = state.step?.path.some((one) => one[0] === x && one[1] === y);
        squares.push(
          h(
            "button",
            {
              class: "square",
              type: "button",
              "data-square": `${x},${y}`,
              "data-way": way(x, y) || null,
              "data-step": step,
              "aria-label": `${words.square(x, y)}${here ? `: ${here.id}` : ""}`,
              onclick: tap && (() => tap(x, y)),
            },
            here ? token(state, here, begun) : way(x, y) ? String(way(x, y)) : "",
          ),
        );
      }
    const grid = h("div", { class: "squares" }, squares);
    grid.style.setProperty("--columns", columns);
    return grid;
  });
}

const isActive = (state, begun, name) => (state.turn ? state.turn.active : begun.active).includes(name);

const token = (state, one, begun) =>
  h(
    "span",
    {
      class: "person-token",
      "data-active": isActive(state, begun, one.id),
      "data-disabled": one.disabled,
      "data-target": (state.step?.target ?? begun.target) === one.id,
    },
    one.id.slice(0, 3),
  );

export function drawPeople(root, state, begun, tap) {
  redraw(root, [state.characters, state.turn, state.step, begun.active, begun.target, begun.leaves], () =>
    state.characters.map((one) => {
      const active = isActive(state, begun, one.id);
      const notes = [
        active && words.marks.active,
        one.reacted && words.marks.reacted,
        one.disabled && words.marks.disabled,
        one.range !== null && words.marks.range(one.range),
      ].filter(Boolean);
      const button = h(
        "button",
        { class: "person-chip", type: "button", "data-character": one.id, "data-active": active, onclick: tap && (() => tap(one.id)) },
        h("b", {}, one.id),
        notes.length > 0 && h("span", { class: "soft" }, notes.join(", ")),
      );
      attribute(button, "data-picked", begun.target === one.id || begun.leaves.includes(one.id));
      return button;
    }),
  );
}

/** `react(command)` makes a reaction; null: nobody may from here. */
export function drawOffers(root, state, react) {
  redraw(root, [state.offers, state.step], () => offers(state, react));
}

function offers(state, react) {
  if (!state.step) return null;
  if (!state.offers.length) return h("p", { class: "soft" }, words.nobody);
  const buttons = (offer) =>
    Object.entries(offer.reactions).flatMap(([symbol, { against }]) =>
      (against.length > 1 ? against : [null]).map((whom) =>
        h(
          "button",
          {
            class: "action",
            type: "button",
            "data-react": `${offer.character} ${symbol}${whom ? ` ${whom}` : ""}${offer.moment === null ? "" : ` ${offer.moment}`}`,
            onclick: () => react({
              do: "react",
              character: offer.character,
              reaction: symbol,
              ...(whom ? { against: whom } : {}),
              ...(offer.moment === null ? {} : { moment: offer.moment }),
            }),
          },
          `${symbol} ${words.actions[symbol]}${whom ? ` ${words.against(whom)}` : ""}`,
        ),
      ),
    );
  return [
    h("h2", {}, words.offersTitle),
    state.offers.map((offer) =>
      h(
        "article",
        { class: "offer", "data-offer": offer.character },
        h("h3", {}, offer.character),
        h("p", { class: "soft" }, `${words.when(offer.when)} · ${words.entry(offer.entry)} · ${offer.because.map((role) => words.because[role]).join(", ")}`),
        react && h("div", { class: "shell-row" }, buttons(offer)),
      ),
    ),
  ];
}

export function drawLog(root, state) {
  redraw(root, state.log, () => log(state));
}

function log(state) {
  if (!state.log.length) return null;
  const items = state.log.slice(-12).reverse();
  return [h("h2", {}, words.logTitle), h("ol", { class: "log-list" }, items.map((one) => h("li", {}, words.logged(one, words.actions[one.reaction]))))];
}
