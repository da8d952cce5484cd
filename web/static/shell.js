// What the pages of further games have in common: asking, the bar above, sheets, pairing, the link. A game draws the rest.

import * as ask from "./ask.js";
import { createAwake } from "./awake.js";
import { attribute, h, redraw } from "./dom.js";
import { icon } from "./draw.js";
import { big } from "./form.js";
import { games } from "./games.js";
import { connect } from "./link.js";
import { laidOver } from "./overlay.js";
import { createPairing } from "./pairing.js";
import { createSheets } from "./sheets.js";
import { words as page } from "./words.js";
import { words } from "../words/shell.js";

const part = (id) => document.getElementById(id);

/** `title(state)`: the bar's text; `draw(host)`: the table, when there is a match; `setUp(host)` opens the set-up.
 *  `forget()`: what was begun on this page is over, since something has happened at the table. `menu(host)` opens a
 *  menu of the game's own; `skipped(events)`: what of an accepted command did not come about, in words. Of a match,
 *  `right(host)` sets things by hand, `history(host)` shows it entry by entry. */
export function createShell({ game, name, tagline, title, draw: drawTable, setUp, forget = () => {}, menu = null, skipped = () => null, right = null, history = null }) {
  const onlooking = location.pathname === "/watch";
  const model = { known: false, state: null, version: null, view: {}, link: { live: false, silentMs: 0 }, said: null };
  let watching = false;
  let asked = null; // what is being asked: the version it was tapped on, and its end
  attribute(document.body, "data-onlooking", onlooking);
  laidOver("/static/overlay.css");

  let expected = null; // the version that an answer has told of
  function drawn() {
    if (asked === null && (expected === null || expected <= model.version)) attribute(document.body, "data-asking", null);
  }

  async function answered(ask) {
    const version = model.version;
    if (onlooking || asked?.version === version) return false; // nothing has changed since: a finger that tapped twice
    const before = asked?.end;
    const end = (async () => {
      await letIn;
      await before;
      return ask(version);
    })();
    const mine = (asked = { version, end });
    attribute(document.body, "data-asking", true); // until what came of it is drawn: whoever drives the page waits for it
    const reply = await end;
    if (asked === mine) asked = null;
    expected = reply.ok ? (reply.version ?? null) : null;
    drawn();
    model.said = reply.ok ? skipped(reply.events ?? []) : page.told(reply.error);
    draw();
    if (reply.error?.code === "not_paired") pairing.open();
    return reply.ok === true;
  }
  const command = (fields) => answered((version) => ask.commanded(fields, version));
  const sheets = createSheets(part("sheet"), { command });
  const pairing = createPairing(sheets, (only) => {
    watching = only;
    draw();
  });
  const host = {
    model,
    sheets,
    onlooking,
    command,
    control: (fields) => answered((version) => ask.controlled(fields, version)),
    draw,
    devices: () => pairing.openDevices(),
    newMatch: () => setUp(host),
    start(setup) {
      sheets.close();
      answered((version) => ask.controlled({ do: "new_match", setup }, version));
    },
    send: (fields) => () => command(fields),
    /** A button that asks the table, or opens something. */
    button: (label, onclick, nameOf, main = false) => big(label, onclick, { name: nameOf, main }),
  };

  const tool = (id, label, sign, onclick, text = true) =>
    h("button", { class: "tool", type: "button", id, "aria-label": label, onclick }, icon(sign), text && h("span", {}, label));
  const told = h("p", { class: "brand", id: "told" });
  const chips = h("div", { class: "chips" });
  const undo = tool("undo", words.undo, "undo", () => command({ do: "undo" }));
  const redo = tool("redo", words.redo, "redo", () => command({ do: "redo" }));
  part("top").append(told, chips, h("div", { class: "tools" }, undo, redo, tool("menu", words.menu, "menu", tappedMenu, false)));

  async function tappedMenu() {
    await heard; // what it offers depends on the table, and it is not drawn again
    (menu ?? openMenu)(host);
  }

  function openMenu() {
    sheets.open(
      words.menu,
      h(
        "div",
        { class: "column" },
        model.state && !model.state.over && right && big(words.right, () => right(host), { name: "right" }),
        model.state && history && big(words.history, () => history(host), { name: "history" }),
        big(words.newMatch, host.newMatch, { name: "new-match" }),
        big(words.devices, host.devices, { name: "devices" }),
        big(words.records, () => location.assign("/records"), { name: "records" }),
        games(model.view),
      ),
    );
  }

  function draw() {
    const { state, link } = model;
    attribute(document.body, "data-silent", !link.live);
    const text = state ? title(state) : name;
    redraw(told, text, () => text);
    undo.disabled = redo.disabled = !state;
    const seconds = Math.floor(link.silentMs / 1000);
    const heard = link.live ? words.live : words.lost(seconds);
    redraw(chips, [watching, heard], () => [
      h("span", { class: `chip ${link.live ? "" : "bad"}`, id: "link", role: "img", "aria-label": heard }, icon("link"), h("span", {}, heard)),
      watching && h("button", { class: "chip-button", type: "button", id: "watching", onclick: pairing.open }, words.watching),
    ]);
    part("table").hidden = !state;
    part("welcome").hidden = !model.known || state !== null;
    if (model.known && !state)
      redraw(part("welcome"), [model.view.games, model.said], () => [
        h("h2", {}, name),
        h("p", {}, tagline),
        model.said && h("p", { class: "bad", id: "said" }, model.said),
        big(words.newMatch, host.newMatch, { name: "new-match", main: true }),
        games(model.view),
      ]);
    if (state) drawTable(host);
    awake.wanted(state !== null && state.over === null);
  }

  const awake = createAwake();
  const heard = connect({
    state(state, version) {
      if (version !== model.version) forget();
      Object.assign(model, { state, version, known: true });
      draw();
      drawn();
    },
    view(view) {
      model.view = view;
      if (view.game && view.game !== game) location.reload(); // another game is played at this table now
      draw();
    },
    link(link) {
      model.link = link;
      draw();
    },
  });
  const letIn = pairing.begin();
  draw();
  return host;
}
