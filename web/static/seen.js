// "What I see": the upright tray with what is read in each cell, and how the eye is doing. It asks for one picture after
// another, so that a slow tablet shows fewer of them and never old ones; how old one is, it says.

import { attribute, h, redraw, s } from "./dom.js";
import { COLOURS, fan, icon, signOf } from "./draw.js";
import { COLOUR_NAMES } from "./words.js";
import { seenWords as words } from "./words_seen.js";

const PACE_MS = 220; // the companion makes no more than five a second
const RETRY_MS = 1000;
const PATIENCE_MS = 5000;
const OLD_MS = 2000;
const SURE = 0.85;

const model = {
  seen: null, // as the companion told it last
  heardAt: null,
  failing: false,
  chosen: null, // "tray" or "camera"; null: whichever says more
  cell: null,
  shown: null, // the number of the picture on the screen, or "camera"
};

// ---------- parts ----------

const top = document.getElementById("top");
const age = h("span", { class: "chip", id: "age" });
top.append(
  h("a", { class: "tool back", id: "back", href: "/", "aria-label": words.back }, icon("undo"), h("span", {}, words.back)),
  h("h1", { class: "brand" }, words.title),
  h("div", { class: "chips" }, age),
);

const band = h("p", { class: "band", id: "band", role: "status", hidden: true });
const choices = ["tray", "camera"].map((view) =>
  h(
    "button",
    { class: "choice", type: "button", "data-view": view, onclick: () => choose(view) },
    view === "tray" ? words.tray : words.camera,
  ),
);
const canvas = h("canvas", { class: "shot", "aria-hidden": "true" });
const overlay = s("svg", { class: "marks", "aria-hidden": "true" });
const cells = h("div", { class: "cells" });
const frame = h("div", { class: "frame" }, canvas, overlay, cells);
const nothing = h("section", { class: "nothing", id: "nothing", "aria-live": "polite", hidden: true });
const tiles = Object.fromEntries(
  ["state", "cell", "aim", "light", "pace", "references", "fans", "beams"].map((name) => [
    name,
    h("section", { class: "tile", id: `tile-${name}`, "aria-label": words[name].title }),
  ]),
);
const legend = h("p", { class: "how legend" }, words.legend);
const save = h("a", { class: "action main", id: "save", href: "/frame.jpg", download: "table.jpg" }, words.save);
const picture = h(
  "section",
  { class: "picture", "aria-label": words.title },
  h("div", { class: "choices", role: "group" }, choices),
  h("div", { class: "room" }, frame),
  legend,
);
const facts = h("section", { class: "facts" }, Object.values(tiles));
document.getElementById("seen").append(band, h("div", { class: "look" }, picture, nothing, facts));

function choose(view) {
  model.chosen = view;
  model.shown = null;
  draw();
  next();
}

// ---------- asking ----------

let timer = null;
let asking = false;
let again = false;

function next() {
  clearTimeout(timer);
  if (asking) again = true;
  else look();
}

async function get(path) {
  const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok && answer.status !== 404) throw new Error(String(answer.status));
  return answer;
}

async function look() {
  const began = performance.now();
  let wait = PACE_MS;
  asking = true;
  again = false;
  try {
    const seen = await (await get("/api/seen")).json();
    const heardAt = performance.now();
    const view = viewOf(seen);
    const number = view === "tray" ? seen.frame : "camera";
    let bitmap = null;
    if (view !== null && (number !== model.shown || view === "camera")) {
      const answer = await get(view === "tray" ? `/api/seen.jpg?frame=${number}` : "/frame.jpg");
      if (answer.ok) bitmap = await createImageBitmap(await answer.blob());
    }
    // words and picture change together: no mark is ever drawn on another moment's marbles
    Object.assign(model, { seen, heardAt, failing: false });
    if (bitmap) paint(bitmap, view === "tray" ? seen.mask : null);
    if (view === null) model.shown = null;
    else if (bitmap) model.shown = number;
  } catch {
    model.failing = true;
    wait = RETRY_MS;
  }
  asking = false;
  draw();
  if (document.visibilityState !== "visible") return;
  timer = setTimeout(next, again ? 0 : Math.max(0, wait - (performance.now() - began)));
}

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && next());

/** Which picture says more: the tray while it is read, else the camera's; null: there is none. */
function viewOf(seen) {
  if (seen.state === "none") return null;
  if (seen.frame === null) return "camera";
  return model.chosen ?? (seen.aim.ok ? "tray" : "camera");
}

// ---------- drawing ----------

function paint(bitmap, mask) {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  const pen = canvas.getContext("2d");
  pen.drawImage(bitmap, 0, 0);
  bitmap.close();
  frame.style.setProperty("--ratio", String(canvas.width / canvas.height));
  if (!mask) return;
  const [width, height] = mask.size;
  const bits = Uint8Array.from(atob(mask.bits), (letter) => letter.charCodeAt(0));
  const veil = Object.assign(document.createElement("canvas"), { width, height });
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i += 1) {
    if (!(bits[i >> 3] & (128 >> (i & 7)))) continue;
    // stripes: a veil of one colour would be lost on a hand, a sleeve or the print of that colour
    const light = ((i % width) + Math.floor(i / width)) % 4 < 2;
    image.data.set(light ? [255, 255, 255, 150] : [20, 10, 30, 150], 4 * i);
  }
  veil.getContext("2d").putImageData(image, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(veil, 0, 0, canvas.width, canvas.height);
}

function draw() {
  const { seen } = model;
  const view = seen ? viewOf(seen) : null;
  const why = !seen ? (model.failing ? "silent" : null) : seen.state === "ok" ? null : seen.state;
  document.body.dataset.state = why ?? (isOld() ? "old" : "live");
  attribute(document.body, "data-view", view);
  attribute(document.body, "data-lost", seen?.aim && !seen.aim.ok);
  for (const button of choices) {
    button.setAttribute("aria-pressed", String(button.dataset.view === view));
    button.disabled = seen === null || seen.frame === null;
  }
  picture.hidden = view === null;
  attribute(legend, "data-off", view !== "tray" || !seen.mask); // keeps its place: nothing else must move
  facts.hidden = !seen || seen.frame === null || why !== null;
  drawNothing(why);
  drawAge();
  if (seen?.frame) {
    drawMarks(view);
    for (const [name, draw] of Object.entries(TILES)) draw(tiles[name], seen);
  } else {
    overlay.replaceChildren();
    cells.replaceChildren();
    overlay.drawnFor = cells.drawnFor = null;
  }
}

/** How old the picture on the screen is, or null. */
function ageMs() {
  const told = model.seen?.age_ms ?? (model.seen?.camera?.age_s === null ? null : (model.seen?.camera?.age_s ?? 0) * 1000);
  return told === null || model.heardAt === null ? null : told + performance.now() - model.heardAt;
}

/** What is on the screen is of the past, or nobody knows: nothing of it may look as if it were so now. */
function isOld() {
  const now = ageMs();
  return model.failing || now === null || now >= OLD_MS;
}

function tick() {
  // between two answers time goes on: what has grown old meanwhile changes more than its age
  if (model.seen?.frame && document.body.dataset.state === "live" && isOld()) draw();
  else drawAge();
}

function drawAge() {
  const now = ageMs();
  const shown = model.seen !== null && viewOf(model.seen) !== null;
  const old = shown && now !== null && now >= OLD_MS;
  const silent = model.failing && model.heardAt !== null;
  const seconds = Math.floor((silent ? performance.now() - model.heardAt : (now ?? 0)) / 1000);
  band.hidden = !old && !silent;
  redraw(band, [silent, old, seconds], () => (silent ? words.band.silent(seconds) : words.band.old(seconds)));
  attribute(age, "class", old || silent ? "chip bad" : "chip");
  redraw(age, [shown, now === null ? null : Math.floor(now / 100)], () =>
    shown && now !== null ? [icon("eye"), h("span", {}, words.age(now / 1000))] : [],
  );
  attribute(frame, "data-old", old || silent);
}

function drawNothing(why) {
  const told = why === null ? (model.seen ? null : [words.waiting]) : words.nothing[why];
  nothing.hidden = told === null;
  const notices = model.seen?.notices ?? [];
  redraw(nothing, [told, why, notices], () => {
    if (told === null) return [];
    const [title, ...lines] = told;
    return [
      h("h2", {}, title),
      lines.map((line) => h("p", {}, line)),
      why === "blind" && h("a", { class: "action main", id: "set-up", href: "/#set-up" }, words.setUp),
      why === "blind" && save,
      why !== null && notices.map(({ level, text }) => h("p", { class: `notice ${level}` }, text)),
    ];
  });
}

/** Rings, signs and shares on the tray; on the camera's picture the grid, where the tray is believed to lie. */
function drawMarks(view) {
  const { seen } = model;
  const [width, height] = view === "tray" ? seen.size : seen.aim.picture;
  attribute(overlay, "viewBox", `0 0 ${width} ${height}`);
  if (view === "camera") {
    redraw(overlay, ["camera", seen.aim, seen.tray], () => grid(seen, width, height));
  } else {
    redraw(overlay, ["tray", seen.cells, model.cell], () => [
      Object.entries(seen.cells).map(([name, cell]) => mark(name, cell, width, height)),
      Object.entries(seen.cells).map(([name, { at }]) => names(name, at, width, height)),
    ]);
  }
  redraw(cells, [view, Object.values(seen.cells).map(({ at }) => at)], () =>
    view === "camera" ? [] : Object.entries(seen.cells).map(([name, { at }]) => cellButton(name, at, width / height)),
  );
  for (const button of cells.children) {
    const name = button.dataset.cell;
    attribute(button, "data-reading", seen.cells[name].colour);
    attribute(button, "aria-pressed", String(name === model.cell));
    attribute(button, "aria-label", words.cell.name(name, seen.cells[name]));
  }
}

function cellButton(name, [x, y, radius], ratio) {
  const button = h("button", {
    class: "spot",
    type: "button",
    "data-cell": name,
    onclick: () => {
      model.cell = model.cell === name ? null : name;
      draw();
    },
  });
  Object.assign(button.style, {
    left: `${(x - radius) * 100}%`,
    top: `${(y - radius * ratio) * 100}%`,
    width: `${radius * 200}%`,
    height: `${radius * ratio * 200}%`,
  });
  return button;
}

function mark(name, { at, colour, best, covered, moving }, width, height) {
  const [x, y, r] = [at[0] * width, at[1] * height, at[2] * width];
  const unsure = colour === "?";
  const chance = best.find(([letter]) => letter === colour) ?? best[0];
  const text = unsure
    ? covered || !chance
      ? "?"
      : `${chance[0] === "." ? "–" : chance[0]}? ${words.percent(chance[1])}`
    : words.percent(chance?.[1] ?? 0);
  const size = r * 0.42;
  const wide = text.length * size * 0.6 + size * 0.7;
  return s(
    "g",
    {
      class: `mark c-${colour === "." ? "none" : unsure ? "unsure" : colour}`,
      "data-covered": covered,
      "data-moving": moving,
      "data-picked": name === model.cell,
      "data-sure": chance && chance[1] >= SURE,
    },
    s("circle", { cx: x, cy: y, r: r * 0.97, class: "under", "stroke-width": r * 0.16 }),
    s("circle", { cx: x, cy: y, r: r * 0.97, class: "ring", "stroke-width": r * 0.09 }),
    covered ? handSign(x + r * 0.62, y - r * 0.62, r * 0.5) : signOf(colour, r * 0.011, x + r * 0.62, y - r * 0.62),
    s("rect", { x: x - wide / 2, y: y + r * 0.44, width: wide, height: size * 1.3, rx: size * 0.65, class: "share" }),
    s("text", { x, y: y + r * 0.44 + size, "font-size": size, "text-anchor": "middle", class: "share-text" }, text),
  );
}

/** The lane below its first cell, the row beside its first lane: as on the match page. */
function names(name, at, width, height) {
  const [x, y, r] = [at[0] * width, at[1] * height, at[2] * width];
  const text = { "font-size": r * 0.56, "text-anchor": "middle", class: "name" };
  const label = (cx, cy, letter) =>
    s(
      "g",
      {},
      s("circle", { cx, cy, r: r * 0.36, class: "name-plate" }), // trays have numbers printed there
      s("text", { x: cx, y: cy + r * 0.2, ...text }, letter),
    );
  return [
    name.slice(1) === "1" && label(x, y + r * 1.5, name[0]),
    name[0] === "a" && label(x - r * 1.5, y, name.slice(1)),
  ];
}

const flat = (colour) =>
  s("svg", { viewBox: "0 0 100 100" }, s("circle", { cx: 50, cy: 50, r: 48, class: "flat" }), signOf(colour, 0.9, 50, 50));

const handSign = (x, y, size) =>
  s(
    "g",
    { transform: `translate(${x} ${y})` },
    s("circle", { r: size, class: "hand-plate" }),
    s("g", { transform: `scale(${size / 17}) translate(-11.5 -12.5)`, class: "hand-sign" }, icon("hand").firstChild),
  );

/** The tray's cells and the rim of what is read, in the camera's picture. */
function grid({ aim, cells: read }, width, height) {
  const points = aim.grid.map(([x, y]) => [x * width, y * height]);
  const names = Object.keys(read);
  const rows = names.filter((name) => name[0] === names[0][0]).length;
  const radius = (i) => {
    const other = points[i % rows ? i - 1 : i + 1];
    return Math.hypot(points[i][0] - other[0], points[i][1] - other[1]) / 2;
  };
  const corners = points.slice(names.length);
  const line = width / (aim.ok ? 260 : 180);
  return s(
    "g",
    { class: "grid", "data-lost": !aim.ok },
    s("polygon", { points: corners.map((point) => point.join(",")).join(" "), class: "rim", "stroke-width": line }),
    names.map((name, i) => {
      const [[x, y], r] = [points[i], radius(i)];
      const end = i % rows === 0 || i % rows === rows - 1;
      return [
        s("circle", { cx: x, cy: y, r, class: "ring", "stroke-width": line }),
        end && s("text", { x, y: y + r * 0.3, "font-size": r * 0.95, "text-anchor": "middle", class: "name" }, name),
      ];
    }),
  );
}

// ---------- tiles ----------

const tile = (name, sign, [title, ...lines], ...more) => [
  h("h3", {}, words[name].title),
  title && h("p", { class: "fact" }, sign && icon(sign), h("span", {}, title)),
  lines.filter(Boolean).map((line) => h("p", { class: "line" }, line)),
  more,
];

const TILES = {
  state(root, { aim, hand, covers, moving, settled, cells: read }) {
    const unknown = Object.values(read).filter(({ colour }) => colour === "?").length;
    const [kind, told] = isOld()
      ? ["old", words.state.old]
      : !aim.ok
        ? ["lost", words.state.lost]
        : hand
          ? ["hand", words.state.hand(covers)]
          : moving.length
            ? ["moving", words.state.moving(moving)]
            : settled
              ? ["still", words.state.still]
              : ["settling", words.state.settling];
    const signs = { old: "no", lost: "no", hand: "hand", moving: "redo", still: "yes", settling: "beam" };
    attribute(root, "data-kind", kind);
    redraw(root, [kind, told, unknown], () => {
      const more = unknown && aim.ok && kind !== "old" ? [words.state.unsure(unknown)] : [];
      return tile("state", signs[kind], [...told, ...more]);
    });
  },
  cell(root, { cells: read }) {
    const cell = read[model.cell];
    redraw(root, [model.cell, cell], () => {
      if (!cell) return tile("cell", null, [null, words.cell.how]);
      return tile("cell", null, [words.cell.name(model.cell, cell), ...words.cell.why(cell)]);
    });
  },
  aim(root, { aim }) {
    attribute(root, "data-kind", aim.ok ? null : "lost");
    redraw(root, aim, () => {
      const told = aim.ok ? words.aim.ok(aim) : words.aim.lost(aim.shift_px);
      if (aim.ok && aim.moved_px !== null) told.push(words.aim.moved(aim.moved_px));
      return tile("aim", aim.ok ? "yes" : "no", [...told, words.aim.fit(aim)]);
    });
  },
  light(root, { light }) {
    redraw(root, light, () => {
      const told = light === null ? words.light.unknown : (words.light.other(light) ?? words.light.same);
      return tile("light", "bolt", told);
    });
  },
  references(root, { references }) {
    redraw(root, references, () =>
      tile(
        "references",
        null,
        [null],
        h(
          "div",
          { class: "swatches" },
          COLOURS.filter((colour) => references[colour]).map((colour) => {
            const { calibrated, now, count } = references[colour];
            return h(
              "div",
              { class: "reference", "data-colour": colour, role: "img", "aria-label": words.references.name(colour, count) },
              h("span", { class: `small-glass c-${colour}` }, flat(colour)),
              patch(words.references.calibrated, calibrated),
              patch(words.references.now, now),
              h("b", { class: "tally" }, String(count)),
            );
          }),
        ),
      ),
    );
  },
  fans(root, { fans }) {
    const told = Object.entries(fans).map(([colour, { place, seen_ms: ms }]) => [colour, place, words.fans.sure(place, ms)]);
    redraw(root, told, () => {
      const known = COLOURS.filter((colour) => fans[colour]);
      if (!known.length) return tile("fans", null, [null, words.fans.none]);
      return tile(
        "fans",
        null,
        [null],
        h(
          "ul",
          { class: "fans" },
          known.map((colour) => {
            const where = fans[colour].place;
            const told = words.fans.place(colour, where);
            return h(
              "li",
              { "data-fan": colour, "data-place": where ?? "?", "aria-label": told },
              h("span", { class: "small-fan" }, fan(colour)),
              h("span", {}, COLOUR_NAMES[colour]),
              h("span", { class: "where" }, h("b", {}, words.fans.short(where)), h("small", {}, words.fans.sure(where, fans[colour].seen_ms))),
            );
          }),
        ),
      );
    });
  },
  beams(root, { sensors, inlet }) {
    redraw(root, [sensors, inlet], () => {
      const lanes = Object.entries(sensors.lanes);
      const back = inlet ? [words.beams.inlet(inlet.drops, inlet.certain), inlet.fault && words.beams.fault(words.beams.inletName, inlet.fault)] : [];
      if (!lanes.length) return tile("beams", null, [null, words.beams.none, ...back.filter(Boolean)]);
      const blocked = lanes.filter(([, told]) => told.blocked).map(([lane]) => lane);
      const faults = lanes.filter(([, told]) => told.fault).map(([lane, told]) => words.beams.fault(lane, told.fault));
      const counts = lanes.map(([lane, { drops }]) => h("li", {}, h("span", {}, lane), h("b", {}, String(drops))));
      return [
        h("h3", {}, words.beams.title),
        h("ul", { class: "drops", "aria-label": words.beams.how }, counts),
        [words.beams.how, blocked.length && words.beams.blocked(blocked), ...faults, ...back]
          .filter(Boolean)
          .map((line) => h("p", { class: "line" }, line)),
      ];
    });
  },
  pace(root, { fps, work_ms: ms, camera }) {
    redraw(root, [fps, ms, camera.name], () => {
      const [first, second] = words.pace.told(fps, ms);
      return tile("pace", "eye", [first, second, words.pace.name(camera.name)]);
    });
  },
};

function patch(label, colour) {
  const swatch = h("span", { class: "patch" });
  if (colour) swatch.style.background = colour;
  return h("span", { class: "learnt" }, swatch, h("small", {}, colour ? label : words.references.none));
}

setInterval(tick, 250);
draw();
next();
