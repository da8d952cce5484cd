// A state of the reaction sheet as it is shown on the page of the kept matches: nothing can be tapped.

import { h } from "./dom.js";
import { drawGrid, drawLog, drawOffers, drawPeople } from "./reactions_table.js";
import "../words/reactions.js"; // the sentences of the game in the page's language

const BEGUN = { active: [], path: [], leaves: [], target: null };

export const plain = true; // the remarks beside its lines say it all

/** Gives what draws a state into `root`. */
export function createReplay(root) {
  const parts = ["squares-box", "people", "offers", "log"].map((name) => h("section", { class: name }));
  root.classList.add("reactions");
  root.replaceChildren(h("div", { class: "replay-table" }, parts));
  document.head.append(h("link", { rel: "stylesheet", href: "/static/reactions.css" }));
  return (state) => {
    drawGrid(parts[0], state, BEGUN, null);
    drawPeople(parts[1], state, BEGUN, null);
    drawOffers(parts[2], state, null);
    drawLog(parts[3], state);
  };
}
