// The set-up of a match. The field is the board's: it is kept on this device for the next match.

import { h } from "./dom.js";
import { big, choice, part } from "./form.js";
import { pickZone } from "./react_sheets.js";
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
  const field = kept();
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
    players[player].deck = "";
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
    );
  };

  function told(player) {
    const { artist, deck } = players[player];
    const name = inputs[player].name.value.trim();
    const fields = artist ? { artist } : name ? { artist: name, custom: true } : {};
    if (deck) fields.deck_size = null;
    for (const of of ["summons", "tokens", "tiles"]) if (inputs[player][of].value.trim()) fields[of] = counted(inputs[player][of].value);
    return fields;
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
