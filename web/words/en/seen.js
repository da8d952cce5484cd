// The texts of the page "what I see".

import { COLOUR_NAMES } from "./page.js";

const percent = (share) => `${Math.min(99, Math.floor(share * 100))} %`;
const px = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} px`;
const place = { A: "with A", B: "with B", stage: "on the stage" };

export const seenWords = {
  title: "What I see",
  back: "Back to the match",
  tray: "Tray",
  camera: "Camera picture",
  percent,
  waiting: "Looking …",
  age: (seconds) => `${seconds.toFixed(1)} s old`,

  band: {
    old: (seconds) => `Not live: this picture is ${seconds} s old`,
    silent: (seconds) => `The companion has not answered for ${seconds} s. Trying again.`,
  },

  /** What to do when there is nothing to show: title and lines. */
  nothing: {
    none: [
      "I see nothing: there is no camera",
      "Plug a camera in, then start the companion again.",
      "“companion doctor” says what it finds, and what to do about it.",
      "The match goes on without: the score is kept by taps.",
    ],
    lost: [
      "The camera gives no pictures",
      "Look at its cable. It is opened again by itself as soon as it answers.",
      "Meanwhile the score is kept by taps.",
    ],
    blind: [
      "There is a camera, but nobody has told me where the tray lies",
      "Set this table up: three minutes and a few taps.",
      "Until then the score is kept by taps.",
    ],
    silent: ["The companion does not answer", "Is it running, and is this tablet in the same network?"],
  },

  state: {
    title: "The tray",
    old: ["Not live", "How it is now, nobody sees; all of this is of the past."],
    lost: ["Aim lost", "Nothing is read until the tray is found again."],
    hand: (covers) => [
      "Hand over it",
      covers.length ? `It covers ${covers.join(" ")}.` : "It covers no marble.",
    ],
    moving: (cells) => ["Moving", cells.join(" ")],
    settling: ["Settling …", "A moment without movement, and the reading counts."],
    still: ["Still", "This reading counts."],
    unsure: (n) => `${n} ${n === 1 ? "cell is" : "cells are"} not known.`,
  },

  aim: {
    title: "Aim",
    ok: ({ shift_px: shift, radius_px: radius }) => {
      if (shift === null) return ["Not measured", "There is too little print round the tray to hold on to."];
      return [shift < radius * 0.06 ? "Good" : "Fair", `${px(shift)} off; a marble is ${px(2 * radius)} wide.`];
    },
    moved: (moved) => `Found again after a knock, ${px(moved)} from its old place.`,
    fit: ({ fit_px: fit, fit: word }) => `Calibration: ${px(fit)}, ${word}.`,
    lost: (shift) => [
      "Lost",
      `${shift === null ? "The tray is not where it was." : `The tray lies ${px(shift)} off.`} Is it in the camera’s view? ` +
        "I look for it by myself; or push it back into the rings. If neither helps, calibrate again.",
    ],
  },

  light: {
    title: "Light",
    same: ["As at the calibration"],
    unknown: ["Not to be told", "Too much of the rim is hidden."],
    /** brightness 1 = as at the calibration; red and blue: logs. */
    other: ({ brightness, red, blue }) => {
      const told = [];
      if (brightness < 0.87) told.push(`${Math.round((1 - brightness) * 100)} % darker`);
      if (brightness > 1.15) told.push(`${Math.round((brightness - 1) * 100)} % brighter`);
      if (blue > 0.1) told.push("bluer");
      if (blue < -0.1) told.push("yellower");
      if (red > 0.1) told.push("redder");
      if (red < -0.1) told.push("greener");
      return told.length ? [told.join(", "), "Than at the calibration; the colours follow."] : null;
    },
  },

  references: {
    title: "Colours",
    calibrated: "learnt",
    now: "now",
    none: "none",
    count: (n) => `${n} on the tray`,
    name: (colour, n) => `${COLOUR_NAMES[colour]}: ${n} on the tray`,
  },

  fans: {
    title: "Fans",
    none: "No stage board was calibrated.",
    place: (colour, where) => `${COLOUR_NAMES[colour]} fan ${where ? place[where] : "not sure"}`,
    short: (where) => (where ? place[where] : "not sure"),
    /** How long ago the board was last seen to show it; null: never, or nothing is held to be true. */
    sure: (where, ms) => {
      if (!where) return "";
      if (ms === null) return "not seen yet";
      return ms < 2000 ? "seen now" : `seen ${ms < 120_000 ? `${Math.floor(ms / 1000)} s` : `${Math.floor(ms / 60_000)} min`} ago`;
    },
  },

  beams: {
    title: "Beams",
    none: "No beams: the camera stands alone.",
    how: "Drops this turn",
    blocked: (lanes) => `Blocked now: ${lanes.join(" ")}`,
    fault: (lane, text) => `${lane}: ${text}`,
    inletName: "tower",
    inlet: (drops, certain) => `Back into the tower: ${certain ? "" : "about "}${drops}`,
  },

  pace: {
    title: "Camera",
    none: "No camera",
    told: (fps, ms) => [
      fps === null ? "" : `${fps < 10 ? fps.toFixed(1) : Math.round(fps)} pictures/s`,
      ms === null ? "" : `${ms.toFixed(1)} ms each`,
    ],
    name: (name) => name ?? "",
  },

  cell: {
    title: "One cell",
    how: "Tap a marble to see why.",
    name: (cell, { colour, best, covered }) => {
      if (covered) return `${cell}: covered`;
      if (colour === "?") return `${cell}: not sure${best.length ? `, perhaps ${seenWords.cell.chance(best[0])}` : ""}`;
      return `${cell}: ${seenWords.cell.chance(best.find(([letter]) => letter === colour) ?? [colour, 0])}`;
    },
    chance: ([letter, share]) => `${COLOUR_NAMES[letter].toLowerCase()} ${percent(share)}`,
    why: ({ best, cover, covered, moving, colour }) => {
      if (covered) return ["Something lies over it, so no colour is given."];
      const told = [];
      if (best.length === 0) told.push("Nothing speaks for any colour.");
      if (best.length > 1) told.push(`Next best: ${seenWords.cell.chance(best[1])}.`);
      if (best.length === 1) told.push("Nothing else comes near.");
      if (cover >= 0.05) told.push(`${percent(cover)} of what is round it is hidden or changed.`);
      if (colour === "?" && best.length) told.push("That is not enough, so it is a “?”.");
      if (moving) told.push("It moves.");
      return told;
    },
  },

  legend: "Striped: something hides the tray’s rim, or it has changed.",
  setUp: "Set this table up",
  save: "Save this picture",};
