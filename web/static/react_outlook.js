// The difference of two states of Re;ACT in lines: what a change of an older entry would come to. Pure.

import { unitName } from "./react_field.js";
import { words } from "../words/react.js";

const text = words.outlook;

export function differences(now, then) {
  const lines = [];
  for (const player of ["A", "B"]) {
    const [was, is] = [now.players[player], then.players[player]];
    if (was.hp !== is.hp) lines.push(text.became(player, words.side.hp(was.hp), words.side.hp(is.hp)));
    if (was.hand !== is.hand) lines.push(text.became(player, words.side.hand(was.hand), words.side.hand(is.hand)));
    if (was.deck !== is.deck) lines.push(text.became(player, words.side.deck(was.deck), words.side.deck(is.deck)));
    if (was.ascended !== is.ascended) lines.push(text.ascended(player, is.ascended));
  }
  for (const id of new Set([...Object.keys(now.units), ...Object.keys(then.units)])) {
    const [was, is] = [now.units[id], then.units[id]];
    if (was?.zone !== is?.zone) lines.push(text.became(unitName(id), was?.zone ?? text.off, is?.zone ?? text.off));
    else if (was.exhausted !== is.exhausted) lines.push(text.tired(unitName(id), is.exhausted));
  }
  const things = ({ tokens, tiles, blocks }) => JSON.stringify([tokens, tiles, blocks]);
  if (things(now) !== things(then)) lines.push(text.things);
  const spaces = (state) => state.masterpiece.map((card) => card ?? "–").join(" ");
  if (spaces(now) !== spaces(then)) lines.push(text.became(words.masterpiece.title, spaces(now), spaces(then)));
  const chain = (state) => state.chain.stack.length;
  if (chain(now) !== chain(then)) lines.push(text.became(words.chain.title, chain(now), chain(then)));
  const when = (state) => `${words.turn(state.turn_number, state.turn)}, ${words.phases[state.phase]}`;
  if (when(now) !== when(then)) lines.push(text.became("", when(now), when(then)));
  return lines;
}
