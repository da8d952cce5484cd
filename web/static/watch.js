// For onlookers: a big screen, or with ?overlay the strip that a stream lays over its picture. Nothing can be tapped.

import { createSay } from "./bars.js";
import { trayBefore } from "./chain.js";
import { attribute } from "./dom.js";
import { connect } from "./link.js";
import { laidOver } from "./overlay.js";
import { createPlayer } from "./players.js";
import { whatToSay } from "./say.js";
import { createStage } from "./stage.js";
import { createTray } from "./tray.js";
import { words } from "./words.js";

const model = {
  state: null,
  version: null,
  before: null,
  view: {},
  link: { live: false, silentMs: 0 },
  picked: [],
  setting: false,
  refusal: null,
};

const part = (id) => document.getElementById(id);
const nothing = () => {};
const acts = { openDial: nothing, openCredits: nothing, openFan: nothing, tap: nothing, control: nothing, dismissHere: nothing };

laidOver();
const parts = [
  createPlayer(part("player-a"), "A", acts),
  createPlayer(part("player-b"), "B", acts),
  createTray(part("tray"), acts),
  createStage(part("stage"), acts),
  createSay(part("say"), acts),
];
for (const button of document.querySelectorAll("button")) {
  button.tabIndex = -1;
}

/** What onlookers are told: what was done and what is open, never what to tap. */
function forOnlookers(say) {
  const told = { ...say, hint: null, closes: null, ways: [], answers: [], nearest: [], restore: [] };
  if (model.view.question) return { ...told, lines: [words.watch.asked] };
  return told;
}

function draw() {
  const heard = model.version !== null;
  attribute(document.body, "data-match", model.state !== null);
  attribute(document.body, "data-silent", !model.link.live && heard);
  const shown = { ...model, view: { ...model.view, notices: [], simulated: false } };
  const say = forOnlookers(whatToSay(shown));
  for (const render of parts) render(shown, say);
  part("waiting").hidden = !heard || model.state !== null;
  part("waiting").textContent = words.noMatch;
  const seconds = Math.floor(model.link.silentMs / 1000);
  part("silence").hidden = model.link.live || seconds < 3;
  part("silence").textContent = words.link.lost(seconds);
}

connect({
  state(state, version) {
    if (JSON.stringify(state?.last_clear) !== JSON.stringify(model.state?.last_clear)) {
      model.before = trayBefore(model.state, state);
    }
    Object.assign(model, { state, version });
    draw();
  },
  view(view) {
    model.view = view;
    draw();
  },
  link(link) {
    model.link = link;
    draw();
  },
});
