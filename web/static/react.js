// The page of Re;ACT: the state as last heard, and the page's own: which zones are marked, and what a tap would put.
// Link, asking, sheets and pairing are those of the first game's page; whatever the rules decide, the table decides.

import * as ask from "./ask.js";
import { createAwake } from "./awake.js";
import { attribute, h, redraw } from "./dom.js";
import { icon } from "./draw.js";
import { big } from "./form.js";
import { later } from "./lazy.js";
import { connect } from "./link.js";
import { createPairing } from "./pairing.js";
import { drawChain } from "./react_chain.js";
import { drawField } from "./react_field.js";
import { drawSide } from "./react_side.js";
import { createSheets } from "./sheets.js";
import { words } from "../words/react.js";

const part = (id) => document.getElementById(id);
const model = {
  known: false,
  state: null,
  version: null,
  view: {},
  link: { live: false, silentMs: 0 },
  marked: null, // zones that one damage will hit; null: none is being marked
  putting: null, // the unit that a tap on a zone puts there
  said: null, // what became of the last tap: { text, bad }
  watching: false,
};

// onlookers see the same table without anything to tap
const onlooking = location.pathname === "/watch";
attribute(document.body, "data-onlooking", onlooking);
let busy = false;

/** Asks the table. What failed and was skipped is said, since nothing on the field would show it. */
async function command(fields) {
  if (busy) return false;
  busy = true;
  const reply = await ask.commanded(fields, model.version);
  busy = false;
  const failed = (reply.events ?? []).filter((event) => event.type === "failed");
  if (!reply.ok) model.said = { text: words.refused(reply.error.text), bad: true };
  else model.said = failed.length ? { text: failed.map((event) => words.skipped(event.text)).join(" "), bad: true } : null;
  model.marked = model.putting = null;
  draw();
  if (reply.error?.code === "not_paired") pairing.open();
  return reply.ok === true;
}

async function control(fields) {
  const reply = await ask.controlled(fields, model.version);
  model.said = reply.ok ? null : { text: words.refused(reply.error.text), bad: true };
  draw();
  if (reply.error?.code === "not_paired") pairing.open();
}

const sheets = createSheets(part("sheet"), { command });
const pairing = createPairing(sheets, (watching) => {
  model.watching = watching;
  draw();
});
const awake = createAwake();

/** Opens a sheet of a module that is loaded for it. */
async function open(name, ...args) {
  if (onlooking) return;
  const module = await later(() => import("./react_sheets.js"));
  if (module) module[name](host, ...args);
}

const host = {
  sheets,
  command,
  model,
  devices: () => pairing.openDevices(),
  newMatch: () => open("openSetup"),
  start: (setup) => {
    sheets.close();
    control({ do: "new_match", setup });
  },
  mark(zone) {
    model.marked = [zone];
    draw();
  },
  put(unit) {
    model.putting = unit;
    draw();
  },
};

function tapZone(zone) {
  if (onlooking) return undefined;
  if (model.putting) return command({ do: "correct", unit: model.putting, zone });
  if (model.marked) {
    model.marked = model.marked.includes(zone) ? model.marked.filter((one) => one !== zone) : [...model.marked, zone];
    return draw();
  }
  return open("openZone", zone);
}

// --- what is awaited -------------------------------------------------------------------------------------------------

const send = (fields) => () => command(fields);
const action = (label, onclick, name, main = false) => big(label, onclick, { name, main });

/** The buttons for the step that the match waits for. */
function actions({ state }) {
  if (model.marked)
    return [
      model.marked.length > 0 &&
        action(words.act.damage(model.marked.length), send({ do: "damage", zones: model.marked }), "damage", true),
      action(words.act.cancel, cancel, "cancel"),
    ];
  if (model.putting) return [action(words.act.cancel, cancel, "cancel")];
  const next = state.next;
  if (next === null) return [action(words.newMatch, host.newMatch, "new-match", true)];
  if (next.do === "draw") return [action(words.act.draw, send({ do: "draw" }), "draw", true)];
  if (next.do === "progress")
    return [action(words.masterpiece.skip, send({ do: "progress", player: next.player, skip: true }), "skip")];
  if (next.do === "resolve") {
    const item = state.due[0];
    const label = item && item.part !== "card" ? words.act.done(item.text) : words.act.resolve(next.slot);
    return [
      action(label, send({ do: "resolve" }), "resolve", true),
      item && item.part !== "card" && action(words.act.drop, send({ do: "resolve", drop: true }), "drop"),
    ];
  }
  const kind = state.chain.stack.length ? "reaction" : "intention";
  return [
    action(words.act.play(next.player, kind), () => open("openPlay", next.player, kind), "play", true),
    kind === "reaction"
      ? action(words.act.pass(next.player), send({ do: "pass", player: next.player }), "pass")
      : action(words.act.end(next.player), send({ do: "end_turn", player: next.player }), "end"),
  ];
}

function cancel() {
  model.marked = model.putting = null;
  draw();
}

/** What the page says above the buttons: the worst first, then what is awaited, then what not to forget. */
function lines({ state }) {
  if (model.putting) return [h("p", {}, words.zone.putting(model.putting))];
  if (model.marked) return [h("p", {}, words.field.marked(model.marked))];
  const { next, due, chain } = state;
  const head = state.over
    ? words.over(state.over)
    : due.length && due[0].part !== "card"
      ? words.chain.first(due[0])
      : next.do === "progress"
        ? (words.masterpiece.how[how(state)] ?? words.phases.masterpiece)
        : chain.priority
          ? words.chain.priority(chain.priority)
          : chain.resolving
            ? words.act.effects
            : words.phases[state.phase];
  return [
    model.said && h("p", { class: "bad", id: "said" }, model.said.text),
    h("p", { class: "head" }, head),
    (model.view.misfits ?? []).map(({ error }) => h("p", { class: "bad" }, words.misfit(error.text))),
    state.reminders.map((text) => h("p", { class: "soft" }, text)),
  ];
}

/** What the player on turn may do with the masterpiece. */
function how(state) {
  const side = state.players[state.turn];
  if (side.beside.length) return state.masterpiece.includes(null) ? "place" : "replace";
  return "swap";
}

// --- drawing ---------------------------------------------------------------------------------------------------------

const tool = (id, label, sign, onclick, text = true) =>
  h("button", { class: "tool", type: "button", id, "aria-label": label, onclick }, icon(sign), text && h("span", {}, label));
const told = h("p", { class: "brand", id: "told" });
const chips = h("div", { class: "chips" });
const undo = tool("undo", words.undo, "undo", send({ do: "undo" }));
const redo = tool("redo", words.redo, "redo", send({ do: "redo" }));
part("top").append(
  told,
  chips,
  h("div", { class: "tools" }, undo, redo, tool("menu", words.menu, "menu", () => open("openMenu"), false)),
);

function drawTop({ state, link, watching }) {
  const phase = state && `${words.turn(state.turn_number, state.turn)} · ${words.phases[state.phase]}`;
  redraw(told, phase, () => phase ?? words.title);
  undo.disabled = redo.disabled = !state;
  const seconds = Math.floor(link.silentMs / 1000);
  redraw(chips, [watching, link.live, !link.live && seconds], () => [
    h(
      "span",
      { class: `chip ${link.live ? "" : "bad"}`, id: "link", role: "img", "aria-label": link.live ? words.live : words.lost(seconds) },
      icon("link"),
      h("span", {}, link.live ? words.live : words.lost(seconds)),
    ),
    watching && h("button", { class: "chip-button", type: "button", id: "watching", onclick: pairing.open }, words.watching),
  ]);
}

function draw() {
  const { state } = model;
  attribute(document.body, "data-silent", !model.link.live);
  drawTop(model);
  part("table").hidden = !state;
  part("welcome").hidden = !model.known || state !== null;
  if (model.known && !state)
    redraw(part("welcome"), "welcome", () => [
      h("h2", {}, words.title),
      h("p", {}, words.tagline),
      action(words.newMatch, host.newMatch, "new-match", true),
    ]);
  if (state) {
    drawChain(part("chain"), state);
    drawField(part("field"), state, { marked: model.marked, tap: tapZone });
    drawSide(part("side"), state, {
      tapSpace: (space) => open("openSpace", space),
      tapPlayer: (player) => open("openPlayer", player),
    });
  }
  const key = [state, model.marked, model.putting, model.said, model.view.misfits];
  redraw(part("say"), key, () => (state ? lines(model) : model.said && h("p", { class: "bad" }, model.said.text)));
  redraw(part("actions"), key, () => (state ? actions(model) : []));
  awake.wanted(state !== null && state.over === null);
}

connect({
  state(state, version) {
    if (version !== model.version) model.marked = model.putting = null;
    Object.assign(model, { state, version, known: true });
    draw();
  },
  view(view) {
    model.view = view;
    if (view.game && view.game !== "react") location.reload(); // another game is played at this table now
    draw();
  },
  link(link) {
    model.link = link;
    draw();
  },
});
pairing.begin();
draw();
