// Where the tray lies in the camera's picture, and where the stage board: four taps each, or found by the companion.

import { h, s } from "./dom.js";
import { big } from "./form.js";
import { LANES, ROWS } from "./tray.js";
import * as ask from "./wizard_ask.js";
import { createPicture, nudges, plane } from "./wizard_picture.js";
import { wizardWords as words } from "../words/wizard.js";

const CORNERS = ["a1", "c1", "c5", "a5"];
const SETTLE_MS = 120;

/** Asks for the newest points only, one request at a time; `slip`: the rims of the marbles may put them right. */
function newestOnly(post, heard) {
  let waiting = null;
  let running = false;
  let timer = null;
  let count = 0;
  const run = async () => {
    const fields = waiting;
    waiting = null;
    running = true;
    const mine = count;
    const reply = await post(fields);
    running = false;
    if (waiting) run();
    if (mine === count) heard(reply, fields);
  };
  return {
    ask(fields) {
      count += 1;
      waiting = fields;
      clearTimeout(timer);
      if (!running) timer = setTimeout(() => waiting && !running && run(), SETTLE_MS);
    },
    stop() {
      clearTimeout(timer);
      waiting = null;
      count += 1;
    },
  };
}

export function aimStep({ shared, ready, say, work }) {
  const fit = h("p", { class: "fit", id: "fit", role: "status" });
  const how = h("p", { class: "prompt" });
  const view = createPicture({ names: CORNERS, size: shared.size ?? [4, 3], lines: trayLines, changed });
  const fits = newestOnly((fields) => ask.step({ do: "fit", ...fields }), heard);
  const tool = (name, run) => big(words.aim[name], run, { name });
  const side = h(
    "div",
    { class: "side-panel" },
    how,
    fit,
    h("div", { class: "tools-of-aim" }, tool("auto", () => find("auto")), tool("markers", () => find("markers")), tool("turn", turn), tool("clear", clear)),
    nudges(view.nudge),
  );

  function prompt() {
    const n = view.points.length;
    how.textContent = n < 4 ? words.aim.tap(CORNERS[n]) : words.aim.check;
    if (n < 4) {
      told("", null);
      ready(false);
    }
  }

  function told(text, word) {
    fit.textContent = text;
    fit.dataset.word = word ?? "";
  }

  function changed(kind) {
    prompt();
    if (view.points.length === 4 && !["slipped", "found"].includes(kind)) fits.ask({ corners: view.points, slip: kind === "set" });
  }

  function heard(reply, fields) {
    if (!reply.ok) {
      told(words.said(reply.error.text), "no");
      ready(false);
      return;
    }
    if (fields.slip) view.set(reply.fit.corners, "slipped");
    take(reply);
  }

  function take({ fit: found, stage }) {
    told([words.aim.fit(found), found.hint && words.said(found.hint)].filter(Boolean).join(" "), found.word);
    shared.corners = view.points;
    shared.guessedStage = stage;
    ready(true);
  }

  async function find(kind) {
    fits.stop();
    const reply = await work(words.aim.looking[kind], () => ask.step({ do: "find", how: kind }));
    if (!reply) return;
    view.set(reply.fit.corners, "found");
    fits.stop();
    prompt();
    take(reply);
  }

  /** The same tray with the tower at its other end. */
  function turn() {
    if (view.points.length === 4) view.set([2, 3, 0, 1].map((i) => view.points[i]), "nudge");
  }

  function clear() {
    fits.stop();
    shared.corners = null;
    view.set([], "cleared");
  }

  return {
    element: h("div", { class: "aim" }, view.element, side),
    enter() {
      if (!shared.size) {
        say(words.camera.lost, "no");
        ready(false);
        return;
      }
      view.begin();
      prompt();
      if (shared.corners) view.set(shared.corners, "nudge");
    },
    skip: () => (shared.corners = null),
    leave() {
      fits.stop();
      view.end();
    },
  };
}

function trayLines(points) {
  const at = plane(points);
  const cell = (lane, row) => at(lane / (LANES.length - 1), row / (ROWS - 1));
  const far = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const drawn = [];
  const size = far(cell(0, 0), cell(0, ROWS - 1)) / (ROWS - 1);
  LANES.forEach((name, lane) => {
    for (let row = 0; row < ROWS; row += 1) {
      const [x, y] = cell(lane, row);
      const radius = far(cell(lane, row), cell(lane, row ? row - 1 : 1)) / 2;
      drawn.push(s("circle", { cx: x, cy: y, r: radius, class: "ring-under", "stroke-width": size / 8 }));
      drawn.push(s("circle", { cx: x, cy: y, r: radius, class: "ring", "stroke-width": size / 16 }));
    }
    drawn.push(label(at(lane / (LANES.length - 1), -0.26), name, size * 0.55));
  });
  drawn.push(label(at(0.5, 1.3), words.tower, size * 0.5));
  drawn.push(label(at(-0.42, 0.5), "A", size * 0.8, "seat-a"), label(at(1.42, 0.5), "B", size * 0.8, "seat-b"));
  return drawn;
}

const label = ([x, y], text, size, kind = "") =>
  s("text", { x, y: y + size * 0.35, "font-size": size, "text-anchor": "middle", class: `label ${kind}` }, text);

/** The stage board's corners, clockwise, A's on the tower's side first. Without it the fans are moved by taps. */
export function stageStep({ shared, ready, say, work }) {
  const names = words.stage.corners;
  const how = h("p", { class: "prompt" });
  const view = createPicture({ names, size: shared.size ?? [4, 3], lines: boardLines, changed });
  const side = h(
    "div",
    { class: "side-panel" },
    how,
    h("p", { class: "how" }, words.stage.why),
    h("div", { class: "row" }, nudges(view.nudge), big(words.aim.clear, () => view.set([], "cleared"), { name: "clear" })),
  );

  function changed() {
    const n = view.points.length;
    how.textContent = n < 4 ? words.stage.tap(names[n]) : words.stage.check;
    ready(n === 4);
  }

  return {
    element: h("div", { class: "aim" }, view.element, side),
    enter() {
      if (!shared.size) {
        say(words.camera.lost, "no");
        ready(false);
        return;
      }
      view.begin();
      view.set(shared.guessedStage ?? shared.stage ?? [], "set");
    },
    async next() {
      const reply = await work("", () => ask.step({ do: "stage", stage: view.points }));
      if (reply) shared.stage = view.points;
      return Boolean(reply);
    },
    skip() {
      shared.stage = null;
      shared.guessedStage = null;
    },
    leave: () => view.end(),
  };
}

function boardLines(points) {
  const at = plane(points);
  const join = (list) => list.map((point) => point.join(",")).join(" ");
  const [width] = [Math.hypot(points[1][0] - points[0][0], points[1][1] - points[0][1])];
  const fields = [
    ["A", 1 / 6, "seat-a"],
    [words.stage.middle, 0.5, ""],
    ["B", 5 / 6, "seat-b"],
  ];
  return [
    s("polygon", { points: join(points), class: "board-under", "stroke-width": width / 60 }),
    s("polygon", { points: join(points), class: "board", "stroke-width": width / 120 }),
    [1 / 3, 2 / 3].map((u) => s("polyline", { points: join([at(u, 0), at(u, 1)]), class: "board", "stroke-width": width / 120 })),
    fields.map(([text, u, kind]) => label(at(u, 0.5), text, width / 12, kind)),
  ].flat();
}
