// The field as it lies on the table: player A's side below.

import { h, redraw } from "./dom.js";
import { words } from "../words/react.js";

/** One name for a unit: the player's letter, or the summon's own. */
export const unitName = (id) => id.replace(/^([AB])\./, "$1 ");

/** What fits into a zone: a long name keeps its beginning and its number. */
const short = (name) => name.replace(/^(\D{4})\D{2,}(?=\d)/, "$1");

/** So many columns and rows; a style attribute is not allowed on these pages, the style itself is. */
export function sized(element, { columns, rows }) {
  element.style.setProperty("--columns", columns);
  element.style.setProperty("--rows", rows);
  return element;
}

export function drawField(root, state, { marked, tap }) {
  const { field } = state;
  sized(root, field);
  const targets = state.chain.slots.filter((card) => card?.zone);
  redraw(root, [field, state.units, state.tokens, state.tiles, state.blocks, targets, marked], () => {
    const zones = [];
    for (let y = field.rows; y >= 1; y--) for (let x = 1; x <= field.columns; x++) zones.push(zone(`${x},${y}`));
    return [h("h2", { class: "unseen" }, words.field.title), h("div", { class: "zones" }, zones)];
  });

  function zone(name) {
    const unit = Object.entries(state.units).find(([, one]) => one.zone === name);
    const tile = state.tiles.find((one) => one.zone === name);
    const piles = state.tokens.filter((pile) => pile.zone === name || (unit && pile.unit === unit[0]));
    const blocks = state.blocks.filter((block) => block.zone === name);
    const star = ["A", "B"].find((player) => field.stars[player] === name);
    const aims = targets.filter((card) => card.zone === name).map((card) => card.slot);
    const said = [
      words.field.zone(name),
      star && words.field.star(star),
      unit && `${unitName(unit[0])}${unit[1].exhausted ? `, ${words.field.exhausted}` : ""}`,
      tile && words.field.tile(tile),
      ...piles.map((pile) => `${pile.player}: ${words.field.token(pile)}`),
      ...blocks.map((block) => words.field.block(block.player)),
      ...aims.map((slot) => words.chain.slot(slot)),
    ];
    return h(
      "button",
      {
        class: "field-zone",
        type: "button",
        "data-zone": name,
        "data-tile": tile?.player,
        "aria-pressed": marked ? String(marked.includes(name)) : null,
        "aria-label": said.filter(Boolean).join("; "),
        onclick: () => tap(name),
      },
      star && h("span", { class: "star", "data-player": star, "aria-hidden": "true" }, "★"),
      unit &&
        h(
          "span",
          {
            class: `unit ${unit[1].kind === "artist" ? "artist" : ""} ${unit[1].exhausted ? "exhausted" : ""}`,
            "data-player": unit[1].player,
            "data-unit": unit[0],
          },
          unit[1].kind === "artist" ? unit[0] : short(unit[0].slice(2)),
        ),
      h(
        "span",
        { class: "things" },
        tile && h("i", { class: "thing", "data-player": tile.player }, `▦ ${tile.kind}`),
        piles.map((pile) => h("i", { class: "thing", "data-player": pile.player }, words.field.token(pile))),
        blocks.map((block) => h("i", { class: "thing block", "data-player": block.player }, "⊘")),
        aims.map((slot) => h("i", { class: "thing aim" }, `◎${slot}`)),
      ),
    );
  }
}
