// The camera's picture, live, with four points on it that are tapped, dragged, or nudged by keys.

import { attribute, h, s } from "./dom.js";
import { wizardWords as words } from "../words/wizard.js";

const PACE_MS = 150;
const RETRY_MS = 1500;
const NEAR = 16; // CSS pixels: a tap so near to a point takes hold of it, and is not the next one
const FAR = 60;
const LENS = 132; // of the magnifier, CSS pixels
const LENS_TIMES = 3;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * `names`: of the four points, in the order in which they are tapped; `size`: of the camera's picture, in whose pixels
 * all points are; `lines(points)`: what is drawn through them; `changed(how)`: "drag" while a finger is down, "set" when
 * it has let go, "nudge" for a key.
 */
export function createPicture({ names, size, lines, changed }) {
  const [width, height] = size;
  let points = [];
  let chosen = 0;
  let timer = null;
  let over = false;
  const picture = h("img", { class: "live", alt: words.picture, draggable: "false" });
  const overlay = s("svg", { class: "grid", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const handles = names.map((name, i) =>
    h("button", {
      class: "handle",
      type: "button",
      "data-corner": i,
      hidden: true,
      "aria-label": name,
      onkeydown: (event) => onKey(event, i),
      onfocus: () => choose(i),
    }, h("span", {}, name)),
  );
  const lens = h("canvas", { class: "lens", width: LENS, height: LENS, hidden: true, "aria-hidden": "true" });
  const shot = h("div", { class: "shot", tabindex: "0", role: "group", "aria-label": words.picture, onkeydown: onEnter }, picture, overlay, handles, lens);
  shot.style.setProperty("--ratio", String(width / height));
  shot.style.aspectRatio = `${width} / ${height}`;
  const room = h("div", { class: "shot-room" }, shot);

  // ---------- the live picture: one after another, so that a slow link shows fewer of them and never old ones
  let n = 0;
  const next = () => {
    n += 1;
    if (document.visibilityState === "visible") picture.src = `/frame.jpg?n=${n}`;
    else timer = setTimeout(next, 1000);
  };
  picture.onload = () => {
    attribute(shot, "data-old", null);
    if (!over) timer = setTimeout(next, PACE_MS);
  };
  picture.onerror = () => {
    attribute(shot, "data-old", true);
    if (!over) timer = setTimeout(next, RETRY_MS);
  };

  // ---------- points
  const inside = (value, most) => Math.min(Math.max(value, 0), most - 1);
  const place = (event) => {
    const box = shot.getBoundingClientRect();
    return [
      inside(((event.clientX - box.left) / box.width) * width, width),
      inside(((event.clientY - box.top) / box.height) * height, height),
    ];
  };

  function choose(i) {
    chosen = i;
    handles.forEach((handle, k) => attribute(handle, "data-chosen", k === i));
  }

  function draw() {
    handles.forEach((handle, i) => {
      const point = points[i];
      handle.hidden = !point;
      if (!point) return;
      handle.style.left = `${(point[0] / width) * 100}%`;
      handle.style.top = `${(point[1] / height) * 100}%`;
    });
    overlay.replaceChildren(...(points.length === 4 ? lines(points) : []));
  }

  function set(now, how = "set") {
    points = now.map(([x, y]) => [x, y]);
    draw();
    changed(how);
  }

  function nudge(dx, dy) {
    if (!points[chosen]) return;
    const [x, y] = points[chosen];
    points[chosen] = [inside(x + dx, width), inside(y + dy, height)];
    draw();
    changed("nudge");
  }

  /** Without a finger: Enter lays the next point where the last one is, and arrows move it. */
  function onEnter(event) {
    if (event.key !== "Enter" || points.length >= 4) return;
    event.preventDefault();
    points = [...points, points.at(-1) ?? [width / 2, height / 2]];
    choose(points.length - 1);
    draw();
    handles[points.length - 1].focus({ preventScroll: true });
    changed("nudge");
  }

  function onKey(event, i) {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    choose(i);
    const far = event.shiftKey ? 8 : 1;
    nudge(step[0] * far, step[1] * far);
  }

  // ---------- fingers
  let held = null;
  let offset = [0, 0];
  shot.addEventListener("pointerdown", (event) => {
    if (held !== null || event.button > 0) return;
    const at = place(event);
    const near = points.map(([x, y]) => Math.hypot(x - at[0], y - at[1]));
    const [px, nearest] = [shot.getBoundingClientRect().width / width, near.indexOf(Math.min(...near))];
    // on a small screen they lie close together: the nearest is meant, whichever lies on top
    if (points.length < 4 && !(near[nearest] * px < NEAR)) {
      points = [...points, at];
      held = points.length - 1;
    } else if (near[nearest] * px < FAR) held = nearest;
    else return;
    offset = [points[held][0] - at[0], points[held][1] - at[1]];
    shot.setPointerCapture(event.pointerId);
    choose(held);
    draw();
    look(points[held]);
  });
  shot.addEventListener("pointermove", (event) => {
    if (held === null) return;
    const [x, y] = place(event);
    points[held] = [inside(x + offset[0], width), inside(y + offset[1], height)];
    draw();
    look(points[held]);
    changed("drag");
  });
  const release = () => {
    if (held === null) return;
    handles[held].focus({ preventScroll: true });
    held = null;
    lens.hidden = true;
    changed("set");
  };
  shot.addEventListener("pointerup", release);
  shot.addEventListener("pointercancel", release);

  /** What lies under the finger, beside it. */
  function look([x, y]) {
    if (!picture.naturalWidth) return;
    const scale = picture.naturalWidth / width;
    const side = (LENS / LENS_TIMES / shot.getBoundingClientRect().width) * width;
    const pen = lens.getContext("2d");
    pen.fillRect(0, 0, LENS, LENS);
    pen.drawImage(picture, (x - side / 2) * scale, (y - side / 2) * scale, side * scale, side * scale, 0, 0, LENS, LENS);
    pen.strokeStyle = "#fbf4e2";
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(LENS / 2, LENS / 2 - 14);
    pen.lineTo(LENS / 2, LENS / 2 + 14);
    pen.moveTo(LENS / 2 - 14, LENS / 2);
    pen.lineTo(LENS / 2 + 14, LENS / 2);
    pen.stroke();
    lens.hidden = false;
    attribute(lens, "data-right", x < width / 2);
  }

  return {
    element: room,
    get points() {
      return points;
    },
    set,
    nudge,
    begin: next,
    end() {
      over = true;
      clearTimeout(timer);
      picture.onload = picture.onerror = null;
    },
  };
}

/** Four buttons that move the chosen point by a pixel. */
export const nudges = (nudge) =>
  h(
    "div",
    { class: "nudges", role: "group", "aria-label": words.nudge.title },
    Object.entries(KEYS).map(([key, [dx, dy]]) =>
      h("button", { class: "tool", type: "button", "data-nudge": key, "aria-label": words.nudge[key], onclick: () => nudge(dx, dy) }, words.nudge.signs[key]),
    ),
  );

/** The plane through four corners: (u, v) in 0 … 1 from the first corner to the second and to the fourth. */
export function plane([a, b, c, d]) {
  const [dx1, dx2, sx] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]];
  const [dy1, dy2, sy] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]];
  const base = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / base;
  const k = (dx1 * sy - sx * dy1) / base;
  return (u, v) => {
    const w = g * u + k * v + 1;
    return [
      ((b[0] - a[0] + g * b[0]) * u + (d[0] - a[0] + k * d[0]) * v + a[0]) / w,
      ((b[1] - a[1] + g * b[1]) * u + (d[1] - a[1] + k * d[1]) * v + a[1]) / w,
    ];
  };
}
