// The texts of the page "what I see", in German.

import { COLOUR_NAMES } from "./page.js";

const decimal = (value) => value.toFixed(1).replace(".", ",");
const percent = (share) => `${Math.min(99, Math.floor(share * 100))} %`;
const px = (value) => `${value < 10 ? decimal(value) : Math.round(value)} px`;
const place = { A: "bei A", B: "bei B", stage: "auf der Bühne" };

export const seenWords = {
  title: "Was ich sehe",
  back: "Zur Partie",
  tray: "Schale",
  camera: "Bild der Kamera",
  percent,
  waiting: "Ich schaue …",
  age: (seconds) => `${decimal(seconds)} s alt`,

  band: {
    old: (seconds) => `Nicht live: Dieses Bild ist ${seconds} s alt`,
    silent: (seconds) => `Der Begleiter hat seit ${seconds} s nicht geantwortet. Neuer Versuch.`,
  },

  /** What to do when there is nothing to show: title and lines. */
  nothing: {
    none: [
      "Ich sehe nichts: Es gibt keine Kamera",
      "Steck eine Kamera an, dann starte den Begleiter neu.",
      "„companion doctor“ sagt, was es findet und was zu tun ist.",
      "Die Partie geht ohne weiter: Gezählt wird durch Tippen.",
    ],
    lost: [
      "Die Kamera liefert keine Bilder",
      "Sieh nach ihrem Kabel. Sie wird von selbst wieder geöffnet, sobald sie antwortet.",
      "Bis dahin wird durch Tippen gezählt.",
    ],
    blind: [
      "Es gibt eine Kamera, aber niemand hat mir gesagt, wo die Schale liegt",
      "Richtet diesen Tisch ein: drei Minuten und ein paar Tipper.",
      "Bis dahin wird durch Tippen gezählt.",
    ],
    silent: ["Der Begleiter antwortet nicht", "Läuft er, und ist dieses Tablet im selben Netz?"],
  },

  state: {
    title: "Die Schale",
    old: ["Nicht live", "Wie es jetzt ist, sieht niemand; all dies ist vergangen."],
    lost: ["Ziel verloren", "Nichts wird gelesen, bis die Schale wiedergefunden ist."],
    hand: (covers) => [
      "Hand darüber",
      covers.length ? `Sie verdeckt ${covers.join(" ")}.` : "Sie verdeckt keine Murmel.",
    ],
    moving: (cells) => ["Bewegt sich", cells.join(" ")],
    settling: ["Kommt zur Ruhe …", "Ein Augenblick ohne Bewegung, und es zählt."],
    still: ["Ruhig", "Dies zählt."],
    unsure: (n) => `${n} ${n === 1 ? "Feld ist" : "Felder sind"} nicht bekannt.`,
  },

  aim: {
    title: "Ziel",
    ok: ({ shift_px: shift, radius_px: radius }) => {
      if (shift === null) return ["Nicht gemessen", "Um die Schale ist zu wenig Druck, an dem ich mich halten kann."];
      return [shift < radius * 0.06 ? "Gut" : "Brauchbar", `${px(shift)} daneben; eine Murmel ist ${px(2 * radius)} breit.`];
    },
    moved: (moved) => `Nach einem Stoß wiedergefunden, ${px(moved)} vom alten Ort.`,
    fit: ({ fit_px: fit, fit: word }) => `Kalibrierung: ${px(fit)}, ${{ good: "gut", fair: "brauchbar", poor: "schlecht" }[word] ?? word}.`,
    lost: (shift) => [
      "Verloren",
      `${shift === null ? "Die Schale ist nicht, wo sie war." : `Die Schale liegt ${px(shift)} daneben.`} Ist sie im Bild der Kamera? ` +
        "Ich suche sie von selbst; oder schiebt sie zurück in die Ringe. Hilft beides nicht, kalibriert neu.",
    ],
  },

  light: {
    title: "Licht",
    same: ["Wie beim Kalibrieren"],
    unknown: ["Nicht zu sagen", "Zu viel vom Rand ist verdeckt."],
    /** brightness 1 = as at the calibration; red and blue: logs. */
    other: ({ brightness, red, blue }) => {
      const told = [];
      if (brightness < 0.87) told.push(`${Math.round((1 - brightness) * 100)} % dunkler`);
      if (brightness > 1.15) told.push(`${Math.round((brightness - 1) * 100)} % heller`);
      if (blue > 0.1) told.push("blauer");
      if (blue < -0.1) told.push("gelber");
      if (red > 0.1) told.push("röter");
      if (red < -0.1) told.push("grüner");
      return told.length ? [told.join(", "), "Als beim Kalibrieren; die Farben gehen mit."] : null;
    },
  },

  references: {
    title: "Farben",
    calibrated: "gelernt",
    now: "jetzt",
    none: "keine",
    count: (n) => `${n} in der Schale`,
    name: (colour, n) => `${COLOUR_NAMES[colour]}: ${n} in der Schale`,
  },

  fans: {
    title: "Fans",
    none: "Es wurde keine Bühne kalibriert.",
    place: (colour, where) => `Fan ${COLOUR_NAMES[colour]} ${where ? place[where] : "nicht sicher"}`,
    short: (where) => (where ? place[where] : "nicht sicher"),
    /** How long ago the board was last seen to show it; null: never, or nothing is held to be true. */
    sure: (where, ms) => {
      if (!where) return "";
      if (ms === null) return "noch nicht gesehen";
      return ms < 2000 ? "eben gesehen" : `vor ${ms < 120_000 ? `${Math.floor(ms / 1000)} s` : `${Math.floor(ms / 60_000)} min`} gesehen`;
    },
  },

  beams: {
    title: "Lichtschranken",
    none: "Keine Lichtschranken: Die Kamera steht allein.",
    how: "Gefallen in diesem Zug",
    blocked: (lanes) => `Jetzt unterbrochen: ${lanes.join(" ")}`,
    fault: (lane, text) => `${lane}: ${text}`,
    inletName: "Turm",
    inlet: (drops, certain) => `Zurück im Turm: ${certain ? "" : "etwa "}${drops}`,
  },

  pace: {
    title: "Kamera",
    none: "Keine Kamera",
    told: (fps, ms) => [
      fps === null ? "" : `${fps < 10 ? decimal(fps) : Math.round(fps)} Bilder/s`,
      ms === null ? "" : `je ${decimal(ms)} ms`,
    ],
    name: (name) => name ?? "",
  },

  cell: {
    title: "Ein Feld",
    how: "Tippe auf eine Murmel, um zu sehen, warum.",
    name: (cell, { colour, best, covered }) => {
      if (covered) return `${cell}: verdeckt`;
      if (colour === "?") return `${cell}: nicht sicher${best.length ? `, vielleicht ${seenWords.cell.chance(best[0])}` : ""}`;
      return `${cell}: ${seenWords.cell.chance(best.find(([letter]) => letter === colour) ?? [colour, 0])}`;
    },
    chance: ([letter, share]) => `${COLOUR_NAMES[letter].toLowerCase()} ${percent(share)}`,
    why: ({ best, cover, covered, moving, colour }) => {
      if (covered) return ["Etwas liegt darüber, also wird keine Farbe genannt."];
      const told = [];
      if (best.length === 0) told.push("Für keine Farbe spricht etwas.");
      if (best.length > 1) told.push(`Am nächsten danach: ${seenWords.cell.chance(best[1])}.`);
      if (best.length === 1) told.push("Nichts anderes kommt in die Nähe.");
      if (cover >= 0.05) told.push(`${percent(cover)} dessen, was darum liegt, ist verdeckt oder verändert.`);
      if (colour === "?" && best.length) told.push("Das reicht nicht, also steht ein „?“.");
      if (moving) told.push("Sie bewegt sich.");
      return told;
    },
  },

  legend: "Gestreift: Etwas verdeckt den Rand der Schale, oder er hat sich verändert.",
  setUp: "Diesen Tisch einrichten",
  save: "Dieses Bild speichern",
};
