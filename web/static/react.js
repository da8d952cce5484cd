// The page of Re;ACT in the shell of all further games: the chain, the field and the counts; and what this page has
// begun: which zones are marked, and what a tap would put.

import { h, redraw } from "./dom.js";
import { later } from "./lazy.js";
import { createCamera } from "./react_camera.js";
import { drawChain } from "./react_chain.js";
import { drawField } from "./react_field.js";
import { drawSide } from "./react_side.js";
import { createShell } from "./shell.js";
import { words as page } from "./words.js";
import { words } from "../words/react.js";

const part = (id) => document.getElementById(id);
// zones that one damage will hit (null: none is being marked); what the next tapped zone is for: `text`, and `to(zone)`
// makes the command of it, or null where that zone means nothing
const begun = { marked: null, picking: null };

function forget() {
  begun.marked = begun.picking = null;
}

/** What failed and was skipped is said, since nothing on the field would show it. */
function skipped(events) {
  const failed = events.filter((event) => event.type === "failed");
  return failed.length ? failed.map((event) => words.skipped(page.said(event.text))).join(" ") : null;
}

const host = createShell({
  game: "react",
  name: words.title,
  tagline: words.tagline,
  title: (state) => `${words.turn(state.turn_number, state.turn)} · ${words.phases[state.phase]}`,
  setUp: () => open("openSetup"),
  menu: () => open("openMenu"),
  forget,
  skipped,
  draw,
});
Object.assign(host, {
  mark(zone) {
    begun.marked = [zone];
    host.draw();
  },
  pick(text, to) {
    begun.picking = { text, to };
    host.draw();
  },
});

/** Opens a sheet of a module that is loaded for it. */
async function open(name, ...args) {
  if (host.onlooking) return;
  const module = await later(() => import("./react_sheets.js"));
  if (module) module[name](host, ...args);
}

function tapZone(zone) {
  if (host.onlooking) return undefined;
  if (begun.picking) {
    const command = begun.picking.to(zone);
    return command && host.command(command);
  }
  if (begun.marked) {
    begun.marked = begun.marked.includes(zone) ? begun.marked.filter((one) => one !== zone) : [...begun.marked, zone];
    return host.draw();
  }
  return open("openZone", zone);
}

// --- what is awaited -------------------------------------------------------------------------------------------------

const { send, button: action } = host;

/** The buttons for the step that the match waits for. */
function actions(state) {
  if (begun.marked)
    return [
      begun.marked.length > 0 &&
        [1, 2, 3].map((amount) =>
          action(words.act.damage(amount), send({ do: "damage", zones: begun.marked, ...(amount > 1 ? { amount } : {}) }), amount === 1 ? "damage" : `damage-${amount}`, amount === 1),
        ),
      action(words.act.cancel, cancel, "cancel"),
    ];
  if (begun.picking) return [action(words.act.cancel, cancel, "cancel")];
  const next = state.next;
  if (next === null) return [action(words.newMatch, host.newMatch, "new-match", true)];
  if (next.do === "draw") return [action(words.act.draw, send({ do: "draw" }), "draw", true)];
  if (next.do === "progress")
    return [(how(state) !== "place" || state.rules.placing === "may") && action(words.masterpiece.skip, send({ do: "progress", player: next.player, skip: true }), "skip")];
  if (next.do === "resolve") {
    const item = state.due[0];
    const label = item && item.part !== "card" ? words.act.done(item.text) : words.act.resolve(next.slot);
    return [
      action(label, send({ do: "resolve" }), "resolve", true),
      (item ? item.part !== "card" : state.chain.slots[next.slot - 1].effects?.length > 0) && action(words.act.drop, send({ do: "resolve", drop: true }), "drop"),
      effect(),
      passive(),
    ];
  }
  const kind = state.chain.stack.length ? "reaction" : "intention";
  return [
    action(words.act.play(next.player, kind), () => open("openPlay", next.player, kind), "play", true),
    kind === "reaction"
      ? action(words.act.pass(next.player), send({ do: "pass", player: next.player }), "pass")
      : action(words.act.end(next.player), send({ do: "end_turn", player: next.player }), "end"),
    kind === "reaction" && passive(),
  ];
}

const effect = () => action(words.act.effect, () => open("openEffect"), "effect");
const passive = () => action(words.act.passive, () => open("openPassive"), "passive");

function cancel() {
  forget();
  host.draw();
}

/** What the page says above the buttons: the worst first, then what is awaited, then what not to forget. */
function lines({ state, said, view }) {
  const refused = said && h("p", { class: "bad", id: "said" }, said);
  if (begun.picking) return [refused, h("p", { class: "head" }, begun.picking.text)];
  if (begun.marked) return [refused, h("p", {}, words.field.marked(begun.marked))];
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
            ? host.onlooking
              ? words.chain.resolving
              : words.act.effects
            : words.phases[state.phase];
  return [
    refused,
    h("p", { class: "head" }, head),
    (view.misfits ?? []).map(({ error }) => h("p", { class: "bad" }, words.misfit(page.said(error.text)))),
    state.reminders.map((text) => h("p", { class: "soft" }, page.said(text))),
  ];
}

/** What the player on turn may do with the masterpiece. */
function how(state) {
  const side = state.players[state.turn];
  if (side.beside.length) return state.masterpiece.includes(null) ? "place" : "replace";
  return "swap";
}

const drawCamera = createCamera(host, document.querySelector(".react-foot"));

// --- drawing ---------------------------------------------------------------------------------------------------------

function draw({ model }) {
  const { state } = model;
  drawChain(part("chain"), state, host.onlooking ? null : (slot) => open("openSlot", slot));
  drawField(part("field"), state, { marked: begun.marked, tap: tapZone });
  drawSide(part("side"), state, {
    tapSpace: (space) => open("openSpace", space),
    tapPlayer: (player) => open("openPlayer", player),
  });
  const key = [state, begun.marked, begun.picking?.text, model.said, model.view.misfits];
  redraw(part("say"), key, () => lines(model));
  redraw(part("actions"), key, () => actions(state));
  drawCamera(model.view);
}
