// Die Wörter der Seite mit allen Tischen.

export const venueWords = {
  title: (event) => (event === "main" ? "Alle Tische" : event),
  none: "Noch hat sich kein Tisch gemeldet. Jeder braucht eine venue.toml mit diesem Broker und diesem Ereignis.",
  broker: (problem) => `Der Broker antwortet nicht (${problem}). Hier steht, was zuletzt gehört wurde.`,
  silence: (seconds) => `Diese Seite hat seit ${seconds} s nichts gehört. Was hier steht, ist alt.`,
  offline: "nicht da",
  online: "da",
  empty: "Noch keine Partie",
  simulated: "simuliert, zählt nicht",
  figures: (player, name) => (name ? `${player}: ${name}` : `Spieler ${player}`),
  open: (table) => `${table} zuschauen`,
  name: "Name",
  played: "Gespielt",
  won: "Gewonnen",
  lost: "Verloren",
  noStandings: "Noch hat niemand mit Namen eine Partie beendet.",
  notices: {
    twins: (notice) => `Zwei Tische nennen sich „${notice.table}“. Einer braucht einen anderen Namen.`,
    strange: (notice) => `${notice.count} Nachrichten am Broker waren unverständlich und blieben weg.`,
  },
};
