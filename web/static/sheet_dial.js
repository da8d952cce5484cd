// One dial: hit it (and others with the same effect), heal it, set it, flip it.

import { h } from "./dom.js";
import { COLOURS, dial } from "./draw.js";
import { amounts, big, choice, part } from "./form.js";
import { createOutlook } from "./outlook.js";
import { words } from "./words.js";

export function openDial({ open, send }, state, player, colour) {
  const own = state.players[player].buttons;
  const now = own[colour];
  let source = state.turn;
  let broken = now.broken;
  const hitting = new Set([colour]);
  let amount = null;
  const hits = () => ({
    do: "hit",
    source,
    hits: COLOURS.filter((c) => hitting.has(c)).map((button) => ({ player, button, amount })),
  });
  const outlook = createOutlook(state, hits);
  const confirm = big("", () => send(hits()), { main: true, name: "confirm" });
  confirm.hidden = true;
  /** What the hit would do is shown before it is confirmed. */
  const look = () => {
    if (amount === null) return;
    confirm.textContent = words.sheet.deal(amount, hitting.size);
    confirm.hidden = false;
    outlook.show();
  };
  const body = h("div", { class: "dial-sheet" });

  const hit = () => [
    part(
      words.sheet.whose,
      choice(
        ["A", "B"].map((p) => [p, words.player(p)]),
        source,
        (p) => {
          source = p;
          look();
        },
      ),
    ),
    part(
      words.sheet.hitWhich,
      COLOURS.map((c) => {
        const toggle = h(
          "button",
          {
            class: "choice mini-dial",
            type: "button",
            "data-also": c,
            "aria-pressed": String(hitting.has(c)),
            onclick: () => {
              if (hitting.has(c) && hitting.size > 1) hitting.delete(c);
              else hitting.add(c);
              toggle.setAttribute("aria-pressed", String(hitting.has(c)));
              look();
            },
          },
          h("span", { class: "unseen" }, words.dial(player, c, own[c])),
          h("span", { class: "face", "aria-hidden": "true" }, dial(c, own[c])),
        );
        return toggle;
      }),
    ),
    part(
      words.sheet.amount,
      amounts(1, (n) => {
        amount = n;
        look();
      }, { stays: true }),
    ),
    outlook.above(confirm),
  ];
  const heal = () =>
    part(
      words.sheet.amount,
      amounts(1, (amount) => send({ do: "heal", player, button: colour, amount })),
    );
  const set = () => [
    part(
      words.sheet.correction,
      choice(
        [
          ["working", words.sheet.working],
          ["broken", words.sheet.broken],
        ],
        broken ? "broken" : "working",
        (name) => (broken = name === "broken"),
      ),
    ),
    part(
      words.sheet.setHp,
      amounts(1, (hp) => send({ do: "correct", player, button: colour, hp, broken })),
    ),
  ];
  const tabs = { hit, heal, set };
  const first = now.broken ? "heal" : "hit";
  const show = (name) => body.replaceChildren(...[tabs[name]()].flat());
  show(first);
  open(words.dial(player, colour, now), [
    choice(
      Object.keys(tabs).map((name) => [name, words.sheet[name]]),
      first,
      show,
    ),
    now.broken && state.phase === "start" && state.turn === player
      ? h(
          "div",
          { class: "row" },
          big(words.sheet.flip, () => send({ do: "flip", player, button: colour }), { name: "flip" }),
        )
      : null,
    body,
  ]);
}
