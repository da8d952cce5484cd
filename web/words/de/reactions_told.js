// Was der Tisch bei „Actions and Reactions“ sagt. Es kommt auf Englisch; siehe told.js.

import { teach } from "./told.js";

const NAMES = { Double: "Doppel", Attack: "Angriff", Move: "Bewegung", Stunt: "Kunststück", Defend: "Verteidigung", Recovery: "Erholung" };

const WORDS = { attack: "Angriff", move: "Bewegung", stunt: "Kunststück", defend: "Verteidigung", recovery: "Erholung" };
const ENTRY = /\b(Double|Attack|Move|Defend)-(Attack|Move|Stunt|Defend)\b/g;
const entry = (all, one, other) => `${NAMES[one]}-${NAMES[other]}`;
const PAIRS = ["Double-Attack", "Double-Move", "Double-Stunt", "Double-Defend", "Attack-Defend", "Attack-Move", "Attack-Stunt", "Defend-Move", "Defend-Stunt", "Move-Stunt"];

teach({
  phrases: [[ENTRY, entry]],
  small: { ...WORDS, Recovery: "Erholung" },
  sentences: [
    ...PAIRS.map((pair) => [`${pair}.`, `${pair.replace(ENTRY, entry)}.`]),
    ["Recovery.", "Erholung."],
    ["* acts: *", "$1 handelt: $2"],
    ["* act: *", "$1 handeln: $2"],
    ["* reacts: * against *", "$1 reagiert: $2 gegen $3"],
    ["* reacts: *", "$1 reagiert: $2"],
    ["*: attack on *", "$1: Angriff auf $2"],
    ["attack on *", "Angriff auf $1"],
    ...["move", "stunt", "recovery"].flatMap((part) => [[part, WORDS[part]], [`*: ${part}`, `$1: ${WORDS[part]}`]]),
    ["It proceeds", "Es geschieht"],
    ["Stopped", "Es wird aufgehalten"],
    ["The turn ends", "Zugende"],
    ["Set by hand: *", "Von Hand: $1"],
    ["Set up", "Aufbau"],
    ["Other rules", "Andere Regeln"],
    ["* joins", "$1 kommt dazu"],
    ["* leaves", "$1 geht"],
    ["The * happens.", "$1: geschieht."],
    ["The * is stopped.", "$1: wird aufgehalten."],
    ["The * does not happen: * is Disabled.", "$1: geschieht nicht, $2 ist ausgeschaltet."],
    ["The * does not happen: * is out of range.", "$1: geschieht nicht, $2 ist außer Reichweite."],
    ["The * does not happen: * stands where the move ends.", "$1: geschieht nicht, $2 steht am Ende des Weges."],
    ["The * does not happen: * is no longer where the move begins.", "$1: geschieht nicht, $2 steht nicht mehr am Anfang des Weges."],
    ["* moves to *.", "$1 geht auf $2."],
    // refusals
    ["* is not in range of *.", "$1 ist nicht in Reichweite von $2."],
    ["* has used its one reaction of this turn.", "$1 hat die eine Reaktion dieses Zuges genutzt."],
    ["* is Disabled and does not act.", "$1 ist ausgeschaltet und handelt nicht."],
    ["* is Disabled and does not react.", "$1 ist ausgeschaltet und reagiert nicht."],
    ["* is active itself and does not react.", "$1 ist selbst aktiv und reagiert nicht."],
    ["*, *: * may not react to it.", "$1, $2: $3 darf darauf nicht reagieren."],
    ["* has done the * of this turn.", "$1 hat diesen Teil des Zuges getan: $2."],
    ["The * is announced; let it proceed first.", "Erst muss das Angesagte geschehen: $1."],
    ["announce: path ends at *, where * stands.", "Der Weg endet auf $1, wo $2 steht."],
    ["announce: path leads from * to *, not adjacent.", "Der Weg führt von $1 nach $2; die Felder sind nicht benachbart."],
    ["correct: at is *, where * stands.", "Auf $1 steht schon $2."],
    ["react: to is *, where * stands.", "Auf $1 steht schon $2."],
    ["* is active; end the turn first.", "$1 ist aktiv; beende erst den Zug."],
    ["* is the target; let the attack proceed first.", "$1 ist das Ziel; erst muss der Angriff geschehen."],
  ],
});
