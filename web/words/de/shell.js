// Was die Seiten weiterer Spiele gleich sagen.

export const words = {
  undo: "Zurück",
  redo: "Wieder",
  menu: "Menü",
  live: "Verbunden",
  lost: (seconds) => `Seit ${seconds} s nichts gehört`,
  watching: "Nur zuschauen",
  right: "Berichtigen",
  history: "Was geschah",
  newMatch: "Neue Partie",
  records: "Partien",
  devices: "Handy oder Tablet hinzufügen",
};
