// The rule set: the edition and a switch for each open point of the rulebook. The first choice is the printed reading.

import { h } from "./dom.js";
import { words } from "./words.js";

/** The switches that differ from the printed reading: { name: value }. */
export function differing(rules) {
  const found = {};
  for (const [name, { options }] of Object.entries(words.rules.switches)) {
    if (rules && rules[name] !== undefined && rules[name] !== options[0][0]) found[name] = rules[name];
  }
  return found;
}

/** One line for the match: whether it is played as printed. */
export const rulesLine = (rules) => words.rules.line(rules.edition, Object.keys(differing(rules)).filter((n) => n !== "edition"));

/** A labelled list for each switch; `onchange(name, value)`. Without it they can only be read. */
export function rulesForm(rules, onchange = null) {
  return h(
    "div",
    { class: "rules" },
    Object.entries(words.rules.switches).map(([name, { label, options }]) => {
      const now = rules?.[name] === undefined ? options[0][0] : rules[name];
      const select = h(
        "select",
        { name, "data-rule": name, disabled: onchange === null },
        options.map(([value, text], i) =>
          h("option", { value: i, selected: value === now }, i === 0 ? `${text} (${words.rules.printed})` : text),
        ),
      );
      select.addEventListener("change", () => onchange?.(name, options[Number(select.value)][0]));
      return h("label", { class: "rule" }, h("span", {}, label), select);
    }),
  );
}

/** The sheet of the match: changeable before its first clear. */
export function openRules({ open }, state, command) {
  const free = state.last_clear === null && !state.over;
  open(words.rules.title, [
    h("p", { class: "how" }, free ? words.rules.how : words.rules.fixed),
    rulesForm(state.rules, free ? (name, value) => command({ do: "rules", [name]: value }) : null),
  ]);
}
