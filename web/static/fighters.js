// Who plays which fighter: those whose board is on record by name, or any other name.

import { h } from "./dom.js";
import { later } from "./lazy.js";
import { words } from "./words.js";

export const same = (one, two) => one.trim().toLowerCase() === two.trim().toLowerCase();

const OTHER = "\n"; // no fighter is called so

/** For one seat. `onchange(name)`: "" for none. */
export function fighterPicker(player, fighters, onchange) {
  const input = h("input", {
    type: "text",
    name: `fighter-${player}`,
    maxlength: 60,
    autocomplete: "off",
    hidden: true,
    "aria-label": words.setup.fighterName(player),
    placeholder: words.setup.fighterName(player),
  });
  const select = h(
    "select",
    { "data-fighter": player, "aria-label": words.setup.fighter(player) },
    h("option", { value: "" }, words.setup.noFighter),
    fighters.map(({ name }) => h("option", { value: name }, name)),
    h("option", { value: OTHER }, words.setup.otherFighter),
  );
  const about = h("div", { class: "remarks", "data-about": player });
  const tell = (name) => {
    onchange(name);
    const known = fighters.find((fighter) => same(fighter.name, name));
    about.replaceChildren();
    if (!known) return;
    about.append(...known.remarks.map((text) => h("p", { class: "how" }, words.said(text))));
    const summary = h("summary", {}, words.setup.board(known.name));
    const details = h("details", { class: "rule-set" }, summary);
    details.addEventListener("toggle", () => details.open && fill(details, summary, known.name), { once: true });
    about.append(details);
  };
  select.addEventListener("change", () => {
    input.hidden = select.value !== OTHER;
    tell(input.hidden ? select.value : input.value.trim());
    if (!input.hidden) input.focus();
  });
  input.addEventListener("input", () => tell(input.value.trim()));
  return h("div", { class: "seat" }, h("label", { class: "rule" }, h("span", {}, words.setup.fighter(player)), select), input, about);
}

async function fill(details, summary, name) {
  const module = await later(() => import("./sheet_boards.js"));
  const boards = await module?.loadBoards().catch(() => null);
  const board = boards?.find((one) => same(one.name, name));
  details.replaceChildren(summary, board ? module.boardList(board) : h("p", { class: "how" }, words.link.noAnswer));
}
