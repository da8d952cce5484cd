// The tray in its cabinet: tower at the top, lane a on A's side, row 1 at the open end.

import { attribute, h, redraw, s } from "./dom.js";
import { icon, marble } from "./draw.js";
import { leftToDestroy, whoActs } from "./opening.js";
import { words } from "./words.js";

export const LANES = ["a", "b", "c"];
export const ROWS = 5;
export const HEALED = 2; // HP that each short circuit heals
const REACH = { A: "ab", B: "bc" };
const GAP = 12; // between lanes, in hundredths of a cell; the same as --lane-gap in the style sheet
const WIDTH = 300 + 2 * GAP;

export const cells = LANES.flatMap((lane) => Array.from({ length: ROWS }, (_, row) => `${lane}${row + 1}`));

/** The letter that a tray text has at a cell: "?" when there is no text. */
export function at(tray, cell) {
  const index = cells.indexOf(cell);
  return tray?.split("/").join("")[index] ?? "?";
}

const centre = (cell) => [LANES.indexOf(cell[0]) * (100 + GAP) + 50, (ROWS - Number(cell[1])) * 100 + 50];

export function createTray(root, { tap, openTurn = null }) {
  const buttons = {};
  const lanes = LANES.map((lane) =>
    h(
      "div",
      { class: "trough", "data-lane": lane },
      Array.from({ length: ROWS }, (_, i) => {
        const cell = `${lane}${ROWS - i}`;
        const name = h("span", { class: "unseen" });
        const glass = h("span", { class: "glass" });
        const badge = h("span", { class: "badge" });
        const now = h("span", { class: "now" });
        const flags = h("span", { class: "flags", "aria-hidden": "true" });
        const button = h(
          "button",
          { class: "cell", type: "button", "data-cell": cell, onclick: () => tap(cell) },
          name,
          glass,
          now,
          flags,
          badge,
        );
        buttons[cell] = { button, name, glass, badge, now, flags, letter: null };
        return button;
      }),
    ),
  );
  const overlay = s("svg", { class: "overlay", viewBox: `0 0 ${WIDTH} ${ROWS * 100}`, "aria-hidden": "true" });
  const rowFlags = Array.from({ length: ROWS }, (_, i) => h("span", { class: "row-flag", "data-row": ROWS - i }));
  // whose turn it is can be set where it stands; pages that only look have no button there
  const marquee = openTurn
    ? h("button", { class: "marquee", type: "button", id: "turn", onclick: openTurn })
    : h("div", { class: "marquee" });
  const mouths = Object.fromEntries(LANES.map((lane) => [lane, h("span", { class: "mouth", "data-mouth": lane })]));
  root.append(
    h("div", { class: "tower" }, marquee, h("div", { class: "mouths" }, Object.values(mouths))),
    h(
      "div",
      { class: "board" },
      h(
        "div",
        { class: "row-names", "aria-hidden": "true" },
        Array.from({ length: ROWS }, (_, i) => h("span", {}, ROWS - i)),
      ),
      h("div", { class: "lanes", role: "group", "aria-label": words.tray }, lanes, overlay),
      h("div", { class: "row-names row-flags", "aria-hidden": "true" }, rowFlags),
    ),
    h(
      "div",
      { class: "lane-names", "aria-hidden": "true" },
      LANES.map((lane) => h("span", {}, h("b", {}, lane), " ", h("small", {}, words.lane[lane]))),
    ),
  );

  return function render({ state, view, picked, shown = [], setting }, say) {
    const turn = state && !state.over ? state.turn : null;
    attribute(root, "data-turn", turn);
    attribute(root, "data-setting", setting);
    if (openTurn) marquee.disabled = !state || Boolean(state.over);
    const left = leftToDestroy(state);
    redraw(marquee, [state?.turn, state?.phase, state?.over?.winner, left], () => {
      if (!state) return h("span", { class: "who" }, words.noMatch);
      if (state.over)
        return h("span", { class: "who", "data-player": state.over.winner }, words.wins(state.over.winner));
      return [
        h("span", { class: "who", "data-player": whoActs(state) }, left ? words.opening : words.turn(state.turn)),
        h("span", { class: "due" }, words.due[state.phase]?.(state.turn, left) ?? ""),
      ];
    });
    for (const [lane, column] of lanes.map((element) => [element.dataset.lane, element])) {
      attribute(column, "data-out", turn !== null && state.phase !== "opening" && !REACH[turn].includes(lane));
      attribute(mouths[lane], "data-bad", say.bad.includes(`${lane}new`));
    }
    for (const cell of cells) {
      const part = buttons[cell];
      const letter = at(state?.tray, cell);
      const restore = say.restore.includes(cell);
      const seen = restore ? at(view.seen, cell) : null;
      const order = picked.indexOf(cell) + 1;
      if (redraw(part.glass, letter, () => marble(letter)) && part.letter !== null) roll(part.glass);
      part.letter = letter;
      redraw(part.now, seen, () => (seen && seen !== letter ? marble(seen) : null));
      redraw(part.badge, [order, say.bad.includes(cell)], () =>
        order ? String(order) : say.bad.includes(cell) ? icon("no") : null,
      );
      attribute(part.button, "data-picked", order > 0);
      attribute(part.button, "data-bad", say.bad.includes(cell));
      attribute(part.button, "data-pulled", say.pulled.includes(cell));
      attribute(part.button, "data-restore", restore);
      attribute(part.button, "data-could", (say.could.includes(cell) || shown.includes(cell)) && !order);
      const laid = markersAt(state, cell);
      redraw(part.flags, laid, () => laid.map(flag));
      redraw(part.name, [letter, order, seen, laid], () => [
        words.cell(cell, letter, order, seen !== letter ? seen : null) + words.markers.onCell(laid),
      ]);
      attribute(part.button, "aria-pressed", order > 0 ? "true" : "false");
      part.button.disabled = !state;
    }
    for (const element of rowFlags) {
      const laid = markersAt(state, `row${element.dataset.row}`);
      attribute(element, "data-laid", laid.length > 0);
      redraw(element, laid, () => laid.map(flag));
    }
    const picking = picked.length > 0;
    const cleared = !picking && state?.phase === "resolve" ? (say.chain ?? []) : [];
    const ghosts = cleared.filter(({ cell }) => cells.includes(cell));
    const rings = picking ? picked : shown;
    redraw(overlay, [rings, ghosts], () => [
      rings.length > 0 && drawPicks(rings),
      ghosts.length > 0 && drawGhosts(ghosts),
    ]);
  };
}

/** Markers that lie on a cell ("b3") or on a row ("row3"); those on a colour or a player are no part of the tray. */
const markersAt = (state, place) => (state && !state.over ? (state.markers ?? []) : []).filter((one) => one.place === place);

const flag = ({ name, owner }) => h("span", { class: "flag", "data-owner": owner }, name);

/** A marble that rolled into its place is seen to roll; that is how the tray works. */
function roll(glass) {
  glass.classList.remove("rolled");
  void glass.offsetWidth; // starts the animation again
  glass.classList.add("rolled");
}

const RING = 45;

/** From ring to ring, so that no letter is crossed out. */
function link([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [((x2 - x1) / length) * RING, ((y2 - y1) / length) * RING];
  return `M${x1 + dx} ${y1 + dy} L${x2 - dx} ${y2 - dy}`;
}

/** What is picked: rings round the marbles that lie there. */
function drawPicks(picked) {
  const points = picked.map(centre);
  const path = points
    .slice(1)
    .map((point, i) => link(points[i], point))
    .join(" ");
  return [
    s("path", { d: path, class: "chain-under" }),
    s("path", { d: path, class: "chain" }),
    points.map(([x, y]) => s("circle", { cx: x, cy: y, r: RING, class: "pick-ring" })),
  ];
}

/** What was cleared: small ghosts in the corners of the cells that it left, never round the marbles that lie there now. */
function drawGhosts(chain) {
  const points = chain.map(({ cell }) => centre(cell).map((middle) => middle - 36));
  return [
    s("path", { d: points.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join(" "), class: "ghost-path" }),
    points.map(([x, y], i) => {
      const { letter, short } = chain[i];
      return s(
        "g",
        { class: `ghost c-${letter} ${short ? "short" : ""}`, transform: `translate(${x} ${y})` },
        s("circle", { r: 16, class: "ghost-disc" }),
        s("text", { y: 7, class: "ghost-letter", "text-anchor": "middle" }, letter),
        s("text", { x: -17, y: -9, class: "ghost-order", "text-anchor": "middle" }, i + 1),
        short && s("text", { x: 4, y: 33, class: "ghost-heal", "text-anchor": "middle" }, words.plus(HEALED)),
      );
    }),
  ];
}
