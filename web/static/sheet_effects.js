// An effect entered by hand: what a fighter's board does when it is not on record, or what happened besides.

import { h } from "./dom.js";
import { COLOURS, dial, fan } from "./draw.js";
import { amounts, big, choice, part } from "./form.js";
import { createOutlook } from "./outlook.js";
import { other, words } from "./words.js";
import { correctWords } from "./words_correct.js";

const text = correctWords.effects;
const PLAYERS = ["A", "B"];
const MOST_CREDITS = 6;

export const players = (value, onpick) => choice(PLAYERS.map((player) => [player, words.player(player)]), value, onpick);

/** Dials to pick from, one or several: `picked` is a Set of "BR" (player and colour). */
export function dialPicker(state, them, picked, { several, changed }) {
  const toggles = them.flatMap((player) =>
    COLOURS.map((colour) => {
      const name = `${player}${colour}`;
      const own = state.players[player].buttons[colour];
      const toggle = h(
        "button",
        {
          class: "choice mini-dial",
          type: "button",
          "data-target": name,
          "aria-pressed": String(picked.has(name)),
          onclick: () => {
            if (picked.has(name) && several) picked.delete(name);
            else {
              if (!several) picked.clear();
              picked.add(name);
            }
            for (const one of toggles) one.setAttribute("aria-pressed", String(picked.has(one.dataset.target)));
            changed();
          },
        },
        h("span", { class: "unseen" }, words.dial(player, colour, own)),
        h("span", { class: "face", "aria-hidden": "true" }, dial(colour, own)),
      );
      return toggle;
    }),
  );
  const row = (player) =>
    h(
      "div",
      { class: "target-row", role: "group", "aria-label": words.player(player) },
      h("span", { class: "lamp", "data-player": player }, player),
      toggles.filter((toggle) => toggle.dataset.target[0] === player),
    );
  return h("div", { class: "targets" }, them.map(row));
}

export function openEffects({ open, close, send }, state) {
  let source = state.turn;
  const body = h("div", { class: "dial-sheet" });

  /** `command()`: null until enough is said. What it would do stands there before it is confirmed. */
  const foreseen = (command) => {
    const confirm = big(text.confirm, () => send(command()), { main: true, name: "confirm" });
    const outlook = createOutlook(state, command);
    confirm.hidden = outlook.line.hidden = true;
    const look = async () => {
      const wanted = command();
      confirm.hidden = outlook.line.hidden = wanted === null;
      if (wanted === null) return;
      const reply = await outlook.show();
      if (reply) confirm.disabled = !reply.ok;
    };
    return { look, parts: outlook.above(confirm) };
  };

  const kinds = {
    hit: () => {
      const picked = new Set();
      let amount = null;
      const { look, parts } = foreseen(() =>
        picked.size && amount !== null
          ? { do: "hit", source, hits: [...picked].map(([player, button]) => ({ player, button, amount })) }
          : null,
      );
      return [
        part(text.whose, players(source, (player) => { source = player; look(); })),
        part(text.dials, dialPicker(state, [other(source), source], picked, { several: true, changed: look })),
        part(text.amount, amounts(1, (n) => { amount = n; look(); }, { stays: true })),
        parts,
      ];
    },
    heal: () => {
      const picked = new Set();
      let amount = null;
      const { look, parts } = foreseen(() => {
        const [name] = picked;
        return name && amount !== null ? { do: "heal", player: name[0], button: name[1], amount } : null;
      });
      return [
        part(text.dial, dialPicker(state, [source, other(source)], picked, { several: false, changed: look })),
        part(text.amount, amounts(1, (n) => { amount = n; look(); }, { stays: true })),
        parts,
      ];
    },
    fan: () => {
      let player = source;
      return [
        part(text.takes, players(player, (one) => (player = one))),
        h(
          "div",
          { class: "row" },
          COLOURS.map((colour) =>
            h(
              "button",
              { class: "choice fan-choice", type: "button", "data-take": colour, onclick: () => send({ do: "fan", player, fan: colour }) },
              h("span", { class: "portrait small" }, fan(colour)),
              words.due.fan(colour),
            ),
          ),
        ),
      ];
    },
    pay: () => {
      let player = other(source);
      let credits = null;
      let restores = null;
      const { look, parts } = foreseen(() =>
        credits === null ? null : { do: "pay", player, credits, ...(restores === null ? {} : { restores }) },
      );
      return [
        part(text.pays, players(player, (one) => { player = one; look(); })),
        part(text.credits, amounts(1, (n) => { credits = n; look(); }, { stays: true, to: MOST_CREDITS })),
        part(
          text.restores,
          choice([["rules", text.asRules], ["yes", text.yes], ["no", text.no]], "rules", (name) => {
            restores = { rules: null, yes: true, no: false }[name];
            look();
          }),
        ),
        parts,
      ];
    },
    skip: () =>
      part(text.who, PLAYERS.map((player) => big(text.skips(player), () => send({ do: "skip_next", player }), { name: `skip-${player}` }))),
    destroy: () => [h("p", { class: "how" }, text.destroyHow), big(words.close, close, { name: "close" })],
    concede: () =>
      part(text.who, PLAYERS.map((player) => big(text.concedes(player), () => send({ do: "concede", player }), { name: `concede-${player}` }))),
  };
  const show = (name) => body.replaceChildren(...[kinds[name]()].flat(2).filter(Boolean));
  show("hit");
  open(
    text.title,
    [choice(Object.entries(text.kinds), "hit", show), body],
    { wide: true },
  );
}
