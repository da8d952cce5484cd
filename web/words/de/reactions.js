// Die Texte der Seite „Actions and Reactions“. Was der Tisch sagt, steht in reactions_told.js.

import "./reactions_told.js";

const ENTRY = { Double: "Doppel", Attack: "Angriff", Move: "Bewegung", Stunt: "Kunststück", Defend: "Verteidigung", Recovery: "Erholung" };

export const words = {
  name: "Actions and Reactions",
  tagline: "Wer womit reagieren darf, und kurz vor was.",
  turn: (turn) => `Zug ${turn.number}: ${turn.active.join(", ")}, ${words.entry(turn.entry)}`,
  entry: (name) => name.split("-").map((one) => ENTRY[one]).join("-"),
  between: "Zwischen zwei Zügen",
  setup: {
    title: "Wer ist da",
    names: "Namen, mit Kommas dazwischen",
    grid: "Felder",
    none: "Kein Raster",
    range: "Reichweite in Feldern",
    adjacency: "Ecken sind benachbart",
    yes: "ja",
    no: "nein",
    begin: "Los",
    few: "Mindestens ein Name wird gebraucht.",
  },
  actions: { A: "Angriff", ">": "Bewegung", "!": "Kunststück", D: "Verteidigung", recovery: "Erholung" },
  parts: { attack: "Angriff", move: "Bewegung", stunt: "Kunststück", recovery: "Erholung" },
  who: "Wer ist aktiv? Dann die zwei Aktionen.",
  second: (first) => `${first}, und die zweite Aktion?`,
  partNext: "Welcher Teil kommt jetzt?",
  noParts: "Darauf darf niemand reagieren.",
  pickTarget: "Das Ziel antippen.",
  pickPath: (count) => (count ? `${count} Felder; weiter tippen oder los.` : "Die Felder der Bewegung nacheinander antippen."),
  pickLeaves: "Antippen, wessen Nachbarfelder verlassen werden, der Reihe nach.",
  go: "Ansagen",
  cancel: "Abbrechen",
  step: (step) => `${step.by}: ${words.parts[step.part]}${step.target ? ` auf ${step.target}` : ""}`,
  nobody: "Niemand darf reagieren. Es geht weiter.",
  offersTitle: "Wer reagieren darf",
  proceed: "Es geschieht",
  stopped: "Es wird aufgehalten",
  endTurn: "Zugende",
  against: (name) => `gegen ${name}`,
  because: { target: "Ziel", adjacent: "benachbart", in_range: "in Reichweite", leaves: "verlassen" },
  when: (text) => {
    const [, who, square, beside] = /^just before (.+) leaves (?:(\d+,\d+)|the square adjacent to (.+))$/.exec(text) ?? [];
    if (square) return `kurz bevor ${who} das Feld ${square} verlässt`;
    if (beside) return `kurz bevor ${who} das Feld neben ${beside} verlässt`;
    const [, part] = /^just before the (\w+)$/.exec(text) ?? [];
    return part ? { attack: "kurz vor dem Angriff", stunt: "kurz vor dem Kunststück", recovery: "kurz vor der Erholung" }[part] : "wann, sagt das Blatt nicht";
  },
  logTitle: "Bisherige Reaktionen",
  logged: (one, action) => `${one.character}: ${action}${one.against ? ` gegen ${one.against}` : ""} (${words.entry(one.entry)}, ${words.parts[one.part]})`,
  marks: { active: "aktiv", reacted: "hat reagiert", disabled: "ausgeschaltet", range: (n) => `Reichweite ${n}` },
  square: (x, y) => `Feld ${x},${y}`,
  allDone: "Alle Teile sind getan.",
  reactingTo: (name) => `Tippe das Feld an, auf das ${name} geht.`,
  elsewhere: "Neben das Raster, oder später",
  right: {
    title: "Berichtigen",
    whom: "Wer?",
    nowhere: "auf keinem Feld",
    between: (who, to) => `${who} und ${to}`,
    relation: {
      adjacent: (told) => (told === null ? "Nachbarschaft nach dem Raster" : told ? "benachbart" : "nicht benachbart"),
      in_range: (told) => (told === null ? "Reichweite nach dem Raster" : told ? "in Reichweite" : "nicht in Reichweite"),
    },
    may: (who) => `${who} darf`,
    turn: "Zug",
    announced: "Angesagt",
    reaction: "Die eine Reaktion",
    outcome: "Was daraus wurde",
    range: "Reichweite",
    asRules: "nach den Regeln",
    offGrid: "Vom Raster",
    asGrid: "nach dem Raster",
    yes: "ja",
    no: "nein",
    join: "Jemand kommt dazu",
    name: "Name",
    joins: "Kommt dazu",
    rulesTitle: "Regeln, die das Blatt offen lässt",
    rules: {
      range: "Reichweite in Feldern",
      adjacency: "Benachbarte Felder ringsum",
      disabled_stops: "Was Ausgeschaltet verhindert",
      any_includes_target: "Angriff-Kunststück: „jede Figur“ schließt das Ziel ein",
      unsaid_timing: "Wo das Blatt nicht sagt, wann",
      refresh: "Wann die Reaktion wiederkommt",
      actives_react: "Aktive reagieren aufeinander",
      attack_needs_range: "Ein Angriff braucht sein Ziel in Reichweite",
    },
    value: (value) =>
      ({ true: "ja", false: "nein", everything: "alles", actions: "Aktionen", reactions: "Reaktionen", nothing: "nichts", before: "kurz davor", open: "offen", turn: "mit jedem Zug", by_hand: "von Hand" })[value] ?? String(value),
  },
  character: {
    move: "Auf ein Feld stellen",
    putting: (name) => `Das Feld für ${name} antippen.`,
    leave: "Verlässt den Tisch",
    relations: "Verhältnisse von Hand",
    adjacent: (other) => `neben ${other}`,
    inRange: (other) => `kann ${other} angreifen`,
  },
};
