// The set-up of a match. The field is the board's: it is kept on this device for the next match.

import { h } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { pickZone } from "./react_forms.js";
import { words } from "../words/react.js";

const KEPT = "companion-react-field";
const START = { columns: 5, rows: 5, stars: { A: "3,1", B: "3,5" } };

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT));
    return found?.stars?.A && found.stars.B ? found : structuredClone(START);
  } catch {
    return structuredClone(START);
  }
}

/** "fish 2, imp" → { fish: 2, imp: null } */
function counted(text) {
  const pools = {};
  for (const one of text.split(",").map((word) => word.trim()).filter(Boolean)) {
    const [, name, count] = /^(.*?)\s*(\d*)$/.exec(one);
    pools[name] = count ? Number(count) : null;
  }
  return pools;
}

export function openSetup({ sheets, model, start }) {
  // what the camera's table file says of the board goes before what was set up here last
  const field = model.view.board?.field?.stars ? structuredClone(model.view.board.field) : kept();
  const players = { A: {}, B: {} };
  let first = "A";
  const inputs = { A: {}, B: {} };
  const stars = h("div", { class: "column" });

  function drawStars() {
    const inside = (zone) => {
      const [x, y] = zone.split(",").map(Number);
      return x <= field.columns && y <= field.rows;
    };
    if (!inside(field.stars.A)) field.stars.A = `${Math.ceil(field.columns / 2)},1`;
    if (!inside(field.stars.B)) field.stars.B = `${Math.ceil(field.columns / 2)},${field.rows}`;
    stars.replaceChildren(
      ...["B", "A"].map((player) =>
        part(words.setup.star(player), pickZone(field, field.stars[player], (zone) => zone && (field.stars[player] = zone))),
      ),
    );
  }

  const size = (name, label) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, label),
      h("input", {
        type: "number",
        min: 1,
        max: 12,
        value: field[name],
        "data-size": name,
        onchange: (event) => {
          field[name] = Math.min(12, Math.max(1, Number(event.target.value) || START[name]));
          event.target.value = field[name];
          drawStars();
        },
      }),
    );

  const text = (player, name, label) => {
    inputs[player][name] = h("input", { type: "text", maxlength: 200, autocomplete: "off", "data-input": `${player}-${name}` });
    return h("label", { class: "field" }, h("span", {}, label), inputs[player][name]);
  };

  const side = (player) => {
    const artists = [["", words.setup.own], ...(model.view.artists ?? []).map((name) => [name, name])];
    const select = h(
      "select",
      { "data-input": `${player}-artist`, onchange: (event) => (players[player].artist = event.target.value) },
      artists.map(([value, label]) => h("option", { value }, label)),
    );
    Object.assign(players[player], { deck: "", passives: [] });
    return h(
      "fieldset",
      { class: "column", "data-player": player },
      h("legend", {}, words.player(player)),
      h("label", { class: "field" }, h("span", {}, words.setup.artist), select),
      text(player, "name", words.setup.name),
      choice([["", words.setup.deck], ["none", words.setup.noDeck]], "", (value) => (players[player].deck = value)),
      text(player, "summons", words.setup.summons),
      text(player, "tokens", words.setup.tokens),
      text(player, "tiles", words.setup.tiles),
      more(player),
    );
  };

  /** What few artists need: passives, an artist whom damage does not hurt, a match that is under way already. */
  function more(player) {
    const told = players[player];
    const list = h("div", { class: "column" });
    const drawPassives = () =>
      list.replaceChildren(
        ...told.passives.map((one, at) =>
          big(`${words.setup.passiveLine(one)} ✕`, () => ((told.passives = told.passives.toSpliced(at, 1)), drawPassives()), { name: `${player}-passive-${at}` }),
        ),
      );
    const toggle = (name, label) => {
      const one = big(label, () => {
        told[name] = !told[name];
        one.setAttribute("aria-pressed", String(told[name]));
      }, { name: `${player}-${name}` });
      one.setAttribute("aria-pressed", "false");
      return one;
    };
    return h(
      "details",
      { class: "column" },
      h("summary", { class: "action" }, words.setup.more),
      h("h3", {}, words.setup.passives),
      list,
      passiveForm(player, (passive) => {
        told.passives = [...told.passives, passive];
        drawPassives();
      }),
      h("h3", {}, words.setup.special),
      h("div", { class: "row" }, toggle("follows", words.setup.follows), toggle("invincible", words.setup.invincible)),
      text(player, "sheet", words.setup.sheet),
      part(words.person.hand, amounts(0, (hand) => (told.hand = hand), { stays: true, value: null, to: 6 })),
      part(words.person.damage, amounts(0, (damage) => (told.damage = damage), { stays: true, value: 0, to: 2 })),
    );
  }

  function told(player) {
    const { artist, deck } = players[player];
    const name = inputs[player].name.value.trim();
    const fields = artist ? { artist } : name ? { artist: name, custom: true } : {};
    if (deck) fields.deck_size = null;
    for (const of of ["summons", "tokens", "tiles"]) if (inputs[player][of].value.trim()) fields[of] = counted(inputs[player][of].value);
    const { follows, invincible, passives, hand, damage } = players[player];
    if (follows && fields.summons)
      for (const [kind, count] of Object.entries(fields.summons)) fields.summons[kind] = { count, follows };
    if (inputs[player].sheet.value.trim()) fields.sheet = inputs[player].sheet.value.trim();
    // an artist's own passives stay where none is added
    return { ...fields, ...(invincible ? { invincible } : {}), ...(passives.length ? { passives } : {}), ...(hand === undefined ? {} : { hand }), ...(damage ? { damage } : {}) };
  }

  const go = () => {
    localStorage.setItem(KEPT, JSON.stringify(field));
    start({ do: "setup", first, field, players: { A: told("A"), B: told("B") } });
  };

  drawStars();
  sheets.open(
    words.setup.title,
    h(
      "div",
      { class: "column" },
      model.state && !model.state.over && h("p", { class: "soft" }, words.setup.kept),
      part(words.setup.first, choice(["A", "B"].map((player) => [player, words.player(player)]), first, (value) => (first = value))),
      h("div", { class: "two" }, side("A"), side("B")),
      big(words.setup.begin, go, { main: true, name: "begin" }),
      h("h3", {}, words.setup.field),
      h("div", { class: "row" }, size("columns", words.setup.columns), size("rows", words.setup.rows)),
      stars,
    ),
    { wide: true },
  );
}

/** A passive that sets itself off: when, and of which tile or token. What it does the players enter. */
function passiveForm(player, put) {
  const passive = { when: "enter", who: "any", count: 3, turns: "own" };
  const name = h("input", { type: "text", maxlength: 60, autocomplete: "off", "data-input": `${player}-passive-name` });
  const of = h("input", { type: "text", maxlength: 20, autocomplete: "off", "data-input": `${player}-passive-of` });
  const fields = h("div", { class: "column" });
  const ofTurns = () => [choice(Object.entries(words.setup.turns), passive.turns, (turns) => (passive.turns = turns))];
  const drawFields = () =>
    fields.replaceChildren(
      ...{
        enter: () => [
          h("label", { class: "field" }, h("span", {}, words.setup.ofTile), of),
          choice(Object.entries(words.setup.whose), passive.who, (who) => (passive.who = who)),
        ],
        tokens: () => [
          h("label", { class: "field" }, h("span", {}, words.setup.ofToken), of),
          part(words.setup.many, amounts(1, (count) => (passive.count = count), { stays: true, value: passive.count, to: 6 })),
        ],
        start: ofTurns,
        end: ofTurns,
      }[passive.when](),
    );
  drawFields();
  const add = () => {
    const { when, who, count, turns } = passive;
    const named = name.value.trim();
    const kind = of.value.trim();
    if (!named || ((when === "enter" || when === "tokens") && !kind)) return;
    put({ name: named, when, ...{ enter: { of: kind, who }, tokens: { of: kind, count }, start: { turns }, end: { turns } }[when] });
    name.value = of.value = "";
  };
  return h(
    "div",
    { class: "column" },
    h("label", { class: "field" }, h("span", {}, words.passive.name), name),
    choice(Object.entries(words.setup.when), passive.when, (when) => {
      passive.when = when;
      drawFields();
    }),
    fields,
    big(words.setup.addPassive, add, { name: `${player}-add-passive` }),
  );
}
