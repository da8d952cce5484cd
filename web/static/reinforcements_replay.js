// A state of Reinforcements as it is shown on the page of the kept matches: nothing can be tapped.

import { h } from "./dom.js";
import { drawPile, drawSeats } from "./reinforcements_table.js";
import { words } from "../words/reinforcements.js";

export const { figures } = words;

export const plain = true; // the remarks beside its lines say it all

/** Gives what draws a state into `root`. */
export function createReplay(root) {
  const [pile, seats] = [h("section", { class: "pile" }), h("section", { class: "seats" })];
  root.classList.add("reinforcements");
  root.replaceChildren(h("div", { class: "replay-table" }, pile, seats));
  document.head.append(h("link", { rel: "stylesheet", href: "/static/reinforcements.css" }));
  return (state) => {
    drawPile(pile, state);
    drawSeats(seats, state);
  };
}
