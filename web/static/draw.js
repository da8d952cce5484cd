// Everything that is drawn: marbles, dials, coins, fans, signs. Gradients live in the page's own <defs>.
// Each colour also has a shape: red a triangle, yellow a disc, blue a square.

import { s } from "./dom.js";
import { words as pageWords } from "./words.js";

export const COLOURS = ["R", "Y", "B"];

const svg = (box, ...parts) => s("svg", { viewBox: box, "aria-hidden": "true", focusable: "false" }, ...parts);

const SHAPES = {
  R: "M50 14.5 Q55 14.5 58 20 L85.5 66 Q91.5 77.5 79 78 L21 78 Q8.5 77.5 14.5 66 L42 20 Q45 14.5 50 14.5Z",
  Y: "M50 18 A32 32 0 1 1 49.99 18Z",
  B: "M31 22 H69 Q78 22 78 31 V69 Q78 78 69 78 H31 Q22 78 22 69 V31 Q22 22 31 22Z",
};
const LETTER_Y = { R: 69, Y: 64.5, B: 64.5 };

/** The ivory sign of a colour, in a box of 100. */
function sign(colour, scale = 1, cx = 50, cy = 50) {
  const place = `translate(${cx} ${cy}) scale(${scale}) translate(-50 -50)`;
  return s(
    "g",
    { transform: place, class: "sign" },
    s("path", { d: SHAPES[colour], class: "sign-plate" }),
    s(
      "text",
      {
        x: 50,
        y: LETTER_Y[colour],
        class: "sign-letter",
        "text-anchor": "middle",
        "font-size": colour === "R" ? 37 : 41,
      },
      colour,
    ),
  );
}

/** The same for any reading: "?" not known, "." empty. */
export function signOf(letter, scale, cx, cy) {
  if (COLOURS.includes(letter)) return sign(letter, scale, cx, cy);
  return s(
    "g",
    { transform: `translate(${cx} ${cy}) scale(${scale}) translate(-50 -50)`, class: "sign" },
    s("circle", { cx: 50, cy: 50, r: 32, class: "sign-none" }),
    s(
      "text",
      { x: 50, y: 66, class: "sign-none-text", "text-anchor": "middle", "font-size": 46 },
      letter === "." ? "–" : "?",
    ),
  );
}

/** A glass marble with its sign; "?" not known, "." nothing there. */
export function marble(letter) {
  if (letter === ".") return svg("0 0 100 100", s("circle", { cx: 50, cy: 50, r: 8, class: "hole" }));
  if (!COLOURS.includes(letter)) {
    return svg(
      "0 0 100 100",
      s("circle", { cx: 50, cy: 50, r: 42, class: "unknown" }),
      s("text", { x: 50, y: 67, class: "unknown-letter", "text-anchor": "middle", "font-size": 48 }, "?"),
    );
  }
  return svg(
    "0 0 100 100",
    s("ellipse", { cx: 52, cy: 88, rx: 36, ry: 10, fill: "url(#g-shadow)" }),
    s("circle", { cx: 50, cy: 50, r: 44, fill: `url(#g-glass-${letter})` }),
    // the ribbon inside the glass, and the light that falls through it
    s("path", {
      d: "M12 58 C26 30 48 78 66 44 S88 34 90 42 C86 62 66 58 52 70 S18 80 12 58Z",
      fill: `url(#g-ribbon-${letter})`,
    }),
    s("circle", { cx: 50, cy: 50, r: 44, fill: "url(#g-depth)" }),
    s("path", { d: "M22 72 A36 36 0 0 0 80 70 A44 40 0 0 1 22 72Z", fill: "#fff", opacity: 0.28 }),
    sign(letter, 0.62, 50, 51),
    s("ellipse", { cx: 34, cy: 22, rx: 17, ry: 9.5, transform: "rotate(-32 34 22)", fill: "url(#g-shine)" }),
    s("circle", { cx: 67, cy: 15.5, r: 2.6, fill: "#fff", opacity: 0.75 }),
    s("circle", { cx: 50, cy: 50, r: 43.4, class: "rim" }),
  );
}

const TURN = 270;
const at = (radius, degrees) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return `${(100 + radius * Math.cos(angle)).toFixed(2)} ${(100 + radius * Math.sin(angle)).toFixed(2)}`;
};
const degreesOf = (hp) => -TURN / 2 + (hp * TURN) / 10;
const arc = (radius, from, to) =>
  `M${at(radius, from)} A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${at(radius, to)}`;

const CRACKS = [
  "M100 43 L93 62 L105 74 L88 96 L101 110 L90 133 L97 157",
  "M88 96 L68 90 L57 101 L45 97",
  "M101 110 L121 116 L132 108 L154 114",
  "M105 74 L126 64 L133 71",
  "M90 133 L72 139",
];

/** A button health dial: ten segments round an arcade button. Broken: the button is dark, cracked and says so. */
export function dial(colour, { hp, broken }) {
  const segments = [];
  for (let i = 0; i < 10; i += 1) {
    const d = arc(82, degreesOf(i) + 2.2, degreesOf(i + 1) - 2.2);
    segments.push(s("path", { d, class: `segment ${i < hp ? "lit" : ""}` }));
  }
  const needle = s("path", {
    d: "M100 3 L107.5 15 L92.5 15Z",
    class: "needle",
    transform: `rotate(${degreesOf(hp)} 100 100)`,
  });
  const cap = broken
    ? [
        s("circle", { cx: 100, cy: 100, r: 58, fill: "url(#g-dead)" }),
        CRACKS.map((d) => s("path", { d, class: "crack-shadow" })),
        CRACKS.map((d) => s("path", { d, class: "crack" })),
      ]
    : [
        s("circle", { cx: 100, cy: 100, r: 58, fill: `url(#g-cap-${colour})` }),
        s("circle", { cx: 100, cy: 98, r: 46, fill: `url(#g-dish-${colour})` }),
        s("path", { d: "M56 82 A48 48 0 0 1 144 82 A56 40 0 0 0 56 82Z", fill: "#fff", opacity: 0.26 }),
      ];
  const words = broken
    ? s(
        "g",
        {},
        s("path", { d: "M32 117 H168 L161 132 L168 147 H32 L39 132Z", class: "ribbon" }),
        s("text", { x: 100, y: 140, class: "ribbon-text", "text-anchor": "middle" }, pageWords.sheet.broken.toUpperCase()),
      )
    : null;
  return s(
    "svg",
    { viewBox: "0 0 200 200", "aria-hidden": "true", class: `dial-face c-${colour} ${broken ? "broken" : ""}` },
    s("circle", { cx: 100, cy: 100, r: 97, fill: "url(#g-bezel)" }),
    s("circle", { cx: 100, cy: 100, r: 93, class: "plate" }),
    segments,
    needle,
    s("circle", { cx: 100, cy: 100, r: 66, class: "well" }),
    cap,
    s(
      "text",
      {
        x: 100,
        y: broken ? 107 : hp > 9 ? 122 : 125,
        class: "hp",
        "text-anchor": "middle",
        "font-size": broken ? 58 : hp > 9 ? 62 : 72,
      },
      String(hp),
    ),
    words,
    sign(colour, 0.36, 100, 180),
  );
}

export const coin = (spent = false) =>
  spent
    ? svg("0 0 60 60", s("circle", { cx: 30, cy: 30, r: 24, class: "coin-gone" }))
    : svg(
        "0 0 60 60",
        s("circle", { cx: 30, cy: 31.5, r: 27, fill: "#5d4310" }),
        s("circle", { cx: 30, cy: 29, r: 27, fill: "url(#g-coin)" }),
        s("circle", { cx: 30, cy: 29, r: 20.5, class: "coin-ring" }),
        s("path", {
          d: "M30 15.5 L33.9 24.2 L43.3 25.2 L36.2 31.5 L38.3 40.8 L30 36 L21.7 40.8 L23.8 31.5 L16.7 25.2 L26.1 24.2Z",
          class: "coin-star",
        }),
      );

/** A cheering fan, arms up, with its colour's sign on the shirt. */
export function fan(colour) {
  return s(
    "svg",
    { viewBox: "0 0 100 100", "aria-hidden": "true", class: `fan-figure c-${colour}` },
    s("ellipse", { cx: 50, cy: 94, rx: 30, ry: 5, fill: "url(#g-shadow)" }),
    s("path", {
      d: "M14 12 Q18 6 24 11 L38 40 H62 L76 11 Q82 6 86 12 Q89 16 86 21 L72 56 L76 92 Q76 96 72 96 H28 Q24 96 24 92 L28 56 L14 21 Q11 16 14 12Z",
      fill: `url(#g-cloth-${colour})`,
      class: "cloth",
    }),
    s("circle", { cx: 50, cy: 23, r: 15, fill: `url(#g-cloth-${colour})`, class: "cloth" }),
    s("path", { d: "M40 20 A11 11 0 0 1 52 12", class: "glint" }),
    sign(colour, 0.4, 50, 70),
  );
}

const ICONS = {
  undo: "M9 7 L4 12 L9 17 M4 12 H14.5 A5.5 5.5 0 0 1 14.5 21 H11",
  redo: "M15 7 L20 12 L15 17 M20 12 H9.5 A5.5 5.5 0 0 0 9.5 21 H13",
  menu: "M4 7 H20 M4 12 H20 M4 17 H20",
  yes: "M4.5 12.5 L10 18 L20 6.5",
  no: "M6 6 L18 18 M18 6 L6 18",
  bolt: "M13 2.5 L5.5 13.5 H11.5 L10.5 21.5 L18.5 10 H12.5 Z",
  ask: "M8.5 9 A3.6 3.6 0 1 1 12.8 12.5 Q12 12.8 12 14.5 M12 18.5 V18.6",
  hand: "M8 13 V6.5 A1.5 1.5 0 0 1 11 6.5 V11 V4.5 A1.5 1.5 0 0 1 14 4.5 V11 V6 A1.5 1.5 0 0 1 17 6 V14 A6.5 6.5 0 0 1 10.5 20.5 Q7.5 20.5 5.8 17.5 L3.8 13.8 A1.4 1.4 0 0 1 6.2 12.3 Z",
  eye: "M2.5 12 Q12 2.5 21.5 12 Q12 21.5 2.5 12Z M12 9 A3 3 0 1 1 11.99 9Z",
  beam: "M3 12 H8 M16 12 H21 M12 8 A4 4 0 1 1 11.99 8Z",
  link: "M4 18 V15 M9.5 18 V12 M15 18 V9 M20.5 18 V5",
  play: "M7 4.5 L19 12 L7 19.5Z",
  pause: "M8 5 V19 M16 5 V19",
  pen: "M4 20 L5 15.5 L16.5 4 L20 7.5 L8.5 19 Z",
};

export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
