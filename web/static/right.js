// Put right: something is set by hand. What would follow from it is worked out by the companion and shown first.

import { createPreviews } from "./ask.js";
import { h } from "./dom.js";
import { big, choice, outdated, part } from "./form.js";
import { words as page } from "./words.js";
import { correctWords } from "./words_correct.js";

const text = correctWords.history;

/** Opens a sheet. `controls(propose)`: what there is to set; `propose(command)` shows what it would do and offers it, null:
 *  nothing is proposed. `of`: `differences(now, then)`, and `told(error)` where the game's sentences have words of their own. */
export function openRight({ sheets, model, command }, title, controls, { differences, told = page.told }) {
  const now = model.state;
  const follows = h("div", { class: "follows", role: "status", "aria-live": "polite" });
  const previews = createPreviews();
  const propose = async (wanted) => {
    if (!wanted) {
      previews.drop();
      return follows.replaceChildren();
    }
    outdated(follows);
    const reply = await previews.ask(wanted);
    if (!reply) return null; // something else was chosen meanwhile
    if (!reply.ok) return follows.replaceChildren(h("p", { class: "outlook", "data-ok": "false" }, text.refused(told(reply.error))));
    const lines = differences(now, reply.state);
    const apply = () => {
      sheets.close();
      command(wanted);
    };
    follows.replaceChildren(
      h("p", { class: "outlook", "data-ok": "true" }, (lines.length ? lines : [text.scoreSame]).map((line) => h("span", {}, line))),
      lines.length > 0 ? big(text.apply, apply, { main: true, name: "apply" }) : "",
    );
    return follows.scrollIntoView({ block: "nearest" });
  };
  const form = h("div", { class: "column" }, controls(propose));
  sheets.open(title, h("div", { class: "history-sheet" }, h("div", { class: "edit-columns" }, form, follows)), { wide: true });
}

/** A game's switches: name → its values; `labels` and `value(one)`: their words. */
export const switches = (rules, now, labels, value, propose) =>
  h(
    "div",
    { class: "column" },
    Object.entries(rules).map(([name, values]) => {
      const set = (chosen) => propose({ do: "rules", [name]: values.find((one) => String(one) === chosen) });
      return part(labels[name], choice(values.map((one) => [String(one), value(one)]), String(now[name]), set));
    }),
  );
