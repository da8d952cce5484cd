// Credits, a fan, a marble: what can be done to them.

import { h } from "./dom.js";
import { COLOURS, coin, fan, marble } from "./draw.js";
import { big, part } from "./form.js";
import { PLACES, placeOf } from "./stage.js";
import { COLOUR_NAMES, words } from "./words.js";

export function openCredits({ open, send }, state, player) {
  const { credits } = state.players[player];
  open(words.sheet.credits(player), [
    h("p", { class: "how" }, words.sheet.creditsHow),
    part(
      words.sheet.setHp,
      h(
        "div",
        { class: "amounts" },
        Array.from({ length: 10 }, (_, n) =>
          h(
            "button",
            {
              class: "amount",
              type: "button",
              "data-amount": n,
              "aria-pressed": String(n === credits),
              onclick: () => send({ do: "correct", player, credits: n }),
            },
            n,
            h("span", { class: "mini-coin" }, coin(n === 0)),
          ),
        ),
      ),
    ),
  ]);
}

export function openFan({ open, send }, state, colour) {
  const place = placeOf(state, colour);
  open(words.sheet.fan(colour), [
    h("div", { class: "portrait" }, fan(colour)),
    h("p", { class: "how" }, words.fan(colour, place), "."),
    h(
      "div",
      { class: "row" },
      ["A", "B"]
        .filter((p) => p !== place)
        .map((player) =>
          big(words.sheet.takes(player), () => send({ do: "fan", player, fan: colour }), {
            main: true,
            name: `take-${player}`,
          }),
        ),
    ),
    part(
      words.sheet.correction,
      PLACES.filter((p) => p !== place).map((p) =>
        big(words.sheet.putThere(p), () => send({ do: "correct", fan: colour, place: p }), { name: `put-${p}` }),
      ),
    ),
  ]);
}

/** What lies in a cell. With a camera its readings come first, best first, except for what stands there already. */
export function openCell({ open, send }, cell, { view = {}, now = null } = {}) {
  const how = h("p", { class: "how" });
  const row = h("div", { class: "row swatches" });
  const swatch = (letter, chance) =>
    h(
      "button",
      {
        class: "swatch big",
        type: "button",
        "data-colour": letter,
        "aria-pressed": String(letter === now),
        onclick: () => send({ do: "correct", cell, colour: letter }),
      },
      marble(letter),
      h("small", {}, COLOUR_NAMES[letter]),
      view.camera?.state === "ok" && h("small", { class: "chance" }, chance ? words.sheet.chance(chance) : ""),
    );
  const show = (best) => {
    const chances = new Map(best);
    const letters = [...COLOURS, "."];
    const rank = (letter) => (letter === now ? -1 : (chances.get(letter) ?? 0));
    letters.sort((one, two) => rank(two) - rank(one));
    how.textContent = best.length ? words.sheet.bestFirst : "";
    row.replaceChildren(...letters.map((letter) => swatch(letter, chances.get(letter))));
  };
  show([]);
  open(words.sheet.cell(cell), [how, row]);
  if (view.camera?.state === "ok") best(cell).then((found) => found.length && row.isConnected && show(found));
}

/** What the camera makes of the cell now: [[letter, chance], …], best first; nothing while a hand is over it. */
async function best(cell) {
  try {
    const answer = await fetch("/api/seen", { signal: AbortSignal.timeout(4000) });
    const seen = (await answer.json()).cells?.[cell];
    return seen && !seen.covered && !seen.moving ? (seen.best ?? []) : [];
  } catch {
    return []; // the colours can be tapped all the same
  }
}

export function openTurn({ open, send }, state) {
  const them = ["A", "B"].filter((player) => player !== state.turn);
  open(words.sheet.turn, [
    h("p", { class: "how" }, words.sheet.turnHow(state.turn)),
    h(
      "div",
      { class: "row" },
      them.map((player) =>
        big(words.turn(player), () => send({ do: "correct", turn: player }), { main: true, name: `turn-${player}` }),
      ),
    ),
  ]);
}
