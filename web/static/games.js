// The games to choose from, in every game's menu. The match that is under way stays, and goes on when its game comes back.

import * as ask from "./ask.js";
import { h } from "./dom.js";
import { big, part } from "./form.js";
import { gamesWords as words } from "../words/games.js";

/** Buttons for the games of `view.games`; null where there is nothing to choose. */
export function games(view) {
  if (!(view.games?.length > 1)) return null;
  const told = h("p", { class: "how", role: "status" });
  const play = async (name) => {
    const reply = await ask.controlled({ do: "play", game: name });
    told.textContent = reply.ok ? words.changing(words.names[name]) : reply.error.text;
  };
  const button = (name) => {
    const now = name === view.game;
    const one = big(now ? words.now(words.names[name]) : words.names[name], () => !now && play(name), { name: `play-${name}` });
    if (now) one.setAttribute("aria-current", "true");
    return one;
  };
  return h("div", { class: "column" }, part(words.title, view.games.map(button)), told);
}
