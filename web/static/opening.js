// Before the first turn it is the second player who may act.

import { other } from "./words.js";

const MOST = 2;

/** How many marbles the second player may still destroy; 0 once the match has begun. */
export const leftToDestroy = (state) =>
  state?.phase === "opening" ? Math.max(0, MOST - (state.opening_destroyed ?? 0)) : 0;

/** Whose side is lit; null when the match is over. */
export const whoActs = (state) =>
  !state || state.over ? null : leftToDestroy(state) > 0 ? other(state.turn) : state.turn;
