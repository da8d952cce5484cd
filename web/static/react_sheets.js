// What opens on a tap: a card to play, a card on the chain, and all other sheets. Loaded with the first of them.

import { h } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { unitName } from "./react_field.js";
import { DIRECTIONS, lineBuilder, lineWords, pickZone, wordsInput } from "./react_forms.js";
import { words } from "../words/react.js";

export { openEffect, openPassive } from "./react_effects.js";
export { openMenu, openPlayer } from "./react_person.js";
export { openSetup } from "./react_setup.js";
export { openSpace, openZone } from "./react_zone.js";

const row = (...buttons) => h("div", { class: "row" }, ...buttons);
const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);
const arrows = [["", words.playing.none], ...DIRECTIONS.map((one) => [one, words.chain.directions[one]])];

export function openPlay({ sheets, model }, player, kind) {
  const { state } = model;
  const side = state.players[player];
  let from = side.hand > 0 ? "hand" : "ability";
  let discard = 0;
  let zone = null;
  let direction = null;
  let others = [];
  let card = "";
  let effect = "";
  const tired = new Set();
  const units = Object.entries(state.units).filter(([, unit]) => unit.player === player && !unit.exhausted);
  const exhausting = units.map(([id]) => {
    const button = big(words.playing.exhaust(unitName(id)), () => {
      if (!tired.delete(id)) tired.add(id);
      button.setAttribute("aria-pressed", String(tired.has(id)));
    }, { name: `exhaust-${id}` });
    button.setAttribute("aria-pressed", "false");
    return button;
  });
  const go = () => {
    const costs = [
      ...[...tired].map((unit) => ({ do: "exhaust", unit })),
      zone && { do: "target", zone },
      direction && { do: "direction", direction },
      discard > 0 && { do: "discard", player, cards: discard },
      ...others,
    ].filter(Boolean);
    sheets.send({
      do: "play",
      player,
      kind,
      from,
      ...(card ? { card } : {}),
      ...(effect ? { effect } : {}),
      ...(costs.length ? { costs } : {}),
    });
  };
  const more = h("div", { class: "column" });
  const drawMore = () =>
    more.replaceChildren(
      ...others.map((line, at) => big(`${lineWords(line)} ✕`, () => ((others = others.toSpliced(at, 1)), drawMore()), { name: `cost-${at}` })),
      big(words.playing.otherCost, () => {
        const builder = lineBuilder(state, (line) => ((others = [...others, line]), drawMore()), words.playing.asCost, { costs: true });
        more.replaceChildren(h("div", { class: "other-cost" }, builder.element));
      }, { name: "other-cost" }),
    );
  drawMore();
  sheets.open(
    words.playing.title(player, kind),
    h(
      "div",
      { class: "column" },
      part(words.playing.from, choice(Object.entries(words.playing.sources), from, (value) => (from = value))),
      h(
        "div",
        { class: "two" },
        field(words.playing.name, wordsInput("", (value) => (card = value), { "aria-label": words.playing.name })),
        field(words.playing.effect, wordsInput("", (value) => (effect = value), { "aria-label": words.playing.effect })),
      ),
      h("h3", {}, words.playing.costs),
      exhausting.length > 0 && row(...exhausting),
      h(
        "div",
        { class: "two" },
        part(words.playing.direction, choice(arrows, "", (value) => (direction = value || null))),
        part(words.playing.discard, amounts(0, (count) => (discard = count), { stays: true, value: 0, to: 5 })),
      ),
      part(words.playing.target, pickZone(state.field, null, (picked) => (zone = picked))),
      more,
      h("div", { class: "go" }, big(words.playing.play, go, { main: true, name: "go" })),
    ),
    { wide: true },
  );
}

/** A card on the chain: what was paid, where its token lies, and that another effect turns or moves it. */
export function openSlot({ sheets, model }, slot) {
  const { state } = model;
  const card = state.chain.slots[slot - 1];
  const said = (title, list) => list?.length > 0 && part(title, h("ul", { class: "paid" }, list.map((line) => h("li", {}, lineWords(line)))));
  sheets.open(
    `${words.chain.slot(slot)}: ${words.chain.card(card)}`,
    h(
      "div",
      { class: "column" },
      h("p", {}, `${words.player(card.player)} · ${words.chain.kinds[card.kind]} · ${words.playing.sources[card.from]}`),
      said(words.chain.paid, card.costs),
      said(words.chain.does, card.effects),
      state.chain.resolving && state.chain.next === slot && card.effects?.length > 1 && chosenLines(card.effects, (choose) => sheets.send({ do: "resolve", slot, choose })),
      !state.over && [
        part(words.chain.turnToken, choice(arrows.slice(1), card.direction, (direction) => sheets.send({ do: "direction", slot, direction }))),
        part(words.chain.moveToken, pickZone(state.field, card.zone, (zone) => zone && sheets.send({ do: "target", slot, zone }))),
      ],
    ),
  );
}

/** Of a card that says "choose": which lines happen, in printed order. */
function chosenLines(lines, choose) {
  const picked = new Set();
  const buttons = lines.map((line, at) => {
    const one = big(lineWords(line), () => {
      if (!picked.delete(at + 1)) picked.add(at + 1);
      one.setAttribute("aria-pressed", String(picked.has(at + 1)));
      go.disabled = picked.size === 0;
    }, { name: `line-${at + 1}` });
    one.setAttribute("aria-pressed", "false");
    return one;
  });
  const go = big(words.act.happens, () => choose([...picked].sort()), { main: true, name: "choose" });
  go.disabled = true;
  return part(words.chain.chosen, buttons, go);
}
