// A state of Re;ACT as it is shown on the page of the kept matches: nothing can be tapped.

import { h } from "./dom.js";
import { drawChain } from "./react_chain.js";
import { drawField } from "./react_field.js";
import { drawSide } from "./react_side.js";
import { words } from "../words/react.js";

export const { figures } = words;

const nothing = () => {};

/** Gives what draws a state into `root`. */
export function createReplay(root) {
  const parts = ["react-chain", "react-field", "react-side"].map((name) => h("section", { class: name }));
  root.classList.add("react");
  root.replaceChildren(h("div", { class: "react-table" }, parts));
  document.head.append(h("link", { rel: "stylesheet", href: "/static/react.css" }));
  return (state) => {
    drawChain(parts[0], state);
    drawField(parts[1], state, { marked: null, tap: nothing });
    drawSide(parts[2], state, { tapSpace: nothing, tapPlayer: nothing });
  };
}
