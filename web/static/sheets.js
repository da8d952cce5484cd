// What opens on a tap: a dial, the credits, a fan, a marble, the menu. One sheet at a time.

import { h } from "./dom.js";
import { COLOURS, coin, dial, fan, icon, marble } from "./draw.js";
import { PLACES, placeOf } from "./stage.js";
import { COLOUR_NAMES, words } from "./words.js";

const ATTACKS = [1, 2, 4];

export function createSheets(dialog, { command, model }) {
  let onClosed = null;
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.replaceChildren();
    onClosed?.();
    onClosed = null;
  });

  function open(title, content, { wide = false, closed = null } = {}) {
    onClosed = closed;
    dialog.classList.toggle("wide", wide);
    const name = h("h2", { id: "sheet-title" }, title);
    const close = h("button", { class: "tool", type: "button", "aria-label": words.close, onclick: () => dialog.close() }, icon("no"));
    dialog.replaceChildren(h("div", { class: "sheet" }, h("header", {}, name, close), content));
    if (!dialog.open) dialog.showModal();
  }

  const close = () => dialog.open && dialog.close();
  const send = (fields) => {
    close();
    command(fields);
  };
  const big = (label, onclick, extra = {}) => h("button", { class: `action ${extra.main ? "main" : ""}`, type: "button", "data-do": extra.name, onclick }, label);
  const part = (title, ...children) => h("section", {}, h("h3", {}, title), h("div", { class: "row" }, ...children));

  /** Buttons of which exactly one is on. */
  function choice(options, value, onchange) {
    const buttons = options.map(([name, label]) =>
      h("button", { class: "choice", type: "button", "data-choice": name, "aria-pressed": String(name === value), onclick: () => set(name) }, label),
    );
    const set = (name) => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.choice === name));
      onchange(name);
    };
    return h("div", { class: "choices", role: "group" }, buttons);
  }

  const amounts = (from, onpick) =>
    h(
      "div",
      { class: "amounts" },
      Array.from({ length: 11 - from }, (_, i) => h("button", { class: "amount", type: "button", "data-amount": i + from, onclick: () => onpick(i + from) }, i + from)),
    );

  function openDial(player, colour) {
    const { state } = model();
    const own = state.players[player].buttons;
    const now = own[colour];
    let source = state.turn;
    let broken = now.broken;
    const hitting = new Set([colour]);
    const body = h("div", { class: "dial-sheet" });

    const hit = () => [
      part(
        words.sheet.whose,
        choice(["A", "B"].map((p) => [p, words.player(p)]), source, (p) => (source = p)),
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
              "aria-label": words.dial(player, c, own[c]),
              onclick: () => {
                if (hitting.has(c) && hitting.size > 1) hitting.delete(c);
                else hitting.add(c);
                toggle.setAttribute("aria-pressed", String(hitting.has(c)));
              },
            },
            dial(c, own[c]),
          );
          return toggle;
        }),
      ),
      part(
        words.sheet.amount,
        amounts(1, (amount) =>
          send({ do: "hit", source, hits: COLOURS.filter((c) => hitting.has(c)).map((button) => ({ player, button, amount })) }),
        ),
      ),
    ];
    const heal = () => part(words.sheet.amount, amounts(1, (amount) => send({ do: "heal", player, button: colour, amount })));
    const set = () => [
      part(
        words.sheet.correction,
        choice([["working", words.sheet.working], ["broken", words.sheet.broken]], broken ? "broken" : "working", (name) => (broken = name === "broken")),
      ),
      part(words.sheet.setHp, amounts(1, (hp) => send({ do: "correct", player, button: colour, hp, broken }))),
    ];
    const tabs = { hit, heal, set };
    const first = now.broken ? "heal" : "hit";
    const show = (name) => body.replaceChildren(...[tabs[name]()].flat());
    show(first);
    open(words.dial(player, colour, now), [
      choice(Object.keys(tabs).map((name) => [name, words.sheet[name]]), first, show),
      now.broken && state.phase === "start" && state.turn === player
        ? h("div", { class: "row" }, big(words.sheet.flip, () => send({ do: "flip", player, button: colour }), { name: "flip" }))
        : null,
      body,
    ]);
  }

  function openCredits(player) {
    const { credits } = model().state.players[player];
    open(words.sheet.credits(player), [
      h("p", { class: "how" }, words.sheet.creditsHow),
      part(
        words.sheet.setHp,
        h(
          "div",
          { class: "amounts" },
          Array.from({ length: 10 }, (_, n) =>
            h("button", { class: "amount", type: "button", "data-amount": n, "aria-pressed": String(n === credits), onclick: () => send({ do: "correct", player, credits: n }) }, n, h("span", { class: "mini-coin" }, coin(n === 0))),
          ),
        ),
      ),
    ]);
  }

  function openFan(colour) {
    const place = placeOf(model().state, colour);
    open(words.sheet.fan(colour), [
      h("div", { class: "portrait" }, fan(colour)),
      h("p", { class: "how" }, words.fan(colour, place), "."),
      h(
        "div",
        { class: "row" },
        ["A", "B"].filter((p) => p !== place).map((player) => big(words.sheet.takes(player), () => send({ do: "fan", player, fan: colour }), { main: true, name: `take-${player}` })),
      ),
      part(
        words.sheet.correction,
        PLACES.filter((p) => p !== place).map((p) => big(words.sheet.putThere(p), () => send({ do: "correct", fan: colour, place: p }), { name: `put-${p}` })),
      ),
    ]);
  }

  function openCell(cell) {
    open(
      words.sheet.cell(cell),
      h(
        "div",
        { class: "row swatches" },
        [...COLOURS, "."].map((letter) =>
          h("button", { class: "swatch big", type: "button", "data-colour": letter, "aria-label": COLOUR_NAMES[letter], onclick: () => send({ do: "correct", cell, colour: letter }) }, marble(letter), h("small", {}, COLOUR_NAMES[letter])),
        ),
      ),
    );
  }

  function openCall() {
    const { state } = model();
    const player = state.turn;
    const own = state.players[player].buttons;
    const shorts = {};
    const stepper = (colour) => {
      const value = h("output", {}, "0");
      const step = (by) => {
        shorts[colour] = Math.max(0, Math.min(9, (shorts[colour] ?? 0) + by));
        value.textContent = shorts[colour];
      };
      return h(
        "div",
        { class: "stepper" },
        h("span", {}, words.sheet.shorts(colour)),
        h("button", { class: "amount", type: "button", "aria-label": "−1", onclick: () => step(-1) }, "−"),
        value,
        h("button", { class: "amount", type: "button", "aria-label": "+1", onclick: () => step(1) }, "+"),
      );
    };
    const call = (attack) => {
      const used = Object.fromEntries(Object.entries(shorts).filter(([, n]) => n > 0));
      send({ do: "clear", player, attack, ...(Object.keys(used).length ? { shorts: used } : {}) });
    };
    open(words.sheet.call(player), [
      h("p", { class: "how" }, words.sheet.callHow),
      COLOURS.filter((colour) => own[colour].broken).map(stepper),
      h(
        "div",
        { class: "calls" },
        COLOURS.map((colour) =>
          ATTACKS.map((n) =>
            h(
              "button",
              { class: `call c-${colour}`, type: "button", "data-attack": `${colour}${n}`, disabled: own[colour].broken, "aria-label": words.attack(`${colour}${n}`), onclick: () => call(`${colour}${n}`) },
              h("span", { class: "call-glass" }, marble(colour)),
              h("b", {}, `×${n}`),
            ),
          ),
        ),
      ),
    ]);
  }

  function openCamera() {
    const picture = h("img", { class: "camera", alt: words.sheet.camera });
    const how = h("p", { class: "how" });
    let timer = null;
    let n = 0;
    // one picture after another, so a slow link shows fewer of them and never old ones
    const next = () => {
      timer = null;
      n += 1;
      if (document.visibilityState === "visible") picture.src = `/frame.jpg?n=${n}`;
      else timer = setTimeout(next, 1000);
    };
    picture.onload = () => {
      how.textContent = "";
      timer = setTimeout(next, 200);
    };
    picture.onerror = () => {
      how.textContent = words.sheet.noPicture;
      timer = setTimeout(next, 2000);
    };
    next();
    open(words.sheet.camera, [picture, how], {
      wide: true,
      closed: () => {
        clearTimeout(timer);
        picture.onload = picture.onerror = null;
      },
    });
  }

  function openMenu({ newMatch, realMatch }) {
    const { state, view } = model();
    open(words.menu, [
      h(
        "div",
        { class: "column" },
        big(words.newMatch, newMatch, { main: !view.simulated, name: "new-match" }),
        view.simulated && big(words.realMatch, () => { close(); realMatch(); }, { name: "real-match" }),
        view.camera?.state !== "none" && big(words.sheet.camera, openCamera, { name: "camera" }),
      ),
      state &&
        !state.over &&
        part(words.sheet.turn, ["A", "B"].filter((p) => p !== state.turn).map((p) => big(words.turn(p), () => send({ do: "correct", turn: p }), { name: `turn-${p}` }))),
    ]);
  }

  return { open, close, choice, openDial, openCredits, openFan, openCell, openCall, openMenu };
}
