// The stage board: three fans, each with A, on the stage or with B.

import { attribute, h } from "./dom.js";
import { COLOURS, fan } from "./draw.js";
import { words } from "./words.js";

export const PLACES = ["A", "stage", "B"];

export function placeOf(state, colour) {
  return ["A", "B"].find((player) => state.players[player].fans.includes(colour)) ?? "stage";
}

export function createStage(root, { openFan }) {
  const zones = Object.fromEntries(
    PLACES.map((place) => [
      place,
      h(
        "div",
        { class: "zone", "data-place": place },
        h("span", { class: "zone-name" }, place === "stage" ? words.stage : words.withPlayer(place)),
        h("span", { class: "zone-fans" }),
      ),
    ]),
  );
  const fans = Object.fromEntries(
    COLOURS.map((colour) => [
      colour,
      h("button", { class: "fan", type: "button", "data-fan": colour, onclick: () => openFan(colour) }, fan(colour)),
    ]),
  );
  root.append(...PLACES.map((place) => zones[place]));

  return function render({ state }) {
    root.hidden = !state;
    if (!state) return;
    for (const colour of COLOURS) {
      const place = placeOf(state, colour);
      const home = zones[place].lastElementChild;
      if (fans[colour].parentElement !== home) home.append(fans[colour]);
      attribute(fans[colour], "aria-label", words.fan(colour, place));
    }
    for (const place of PLACES)
      attribute(zones[place], "data-empty", zones[place].lastElementChild.childElementCount === 0);
  };
}
