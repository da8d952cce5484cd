// The controls that sheets and forms are made of.

import { h } from "./dom.js";

/** A big button; `name` is its data-do. */
export const big = (label, onclick, extra = {}) =>
  h("button", { class: `action ${extra.main ? "main" : ""}`, type: "button", "data-do": extra.name, onclick }, label);

export const part = (title, ...children) =>
  h("section", {}, h("h3", {}, title), h("div", { class: "row" }, ...children));

/** Buttons of which exactly one is on. */
export function choice(options, value, onchange) {
  const buttons = options.map(([name, label]) =>
    h(
      "button",
      {
        class: "choice",
        type: "button",
        "data-choice": name,
        "aria-pressed": String(name === value),
        onclick: () => set(name),
      },
      label,
    ),
  );
  const set = (name) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.choice === name));
    onchange(name);
  };
  return h("div", { class: "choices", role: "group" }, buttons);
}

/** The numbers from `from` to `to`; `stays`: the picked one is marked, starting with `value`. */
export function amounts(from, onpick, { stays = false, value = null, to = 10 } = {}) {
  const buttons = Array.from({ length: to + 1 - from }, (_, i) =>
    h(
      "button",
      {
        class: "amount",
        type: "button",
        "data-amount": i + from,
        "aria-pressed": stays ? String(i + from === value) : null,
        onclick: () => {
          if (stays) for (const [n, one] of buttons.entries()) one.setAttribute("aria-pressed", String(n === i));
          onpick(i + from);
        },
      },
      i + from,
    ),
  );
  return h("div", { class: "amounts" }, buttons);
}

/** What stands there was worked out for something else: till the new answer is there it cannot be confirmed. */
export function outdated(shown) {
  for (const button of shown.querySelectorAll("button")) button.disabled = true;
}
