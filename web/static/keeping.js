// What keeps the matches: everything as one file, room on the card, what was set aside, ends that were none.

import { h } from "./dom.js";
import { part } from "./form.js";
import { words } from "./words.js";

/** The menu's part on it; `kept`: the view's `keeping`, null: nothing is known. */
export function keeping(kept) {
  const told = kept
    ? [
        kept.room && words.said(kept.room),
        kept.power_cuts + kept.crashes > 0 && words.keeping.unsafe(kept.power_cuts, kept.crashes),
        kept.set_aside.length > 0 && words.keeping.aside(kept.set_aside),
      ]
    : [];
  return h(
    "div",
    { class: "keeping column" },
    part(
      words.keeping.title,
      h("a", { class: "action", href: "/api/backup.zip", download: "", "data-do": "backup" }, words.keeping.backup),
    ),
    told.filter(Boolean).map((text) => h("p", { class: "how" }, text)),
  );
}
