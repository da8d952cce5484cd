// The words of the page with all tables of a venue.

export const venueWords = {
  title: (event) => (event === "main" ? "All tables" : event),
  none: "No table has told anything yet. Each needs a venue.toml with this broker and this event.",
  broker: (problem) => `No word from the broker (${problem}). What stands here is what was last heard.`,
  silence: (seconds) => `This page has heard nothing for ${seconds} s. What stands here is old.`,
  offline: "offline",
  online: "here",
  empty: "No match yet",
  simulated: "simulated, does not count",
  figures: (player, name) => (name ? `${player}: ${name}` : `Player ${player}`),
  open: (table) => `Watch ${table}`,
  name: "Name",
  played: "Played",
  won: "Won",
  lost: "Lost",
  noStandings: "Nobody with a name has ended a match yet.",
  notices: {
    twins: (notice) => `Two tables call themselves “${notice.table}”. Give one of them another name.`,
    strange: (notice) => `${notice.count} messages at the broker were not understood and left out.`,
  },
};
