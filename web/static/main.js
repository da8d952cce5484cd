// One page, one model: the table's state and view as last heard, and the only thing that is the page's own: what is
// picked. Every change draws everything; each part touches only what differs.

import { createAnnouncer } from "./announce.js";
import * as ask from "./ask.js";
import { createAwake } from "./awake.js";
import { createActions, createSay, createTop } from "./bars.js";
import { trayBefore } from "./chain.js";
import { attribute, h } from "./dom.js";
import { COLOURS, marble } from "./draw.js";
import { firstDue } from "./due.js";
import { createFlat } from "./flat.js";
import { later } from "./lazy.js";
import { connect } from "./link.js";
import { createPairing } from "./pairing.js";
import { createPlayer } from "./players.js";
import { openRules } from "./rules.js";
import { together, whatToSay } from "./say.js";
import { setupForm } from "./setup.js";
import { openCall } from "./sheet_call.js";
import { openDial } from "./sheet_dial.js";
import { openMenu } from "./sheet_menu.js";
import { openCell, openCredits, openFan, openTurn } from "./sheet_things.js";
import { createSheets } from "./sheets.js";
import { createStage } from "./stage.js";
import { at, createTray } from "./tray.js";
import { words } from "./words.js";

const model = {
  known: false, // has the table been heard at all?
  state: null,
  version: null,
  before: null, // the tray before the last clear, for the marbles of its chain
  view: {},
  link: { live: false, silentMs: 0, busy: false },
  picked: [],
  shown: [], // marbles of a clear that is only looked at
  chosen: null, // an answer to what is due that is not confirmed yet: { item, answer }
  setting: false,
  refusal: null,
  watching: false, // this device has not been let in
};

const part = (id) => document.getElementById(id);

const REPEATABLE = ["undo", "redo"]; // two taps mean two
const OWN_MS = 3000; // so long what this page did itself may be newer than what it has heard
const asking = new Set();
let own = { version: 0, at: -OWN_MS };
let turn = Promise.resolve(); // one request after the other, so that the second of two undos knows of the first

/** The version of the score that is looked at; null before any was heard. */
function looksAt() {
  if (model.version === null) return null;
  return performance.now() - own.at < OWN_MS ? Math.max(own.version, model.version) : model.version;
}

/** Asks the table; true when it was accepted. A nervous second tap on the same thing is not a second command. */
async function send(post, request) {
  const key = JSON.stringify(request);
  if (asking.has(key) && !REPEATABLE.includes(request.do)) return false;
  asking.add(key);
  model.refusal = null;
  const answer = turn.then(() => post(request, looksAt()));
  turn = answer.then((reply) => {
    if (reply.ok && reply.version) own = { version: reply.version, at: performance.now() };
  });
  const reply = await answer;
  asking.delete(key);
  model.refusal = reply.ok ? null : { ...reply.error, version: reply.version ?? null };
  if (reply.error?.code === "changed") model.chosen = null;
  draw();
  if (reply.error?.code === "not_paired") pairing.open();
  return reply.ok === true;
}

/** A command that was accepted used the picked marbles up; one that was refused leaves them picked, to be changed. */
async function command(fields) {
  if (!(await send(ask.commanded, fields)) || !["clear", "destroy", "resolve"].includes(fields.do)) return;
  // what was chosen goes when the table says that it is no longer due: till then nothing else is offered
  model.picked = [];
  model.shown = [];
  draw();
}

async function control(request) {
  if (await send(ask.controlled, request)) unpick();
}

function unpick() {
  model.picked = [];
  model.shown = [];
  model.chosen = null;
  draw();
}

const setCell = (cell) => openCell(sheets, cell, { view: model.view, now: at(model.state.tray, cell) });

function tap(cell) {
  model.refusal = null;
  model.shown = [];
  if (model.setting || (!model.view.simulated && at(model.state.tray, cell) === "?")) {
    setCell(cell);
  } else if (model.picked.includes(cell)) {
    model.picked = model.picked.filter((other) => other !== cell);
  } else if (at(model.state.tray, cell) !== "." || model.view.simulated) {
    model.picked = [...model.picked, cell];
  }
  draw();
}

function newMatch() {
  sheets.open(
    words.setup.title,
    setupForm({
      seen: model.view.seen,
      running: model.state !== null && !model.state.over,
      fighters: model.view.fighters,
      start: (fields) => {
        sheets.close();
        control({ do: "new_match", setup: fields });
      },
    }),
    { wide: true },
  );
}

const formOfMatch = (start) =>
  setupForm({ seen: model.view.seen, running: model.state !== null && !model.state.over, fighters: model.view.fighters, start });

/** The set-up of the table; `aimOnly`: the camera is aimed anew and the match goes on. */
async function setTableUp(options = {}) {
  if (model.watching) {
    pairing.open();
    return;
  }
  sheets.close();
  await open(() => import("./wizard.js"), "openWizard", tableHost, options);
}
const tableHost = {
  view: () => model.view,
  state: () => model.state,
  form: formOfMatch,
  start: (setup) => control({ do: "new_match", setup }),
  devices: () => pairing.devices(),
  denied: () => pairing.open(),
  reopen: () => setTableUp(),
};

const realMatch = () => control({ do: "real_match" });

function setHelp(on) {
  sheets.close();
  control({ do: "help", on });
}

const rules = () => openRules(sheets, model.state, command);

/** Opens a sheet of a module that is loaded for it. */
async function open(load, name, ...args) {
  const module = await later(load);
  if (module) return module[name](...args);
  model.refusal = { code: "no_answer", text: words.link.noAnswer, cells: [] };
  return draw();
}
const history = () => open(() => import("./sheet_history.js"), "openHistory", sheets, model, command);
const markers = () => open(() => import("./sheet_markers.js"), "openMarkers", sheets, model.state);
const help = () => open(() => import("./sheet_help.js"), "openHelp", sheets, model.view.help, acts.pick);
const effects = () => open(() => import("./sheet_effects.js"), "openEffects", sheets, model.state);
const boards = () => open(() => import("./sheet_boards.js"), "openBoards", sheets, model.state);
const stand = (pull) => open(() => import("./sheet_stand.js"), "openStand", sheets, model.state, pull, { command, control });

/** A dial that is due to be chosen is chosen by tapping it; any other opens its sheet. */
function tapDial(player, colour) {
  const item = firstDue(model.state);
  const choice = item?.choice;
  if (choice?.kind === "dial" && choice.player === player && choice.options.includes(colour) && !model.refusal) {
    choose({ item: item.id, answer: { button: colour } });
  } else openDial(sheets, model.state, player, colour);
}

function choose(chosen) {
  model.chosen = chosen;
  model.refusal = null;
  draw();
}

const announcer = createAnnouncer();
const awake = createAwake();
const flat = createFlat(document.body, { tray: part("tray"), echo: part("echo") });

function setFlat(on) {
  flat.set(on);
  sheets.close();
  draw();
}
const sheets = createSheets(part("sheet"), { command });
const pairing = createPairing(sheets, (watching) => {
  model.watching = watching;
  draw();
});
const acts = {
  command,
  control,
  tap,
  unpick: () => {
    model.refusal = null; // it was about what was picked
    unpick();
  },
  newMatch,
  realMatch,
  async openMenu() {
    await heard; // what it offers depends on the table, and it is not drawn again
    openMenu(sheets, model, { newMatch, realMatch, setTableUp, rules, markers, history, boards, devices: pairing.openDevices, setHelp, announcer, awake, flat, setFlat });
  },
  openPairing: pairing.open,
  aimAnew: () => setTableUp({ aimOnly: true }),
  openRules: () => rules(),
  openHistory: () => history(),
  openEffects: () => effects(),
  openStand: (pull) => stand(pull),
  openCell: setCell,
  openTurn: () => openTurn(sheets, model.state),
  pick: (cells) => {
    model.picked = cells;
    draw();
  },
  show: (cells) => {
    model.shown = JSON.stringify(model.shown) === JSON.stringify(cells) ? [] : cells;
    draw();
  },
  choose,
  openDial: tapDial,
  moreOfDial: (player, colour) => openDial(sheets, model.state, player, colour),
  openCredits: (player) => openCredits(sheets, model.state, player),
  openFan: (colour) => openFan(sheets, model.state, colour),
  call: () => openCall(sheets, model.state),
  openHelp: () => help(),
  setCell: (cell, colour) => command({ do: "correct", cell, colour }),
  toggleSetting: () => {
    model.setting = !model.setting;
    draw();
  },
  dismissHere: () => {
    model.refusal = null;
    draw();
  },
};

const parts = [
  createTop(part("top"), acts),
  createPlayer(part("player-a"), "A", acts),
  createPlayer(part("player-b"), "B", acts),
  createTray(part("tray"), acts),
  createStage(part("stage"), acts),
  createSay(part("say"), acts),
  createActions(part("actions"), acts),
];

function draw() {
  const say = whatToSay(model);
  const body = document.body;
  attribute(body, "data-known", model.known);
  attribute(body, "data-serial", model.view.serial);
  attribute(body, "data-match", model.state !== null);
  attribute(body, "data-silent", !model.link.live && model.known);
  attribute(body, "data-hand", model.view.hand === true);
  attribute(body, "data-moving", model.view.moving === true);
  attribute(body, "data-phase", model.state?.phase);
  attribute(body, "data-turn", model.state?.over ? null : model.state?.turn);
  for (const render of parts) render(model, say);
  flat.render(model, say);
  awake.wanted(model.state !== null && !model.state.over);
  if (model.known && model.link.live && together(model)) announcer.heard(say, model.state, model.view.last);
  drawWelcome();
}

/** Before the first match: the set-up form in place of the table. */
function drawWelcome() {
  const welcome = part("welcome");
  const wanted = model.known && model.state === null;
  welcome.hidden = !wanted;
  // a camera that does not know its table: what it needs comes first, the form after it
  const fresh = model.view.table?.camera && !model.view.table.aimed && !welcome.dataset.later;
  const key = wanted ? JSON.stringify([fresh, model.view.seen, model.view.fighters]) : null;
  if (welcome.drawnFor === key) return;
  if (welcome.drawnFor !== null && wanted && welcome.contains(document.activeElement)) return; // someone is at it
  welcome.drawnFor = key;
  welcome.replaceChildren();
  if (wanted) {
    welcome.append(
      h(
        "div",
        { class: "logo" },
        COLOURS.map((colour) => h("span", { class: "logo-glass" }, marble(colour))),
        h("p", {}, words.game),
      ),
      h("p", { class: "tagline" }, words.tagline),
      fresh ? offerSetUp(welcome) : setupForm({
        seen: model.view.seen,
        running: false,
        fighters: model.view.fighters,
        start: (fields) => command({ do: "setup", ...fields }),
      }),
    );
  }
}

function offerSetUp(welcome) {
  const later = () => {
    welcome.dataset.later = "yes";
    draw();
  };
  return h(
    "div",
    { class: "column", id: "offer" },
    h("h2", {}, words.table.title),
    h("p", { class: "how" }, words.table.how),
    h("button", { class: "action main", type: "button", id: "set-up", onclick: () => setTableUp() }, words.table.setUp),
    h("button", { class: "action quiet", type: "button", id: "set-up-later", onclick: later }, words.table.later),
  );
}

/** `/#set-up` opens the set-up, from other pages and from the terminal's hint. */
async function begin() {
  const wanted = location.hash === "#set-up";
  if (wanted) window.history.replaceState(null, "", location.pathname);
  turn = pairing.begin(); // what is tapped meanwhile waits until the device is let in
  await turn;
  if (wanted) setTableUp();
}

begin();
const heard = connect({
  state(state, version) {
    const again = model.version !== null && version !== model.version;
    if (again) {
      // what is said of a change that came before this one stays to be read
      if (!(model.refusal?.code === "changed" && model.refusal.version >= version)) model.refusal = null;
      model.shown = [];
      if (JSON.stringify(state?.due?.[0]) !== JSON.stringify(model.state?.due?.[0])) model.chosen = null;
      if (JSON.stringify(state?.last_clear) !== JSON.stringify(model.state?.last_clear)) {
        model.before = trayBefore(model.state, state);
      }
      // what was picked on another tray may not be what lies there now
      model.picked = model.picked.filter((cell) => at(state?.tray, cell) === at(model.state?.tray, cell));
      if (state?.turn !== model.state?.turn) model.picked = [];
    }
    model.known = true;
    model.state = state;
    model.version = version;
    draw();
  },
  view(view) {
    if (model.view.server && view.server !== model.view.server) {
      // another start of the companion: nothing that was picked or said before is about this one
      Object.assign(model, { picked: [], shown: [], chosen: null, refusal: null, before: null, setting: false });
      own = { version: 0, at: -OWN_MS };
      sheets.close();
    }
    const news = (key) => JSON.stringify(view[key]) !== JSON.stringify(model.view[key]);
    if ((news("verdict") || news("question")) && model.refusal?.code !== "changed") model.refusal = null;
    model.view = view;
    draw();
  },
  link(link) {
    model.link = link;
    draw();
  },
});
