// The companion's own sentences in German. They come in English: what is not listed here stays as it came.
// In an English sentence * stands for what changes, [is|are] for either; $1, $2 … is what stood for the stars.

const COLOURS = { Red: "Rot", Yellow: "Gelb", Blue: "Blau", red: "rot", yellow: "gelb", blue: "blau" };
const SMALL = { ...COLOURS, and: "und", or: "oder", the: "der", stage: "Bühne", lane: "Bahn", of: "von", on: "auf", with: "bei", is: "ist", to: "an", now: "jetzt", HP: "LP", credit: "Credit", credits: "Credits", dial: "Scheibe", fan: "Fan", broken: "kaputt", empty: "leer", breaks: "bricht", which: "die", row: "Reihe" };

/** What stands in a sentence in place of a star: cells and names stay, colours and small words do not. */
const part = (text) =>
  text
    .replace(/\b(Red|Yellow|Blue)-(\d)/g, (_, colour, n) => `${COLOURS[colour]} ${n}`)
    .replace(/\b[A-Za-z]+\b/g, (word) => SMALL[word] ?? word);

const CLEAR = "* cleared *";
const SENTENCES = [
  // why a clear is none
  ["* [is|are] named more than once.", "$1: mehr als einmal genannt."],
  ["There is no marble in *.", "In $1 liegt keine Murmel."],
  ["The colour of * is not known.", "Die Farbe von $1 ist nicht bekannt."],
  ["* [is|are] out of reach: player * clears from lanes *.", "$1: außer Reichweite. Spieler $2 räumt aus den Bahnen $3."],
  ["* [is|are] blocked by a marker.", "$1: durch einen Marker gesperrt."],
  ["A marker forces a marble of the attack to be cleared in one of *.", "Ein Marker verlangt, dass eine Murmel des Angriffs aus $1 kommt."],
  ["* attacks are denied by a marker, so there is no *.", "Ein Marker verbietet Angriffe in $1, also gibt es kein $2."],
  ["* [is|are] neither * nor short circuit.", "$1: weder $2 noch Kurzschluss."],
  ["* are of more than one colour.", "$1 haben mehr als eine Farbe."],
  ["* marbles are no short circuits in this clear.", "$1 ist bei diesem Zug kein Kurzschluss."],
  ["An attack takes 1, 2 or 4 marbles of its colour.", "Ein Angriff nimmt 1, 2 oder 4 Murmeln seiner Farbe."],
  ["* are of buttons that are broken, which have no attack.", "$1 gehören zu kaputten Scheiben, die keinen Angriff haben."],
  ["The * button is broken, so there is no * attack.", "Die Scheibe $1 ist kaputt, also gibt es keinen Angriff in $2."],
  ["* marbles are more than the * cells in reach.", "$1 Murmeln sind mehr als die $2 Felder in Reichweite."],
  ["* * marble[s|] where an attack takes 1, 2 or 4.", "$1 Murmel(n) in $2; ein Angriff nimmt 1, 2 oder 4."],
  ["* * marble[s|] where * takes *.", "$1 Murmel(n) in $2; $3 nimmt $4."],
  ["* [does|do] not touch *.", "$1 hängt nicht mit $2 zusammen."],
  ["The marbles branch at *: no line runs through each of them once.", "Bei $1 verzweigt es sich: Keine Linie führt einmal durch jede Murmel."],
  ["A chain cannot begin or end on a short circuit, as it does at *.", "Eine Kette kann nicht auf einem Kurzschluss beginnen oder enden, wie hier bei $1."],
  ["A one-marble attack begins and ends on that marble, so it has no short circuits.", "Ein Angriff mit einer Murmel beginnt und endet auf ihr, hat also keinen Kurzschluss."],
  ["These marbles are *, not *.", "Diese Murmeln sind $1, nicht $2."],
  ["* was declared, not *.", "Angesagt war $1, nicht $2."],
  ["The same marbles are joined by fewer short circuits: *.", "Dieselben Murmeln hängen über weniger Kurzschlüsse zusammen: $1."],
  ["A marble that only dropped into lane * during the turn is never part of the chain.", "Eine Murmel, die erst in diesem Zug in Bahn $1 fiel, gehört nie zur Kette."],
  ["Marbles came down where cells had been empty; none need have been pulled.", "Murmeln kamen herab, wo Felder leer waren; keine muss gezogen worden sein."],
  // what is kept
  ["The card is getting full: only * MB are free. Make room before the next match.", "Die Karte wird voll: Nur noch $1 MB sind frei. Schaffe Platz vor der nächsten Partie."],
  ["The card is full: * [is|are] free. A command that cannot be saved will be refused; make room now.", "Die Karte ist voll. Was nicht gespeichert werden kann, wird abgelehnt; schaffe jetzt Platz."],
  ["The companion was not shut down before: the power was cut (*). Every saved command is there.", "Der Begleiter war nicht beendet worden: Der Strom war weg. Alles Gespeicherte ist da."],
  ["The companion was not shut down before: it was ended from outside, or failed (*). Every saved command is there.", "Der Begleiter war nicht beendet worden: Er wurde von außen beendet oder ging schief. Alles Gespeicherte ist da."],
  ["A match was damaged and put aside as *; it goes on with the * commands that could still be read: check the score.", "Eine Partie war beschädigt und ist als $1 aufgehoben; weiter geht es mit den $2 Eingaben, die noch lesbar waren: Prüfe den Stand."],
  ["Too much at once from this device: try again in a second.", "Zu viel auf einmal von diesem Gerät: Versuch es in einer Sekunde noch einmal."],
  ["Too much at once from this device: try again in * seconds.", "Zu viel auf einmal von diesem Gerät: Versuch es in $1 Sekunden noch einmal."],
  // refusals
  ["It is player *'s turn, not player *'s.", "Spieler $1 ist am Zug, nicht Spieler $2."],
  ["Player * has already cleared in this turn.", "Spieler $1 hat in diesem Zug schon geräumt."],
  ["Player * can clear, * for one, and so must before the turn ends.", "Spieler $1 kann räumen, zum Beispiel $2, und muss es, bevor der Zug endet."],
  ["Player * can clear, and so must before the turn ends.", "Spieler $1 kann räumen und muss es, bevor der Zug endet."],
  ["Player * has no legal clear, and must flip * to have one.", "Spieler $1 hat keinen erlaubten Zug und muss $2 umdrehen, um einen zu haben."],
  ["Player * may not destroy marbles now: *.", "Spieler $1 darf jetzt keine Murmeln zerstören: $2."],
  ["Buttons are flipped at the start of the turn, before the clear.", "Scheiben werden am Anfang des Zuges umgedreht, vor dem Räumen."],
  ["Buttons are flipped at the start of the turn, before an attack is declared.", "Scheiben werden am Anfang des Zuges umgedreht, vor der Ansage."],
  ["The * button of player * is not broken.", "Die Scheibe $1 von Spieler $2 ist nicht kaputt."],
  ["At most * button is flipped in a turn.", "Höchstens $1 Scheibe wird in einem Zug umgedreht."],
  ["* cannot be damaged: broken buttons take no damage.", "$1: Kaputte Scheiben nehmen keinen Schaden."],
  ["* marbles in view, but there are only *.", "$1 Murmeln zu sehen, es gibt aber nur $2."],
  ["In the opening only the second player, *, destroys marbles.", "In der Eröffnung zerstört nur der zweite Spieler, $1, Murmeln."],
  ["In the opening at most * marbles are destroyed, * already are.", "In der Eröffnung werden höchstens $1 Murmeln zerstört, $2 sind es schon."],
  ["Up to * marbles are destroyed, not *.", "Bis zu $1 Murmeln werden zerstört, nicht $2."],
  ["There are * markers already; take one off first.", "Es liegen schon $1 Marker; nimm erst einen weg."],
  ["A match is under way; concede it or play it to the end before a new one.", "Eine Partie ist im Gange; gib sie auf oder spiel sie zu Ende."],
  ["There is no match yet[; |: ]set one up first.", "Es gibt noch keine Partie; richte erst eine ein."],
  ["The match is over; player * has won.", "Die Partie ist vorbei; Spieler $1 hat gewonnen."],
  ["The opening has already ended.", "Die Eröffnung ist schon vorbei."],
  ["The rules of a match are changed before its first clear only.", "Die Regeln einer Partie ändern sich nur vor dem ersten Räumen."],
  ["Nothing is due.", "Es steht nichts an."],
  ["There is nothing to undo.", "Es gibt nichts zurückzunehmen."],
  ["There is nothing to redo.", "Es gibt nichts zu wiederholen."],
  ["The set-up can be replaced, but not taken out.", "Der Aufbau lässt sich ersetzen, aber nicht herausnehmen."],
  ["What it was about is not there.", "Worum es ging, ist nicht mehr da."],
  ["Wait until the tray lies still and no hand is over it.", "Warte, bis die Schale ruhig liegt und keine Hand darüber ist."],
  ["No camera sees the table.", "Keine Kamera sieht den Tisch."],
  ["* pages are open already; close one of them.", "$1 Seiten sind schon offen; schließ eine davon."],
  ["This device may only watch. Enter the PIN that is shown at the table to let it in.", "Dieses Gerät darf nur zuschauen. Gib die PIN ein, die am Tisch steht."],
  ["That is not the PIN of this table.", "Das ist nicht die PIN dieses Tisches."],
  ["The companion made a mistake; its log has the details. Check the score before going on.", "Der Begleiter hat einen Fehler gemacht; sein Protokoll hat die Einzelheiten. Prüft den Stand, bevor ihr weitermacht."],
  // questions and their answers
  ["Marbles left the tray: *. What was it?", "Murmeln haben die Schale verlassen: $1. Was war das?"],
  ["Marbles left the tray before the first turn: *. What was it?", "Murmeln haben die Schale vor dem ersten Zug verlassen: $1. Was war das?"],
  ["The camera lost the tray while a hand was over it. Was anything pulled?", "Die Kamera hat die Schale verloren, als eine Hand darüber war. Wurde etwas gezogen?"],
  ["The tray did not come to rest in view. What was pulled?", "Die Schale kam nicht sichtbar zur Ruhe. Was wurde gezogen?"],
  ["The tray did not come to rest in view: * dropped. What was pulled?", "Die Schale kam nicht sichtbar zur Ruhe: $1 gefallen. Was wurde gezogen?"],
  ["Marbles dropped into lane * before the tray could be seen. What was pulled?", "Murmeln fielen in Bahn $1, bevor die Schale zu sehen war. Was wurde gezogen?"],
  ["Marbles seem to have been pulled, yet the tray lies as before. What was pulled?", "Es scheint gezogen worden zu sein, doch die Schale liegt wie zuvor. Was wurde gezogen?"],
  ["The beams counted *, but the camera saw no hand and the tray lies as before. Was anything pulled?", "Die Lichtschranken zählten $1, doch die Kamera sah keine Hand, und die Schale liegt wie zuvor. Wurde etwas gezogen?"],
  ["The beams counted * in lane *, two of them very close together; what the camera saw fits * as well. What was pulled?", "Die Lichtschranken zählten $1 in Bahn $2, zwei davon sehr dicht; was die Kamera sah, passt auch zu $3. Was wurde gezogen?"],
  ["The beams counted * in lane *, but what the camera saw fits * better. *", "Die Lichtschranken zählten $1 in Bahn $2, doch was die Kamera sah, passt besser zu $3. Was wurde gezogen?"],
  ["The beams counted *, but not surely. Which marbles were pulled?", "Die Lichtschranken zählten $1, aber nicht sicher. Welche Murmeln wurden gezogen?"],
  ["Which marbles were pulled?", "Welche Murmeln wurden gezogen?"],
  ["A marble hangs halfway at *: nudge it down. What was pulled?", "Eine Murmel hängt bei $1 auf halbem Weg: stups sie an. Was wurde gezogen?"],
  ["A marble that should lie untouched shows another side. Was more pulled?", "Eine Murmel, die unberührt liegen sollte, zeigt eine andere Seite. Wurde mehr gezogen?"],
  ["The camera could not see the tray for a while. Was this pulled?", "Die Kamera sah die Schale eine Weile nicht. Wurde das gezogen?"],
  ["The tray does not follow from the one before. Were marbles put in by hand?", "Die Schale folgt nicht aus der vorigen. Wurden Murmeln von Hand gelegt?"],
  ["Did * go on pulling after *?", "Hat $1 nach $2 weitergezogen?"],
  ["It did not happen", "Es ist nicht geschehen"],
  ["Nothing was pulled: the tray is right as it lies", "Nichts wurde gezogen: Die Schale stimmt so, wie sie liegt"],
  [`*'s turn is over; ${CLEAR}`, "Der Zug von $1 ist vorbei; $2 räumt $3"],
  [`${CLEAR}: the match has begun`, "$1 räumt $2: Die Partie hat begonnen"],
  [`${CLEAR} then ${CLEAR}`, "$1 räumt $2, dann räumt $3 $4"],
  [`${CLEAR} (not legal)`, "$1 räumt $2 (nicht erlaubt)"],
  [CLEAR, "$1 räumt $2"],
  ["* destroyed *", "$1 zerstört $2"],
  // the history of the match
  ["Set-up: * begins", "Aufbau: $1 beginnt"],
  ["Set-up: * begins; *", "Aufbau: $1 beginnt; $2"],
  ["* clears *, let stand", "$1 räumt $2, gilt trotzdem"],
  ["* clears *", "$1 räumt $2"],
  ["* calls an attack: *", "$1 sagt einen Angriff an: $2"],
  ["* deals *", "$1 teilt aus: $2"],
  ["Corrected: *", "Berichtigt: $1"],
  ["What was due is done", "Was anstand, ist getan"],
  ["What was due: *", "Was anstand: $1"],
  ["Marker * is taken off", "Marker $1 kommt weg"],
  ["* lays a marker on *: *", "$1 legt einen Marker auf $2: $3"],
  ["Rules: *", "Regeln: $1"],
  ["* destroys no marbles", "$1 zerstört keine Murmeln"],
  ["* destroys *", "$1 zerstört $2"],
  ["The first turn begins", "Der erste Zug beginnt"],
  ["* flips *", "$1 dreht $2 um"],
  ["* declares *", "$1 sagt $2 an"],
  ["* heals by short circuit *.", "$1 heilt durch Kurzschluss $2."],
  ["* heals *.", "$1 heilt $2."],
  ["* heals *", "$1 heilt um $2"],
  ["* takes the * fan from *.", "$1 nimmt $3 den Fan $2."],
  ["* takes the * fan[.|]", "$1 nimmt den Fan $2."],
  ["* pays * for the break, which restores *.", "$1 zahlt $2 für die kaputte Scheibe; das gibt zurück: $3."],
  ["* pays * for the break.", "$1 zahlt $2 für die kaputte Scheibe."],
  ["* pays *[.|]", "$1 zahlt $2."],
  ["* owes *, to be paid when the attack ends.", "$1 schuldet $2, zu zahlen am Ende des Angriffs."],
  ["* cannot pay *.", "$1 kann $2 nicht zahlen."],
  ["* skips the next turn[.|]", "$1 setzt den nächsten Zug aus."],
  ["* skips a turn[.|]", "$1 setzt einen Zug aus."],
  ["* ends the turn", "$1 beendet den Zug"],
  ["* concedes", "$1 gibt auf"],
  ["* wins: the other cannot pay.", "$1 gewinnt: Der andere kann nicht zahlen."],
  ["* wins: neither can pay.", "$1 gewinnt: Keiner kann zahlen."],
  ["* wins: conceded.", "$1 gewinnt: Der andere hat aufgegeben."],
  ["Did not happen: *.", "Ist nicht geschehen: $1."],
  ["Nothing to do: *.", "Nichts zu tun: $1."],
  ["Done: *.", "Getan: $1."],
  ["Left undone: *.", "Nicht getan: $1."],
  // what another device did meanwhile
  ["Meanwhile: *. Look at the score, then tap again.", "Inzwischen: $1. Sieh auf den Stand und tippe dann noch einmal."],
  ["The score is another one meanwhile. Look at it, then tap again.", "Der Stand ist inzwischen ein anderer. Sieh hin und tippe dann noch einmal."],
  ["There is no illegal pull that could stand.", "Es gibt keinen unerlaubten Zug, den man gelten lassen könnte."],
  // notices
  ["Marbles were pulled after the end of the match; nothing was counted.", "Nach dem Ende der Partie wurden Murmeln gezogen; nichts wurde gezählt."],
  ["The camera or the tray was moved: nothing is scored until the tray is found again. Do not pull now.", "Kamera oder Schale wurde bewegt: Nichts zählt, bis die Schale wiedergefunden ist. Bitte jetzt nicht ziehen."],
  ["The tray is found again: the match goes on where it was.", "Die Schale ist wiedergefunden: Die Partie geht weiter, wo sie war."],
  ["The tray is found again, * from where it was: the match goes on where it was.", "Die Schale ist wiedergefunden, $1 von ihrem alten Ort: Die Partie geht weiter, wo sie war."],
  ["Marbles were put back. Nothing was counted.", "Murmeln wurden zurückgelegt. Nichts wurde gezählt."],
  ["Marbles were put back: *. Nothing was counted.", "Murmeln wurden zurückgelegt: $1. Nichts wurde gezählt."],
  ["A marble hangs halfway in lane *: nudge it down, then it goes on.", "Eine Murmel hängt in Bahn $1 auf halbem Weg: stups sie an, dann geht es weiter."],
  ["The * fan went to the stage.", "Der Fan $1 ging auf die Bühne."],
  ["The * fan went to *.", "Der Fan $1 ging zu $2."],
  ["The camera is back; it had to be opened again once.", "Die Kamera ist wieder da; sie musste einmal neu geöffnet werden."],
  ["The camera is back; it had to be opened again * times.", "Die Kamera ist wieder da; sie musste $1-mal neu geöffnet werden."],
  ["The tray is not as expected: put it as shown, or take it as it is.", "Die Schale liegt nicht wie erwartet: Legt sie wie gezeigt, oder nehmt sie, wie sie ist."],
  ["Lane *'s beam is blocked: a marble stands in it, or light blinds the sensor. Drops there are not sure.", "Die Lichtschranke von Bahn $1 ist unterbrochen: Eine Murmel steht darin, oder Licht blendet den Sensor. Dort ist das Zählen nicht sicher."],
  // the checks of the running companion
  ["This is a simulated table: its camera and beams are made up.", "Dies ist ein simulierter Tisch: Kamera und Lichtschranken sind erdacht."],
  ["The tray is where it was calibrated, or was found again.", "Die Schale liegt, wo sie kalibriert wurde, oder wurde wiedergefunden."],
  ["The tray is not where it was.", "Die Schale liegt nicht, wo sie war."],
  ["Push it back, or aim the camera again.", "Schieb sie zurück, oder richte die Kamera neu aus."],
  ["No camera is in use: the score is kept by taps.", "Keine Kamera im Einsatz: Gezählt wird durch Tippen."],
  ["The camera gives no pictures; it is opened again by itself.", "Die Kamera liefert keine Bilder; sie wird von selbst wieder geöffnet."],
  ["The camera gives no pictures (*); it is opened again by itself.", "Die Kamera liefert keine Bilder ($1); sie wird von selbst wieder geöffnet."],
  ["The camera gives pictures; it had to be opened again *×.", "Die Kamera liefert Bilder; sie musste $1× neu geöffnet werden."],
  ["The camera gives pictures (*); it had to be opened again *×.", "Die Kamera liefert Bilder ($1); sie musste $2× neu geöffnet werden."],
  ["The camera gives pictures.", "Die Kamera liefert Bilder."],
  ["The camera gives pictures (*).", "Die Kamera liefert Bilder ($1)."],
  ["Seat its cable, and look at the power supply.", "Steck ihr Kabel fest, und sieh nach dem Netzteil."],
  ["No light beams are in use: the camera stands alone.", "Keine Lichtschranken im Einsatz: Die Kamera steht allein."],
  ["Lane *'s beam is blocked now.", "Die Lichtschranke von Bahn $1 ist jetzt unterbrochen."],
  ["Nudge the marble down, shade the receiver, or align the two.", "Stups die Murmel an, gib dem Empfänger Schatten, oder richte beide aufeinander."],
  ["Lane *'s beam is free; drops in this turn: *.", "Die Lichtschranke von Bahn $1 ist frei; gefallen in diesem Zug: $2."],
  ["Seat the cable and the receiver's supply.", "Steck das Kabel und die Versorgung des Empfängers fest."],
  ["The checks are under way already.", "Es wird schon nachgesehen."],
];

const pattern = (english) => {
  const escaped = english.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const stars = escaped.replaceAll("\\*", "(.+?)");
  return new RegExp(`^${stars.replace(/\\\[(.*?)\\\|(.*?)\\\]/g, "(?:$1|$2)")}$`, "s");
};
let patterns = null;

/** The sentence in German; null where there is none for it. */
export function inGerman(text) {
  patterns ??= SENTENCES.map(([english, german]) => [pattern(english), german]);
  for (const [expression, german] of patterns) {
    const found = expression.exec(text);
    if (found) return german.replace(/\$(\d)/g, (_, n) => part(found[n]));
  }
  return null;
}
