// The adviser: tap who is active and the two actions, then the part, and see who may react, with what and just before what.

import { attribute, h, redraw } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
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
const begun = { active: [], actions: [], part: null, target: null, path: [], leaves: [], putting: null };

function forget() {
  Object.assign(begun, { active: [], actions: [], part: null, target: null, path: [], leaves: [], putting: null });
}

const host = createShell({
  game: "reactions",
  name: words.name,
  tagline: words.tagline,
  title: (state) => (state.turn ? words.turn(state.turn) : words.between),
  setUp,
  forget,
  draw,
});

function refresh() {
  host.draw();
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
  } else return openCharacter(name);
  refresh();
}

function tapSquare(x, y) {
  const { state } = host.model;
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

function openCharacter(name) {
  const { state } = host.model;
  const one = has(state, name);
  const send = (label, fields, data) => big(label, () => host.sheets.send(fields), { name: data });
  const shut = (label, then, data) => big(label, () => (host.sheets.close(), then()), { name: data });
  const relation = (other, key) => state.relations.find((rel) => rel.who === name && rel.to === other)?.[key] ?? null;
  const toggle = (other, key, label) => {
    const now = relation(other, key);
    const next = { do: "relate", who: name, to: other, adjacent: relation(other, "adjacent"), in_range: relation(other, "in_range") };
    next[key] = now === true ? null : true;
    const button = send(label, next, `relate-${key}-${other}`);
    button.setAttribute("aria-pressed", String(now === true));
    return button;
  };
  const others = state.characters.filter((other) => other.id !== name).map((other) => other.id);
  host.sheets.open(
    name,
    h(
      "div",
      { class: "column" },
      h(
        "div",
        { class: "shell-row" },
        send(one.disabled ? words.character.able : words.character.disabled, { do: "correct", character: name, disabled: !one.disabled }, "disable"),
        send(one.reacted ? words.character.fresh : words.character.reacted, { do: "correct", character: name, reacted: !one.reacted }, "reacted"),
        state.grid && shut(words.character.move, () => ((begun.putting = name), refresh()), "put"),
        send(words.character.leave, { do: "leave", character: name }, "leave"),
      ),
      h("h3", {}, words.character.relations),
      others.map((other) =>
        h(
          "div",
          { class: "shell-row" },
          toggle(other, "adjacent", words.character.adjacent(other)),
          toggle(other, "in_range", words.character.inRange(other)),
        ),
      ),
    ),
    { wide: true },
  );
}

// --- drawing ----------------------------------------------------------------------------------------------------------

function draw({ model }) {
  const { state, said } = model;
  drawGrid(state);
  drawPeople(state);
  redraw(at("offers"), [state.offers, state.step], () => offers(state));
  redraw(at("log"), state.log, () => log(state));
  redraw(at("say"), [state, begun, said], () => lines(state, said));
  redraw(at("actions"), [state, begun], () => actions(state));
}

function drawGrid(state) {
  at("grid").hidden = !state.grid;
  if (!state.grid) return;
  const { columns, rows } = state.grid;
  const way = (x, y) => begun.path.findIndex((one) => one[0] === x && one[1] === y) + 1;
  redraw(at("grid"), [state.characters, state.grid, state.step, state.turn, begun.path, begun.active, begun.target], () => {
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
              onclick: () => tapSquare(x, y),
            },
            here ? token(state, here) : way(x, y) ? String(way(x, y)) : "",
          ),
        );
      }
    const grid = h("div", { class: "squares" }, squares);
    grid.style.setProperty("--columns", columns);
    return grid;
  });
}

const isActive = (state, name) => (state.turn ? state.turn.active : begun.active).includes(name);

const token = (state, one) =>
  h(
    "span",
    {
      class: "person-token",
      "data-active": isActive(state, one.id),
      "data-disabled": one.disabled,
      "data-target": (state.step?.target ?? begun.target) === one.id,
    },
    one.id.slice(0, 3),
  );

function drawPeople(state) {
  redraw(at("people"), [state.characters, state.turn, state.step, begun.active, begun.target, begun.leaves], () =>
    state.characters.map((one) => {
      const active = isActive(state, one.id);
      const notes = [
        active && words.marks.active,
        one.reacted && words.marks.reacted,
        one.disabled && words.marks.disabled,
        one.range !== null && words.marks.range(one.range),
      ].filter(Boolean);
      const button = h(
        "button",
        { class: "person-chip", type: "button", "data-character": one.id, "data-active": active, onclick: () => tapCharacter(one.id) },
        h("b", {}, one.id),
        notes.length > 0 && h("span", { class: "soft" }, notes.join(", ")),
      );
      attribute(button, "data-picked", begun.target === one.id || begun.leaves.includes(one.id));
      return button;
    }),
  );
}

function offers(state) {
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
            onclick: host.send({
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
        h("p", { class: "soft" }, `${words.when(offer.when)} · ${offer.entry} · ${offer.because.map((role) => words.because[role]).join(", ")}`),
        !host.onlooking && h("div", { class: "shell-row" }, buttons(offer)),
      ),
    ),
  ];
}

function log(state) {
  if (!state.log.length) return null;
  const items = state.log.slice(-12).reverse();
  return [h("h2", {}, words.logTitle), h("ol", { class: "log-list" }, items.map((one) => h("li", {}, words.logged(one, words.actions[one.reaction]))))];
}

function lines(state, said) {
  const head = begun.putting
    ? words.character.putting(begun.putting)
    : begun.part === "attack"
      ? words.pickTarget
      : begun.part === "move"
        ? has(state, begun.by)?.at
          ? words.pickPath(begun.path.length)
          : words.pickLeaves
        : state.step
          ? words.step(state.step)
          : state.turn
            ? state.turn.parts.length
              ? words.partNext
              : words.noParts
            : begun.actions.length
              ? words.second(words.actions[begun.actions[0]])
              : words.who;
  return [said && h("p", { class: "bad", id: "said" }, said), h("p", { class: "head" }, head)];
}

function actions(state) {
  const { button } = host;
  if (host.onlooking) return [];
  const cancel = button(words.cancel, () => (forget(), refresh()), "cancel");
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
        choice(state.turn.active.map((name) => [name, name]), begun.by ?? state.turn.active[0], (name) => (begun.by = name)),
      state.turn.parts.map((name) => button(words.parts[name], () => pickPart(name), `part-${name}`, true)),
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
