// What the pages of further games say alike.

export const words = {
  undo: "Undo",
  redo: "Redo",
  menu: "Menu",
  live: "Connected",
  lost: (seconds) => `No word for ${seconds} s`,
  watching: "Only watching",
  right: "Put right",
  history: "What happened",
  newMatch: "New match",
  records: "Matches",
  devices: "Add a phone or tablet",
};
