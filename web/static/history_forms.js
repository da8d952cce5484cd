// What can be changed about an entry of the match, a form for each kind of command.

import { h, redraw } from "./dom.js";
import { COLOURS, marble } from "./draw.js";
import { dueButtons } from "./due.js";
import { amounts, choice, part } from "./form.js";
import { rulesForm } from "./rules.js";
import { dialPicker, players } from "./sheet_effects.js";
import { PLACES as MARKER_PLACES } from "./sheet_markers.js";
import { PLACES } from "./stage.js";
import { LANES, ROWS, at } from "./tray.js";
import { COLOUR_NAMES, words } from "./words.js";
import { correctWords } from "./words_correct.js";

const text = correctWords.history;
const ATTACKS = COLOURS.flatMap((colour) => [1, 2, 4].map((size) => `${colour}${size}`));
const fans = (value, onpick) => choice(COLOURS.map((colour) => [colour, words.due.fan(colour)]), value, onpick);
const attacks = (value, onpick) => choice(ATTACKS.map((attack) => [attack, words.attack(attack)]), value, onpick);

/** Marbles to tap in order, on the tray as it lay then. */
function cellPicker(tray, cells, onpick) {
  let picked = [...cells];
  const grid = h("div", { class: "mini-tray" });
  const show = () =>
    redraw(grid, picked, () =>
      Array.from({ length: ROWS }, (_, i) =>
        LANES.map((lane) => {
          const cell = `${lane}${ROWS - i}`;
          const order = picked.indexOf(cell) + 1;
          return h(
            "button",
            {
              class: "mini-cell",
              type: "button",
              "data-pick": cell,
              "aria-pressed": String(order > 0),
              onclick: () => {
                picked = order ? picked.filter((one) => one !== cell) : [...picked, cell];
                show();
                onpick(picked);
              },
            },
            h("span", { class: "unseen" }, words.cell(cell, at(tray, cell), order)),
            marble(at(tray, cell)),
            order > 0 && h("span", { class: "badge", "aria-hidden": "true" }, order),
          );
        }),
      ),
    );
  show();
  return grid;
}

/** A command with other cells: what dropped into a lane is known only as far as as many dropped as before. */
function withCells(command, cells) {
  const { refill, ...rest } = command;
  const count = (all, lane) => all.filter((cell) => cell[0] === lane).length;
  const kept = Object.entries(refill ?? {}).filter(
    ([lane]) => count(cells, lane) > 0 && count(cells, lane) === count(command.cells, lane),
  );
  return { ...rest, cells, ...(kept.length ? { refill: Object.fromEntries(kept) } : {}) };
}

/** `changed(command)` with the whole new command; null while it is none. Gives elements; empty: nothing to change. */
export const forms = {
  setup(command, before, changed) {
    let now = { ...command };
    const set = (fields) => changed((now = { ...now, ...fields }));
    return [
      part(text.first, players(command.first, (first) => set({ first }))),
      part(text.tray, trayText(command.tray, (tray) => set({ tray }))),
    ];
  },
  clear(command, before, changed) {
    let now = { ...command };
    const set = (next) => changed((now = next).cells?.length === 0 ? null : now);
    const attack = () => part(text.attack, attacks(now.attack, (one) => set({ ...now, attack: one })));
    const stands = choice([["no", words.due.no], ["yes", words.due.yes]], now.overrule ? "yes" : "no", (name) => {
      const { overrule, ...rest } = now;
      if (name === "no" && command.cells && !command.attack) delete rest.attack;
      set(name === "yes" ? { ...rest, attack: now.attack ?? ATTACKS[0], overrule: true } : rest);
      named.replaceChildren(...(name === "yes" || !command.cells ? [attack()] : []));
    });
    const named = h("div", {}, now.overrule || !command.cells ? attack() : []);
    return [
      part(text.player, players(now.player, (player) => set({ ...now, player }))),
      command.cells
        ? [h("p", { class: "how" }, text.cells), cellPicker(before.tray, command.cells, (cells) => set(withCells(now, cells)))]
        : COLOURS.filter((colour) => before.players[now.player].buttons[colour].broken).map((colour) =>
            part(
              text.shorts(colour),
              amounts(0, (n) => set({ ...now, shorts: { ...now.shorts, [colour]: n } }), {
                stays: true,
                value: now.shorts?.[colour] ?? 0,
                to: 9,
              }),
            ),
          ),
      named,
      part(text.letStand, stands),
    ];
  },
  destroy(command, before, changed) {
    let now = { ...command };
    const set = (next) => changed((now = next).cells.length ? now : null);
    return [
      part(text.player, players(now.player, (player) => set({ ...now, player }))),
      h("p", { class: "how" }, text.cells),
      cellPicker(before.tray, command.cells, (cells) => set(withCells(now, cells))),
    ];
  },
  hit(command, before, changed) {
    let { source } = command;
    const amount = new Map(command.hits.map((one) => [one.player + one.button, one.amount]));
    const picked = new Set(amount.keys());
    const rows = h("div", {});
    const set = () =>
      changed(
        picked.size
          ? { do: "hit", source, hits: [...picked].map((name) => ({ player: name[0], button: name[1], amount: amount.get(name) })) }
          : null,
      );
    const show = () => {
      for (const name of picked) if (!amount.has(name)) amount.set(name, [...amount.values()][0] ?? 1);
      rows.replaceChildren(
        ...[...picked].map((name) => {
          const own = before.players[name[0]].buttons[name[1]];
          const value = amount.get(name);
          const pick = (n) => {
            amount.set(name, n);
            set();
          };
          return part(words.due.dial(name[0], name[1], own), amounts(0, pick, { stays: true, value, to: Math.max(10, value) }));
        }),
      );
    };
    show();
    return [
      part(text.source, players(source, (player) => { source = player; set(); })),
      part(text.dial, dialPicker(before, ["A", "B"], picked, { several: true, changed: () => { show(); set(); } })),
      rows,
    ];
  },
  heal(command, before, changed) {
    const picked = new Set([command.player + command.button]);
    let { amount } = command;
    const set = () => {
      const [name] = picked;
      changed({ do: "heal", player: name[0], button: name[1], amount });
    };
    return [
      part(text.dial, dialPicker(before, ["A", "B"], picked, { several: false, changed: set })),
      part(text.amount, amounts(0, (n) => { amount = n; set(); }, { stays: true, value: amount, to: Math.max(10, amount) })),
    ];
  },
  flip(command, before, changed) {
    const picked = new Set([command.player + command.button]);
    const set = () => changed({ do: "flip", player: [...picked][0][0], button: [...picked][0][1] });
    return [part(text.dial, dialPicker(before, ["A", "B"], picked, { several: false, changed: set }))];
  },
  fan(command, before, changed) {
    let now = { ...command };
    const set = (fields) => changed((now = { ...now, ...fields }));
    return [
      part(text.player, players(now.player, (player) => set({ player }))),
      part(text.fan, fans(now.fan, (fan) => set({ fan }))),
    ];
  },
  pay(command, before, changed) {
    let now = { ...command };
    const set = (fields) => changed((now = { ...now, ...fields }));
    return [
      part(text.player, players(now.player, (player) => set({ player }))),
      part(text.credits, amounts(0, (credits) => set({ credits }), { stays: true, value: now.credits })),
    ];
  },
  declare(command, before, changed) {
    return [part(text.attack, attacks(command.attack, (attack) => changed({ ...command, attack })))];
  },
  skip_next: (command, before, changed) => [
    part(text.player, players(command.player, (player) => changed({ ...command, player }))),
  ],
  concede: (command, before, changed) => [
    part(text.player, players(command.player, (player) => changed({ ...command, player }))),
  ],
  correct(command, before, changed) {
    let now = { ...command };
    const set = (fields) => changed((now = { ...now, ...fields }));
    const parts = [];
    if ("button" in command) {
      const picked = new Set([command.player + command.button]);
      const own = before.players[command.player].buttons[command.button];
      const turned = command.broken ?? own.broken;
      parts.push(
        part(
          text.dial,
          dialPicker(before, ["A", "B"], picked, {
            several: false,
            changed: () => set({ player: [...picked][0][0], button: [...picked][0][1] }),
          }),
        ),
        part(
          "",
          choice([["working", text.working], ["broken", text.broken]], turned ? "broken" : "working", (name) =>
            set({ broken: name === "broken" }),
          ),
        ),
        part(text.hp, amounts(1, (hp) => set({ hp }), { stays: true, value: command.hp ?? own.hp })),
      );
    }
    if ("credits" in command) {
      if (!("button" in command)) parts.push(part(text.player, players(command.player, (player) => set({ player }))));
      parts.push(part(text.credits, amounts(0, (credits) => set({ credits }), { stays: true, value: command.credits })));
    }
    if ("fan" in command) {
      parts.push(
        part(text.fan, fans(command.fan, (fan) => set({ fan }))),
        part(
          text.place,
          choice(PLACES.map((place) => [place, place === "stage" ? text.stage : words.player(place)]), command.place, (place) =>
            set({ place }),
          ),
        ),
      );
    }
    if ("cell" in command) {
      parts.push(
        part(
          text.cell(command.cell),
          choice([...COLOURS, ".", "?"].map((letter) => [letter, COLOUR_NAMES[letter]]), command.colour, (colour) => set({ colour })),
        ),
      );
    }
    if ("tray" in command) parts.push(part(text.tray, trayText(command.tray, (tray) => set({ tray }))));
    if ("turn" in command) parts.push(part(text.turn, players(command.turn, (turn) => set({ turn }))));
    return parts;
  },
  resolve(command, before, changed) {
    const item = before.due.find(({ id }) => id === command.item);
    if (!item) return [];
    let picked = [...(command.cells ?? [])];
    const buttons = h("div", { class: "row" });
    const show = () => buttons.replaceChildren(...[dueButtons(item, { state: before, picked }, changed)].flat(3).filter(Boolean));
    show();
    const tray =
      item.choice?.kind === "cells" &&
      cellPicker(before.tray, picked, (cells) => {
        picked = cells;
        show();
      });
    return [h("p", {}, words.said(item.text)), tray || [], part(text.answer, buttons)];
  },
  marker(command, before, changed) {
    if ("remove" in command) return [];
    let now = { ...command };
    const set = (fields) => changed((now = { ...now, ...fields }).name ? now : null);
    const name = h("input", { type: "text", maxlength: 60, value: command.name, "aria-label": text.marker });
    name.addEventListener("change", () => set({ name: name.value.trim() }));
    const place = h(
      "select",
      { "aria-label": text.place },
      MARKER_PLACES.map((one) => h("option", { value: one, selected: one === command.place }, words.due.place(one))),
    );
    place.addEventListener("change", () => set({ place: place.value }));
    return [
      part(text.player, players(now.player, (player) => set({ player }))),
      part(text.marker, name),
      part(text.place, h("label", { class: "rule" }, place)),
    ];
  },
  rules(command, before, changed) {
    let now = { ...command };
    return [rulesForm({ ...before.rules, ...command }, (name, value) => changed((now = { ...now, [name]: value })))];
  },
};

function trayText(value, onpick) {
  const input = h("input", { type: "text", value, maxlength: 40, autocomplete: "off", spellcheck: "false", "aria-label": text.tray });
  input.addEventListener("change", () => onpick(input.value.trim().toUpperCase()));
  return input;
}

/** A new entry of that kind to begin with; `state`: as it was where it comes in. */
export function fresh(kind, state) {
  const player = state.turn;
  const other = player === "A" ? "B" : "A";
  return {
    hit: { do: "hit", source: player, hits: [{ player: other, button: "R", amount: 1 }] },
    heal: { do: "heal", player, button: "R", amount: 1 },
    fan: { do: "fan", player, fan: "R" },
    pay: { do: "pay", player: other, credits: 1 },
    clear: { do: "clear", player, attack: "R1" },
    destroy: { do: "destroy", player, cells: [] },
    correct: { do: "correct", player, button: "R", hp: state.players[player].buttons.R.hp, broken: state.players[player].buttons.R.broken },
  }[kind];
}
