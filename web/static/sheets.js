// What opens on a tap: one sheet at a time.

import { h } from "./dom.js";
import { icon } from "./draw.js";
import { words } from "./words.js";

/** { open(title, content, { wide, closed }), close(), send(command) }: `send` closes the sheet and asks the table. */
export function createSheets(dialog, { command }) {
  let onClosed = null;

  const forget = () => {
    const closed = onClosed;
    onClosed = null;
    closed?.();
  };

  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    if (dialog.open) return; // another one was opened meanwhile
    forget();
    dialog.replaceChildren();
  });

  function open(title, content, { wide = false, closed = null } = {}) {
    forget();
    onClosed = closed;
    dialog.classList.toggle("wide", wide);
    const name = h("h2", { id: "sheet-title" }, title);
    const shut = h(
      "button",
      { class: "tool", type: "button", "aria-label": words.close, onclick: () => dialog.close() },
      icon("no"),
    );
    dialog.replaceChildren(h("div", { class: "sheet" }, h("header", {}, name, shut), content));
    if (!dialog.open) dialog.showModal();
  }

  const close = () => dialog.open && dialog.close();
  const send = (fields) => {
    close();
    command(fields);
  };
  return { open, close, send };
}
