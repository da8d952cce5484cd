// Die Texte der Einrichtung eines Tisches.

import { COLOUR_NAMES, words } from "./page.js";

const WORDS = { good: "gut", fair: "mäßig", poor: "schlecht" };
const px = (value) => value.toFixed(1).replace(".", ",");

export const wizardWords = {
  said: (text) => words.said(text),
  back: "Zurück",
  skip: "Überspringen",
  next: "Weiter",
  close: "Einrichtung schließen",
  where: (n, all) => `Schritt ${n} von ${all}`,
  noAnswer: "Der Begleiter antwortet nicht. Nichts hat sich geändert.",
  saving: "Wird gespeichert …",
  picture: "Was die Kamera sieht",
  tower: "Turm",

  steps: {
    devices: "Weitere Geräte",
    aim: "Wo liegt die Schale?",
    stage: "Wo liegt das Bühnenbrett?",
    beams: "Eine Murmel in jede Bahn",
    colours: "Die Farben",
    match: "Die Partie",
  },

  camera: {
    none: "Keine Kamera: der Spielstand wird getippt, Lichtschranken zählen, was fällt.",
    without: "Eine anstecken und noch einmal suchen, oder ohne weitermachen.",
    look: "Noch einmal nach einer Kamera suchen",
    looking: "Suche nach einer Kamera …",
    lost: "Die Kamera gibt gerade kein Bild. Das Kabel prüfen, dann hier neu öffnen.",
  },

  aim: {
    tap: (cell) =>
      ({
        a1: "Die Murmel in a1 antippen: Bahn a liegt bei A, Reihe 1 am offenen Ende.",
        c1: "Die Murmel in c1 antippen: Bahn c liegt bei B, Reihe 1 am offenen Ende.",
        c5: "Die Murmel in c5 antippen, gleich am Turm.",
        a5: "Die Murmel in a5 antippen, gleich am Turm.",
      })[cell],
    check: "Liegt jeder Ring auf seiner Murmel? Eine Ecke ziehen oder mit den Pfeilen rücken.",
    fit: ({ px: value, word }) => `${px(value)} px, ${WORDS[word]}.`,
    auto: "Die Schale selbst suchen",
    markers: "Die gedruckten Marken nehmen",
    looking: { auto: "Suche die Schale … das dauert einige Sekunden", markers: "Suche die Marken …" },
    turn: "Der Turm steht am anderen Ende",
    clear: "Von vorn",
  },

  nudge: {
    title: "Die Ecke um einen Bildpunkt rücken",
    ArrowLeft: "Links",
    ArrowRight: "Rechts",
    ArrowUp: "Hoch",
    ArrowDown: "Runter",
    signs: { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" },
  },

  stage: {
    corners: ["As Ecke am Turm", "Bs Ecke am Turm", "Bs ferne Ecke", "As ferne Ecke"],
    tap: (name) => `Das Bühnenbrett antippen: ${name}.`,
    check: "Liegt der Rahmen auf dem Brett? Eine Ecke ziehen oder rücken.",
    why: "So werden die Fans verfolgt. Ohne werden sie durch Tippen bewegt.",
    middle: "Bühne",
  },

  beams: {
    opening: "Öffne die Lichtschranken …",
    drop: (lane) => `Die oberste Murmel aus Bahn ${lane} nehmen: die nächste fällt durch ihre Schranke.`,
    done: "Jede Bahn hatte ihre Murmel.",
    swapped: "Die Schranken heißen anders als ihre Bahnen.",
    how: "Nichts davon zählt. Was genommen wurde, kommt zurück in den Turm.",
    none: "Keine Lichtschranken: die Kamera steht allein.",
    again: "Noch einmal",
    enough: "Das genügt",
    lane: (lane) => `Bahn ${lane}`,
    waiting: () => "noch nichts",
    right: () => "gesehen",
    wrong: (beam) => `Schranke ${beam} sah sie`,
    stuck: () => "hängt",
    swap: "Diese Ordnung nehmen",
    leave: "So lassen",
    pass: (lane) => `Bahn ${lane} übergehen`,
    simulate: (lane) => `Eine aus Bahn ${lane} nehmen (simuliert)`,
    kept: "Die Lichtschranken zählen ab jetzt.",
  },

  colours: {
    looking: "Es wird ein Bild gemacht: Hände weg, bitte …",
    learning: "Lerne die Farben …",
    check: "Liegt es so da?",
    missing: (cells) => `Unsicher bei ${cells.join(" ")}: antippen, bis es stimmt.`,
    lacks: (colours) =>
      `Es fehlt ${colours.map((colour) => COLOUR_NAMES[colour]).join(" und ")}: eine Murmel jeder Farbe hinlegen, dann das Bild neu machen.`,
    differs: (cells) => `Der Spielstand erwartet anderes in ${cells.join(" ")}.`,
    tap: "Falsches antippen: rot, gelb, blau, leer.",
    picture: "Die Schale, wie die Kamera sie sieht",
    cell: (name, letter) => `${name}: ${COLOUR_NAMES[letter] ?? "?"}`,
    again: "Das Bild neu machen",
    learn: "Stimmt, so lernen",
    noAim: "Niemand hat gesagt, wo die Schale liegt; so gibt es nichts zu lernen. Zurück, oder ohne weiter.",
    goesOn: "Die Partie geht weiter, wo sie war.",
    learnt: ({ px: value, word }, differs) =>
      `${px(value)} px, ${WORDS[word]}: ${differs.length ? `trotzdem unsicher bei ${differs.join(" ")}; mehr Licht kann helfen` : "jedes Feld liest sich wie gesagt"}.`,
  },

  match: {
    looking: "Die Schale wird angesehen …",
    going: "Eine Partie läuft. Sie geht weiter, wo sie war.",
    goOn: "Zurück zur Partie",
    later: "Jetzt nicht",
    seatA: "sitzt an Bahn a, links vom Turm",
    seatB: "sitzt an Bahn c, rechts vom Turm",
    tower: "Turm",
  },
};
