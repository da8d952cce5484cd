// A match entry by entry, whatever game it is. Each can be changed, taken out, or followed by one that was forgotten: what
// follows from that is worked out by the companion and shown before it happens. Both versions stay in the log, and undo goes back.

import { createPreviews } from "./ask.js";
import { h } from "./dom.js";
import { big, choice, outdated, part } from "./form.js";
import { words } from "./words.js";
import { correctWords } from "./words_correct.js";

const text = correctWords.history;
const said = (lines) => (lines ?? []).map(words.said).join(" ");

/** `game`: `forms[do](command, before, changed)` gives what can be changed about an entry; `kinds`: what can be put in,
 *  (nothing without them), `fresh(kind, state)` one of them, `whole(command)` whether it says all it must; `differences(now, then)`: of two
 *  states, in lines (without it nothing is said of the score). */
export async function openEntries({ sheets, model, command }, game) {
  const body = h("div", { class: "history-sheet" });
  sheets.open(words.history.title, body, { wide: true });
  let past = null;
  try {
    const answer = await fetch("/api/history", { signal: AbortSignal.timeout(8000) });
    past = await answer.json();
  } catch {
    body.replaceChildren(h("p", {}, words.link.noAnswer));
    return;
  }
  const now = model.state;
  const list = () => body.replaceChildren(h("p", { class: "how" }, text.how), listOf(past, edit));
  const edit = (entry) => {
    const apply = (amend) => {
      sheets.close();
      command(amend);
    };
    editor(body, entry, now, game, { apply, back: list });
  };
  list();
}

function listOf({ commands, amendments }, edit) {
  const standing = amendments.filter((one) => !one.undone);
  const was = (seq) => standing.filter((one) => one.command.seq === seq && one.text).map((one) => one.was_text);
  const putIn = new Set(standing.filter((one) => "after" in one.command).map((one) => one.seq));
  const gone = standing.filter((one) => one.command.remove);
  const entry = (one) => {
    const misfit = one.error;
    return h(
      "li",
      { "data-seq": one.seq, "data-misfit": Boolean(misfit), "data-undone": Boolean(one.undone) },
      h(
        "button",
        { class: "entry", type: "button", "data-edit": one.seq, disabled: Boolean(one.undone), onclick: () => edit(one) },
        h("b", {}, words.said(one.text ?? one.command.do)),
        (one.told ?? []).map((line) => h("small", {}, words.said(line))),
        misfit && h("small", { class: "misfit" }, text.misfit(words.told(misfit))),
        one.undone && h("small", { class: "old" }, text.undone),
        putIn.has(one.seq) && h("small", { class: "old" }, text.putIn),
        was(one.seq).map((old) => h("small", { class: "old" }, text.was(words.said(old)))),
      ),
    );
  };
  const entries = commands.toReversed().map(entry);
  return h(
    "ol",
    { class: "history" },
    entries.length ? entries : h("li", {}, text.nothing),
    gone.toReversed().map((one) => h("li", { "data-gone": one.command.seq }, h("small", { class: "old" }, text.gone(words.said(one.was_text))))),
  );
}

/** One entry: its form, what would follow, and the button that does it. */
async function editor(body, entry, now, { forms, kinds, fresh, whole, differences }, { apply, back }) {
  const { seq, command } = entry;
  const follows = h("div", { class: "follows", role: "status", "aria-live": "polite" });
  const form = h("div", { class: "dial-sheet" });
  const outcomes = createPreviews();
  const befores = createPreviews(); // a late one does not replace a form that was opened meanwhile

  /** Shows what an amendment would do; null: nothing to show. */
  const consider = async (amend) => {
    if (amend === null) {
      outcomes.drop();
      return follows.replaceChildren();
    }
    outdated(follows);
    const reply = await outcomes.ask(amend);
    if (!reply) return null;
    follows.replaceChildren(...[outcome(reply, now, differences)].flat(3).filter(Boolean));
    if (reply.ok) follows.append(big(text.apply, () => apply(amend), { main: true, name: "apply" }));
    follows.scrollIntoView({ block: "nearest" });
    return reply;
  };

  const change = async () => {
    const reply = await befores.ask({ do: "amend", seq, command });
    if (!reply) return null;
    const { before, error } = reply;
    if (before === undefined) return form.replaceChildren(h("p", {}, words.told(error ?? { text: words.link.noAnswer })));
    const wanted = (next) =>
      consider(next === null || JSON.stringify(next) === JSON.stringify(command) ? null : { do: "amend", seq, command: next });
    const parts = before || command.do === "setup" ? (forms[command.do]?.(command, before, wanted) ?? []) : [];
    return fill(parts);
  };
  const insert = () => {
    consider(null);
    befores.drop();
    const options = choice(Object.entries(kinds), null, async (kind) => {
      const before = (await befores.ask({ do: "amend", after: seq, command: fresh(kind, now) }))?.before;
      if (!before) return;
      const template = fresh(kind, before);
      const wanted = (next) => consider(next && { do: "amend", after: seq, command: next });
      below.replaceChildren(...flat(forms[kind]?.(template, before, wanted) ?? []));
      wanted(whole(template) ? template : null);
    });
    const below = h("div", { class: "dial-sheet" });
    form.replaceChildren(options, below);
  };
  const flat = (parts) => [parts].flat(4).filter(Boolean);
  const fill = (parts) => form.replaceChildren(...(parts.length ? flat(parts) : [h("p", { class: "how" }, text.noEdit)]));

  body.replaceChildren(
    big(text.back, back, { name: "back" }),
    h("div", { class: "entry-now" }, h("b", {}, words.said(entry.text ?? command.do)), (entry.told ?? []).map((line) => h("small", {}, words.said(line)))),
    h(
      "div",
      { class: "row" },
      command.do !== "setup" && big(text.remove, () => consider({ do: "amend", seq, remove: true }), { name: "remove" }),
      kinds && big(text.insert, insert, { name: "insert" }),
    ),
    h("div", { class: "edit-columns" }, form, follows),
  );
  await change();
}

/** What the companion says would follow. */
function outcome(reply, now, differences) {
  if (!reply.ok) return h("p", { class: "outlook", "data-ok": "false" }, text.refused(words.told(reply.error)));
  const score = differences?.(now, reply.state);
  const later = reply.changed ?? [];
  return [
    reply.told?.length > 0 && h("p", {}, text.wouldBe, " ", said(reply.told)),
    score && part(score.length ? text.score : text.scoreSame, h("p", { class: "outlook", "data-ok": "true" }, score.map((line) => h("span", {}, line)))),
    part(
      later.length ? text.later : text.laterNone,
      h(
        "ul",
        { class: "changed" },
        later.map((one) =>
          h(
            "li",
            { "data-changed": one.seq, "data-misfit": one.misfit },
            h("b", {}, words.said(one.text)),
            h("small", {}, one.misfit ? text.fits(said(one.now)) : text.becomes(said(one.was), said(one.now))),
          ),
        ),
      ),
    ),
  ];
}
