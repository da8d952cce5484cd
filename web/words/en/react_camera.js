// What the page says of a camera that reads pieces. Questions and differences come from the table, in English.

const said = (text) => text;

export const words = {
  said,
  sentences: said,
  answer: said,
  asks: "The camera asks",
  read: "Understood",
  unseen: (names) => `Not seen: ${names.join(", ")}.`,
  states: {
    none: "No picture yet.",
    unknown: "The camera looks for the four printed tiles round the field.",
    gone: "The camera gives no pictures: the score is kept by taps.",
    lost: "The camera does not find the board.",
    idle: "The camera compares nothing now.",
    other: "The camera knows a board of another size.",
    blind: "The camera sees no marked piece yet.",
    moving: "Something moves over the board.",
    agrees: "The camera agrees.",
    differs: "The board lies otherwise.",
  },
};
