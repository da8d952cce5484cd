// Which marbles the last clear took. The state names its cells; their colours lay in the tray before it.

import { HEALED, at } from "./tray.js";

/** The tray before the clear that led from one state to the next, or null when the page did not see it happen. */
export function trayBefore(old, now) {
  const clear = now?.last_clear;
  const happened = clear && now.phase === "resolve" && old && old.phase !== "resolve" && clear.player === now.turn;
  return happened && fits(clear, old.tray) ? old.tray : null;
}

/** Do the marbles of that tray make this clear? A page that slept may have missed some of what came between. */
function fits(clear, tray) {
  const count = { [clear.attack[0]]: Number(clear.attack.slice(1)) };
  for (const [colour, hp] of Object.entries(clear.heals ?? {})) count[colour] = hp / HEALED;
  for (const cell of clear.cells ?? []) count[at(tray, cell)] = (count[at(tray, cell)] ?? 0) - 1;
  return Object.values(count).every((left) => left === 0);
}

/** [{ cell, letter, short }] in drawn order; letter "?" when it is not known which of them were short circuits. */
export function marblesOf(clear, before) {
  const colour = clear.attack[0];
  const plain = Object.keys(clear.heals ?? {}).length === 0;
  return (clear.chain ?? clear.cells ?? []).map((cell) => {
    const letter = before ? at(before, cell) : plain ? colour : "?";
    return { cell, letter, short: letter !== colour && letter !== "?" };
  });
}
