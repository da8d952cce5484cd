// The kept matches: a list; of one its course as a picture, and the table as it stood after each step.

import { attribute, h, redraw, s } from "./dom.js";
import { COLOURS, icon } from "./draw.js";
import { createPlayer } from "./players.js";
import { whatToSay } from "./say.js";
import { createStage } from "./stage.js";
import { createTray } from "./tray.js";
import { words as pageWords } from "./words.js";
import { recordsWords } from "./words_records.js";

const words = { ...recordsWords, said: pageWords.said, told: pageWords.told };

const part = (id) => document.getElementById(id);
const nothing = () => {};
const acts = { openDial: nothing, openCredits: nothing, openFan: nothing, tap: nothing };

const others = {}; // game → { draw, figures, plain }: what draws its states and says of them, once it is loaded; null: on its way
const model = { matches: null, match: null, step: 0, state: null };

const table = [
  createPlayer(part("player-a"), "A", acts),
  createPlayer(part("player-b"), "B", acts),
  createTray(part("tray"), acts),
  createStage(part("stage"), acts),
];
for (const button of document.querySelectorAll(".table button")) button.tabIndex = -1;

// ---------- asking ----------

async function ask(path, options = {}) {
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(15000), ...options });
    const value = await answer.json();
    if (value.ok === false) say(words.told(value.error));
    return value.ok === false ? null : value;
  } catch {
    say(words.noAnswer);
    return null;
  }
}

const say = (text) => {
  part("told").textContent = text;
};

async function openList() {
  Object.assign(model, { match: null, state: null });
  model.matches = (await ask("/api/matches"))?.matches ?? [];
  draw();
}

async function openMatch(number) {
  const found = await ask(`/api/matches/${number}`);
  if (!found) return openList();
  say("");
  model.match = found;
  await goTo(found.steps.length - 1);
}

/** Shows a step; while one is on its way, only the last one asked for is fetched after it. */
let wanted = null;
async function goTo(step) {
  const most = model.match.steps.length - 1;
  const going = wanted !== null;
  wanted = Math.max(0, Math.min(most, step));
  model.step = wanted;
  draw();
  if (going) return;
  let shown = null;
  while (shown !== wanted && model.match) {
    shown = wanted;
    const state = await ask(`/api/matches/${model.match.number}/steps/${shown}`);
    if (state === null) break;
    model.state = state;
  }
  wanted = null;
  draw();
}

async function take(file) {
  const text = await file.text();
  const body = JSON.stringify({ text });
  const found = await ask("/api/matches", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (!found) return;
  await openList();
  say(words.taken(found.told, found.kept_aside));
}

// ---------- the address: /records#7 is match 7 ----------

function follow() {
  const number = /^#(\d+)$/.exec(location.hash)?.[1];
  say("");
  if (number) openMatch(number);
  else openList();
}
window.addEventListener("hashchange", follow);

// ---------- drawing ----------

const file = h("input", { type: "file", id: "file", class: "unseen", accept: ".txt,text/plain", tabindex: "-1", "aria-label": words.take });
file.addEventListener("change", () => {
  if (file.files.length) take(file.files[0]);
  file.value = "";
});
const all = h("a", { class: "tool", id: "all", href: "#" }, words.list);
part("top").append(
  h("a", { class: "tool back", id: "back", href: "/", "aria-label": words.back }, icon("undo"), h("span", {}, words.back)),
  h("h1", { class: "brand" }, words.title),
  h("div", { class: "chips" }),
  h("div", { class: "tools" }, all),
);

function drawList() {
  redraw(part("list"), [model.matches, model.match !== null], () => {
    if (model.match || model.matches === null) return [];
    const bring = [
      h("button", { class: "action", type: "button", id: "take", onclick: () => file.click() }, words.take),
      file,
    ];
    if (!model.matches.length) return [h("p", { class: "none" }, words.none), ...bring];
    const row = (one) => {
      const told = one.error ? words.unreadable : one.result ? words.said(one.result) : words.underWay(words.said(one.turn ?? ""));
      const tag = one.imported ? words.imported : one.resumed ? words.resumed : null;
      const inside = [
        h("span", { class: "number" }, one.number),
        h("span", { class: "names" }, h("b", {}, one.players || "–"), h("small", {}, told)),
        h("span", { class: "when" }, one.date, tag && h("small", {}, tag)),
      ];
      return one.error
        ? h("div", { class: "match-row broken" }, inside)
        : h("a", { class: "match-row", href: `#${one.number}` }, inside);
    };
    return [...model.matches.map(row), h("div", { class: "row" }, ...bring)];
  });
}

const WIDTH = 1000;
const HEIGHT = 150;
const TOP = 11; // HP or credits at the upper edge
const DASH = { R: null, Y: "14 6", B: "3 6" }; // not by colour alone

/** One player's course: a line for each dial, credits as ground, the step as a mark. `top`: at the upper edge. */
function course(player, steps, top) {
  const n = Math.max(1, steps.length - 1);
  const x = (i) => (i / n) * WIDTH;
  const y = (value) => HEIGHT - (Math.min(top, value) / top) * HEIGHT;
  const values = (key) => steps.map((step) => step.figures[player]?.[key] ?? 0);
  // a score stays until it changes: steps, not slopes
  const line = (all) => all.map((v, i) => (i === 0 ? `M0 ${y(v)}` : `H${x(i)}V${y(v)}`)).join("");
  const credits = values("credits");
  // another game has figures of its own: the first is drawn as the first colour, and so on
  const own = Object.keys(steps[0].figures[player] ?? {});
  const keys = own.includes(COLOURS[0]) ? COLOURS : own;
  return s(
    "svg",
    { class: "lines", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    s("path", { class: "coins-line", d: `${line(credits)}H${WIDTH}V${HEIGHT}H0z` }),
    [0, 5, 10].map((v) => s("path", { class: "rule", d: `M0 ${y(v)}H${WIDTH}` })),
    COLOURS.slice(0, keys.length).map((colour, i) =>
      s("path", { class: "line", "data-colour": colour, d: line(values(keys[i])), "stroke-dasharray": DASH[colour] }),
    ),
    s("path", { class: "now-line", d: `M${x(model.step)} 0V${HEIGHT}` }),
  );
}

/** Which line is which, for a game whose figures explain themselves less than dials do. */
const legend = (figures) =>
  h(
    "p",
    { class: "legend" },
    Object.values(figures).map((name, i) =>
      h("span", {}, s("svg", { class: "lines", viewBox: "0 0 40 8", "aria-hidden": "true" }, s("path", { class: "line", "data-colour": COLOURS[i], d: "M0 4H40", "stroke-dasharray": DASH[COLOURS[i]] })), name),
    ),
  );

function drawCourse() {
  const { match, step } = model;
  const figures = others[match?.game]?.figures;
  redraw(part("course"), [match?.number, match?.steps.length, step, figures], () => {
    if (!match) return [];
    const players = Object.keys(match.steps[0].figures);
    const names = match.players.split(" – ");
    const all = match.steps.flatMap((one) => Object.values(one.figures).flatMap((own) => Object.values(own)));
    const top = match.game === "rematch" ? TOP : Math.max(TOP, ...all);
    const label = (player, name) => (figures ? words.courseOf(name, Object.values(figures)) : words.course(player, name));
    const lines = players.map((player, i) =>
      h(
        "div",
        { class: "course-of", "data-player": player, role: "img", "aria-label": label(player, names[i] ?? player) },
        h("span", { class: "lamp" }, player),
        course(player, match.steps, top),
      ),
    );
    return [lines, figures && players.length > 0 && legend(figures)];
  });
}

const slider = h("input", { type: "range", id: "slider", min: 0, step: 1, "aria-label": words.slider });
slider.addEventListener("input", () => goTo(Number(slider.value)));
const arrow = (path) => s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: path }));
const jump = (id, label, path, to) =>
  h("button", { class: "tool", type: "button", id, "aria-label": label, onclick: () => goTo(to()) }, arrow(path));
const line = h("p", { class: "line-of", id: "line" });
const buttons = [
  jump("first", words.first, "M6 5v14M19 5l-9 7 9 7z", () => 0),
  jump("previous", words.previous, "M17 5l-9 7 9 7z", () => model.step - 1),
  jump("next", words.next, "M7 5l9 7-9 7z", () => model.step + 1),
  jump("last", words.last, "M18 5v14M5 5l9 7-9 7z", () => model.match.steps.length - 1),
];
const along = h("a", { class: "tool", id: "text" }, words.text);
part("steps").append(line, slider, h("div", { class: "row" }, buttons, along));

function drawSteps() {
  const { match, step } = model;
  if (!match) return;
  const most = match.steps.length - 1;
  slider.max = most;
  slider.value = step;
  buttons[0].disabled = buttons[1].disabled = step === 0;
  buttons[2].disabled = buttons[3].disabled = step === most;
  attribute(along, "href", `/api/matches/${match.number}.txt`);
  const now = match.steps[step];
  // of a game whose remarks say it all, what was done comes first and how it is written after it
  const plain = Boolean(others[match.game]?.plain) && now.remark;
  const under = plain ? now.line : now.remark;
  redraw(line, [match.number, step, plain], () => [
    h("small", {}, words.step(step, most), now.turn && ` · ${words.said(now.turn)}`),
    h("b", {}, step === 0 ? words.begin : plain ? words.said(now.remark) : now.line),
    step > 0 && under && h("span", {}, under),
  ]);
}

function draw() {
  part("list").hidden = model.match !== null;
  part("match").hidden = model.match === null;
  all.hidden = model.match === null;
  attribute(document.body, "data-match", model.state !== null);
  drawList();
  drawCourse();
  drawSteps();
  const game = model.match?.game ?? "rematch";
  attribute(document.body, "data-game", game);
  part("other").hidden = game === "rematch";
  if (model.state && game !== "rematch") drawOther(game);
  else if (model.state) {
    const shown = { state: model.state, view: {}, link: {}, picked: [], setting: false, refusal: null, before: null };
    const told = whatToSay(shown);
    for (const render of table) render(shown, told);
  }
}

/** The table of another game, by the module of its page. */
function drawOther(game) {
  if (others[game]) others[game].draw(model.state);
  if (game in others) return;
  others[game] = null;
  import(`./${game}_replay.js`)
    .then((module) => {
      others[game] = { draw: module.createReplay(part("other")), figures: module.figures, plain: module.plain };
      draw();
    })
    .catch(() => {
      delete others[game];
      say(words.noAnswer);
    });
}

document.addEventListener("keydown", (event) => {
  if (!model.match || event.target === slider) return;
  if (event.key === "ArrowLeft") goTo(model.step - 1);
  if (event.key === "ArrowRight") goTo(model.step + 1);
});

follow();
