// The texts of the set-up of a table.

import { COLOUR_NAMES, words } from "./page.js";

export const wizardWords = {
  said: (text) => words.said(text),
  back: "Back",
  skip: "Skip",
  next: "Next",
  close: "Close the set-up",
  where: (n, all) => `Step ${n} of ${all}`,
  noAnswer: "The companion does not answer. Nothing has changed.",
  saving: "Saving …",
  picture: "What the camera sees",
  tower: "Tower",

  steps: {
    devices: "Other devices",
    aim: "Where does the tray lie?",
    stage: "Where does the stage board lie?",
    beams: "One marble into each lane",
    colours: "The colours",
    match: "The match",
  },

  camera: {
    none: "There is no camera: the score is kept by taps, and beams count what drops.",
    without: "Plug one in and look again, or go on without.",
    look: "Look for a camera again",
    looking: "Looking for a camera …",
    lost: "The camera gives no picture just now. Look at its cable, then open this again.",
  },

  aim: {
    tap: (cell) =>
      ({
        a1: "Tap the marble in a1: lane a is A’s side, row 1 the open end.",
        c1: "Tap the marble in c1: lane c is B’s side, row 1 the open end.",
        c5: "Tap the marble in c5, next to the tower.",
        a5: "Tap the marble in a5, next to the tower.",
      })[cell],
    check: "Does each ring lie on its marble? Drag a corner, or nudge it with the arrows.",
    fit: ({ px, word }) => `${px.toFixed(1)} px, ${{ good: "good", fair: "fair", poor: "poor" }[word]}.`,
    auto: "Find the tray by itself",
    markers: "Use the printed markers",
    looking: { auto: "Looking for the tray … it takes some seconds", markers: "Looking for the markers …" },
    turn: "The tower is at the other end",
    clear: "Start again",
  },

  nudge: {
    title: "Move the corner by a pixel",
    ArrowLeft: "Left",
    ArrowRight: "Right",
    ArrowUp: "Up",
    ArrowDown: "Down",
    signs: { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" },
  },

  stage: {
    corners: ["A’s corner at the tower", "B’s corner at the tower", "B’s far corner", "A’s far corner"],
    tap: (name) => `Tap the stage board: ${name}.`,
    check: "Does the frame lie on the board? Drag a corner, or nudge it.",
    why: "So the fans are followed. Without it they are moved by taps.",
    middle: "Stage",
  },

  beams: {
    opening: "Opening the light beams …",
    drop: (lane) => `Take the top marble out of lane ${lane}: the next one drops through its beam.`,
    done: "Every lane had its marble.",
    swapped: "The beams stand under other names than their lanes.",
    how: "Nothing of this is scored. What you took goes back into the tower.",
    none: "No light beams: the camera stands alone.",
    again: "Try again",
    enough: "That will do",
    lane: (lane) => `Lane ${lane}`,
    waiting: () => "nothing yet",
    right: () => "seen",
    wrong: (beam) => `beam ${beam} saw it`,
    stuck: () => "stuck",
    swap: "Take this order",
    leave: "Leave it as it is",
    pass: (lane) => `Pass lane ${lane} over`,
    simulate: (lane) => `Take one out of lane ${lane} (simulated)`,
    kept: "The beams count from now on.",
  },

  colours: {
    looking: "Taking a picture: hands away, please …",
    learning: "Learning the colours …",
    check: "Is this what lies there?",
    missing: (cells) => `Not sure of ${cells.join(" ")}: tap until it is right.`,
    lacks: (colours) =>
      `No ${colours.map((colour) => COLOUR_NAMES[colour].toLowerCase()).join(" and no ")} marble lies there: lay one of each colour, then take the picture again.`,
    differs: (cells) => `The score expects something else in ${cells.join(" ")}.`,
    tap: "Tap what is wrong: red, yellow, blue, empty.",
    picture: "The tray as the camera sees it",
    cell: (name, letter) => `${name}: ${(COLOUR_NAMES[letter] ?? "?").toLowerCase()}`,
    again: "Take the picture again",
    learn: "Right, learn these",
    noAim: "Nobody has said where the tray lies, so there is nothing to learn. Go back, or go on without.",
    goesOn: "The match goes on where it was.",
    learnt: ({ px, word }, differs) =>
      `${px.toFixed(1)} px, ${{ good: "good", fair: "fair", poor: "poor" }[word]}: ${differs.length ? `not sure of ${differs.join(" ")} even so; more light may help` : "every cell reads back as told"}.`,
  },

  match: {
    looking: "Looking at the tray …",
    going: "A match is under way. It goes on where it was.",
    goOn: "Back to the match",
    later: "Not now",
    seatA: "sits at lane a, left of the tower",
    seatB: "sits at lane c, right of the tower",
    tower: "Tower",
  },
};
