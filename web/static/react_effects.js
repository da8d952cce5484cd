// A passive that interrupts, and an effect of any kind: for whatever no other sheet offers.

import { createPreviews } from "./ask.js";
import { h } from "./dom.js";
import { big, choice, part } from "./form.js";
import { PLAYERS, lineBuilder, pickZone, wordsInput } from "./react_forms.js";
import { words } from "../words/react.js";
import { words as page } from "./words.js";

const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);

/** A passive that no rule here knows comes first: whose, what it is called, and where it was set off. */
export function openPassive({ sheets, model }) {
  const { state } = model;
  let player = state.chain.priority ?? state.turn;
  let name = "";
  let zone = null;
  const go = () => {
    const unit = Object.keys(state.units).find((id) => state.units[id].zone === zone);
    sheets.send({ do: "passive", player, name: name || words.passive.unnamed(player), ...(zone ? { zone } : {}), ...(unit ? { unit } : {}) });
  };
  const typed = wordsInput("", (value) => (name = value), { "aria-label": words.passive.name });
  const known = h("div", { class: "row" });
  const drawKnown = () =>
    known.replaceChildren(
      ...state.players[player].passives.map((one, at) => big(one.name, () => (typed.value = name = one.name), { name: `known-${at}` })),
    );
  drawKnown();
  sheets.open(
    words.passive.title,
    h(
      "div",
      { class: "column" },
      h("p", { class: "soft" }, words.passive.how),
      part(words.passive.whose, choice(PLAYERS.map((one) => [one, words.player(one)]), player, (one) => ((player = one), drawKnown()))),
      field(words.passive.name, typed),
      known,
      part(words.passive.where, pickZone(state.field, null, (picked) => (zone = picked))),
      h("div", { class: "go" }, big(words.passive.go, go, { main: true, name: "go" })),
    ),
    { wide: true },
  );
}

/** Any effect there is, with what would come of it said first. */
export function openEffect({ sheets, model }) {
  const outlook = h("p", { class: "outlook", role: "status" });
  const previews = createPreviews();
  const builder = lineBuilder(model.state, (line) => sheets.send(line), words.act.happens, { before: outlook });
  builder.watch(async (line) => {
    previews.drop();
    outlook.replaceChildren();
    if (!line) return;
    const reply = await previews.ask(line);
    if (!reply) return;
    outlook.dataset.ok = String(reply.ok);
    outlook.replaceChildren(reply.ok ? reply.told.map(page.said).join(" ") : page.told(reply.error));
  });
  sheets.open(words.act.effect, h("div", { class: "column" }, h("p", { class: "soft" }, words.act.effectHow), builder.element), { wide: true });
}
