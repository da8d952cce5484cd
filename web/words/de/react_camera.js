// Was die Seite von einer Kamera sagt, die Spielsteine liest. Fragen und Unterschiede kommen auf Englisch vom Tisch.

import { inGerman } from "./told.js";

const ARROWS = { up: "nach oben", right: "nach rechts", down: "nach unten", left: "nach links" };
const NAMES = [
  [/\bsummon (\d)/g, "Beschwörung $1"],
  [/\bspace (\d)/g, "Platz $1"],
  [/\bin Platz/g, "auf Platz"],
  [/\bbeside the board\b/g, "neben dem Brett"],
  [/\bon no zone\b/g, "auf keinem Feld"],
  [/\band\b/g, "und"],
];
const PATTERNS = [
  [/^(.+) is seen in (\S+), where the match has no such unit$/, "$1 liegt auf $2, wo die Partie keine solche Einheit hat"],
  [/^(.+) is not seen any more; the match has it in (\S+)$/, "$1 ist nicht mehr zu sehen; in der Partie steht es auf $2"],
  [/^(.+) is seen beside the field; the match has it in (\S+)$/, "$1 liegt neben dem Feld; in der Partie auf $2"],
  [/^Token (\d) is seen in (\S+), and no card \d is on the React Chain$/, "Marke $1 liegt auf $2, und in der Kette ist keine Karte $1"],
  [/^Token (\d) is seen in (\S+); the match has it (.+)$/, "Marke $1 liegt auf $2; in der Partie $3"],
  [/^(.+) is seen in (.+); the match has it in (.+)$/, "$1 liegt auf $2; in der Partie auf $3"],
  [/^(.+) is seen (.+); the match has it (.+)$/, "$1 liegt $2; in der Partie $3"],
  [/^(.+) lies exhausted; the match has it refreshed$/, "$1 liegt erschöpft; in der Partie ist es bereit"],
  [/^(.+) lies refreshed; the match has it exhausted$/, "$1 liegt bereit; in der Partie ist es erschöpft"],
  [/^Token (\d) points (\w+); the match has it pointing (\w+)$/, (_, n, one, other) => `Marke ${n} zeigt ${ARROWS[one]}; in der Partie ${ARROWS[other]}`],
  [/^The cards of (\w) show (\d) damage; the match has (\d)$/, "Die Karten von $1 zeigen $2 Schaden; die Partie hat $3"],
  [/^(.+) are both seen in (\S+)$/, "$1 liegen beide auf $2"],
  [/^A marker of no piece \((\d+)\) is seen in (\S+)$/, "Ein Marker, der zu nichts gehört ($1), liegt auf $2"],
  [/^(.+) lies between (.+)$/, "$1 liegt zwischen $2"],
  [/^(.+) lies over the edge of (.+)$/, "$1 liegt über dem Rand von $2"],
  [/^The marker of (.+) is seen more than once: (.+)$/, "Der Marker von $1 ist mehrmals zu sehen: $2"],
  [/^(.+) in (\S+) is half turned$/, "$1 auf $2 ist halb gedreht"],
  [/^And (\d+) more$/, "Und $1 weitere"],
  [/^The camera or the board was moved: .+$/, "Kamera oder Brett wurden bewegt: Kein Spielstein wird gelesen, bis das Brett wiedergefunden ist"],
  [/^The match is played on (\d+ × \d+) zones, the camera knows a board of (\d+ × \d+): .+$/, "Gespielt wird auf $1 Feldern, die Kamera kennt ein Brett von $2: Es wird nicht gelesen"],
];
const FIXED = {
  "What happened?": "Was ist geschehen?",
  "Where does it belong?": "Wohin gehört es?",
  "How is it meant?": "Wie ist es gemeint?",
  "The match is right: I put it as it says": "Die Partie stimmt: Ich lege es so hin",
  "Take as it lies what can be": "Übernehmen, was so geht",
  "Take it as it lies": "So übernehmen, wie es liegt",
};
const ANSWERS = [
  [/^(.+) plays (.+) as an? (Intention|Reaction)(?:, paying: (.+?))? \((an ability card|from the hand)\)$/, (_, who, what, kind, paid, from) => `${who} spielt ${what === "a card" ? "eine Karte" : what} als ${kind === "Intention" ? "Absicht" : "Reaktion"}${paid ? `, Kosten: ${answer(paid)}` : ""} (${from === "from the hand" ? "aus der Hand" : "Fähigkeitskarte"})`],
  [/^In (\S+): (.+)$/, (_, place, what) => `Auf ${place}: ${answer(what)}`],
  [/^(Refreshed|Exhausted): (.+)$/, (_, how, what) => `${how === "Refreshed" ? "Bereit" : "Erschöpft"}: ${answer(what)}`],
  [/^Pointing (\w+): (.+)$/, (_, way, what) => `Pfeil ${ARROWS[way]}: ${answer(what)}`],
  [/^as the match has it$/, "wie in der Partie"],
  [/^take it as it lies$/, "so übernehmen, wie es liegt"],
  [/^(\S+) moves to (\S+)$/, "$1 zieht auf $2"],
  [/^(\S+) jumps (\w+)$/, (_, who, way) => `${who} springt ${ARROWS[way]}`],
  [/^(\S+) and (\S+) swap$/, "$1 und $2 tauschen"],
  [/^(\S+) summons (\S+) in (\S+)$/, "$1 beschwört $2 auf $3"],
  [/^(\S+) leaves the field$/, "$1 verlässt das Feld"],
  [/^(\d) damage to (\S+)$/, "$1 Schaden auf $2"],
  [/^(\S+) is exhausted$/, "$1 wird erschöpft"],
  [/^(\S+) is refreshed$/, "$1 wird bereit"],
  [/^(\S+) ends the turn$/, "$1 beendet den Zug"],
  [/^target (\S+)$/, "Ziel $1"],
  [/^direction (\w+)$/, (_, way) => `Richtung ${ARROWS[way]}`],
  [/^(\S+) places (\S+) in space (\d)$/, "$1 legt $2 auf Platz $3"],
  [/^(\S+) replaces a card with (\S+) in space (\d)$/, "$1 ersetzt auf Platz $3 eine Karte durch $2"],
  [/^(\S+) swaps spaces (\d) and (\d)$/, "$1 tauscht die Plätze $2 und $3"],
];

function told(text, patterns) {
  const found = patterns.find(([pattern]) => pattern.test(text));
  return found ? text.replace(...found) : text;
}

function said(text) {
  if (FIXED[text]) return FIXED[text];
  const bare = text.replace(/\.$/, "");
  if (!PATTERNS.some(([pattern]) => pattern.test(bare))) return inGerman(text) ?? text;
  const german = NAMES.reduce((now, [english, word]) => now.replace(english, word), told(bare, PATTERNS));
  return `${german}${bare === text ? "" : "."}`;
}

function answer(text) {
  if (FIXED[text]) return FIXED[text];
  const german = told(text, ANSWERS);
  return german === text ? text.split(/, | and /).map((one) => told(one, ANSWERS)).join(", ") : german;
}

export const words = {
  said,
  sentences: (text) => text.split(/(?<=[.?]) (?=[A-Z0-9])/).map(said).join(" "),
  answer,
  asks: "Die Kamera fragt",
  read: "Verstanden",
  unseen: (names) => `Nicht zu sehen: ${names.join(", ")}.`,
  states: {
    none: "Noch kein Bild.",
    unknown: "Die Kamera sucht die vier gedruckten Marken um das Feld.",
    gone: "Die Kamera gibt keine Bilder: Gezählt wird durch Tippen.",
    lost: "Die Kamera findet das Brett nicht.",
    idle: "Die Kamera vergleicht gerade nichts.",
    other: "Die Kamera kennt ein Brett anderer Größe.",
    blind: "Die Kamera sieht noch keinen Stein mit Marker.",
    moving: "Über dem Brett bewegt sich etwas.",
    agrees: "Die Kamera sieht es ebenso.",
    differs: "Das Brett liegt anders.",
  },
};
