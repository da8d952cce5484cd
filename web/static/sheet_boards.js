// The boards of both fighters, in plain words.

import { h } from "./dom.js";
import { same } from "./fighters.js";
import { words } from "./words.js";
import { correctWords } from "./words_correct.js";

const text = correctWords.boards;

let kept = null; // boards do not change while the companion runs

export async function loadBoards() {
  if (kept === null) {
    const answer = await fetch("/api/fighters", { signal: AbortSignal.timeout(8000) });
    kept = (await answer.json()).fighters;
  }
  return kept;
}

/** One board as a list. */
export const boardList = (board) =>
  h(
    "div",
    { class: "board-words" },
    board.start && h("p", {}, text.start(words.said(board.start))),
    h(
      "dl",
      {},
      Object.entries(board.attacks).map(([name, { effects, kicker }]) => [
        h("dt", { class: `c-${name[0]}` }, text.attack(name)),
        h("dd", {}, words.said(effects), kicker && h("small", {}, text.kicker(words.said(kicker)))),
      ]),
    ),
    board.end && h("p", {}, text.end(words.said(board.end))),
    board.remarks.map((remark) => h("p", { class: "how" }, words.said(remark))),
  );

export async function openBoards({ open }, state) {
  const body = h("div", { class: "boards" }, h("p", { class: "how" }, text.loading));
  open(text.title, body, { wide: true });
  let known = [];
  try {
    known = await loadBoards();
  } catch {
    body.replaceChildren(h("p", {}, words.link.noAnswer));
    return;
  }
  const sides = ["A", "B"].map((player) => {
    const { fighter, board } = state.players[player];
    const found = board && known.find(({ name }) => same(name, board.name));
    return h(
      "section",
      { "data-board": player },
      h("h3", {}, [words.player(player), fighter].filter(Boolean).join(": ")),
      found ? boardList(found) : h("p", { class: "how" }, text.none),
    );
  });
  body.replaceChildren(...sides);
}
