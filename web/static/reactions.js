// The adviser: tap who is active and the two actions, then the part, and see who may react, with what and just before what.

import { h, redraw } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { later } from "./lazy.js";
import { drawGrid, drawLog, drawOffers, drawPeople } from "./reactions_table.js";
import { createShell } from "./shell.js";
import { words } from "../words/reactions.js";

const at = (id) => document.getElementById(id);
const SYMBOLS = ["A", ">", "!", "D"];
const SIZES = [
  ["0", words.setup.none],
  ["6", "6 × 6"],
  ["8", "8 × 8"],
  ["10", "10 × 10"],
  ["12", "12 × 12"],
];

// what is begun on this page and not yet with the table
const begun = { active: [], actions: [], part: null, target: null, path: [], leaves: [], putting: null, reacting: null };

function forget() {
  Object.assign(begun, { active: [], actions: [], part: null, target: null, path: [], leaves: [], putting: null, reacting: null });
}

const host = createShell({
  game: "reactions",
  name: words.name,
  tagline: words.tagline,
  title: (state) => (state.turn ? words.turn(state.turn) : words.between),
  setUp,
  forget,
  draw,
  right: () => right("openRightOf"),
  history: () => right("openHistoryOf"),
});

function refresh() {
  host.draw();
}

/** What is seldom wanted: setting things by hand, and the match entry by entry. */
async function right(name, ...args) {
  const module = await later(() => import("./reactions_right.js"));
  if (module) module[name](host, ...args, { put: (who) => ((begun.putting = who), refresh()) });
}

// --- taps -------------------------------------------------------------------------------------------------------------

const has = (state, name) => state.characters.find((one) => one.id === name);

function tapCharacter(name) {
  const { state } = host.model;
  if (host.onlooking) return;
  if (begun.part === "attack") begun.target = begun.target === name ? null : name;
  else if (begun.part === "move" && !has(state, begun.by)?.at) begun.leaves.push(name);
  else if (state.step === null && state.turn === null && begun.putting === null) {
    begun.active = begun.active.includes(name) ? begun.active.filter((one) => one !== name) : [...begun.active, name];
  } else return right("openCharacter", name);
  refresh();
}

/** A reaction; of a move on the grid the page asks where to. */
function react(fields) {
  if (fields.reaction !== ">" || !has(host.model.state, fields.character)?.at) return host.command(fields);
  begun.reacting = fields;
  return refresh();
}

function tapSquare(x, y) {
  const { state } = host.model;
  if (begun.reacting) return host.command({ ...begun.reacting, to: [x, y] });
  const here = state.characters.find((one) => one.at && one.at[0] === x && one.at[1] === y);
  if (begun.putting) return host.command({ do: "correct", character: begun.putting, at: [x, y] });
  if (begun.part === "move") {
    begun.path.push([x, y]);
    return refresh();
  }
  return here && tapCharacter(here.id);
}

function pickAction(symbol) {
  if (symbol === "recovery") return host.command({ do: "act", active: begun.active, actions: "recovery" });
  begun.actions = [...begun.actions, symbol];
  if (begun.actions.length === 2) return host.command({ do: "act", active: begun.active, actions: begun.actions });
  return refresh();
}

function pickPart(name) {
  const { state } = host.model;
  begun.by = state.turn.active.includes(begun.by) ? begun.by : state.turn.active[0];
  if (name === "stunt" || name === "recovery") return host.command({ do: "announce", part: name, by: begun.by });
  begun.part = name;
  return refresh();
}

function announce() {
  const fields = { do: "announce", part: begun.part, by: begun.by };
  if (begun.part === "attack") fields.target = begun.target;
  else if (has(host.model.state, begun.by).at) fields.path = begun.path;
  else fields.leaves = begun.leaves;
  host.command(fields);
}

// --- sheets -----------------------------------------------------------------------------------------------------------

function setUp({ sheets, start }) {
  const chosen = { grid: 8, range: 3, adjacency: 8 };
  const names = h("input", { type: "text", maxlength: 400, autocomplete: "off", "data-input": "names" });
  const wrong = h("p", { class: "bad", hidden: true }, words.setup.few);
  const begin = () => {
    const ids = [...new Set(names.value.split(",").map((name) => name.trim()).filter(Boolean))];
    wrong.hidden = ids.length > 0;
    if (!ids.length) return;
    const size = chosen.grid;
    // in the first rows, to be put where they stand
    const place = (i) => (size ? { at: [(i % size) + 1, Math.floor(i / size) + 1] } : {});
    start({
      do: "setup",
      characters: ids.map((id, i) => ({ id, ...place(i) })),
      grid: size ? { columns: size, rows: size } : null,
      rules: { range: chosen.range, adjacency: chosen.adjacency },
    });
  };
  sheets.open(
    words.setup.title,
    h(
      "div",
      { class: "column" },
      h("label", { class: "field" }, h("span", {}, words.setup.names), names),
      part(words.setup.grid, choice(SIZES, "8", (value) => (chosen.grid = Number(value)))),
      part(words.setup.range, amounts(0, (n) => (chosen.range = n), { stays: true, value: 3, to: 9 })),
      part(
        words.setup.adjacency,
        choice([["8", words.setup.yes], ["4", words.setup.no]], "8", (value) => (chosen.adjacency = Number(value))),
      ),
      wrong,
      big(words.setup.begin, begin, { main: true, name: "begin" }),
    ),
    { wide: true },
  );
}

// --- drawing ----------------------------------------------------------------------------------------------------------

function draw({ model }) {
  const { state, said } = model;
  drawGrid(at("grid"), state, begun, tapSquare);
  drawPeople(at("people"), state, begun, tapCharacter);
  drawOffers(at("offers"), state, host.onlooking ? null : react);
  drawLog(at("log"), state);
  redraw(at("say"), [state, begun, said], () => lines(state, said));
  redraw(at("actions"), [state, begun], () => actions(state));
}

/** The parts that may still come, of the one who does the next. */
const left = (state) => state.turn.left[state.turn.active.includes(begun.by) ? begun.by : state.turn.active[0]] ?? [];

function lines(state, said) {
  return [said && h("p", { class: "bad", id: "said" }, said), h("p", { class: "head" }, head(state))];
}

/** What is awaited. */
function head(state) {
  if (begun.reacting) return words.reactingTo(begun.reacting.character);
  if (begun.putting) return words.character.putting(begun.putting);
  if (begun.part === "attack") return words.pickTarget;
  if (begun.part === "move") return has(state, begun.by)?.at ? words.pickPath(begun.path.length) : words.pickLeaves;
  if (state.step) return words.step(state.step);
  if (state.turn && left(state).length) return words.partNext;
  if (state.turn) return state.turn.parts.length ? words.allDone : words.noParts;
  return begun.actions.length ? words.second(words.actions[begun.actions[0]]) : words.who;
}

function actions(state) {
  const { button } = host;
  if (host.onlooking) return [];
  const cancel = button(words.cancel, () => (forget(), refresh()), "cancel");
  if (begun.reacting) return [button(words.elsewhere, host.send(begun.reacting), "elsewhere"), cancel];
  if (begun.putting) return [cancel];
  if (begun.part) {
    const ready = begun.part === "attack" ? begun.target : has(state, begun.by)?.at ? begun.path.length : true;
    return [ready && button(words.go, announce, "announce", true), cancel];
  }
  if (state.step)
    return [
      button(words.proceed, host.send({ do: "proceed", stopped: false }), "proceed", true),
      state.step.may_be_stopped && button(words.stopped, host.send({ do: "proceed", stopped: true }), "stopped"),
    ];
  if (state.turn) {
    const several = state.turn.active.length > 1;
    return [
      several &&
        choice(state.turn.active.map((name) => [name, name]), state.turn.active.includes(begun.by) ? begun.by : state.turn.active[0], (name) => ((begun.by = name), refresh())),
      left(state).map((name) => button(words.parts[name], () => pickPart(name), `part-${name}`, true)),
      button(words.endTurn, host.send({ do: "end_turn" }), "end"),
    ];
  }
  if (!begun.active.length) return [];
  return [
    SYMBOLS.map((symbol) => button(`${symbol} ${words.actions[symbol]}`, () => pickAction(symbol), `action-${symbol}`, true)),
    begun.actions.length === 0 && button(words.actions.recovery, () => pickAction("recovery"), "recovery"),
    cancel,
  ];
}
