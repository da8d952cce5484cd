// What the page has to say right now: one thing, the most pressing. Pure: from what is known to what is shown.

import { words } from "./words.js";

const onTray = (cells) => [...new Set(cells ?? [])];
const cellsOf = (error) => onTray([...(error.cells ?? []), ...(error.reasons ?? []).flatMap((reason) => reason.cells ?? [])]);

/**
 * { tone: "no" | "ask" | "warn" | "yes" | "calm", title, lines, bad: cells to mark as wrong, chain: clear to draw,
 *   picked: cells that were pulled, restore: cells to put back, answers: [{ label, control | command }], ways: […] }
 */
export function whatToSay({ state, view, refusal, setting }) {
  const base = { tone: "calm", title: "", lines: [], bad: [], restore: [], chain: null, pulled: [], ways: [], answers: [] };
  const differs = view.differs ?? [];
  const settling = view.hand || view.moving;
  const putBack = view.simulated ? [{ label: words.putBack, control: { do: "put_back" }, main: true }] : [];
  const takeTray = { label: words.takeTray, control: { do: "take_tray" } };

  if (refusal) {
    const lines = refusal.reasons?.length ? refusal.reasons.map((reason) => reason.text) : [refusal.text];
    const title = refusal.code === "illegal_clear" ? words.notIllegalHere : words.refused;
    return { ...base, tone: "no", title, lines, bad: cellsOf(refusal), ways: [{ label: words.dismiss, dismissHere: true }] };
  }
  if (state?.over) {
    return { ...base, tone: "yes", title: words.wins(state.over.winner), lines: [words.overBecause(state.over)].filter(Boolean), over: true };
  }
  if (view.question) {
    const { id, player, text, answers } = view.question;
    return {
      ...base,
      tone: "ask",
      title: words.questionFor(player),
      lines: [text],
      answers: answers.map((answer, choice) => ({
        label: answer.label,
        cells: answer.cells ?? [],
        control: { do: "answer", id, choice },
      })),
    };
  }
  if (view.verdict?.kind === "illegal") {
    const { player, reasons, cells, text } = view.verdict;
    const lines = reasons?.length ? reasons.map((reason) => reason.text) : [text];
    const bad = onTray((reasons ?? []).flatMap((reason) => reason.cells ?? []));
    if (differs.length) lines.push(words.restore(differs));
    return {
      ...base,
      tone: "no",
      title: words.illegal(player),
      lines,
      bad: bad.length ? bad : onTray(cells),
      pulled: onTray(cells),
      restore: settling ? [] : differs,
      ways: differs.length ? [...putBack, takeTray] : [...putBack, { label: words.dismiss, control: { do: "dismiss" } }],
    };
  }
  if (differs.length && !settling) {
    return {
      ...base,
      tone: "warn",
      title: words.differs,
      lines: [words.differsHow(differs)],
      restore: differs,
      ways: [...putBack, takeTray],
    };
  }
  if (setting) return { ...base, title: words.hint.set };
  if (!state) return base;
  const clear = state.last_clear;
  if (clear && (state.phase === "resolve" || state.turn !== clear.player)) {
    const lines = [];
    if (Object.keys(clear.heals ?? {}).length) lines.push(words.heals(clear.heals));
    if (clear.kicker) lines.push(words.kicker);
    if (view.verdict?.kind === "legal" && view.verdict.sure === false) lines.push(words.likely);
    if (state.phase === "resolve") lines.push(words.hint.resolve());
    else lines.push(words.hint.start(state.turn, view.simulated));
    return { ...base, tone: "yes", title: words.legal(clear.player, clear.attack), lines, chain: clear };
  }
  return { ...base, title: words.due[state.phase]?.(state.turn) ?? "", lines: [words.hint[state.phase]?.(state.turn, view.simulated)].filter(Boolean) };
}
