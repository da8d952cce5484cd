// What a command would change, said before it is confirmed. The companion works it out; nothing is done by asking.

import { createPreviews } from "./ask.js";
import { h } from "./dom.js";
import { COLOURS } from "./draw.js";
import { PLACES, placeOf } from "./stage.js";
import { words } from "./words.js";

/** The difference of two states in lines, breaks and their price first; `brief`: no more than these, if any. Pure. */
export function differences(now, then, brief = false) {
  const breaks = [];
  const lines = [];
  for (const player of ["A", "B"]) {
    const [was, is] = [now.players[player], then.players[player]];
    const broken = COLOURS.filter((colour) => !was.buttons[colour].broken && is.buttons[colour].broken);
    const paid = was.credits - is.credits;
    if (broken.length) breaks.push(words.outlook.breaks(player, broken, paid, is.buttons[broken[0]].hp));
    for (const colour of COLOURS) {
      const [old, own] = [was.buttons[colour], is.buttons[colour]];
      if (old.hp === own.hp && old.broken === own.broken) continue;
      lines.push(words.outlook.dial(player, colour, old, own));
    }
    if (paid !== 0 && !broken.length) lines.push(words.outlook.credits(player, was.credits, is.credits));
  }
  for (const colour of COLOURS) {
    const [old, place] = [placeOf(now, colour), placeOf(then, colour)];
    if (old !== place && PLACES.includes(place)) lines.push(words.fan(colour, place));
  }
  if (then.over && !now.over) breaks.push(words.wins(then.over.winner));
  else if (now.over && !then.over) lines.push(words.outlook.notOver);
  else if (then.turn !== now.turn) lines.push(words.turn(then.turn));
  return brief && breaks.length ? breaks : [...breaks, ...lines];
}

/** A line that says what `command()` would do from `now`; `show()` asks anew, and gives the answer. */
export function createOutlook(now, command, brief = false) {
  const line = h("p", { class: "outlook", role: "status" });
  const previews = createPreviews();
  const show = async () => {
    const reply = await previews.ask(command());
    if (!reply) return null; // something else was chosen meanwhile
    const said = reply.ok ? differences(now, reply.state, brief) : [words.told(reply.error)];
    line.replaceChildren(...(said.length ? said : [words.outlook.nothing]).map((text) => h("span", {}, text)));
    line.dataset.ok = String(reply.ok);
    return reply;
  };
  /** The line above what confirms: both stay on the screen. */
  const above = (confirm) => h("div", { class: "confirming" }, line, confirm);
  return { line, show, above };
}
