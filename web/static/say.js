// What the page has to say right now: one thing, the most pressing. Pure: from what is known to what is shown.

import { marblesOf } from "./chain.js";
import { firstDue, laterDue } from "./due.js";
import { leftToDestroy } from "./opening.js";
import { rulesLine } from "./rules.js";
import { words } from "./words.js";

const onTray = (cells) => [...new Set(cells ?? [])];
const cellsOf = (error) =>
  onTray([...(error.cells ?? []), ...(error.reasons ?? []).flatMap((reason) => reason.cells ?? [])]);

/** Score and view come one after the other: what is said of both waits until they belong together. */
export const together = ({ version = null, view = {} }) => version === null || view.version === undefined || view.version === version;

const NAMED = 2; // of what is due later; the rest is counted

/** What comes after the item that is due, in order: small, so that it never pushes the table aside. */
function thenDue(items) {
  const named = items.slice(0, NAMED).map(({ text }) => words.due.next(words.said(text)));
  const more = items.length - named.length;
  return more > 0 ? [...named, words.due.then(more)] : named;
}

/**
 * { tone: "no" | "ask" | "warn" | "yes" | "calm", title, lines, bad: cells to mark as wrong, could: cells that may be cleared, chain: marbles of the clear to draw,
 *   pulled: cells that were pulled, restore: cells to put back, answers and ways: [{ label, control }] in place of the
 *   usual buttons, stand: a pull that the players may let stand, meant: legal clears to look at, nearest: ones to pick, due: the item to decide now, closes: what a tap on its × puts away, hint: what one could do now }
 */
export function whatToSay({ state, view, refusal, setting, before, picked = [] }) {
  const base = {
    tone: "calm",
    title: "",
    stamp: null,
    lines: [],
    later: [],
    hint: null,
    closes: null,
    bad: [],
    could: [],
    restore: [],
    chain: null,
    pulled: [],
    ways: [],
    stand: null,
    meant: [],
    answers: [],
    nearest: [],
    due: null,
  };
  const differs = view.differs ?? [];
  const settling = view.hand || view.moving;
  const putBack = view.simulated ? [{ label: words.putBack, control: { do: "put_back" }, main: true }] : [];
  const takeTray = { label: words.takeTray, control: { do: "take_tray" } };

  if (refusal) {
    const lines = refusal.reasons?.length ? refusal.reasons.map(words.told) : [words.told(refusal)];
    const illegal = refusal.code === "illegal_clear";
    return {
      ...base,
      tone: refusal.code === "changed" ? "warn" : "no",
      title: illegal ? words.notIllegalHere : refusal.code === "changed" ? words.changed : words.refused,
      lines,
      bad: illegal ? cellsOf(refusal) : [], // other refusals name cells that are quite all right
      could: refusal.code === "must_clear" ? cellsOf(refusal) : [],
      hint: refusal.nearest?.length ? words.nearestHint : null,
      nearest: refusal.nearest ?? [],
      stand: illegal && picked.length && state ? { player: state.turn, cells: picked, lines } : null,
      closes: "refusal",
    };
  }
  if (state?.over) {
    return {
      ...base,
      tone: "yes",
      title: words.wins(state.over.winner),
      lines: [words.overBecause(state.over)].filter(Boolean),
      over: true,
    };
  }
  if (view.question) {
    const { id, player, text, answers } = view.question;
    return {
      ...base,
      tone: "ask",
      title: words.questionFor(player),
      lines: [words.said(text)],
      pulled: onTray(answers.flatMap((answer) => answer.cells ?? [])),
      answers: answers.map((answer, choice) => ({
        label: words.said(answer.label),
        cells: answer.cells ?? [],
        control: { do: "answer", id, choice },
      })),
    };
  }
  if (view.verdict?.kind === "illegal") {
    const { player, reasons, cells, text } = view.verdict;
    const lines = reasons?.length ? reasons.map(words.told) : [words.said(text)];
    const bad = onTray((reasons ?? []).flatMap((reason) => reason.cells ?? []));
    const why = [...lines];
    if (differs.length) lines.push(words.restore(differs));
    const meant = settling ? [] : (view.verdict.nearest ?? []);
    return {
      ...base,
      tone: "no",
      title: words.illegal(player),
      lines,
      bad: bad.length ? bad : onTray(cells),
      pulled: onTray(cells),
      restore: settling ? [] : differs,
      ways: differs.length ? [...putBack, takeTray] : [],
      stand: view.verdict.may_stand ? { player, cells: onTray(cells), lines: why, seen: true } : null,
      meant,
      hint: meant.length ? words.nearestHint : null,
      closes: "verdict",
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
  const item = firstDue(state);
  const asks = item?.choice?.kind === "cells" ? words.due.cells(item.choice.most) : null;
  const dueLines = item ? [words.said(item.text)] : [];
  const later = item ? thenDue(laterDue(state)) : [];
  if (state.phase === "start" && state.left?.length) dueLines.push(words.due.left(state.left.map(words.said)));
  const clear = state.last_clear;
  if (clear && (state.phase === "resolve" || state.turn !== clear.player)) {
    const lines = [];
    const due = [];
    if (Object.keys(clear.heals ?? {}).length) due.push(words.heals(clear.heals));
    if (clear.kicker && !item) due.push(words.kicker);
    if (due.length) lines.push(due.join(" · "));
    if (view.verdict?.kind === "legal" && view.verdict.sure === false) lines.push(words.likely);
    lines.push(...dueLines);
    const usual = state.phase === "resolve" ? words.hint.resolve() : words.hint.start(state.turn, view.simulated);
    const hint = asks ?? (item ? null : usual);
    const stamp = clear.overruled?.length ? words.overruledMark : words.legalMark;
    return {
      ...base,
      tone: "yes",
      title: words.legal(clear.player, clear.attack),
      stamp,
      lines,
      later,
      hint,
      chain: marblesOf(clear, before),
      due: item,
    };
  }
  const left = leftToDestroy(state);
  const title = words.due[state.phase]?.(state.turn, left) ?? "";
  const rules = clear === null && state.rules ? [rulesLine(state.rules)] : [];
  const hint = asks ?? words.hint[state.phase]?.(state.turn, view.simulated, left);
  return { ...base, title, lines: [...dueLines, ...rules], later, hint, due: item };
}
