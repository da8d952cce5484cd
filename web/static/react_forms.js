// Forms for every command and every effect of Re;ACT: one line of a card, a cost, a command that was forgotten. The page
// never works out a rule: a form only knows what has to be said, and the companion answers what would come of it.

import { h } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { sized, unitName } from "./react_field.js";
import { words } from "../words/react.js";

export const PLAYERS = ["A", "B"];
export const DIRECTIONS = ["up", "down", "left", "right"];
const SPACES = ["1", "2", "3", "4", "5"];
const text = words.forms;

/** Zones as small buttons, player A's side below; `onpick` is told the zone, with `several` all that are picked. */
export function pickZone(size, value, onpick, { several = false } = {}) {
  let now = several ? [...value] : value;
  const on = (zone) => (several ? now.includes(zone) : now === zone);
  const buttons = [];
  for (let y = size.rows; y >= 1; y--)
    for (let x = 1; x <= size.columns; x++) {
      const zone = `${x},${y}`;
      const button = h(
        "button",
        { class: "choice", type: "button", "data-pick": zone, "aria-pressed": String(on(zone)), onclick: () => pick(zone) },
        zone,
      );
      buttons.push(button);
    }
  function pick(zone) {
    if (several) now = on(zone) ? now.filter((one) => one !== zone) : [...now, zone];
    else now = on(zone) ? null : zone;
    for (const button of buttons) button.setAttribute("aria-pressed", String(on(button.dataset.pick)));
    onpick(now);
  }
  return sized(h("div", { class: "zone-picker" }, buttons), size);
}

/** What players have of a kind of things, as [player, kind]. */
export const kindsOf = (state, of) =>
  PLAYERS.flatMap((player) => Object.keys(state.players[player][of]).filter((kind) => kind !== "block").map((kind) => [player, kind]));

export const wordsInput = (value, onchange, more = {}) =>
  h("input", { type: "text", maxlength: 60, autocomplete: "off", value: value ?? "", oninput: (event) => onchange(event.target.value.trim()), ...more });

// --- fields: what each asks, and whether it has been said ------------------------------------------------------------

const several = (options, picked, set) =>
  h(
    "div",
    { class: "choices" },
    options.map(([name, label]) =>
      h(
        "button",
        {
          class: "choice",
          type: "button",
          "data-choice": name,
          "aria-pressed": String(picked.includes(name)),
          onclick: () => set(picked.includes(name) ? picked.filter((one) => one !== name) : [...picked, name]),
        },
        label,
      ),
    ),
  );

const kinds = (of) => ({
  ok: (now) => now.kind && now.player,
  draw(now, set, state) {
    const found = kindsOf(state, of);
    if (!found.length) return h("p", { class: "soft" }, text.noKinds);
    const options = found.map(([player, kind]) => [`${player} ${kind}`, `${player}: ${kind}`]);
    return choice(options, now.kind ? `${now.player} ${now.kind}` : null, (value) => set({ player: value[0], kind: value.slice(2) }));
  },
});
const number = (name, from, to) => ({
  ok: (now) => Number.isInteger(now[name]),
  draw: (now, set) => amounts(from, (value) => set({ [name]: value }), { stays: true, value: now[name] ?? null, to }),
});
const input = (name, need) => ({
  typed: true,
  ok: (now) => !need || now[name],
  draw: (now, set) => wordsInput(now[name], (value) => set({ [name]: value || undefined }), { "data-field": name, "aria-label": text.labels[name] ?? name }),
});
const zone = (name, need = true) => ({
  ok: (now) => !need || now[name],
  draw: (now, set, state) => pickZone(state.field, now[name] ?? null, (value) => set({ [name]: value ?? undefined })),
});
const one = (name, options, need = true) => ({
  ok: (now) => !need || now[name],
  draw: (now, set, state) => choice(options(state, now), now[name] === undefined ? null : String(now[name]), (value) => set({ [name]: value })),
});
const space = (name) => ({
  ok: (now) => Number.isInteger(now[name]),
  draw: (now, set) => choice(SPACES.map((at) => [at, at]), String(now[name] ?? ""), (value) => set({ [name]: Number(value) })),
});
/** How a thing is meant: placed, moved to another zone, taken off. */
const how = (moves) => ({
  ok: (now) => !("to" in now) || now.to,
  draw: (now, set, state) => [
    choice(
      [["place", text.how.place], ...(moves ? [["to", text.how.to]] : []), ["remove", text.how.remove]],
      "to" in now ? "to" : now.remove ? "remove" : "place",
      (value) => set({ to: value === "to" ? null : undefined, remove: value === "remove" || undefined }),
    ),
    "to" in now && pickZone(state.field, now.to, (to) => set({ to })),
  ],
});
const list = (name, tools) => ({
  ok: () => true,
  draw: (now, set, state) => lines(state, now[name] ?? [], tools, (next) => set({ [name]: next.length ? next : undefined })),
});

const unitsOf = (state) => Object.keys(state.units).map((id) => [id, unitName(id)]);
const FIELDS = {
  first: one("first", () => PLAYERS.map((player) => [player, words.player(player)])),
  player: one("player", () => PLAYERS.map((player) => [player, words.player(player)])),
  unit: one("unit", unitsOf),
  who: {
    ok: () => true,
    draw: (now, set, state) => choice([["", words.playing.none], ...unitsOf(state)], now.unit ?? "", (unit) => set({ unit: unit || undefined })),
  },
  units: {
    ok: (now) => now.units?.length === 2,
    draw: (now, set, state) => several(unitsOf(state), now.units ?? [], (units) => set({ units })),
  },
  direction: one("direction", () => DIRECTIONS.map((way) => [way, words.chain.directions[way]])),
  way: {
    ok: (now) => now.direction || now.to,
    draw: (now, set) => choice(DIRECTIONS.map((way) => [way, words.chain.directions[way]]), now.direction ?? null, (direction) => set({ direction, to: undefined })),
  },
  zone: zone("zone"),
  where: zone("zone", false),
  zones: {
    ok: (now) => now.zones?.length || now.units?.length,
    draw: (now, set, state) => pickZone(state.field, [now.zones ?? []].flat(), (zones) => set({ zones: zones.length ? zones : undefined }), { several: true }),
  },
  place: {
    ok: (now) => now.zone || now.unit,
    draw: (now, set, state) => [
      choice([["zone", text.place.zone], ["unit", text.place.unit]], "unit" in now ? "unit" : "zone", (value) =>
        set(value === "zone" ? { zone: null, unit: undefined } : { zone: undefined, unit: null }),
      ),
      "unit" in now ? FIELDS.unit.draw(now, set, state) : FIELDS.zone.draw(now, set, state),
    ],
  },
  summons: kinds("summons"),
  tokens: kinds("tokens"),
  tiles: kinds("tiles"),
  amount: number("amount", 1, 3),
  count: number("count", 1, 6),
  cards: number("cards", 1, 6),
  hand: number("hand", 0, 6),
  damage: number("damage", 0, 2),
  stays: {
    ok: () => true,
    draw: (now, set) => choice([["no", text.stays.no], ["yes", text.stays.yes]], now.stays ? "yes" : "no", (value) => set({ stays: value === "yes" || undefined })),
  },
  how: how(true),
  onOrOff: how(false),
  step: {
    ok: (now) => ("swap" in now ? now.swap?.length === 2 : now.skip || (now.space && (now.place || now.replace))),
    draw(now, set, state) {
      const way = ["swap", "replace", "skip"].find((name) => name in now) ?? "place";
      const clear = { place: undefined, replace: undefined, swap: undefined, skip: undefined };
      return [
        choice(["place", "replace", "swap", "skip"].map((name) => [name, text.steps[name]]), way, (name) =>
          set({ ...clear, space: name === "place" || name === "replace" ? now.space : undefined, [name]: name === "swap" ? [] : name === "skip" ? true : null }),
        ),
        way === "swap" && FIELDS.swap.draw(now, set, state),
        (way === "place" || way === "replace") && [
          part(text.labels.mpCard, choice(["1", "2", "3"].map((card) => [card, card]), String(now[way] ?? ""), (card) => set({ ...clear, [way]: Number(card) }))),
          part(text.labels.space, space("space").draw(now, set)),
        ],
      ];
    },
  },
  swap: {
    ok: (now) => now.swap?.length === 2,
    draw: (now, set) => several(SPACES.map((at) => [at, at]), (now.swap ?? []).map(String), (picked) => set({ swap: picked.map(Number) })),
  },
  slot: {
    ok: (now) => now.slot,
    draw: (now, set, state) =>
      choice(state.chain.stack.toReversed().map((slot) => [String(slot), words.chain.slot(slot)]), String(now.slot ?? ""), (slot) => set({ slot: Number(slot) })),
  },
  text: input("text", true),
  name: input("name", true),
  card: input("card", false),
  effect: input("effect", false),
  kind: one("kind", () => Object.entries(words.chain.kinds)),
  from: one("from", () => Object.entries(words.playing.sources), false),
  costs: list("costs", "costs"),
  effects: list("effects", "effects"),
};

const TOOLS = {
  move: ["unit", "way"],
  jump: ["unit", "direction"],
  swap: ["units"],
  summon: ["summons", "zone"],
  remove: ["unit"],
  damage: ["zones", "amount"],
  block: ["player", "zone", "stays", "onOrOff"],
  token: ["tokens", "place", "count", "how"],
  tile: ["tiles", "zone", "how"],
  exhaust: ["unit"],
  refresh: ["unit"],
  draw: ["player", "cards"],
  discard: ["player", "cards"],
  progress: ["player", "step"],
  rearrange: ["player", "swap"],
  ascend: ["player"],
  descend: ["player"],
  target: ["slot", "zone"],
  direction: ["slot", "direction"],
  lose: ["player"],
  other: ["text"],
};
const COMMANDS = {
  ...TOOLS,
  passive: ["player", "name", "where", "who"],
  play: ["player", "kind", "from", "card", "effect", "costs", "effects"],
  pass: ["player"],
  resolve: ["effects"],
  end_turn: ["player"],
  concede: ["player"],
};
/** A card's own token needs no number. */
const COSTS = { ...TOOLS, target: ["zone"], direction: ["direction"] };

function fieldsOf(command, all) {
  if (command.do === "draw" && !command.player) return [];
  if (command.do === "setup") return ["first"];
  if (command.do === "correct") return ["player", "hand", "damage", "unit", "zone"].filter((name) => name in command);
  return all[command.do] ?? [];
}

const whole = (command, all = COMMANDS) => fieldsOf(command, all).every((name) => FIELDS[name].ok(command));

export function fresh(kind, state) {
  const told = { do: kind };
  const fields = COMMANDS[kind] ?? [];
  if (fields.includes("player")) told.player = state.chain.priority ?? state.due[0]?.player ?? state.turn;
  if (kind === "play") told.kind = state.chain.stack.length ? "reaction" : "intention";
  for (const name of ["amount", "count", "cards"]) if (fields.includes(name)) told[name] = 1;
  return told;
}

/** Elements that change `command`; `changed` is told the whole new one, or null while something has to be said yet. */
function formOf(command, state, changed, all = COMMANDS) {
  let now = { ...command };
  const box = h("div", { class: "column" });
  const draw = () =>
    box.replaceChildren(
      ...fieldsOf(now, all).map((name) => {
        const inside = FIELDS[name].draw(now, (fields) => set(fields, FIELDS[name].typed), state);
        return part(text.labels[name] ?? name, [inside].flat().filter(Boolean));
      }),
    );
  function set(fields, typed) {
    now = Object.fromEntries(Object.entries({ ...now, ...fields }).filter(([, value]) => value !== undefined));
    if (!typed) draw(); // what is typed keeps its field
    changed(whole(now, all) ? Object.fromEntries(Object.entries(now).filter(([, value]) => value !== null)) : null);
  }
  draw();
  return box;
}

/** A line of a card, or a cost, put together: which tool, then what it needs. `put(line)` gets the whole one. */
export function lineBuilder(state, put, label, { costs = false, before = null } = {}) {
  const all = costs ? COSTS : TOOLS;
  const go = big(label, () => line && put(line), { main: true, name: "put-line" });
  let line = null;
  go.disabled = true;
  const box = h("div", { class: "column" });
  const changed = (next) => {
    line = next;
    go.disabled = next === null;
    told?.(next);
  };
  let told = null;
  const pick = h("div", { class: "tool-picker" });
  const offer = () => {
    box.replaceChildren();
    pick.replaceChildren(choice(Object.keys(all).map((name) => [name, text.tools[name]]), null, begin));
    changed(null);
  };
  const begin = (name) => {
    const template = fresh(name, state);
    pick.replaceChildren(big(`${text.tools[name]} ✕`, offer, { name: "another-tool" }));
    box.replaceChildren(formOf(template, state, changed, all));
    changed(whole(template, all) ? template : null);
  };
  offer();
  return { element: h("div", { class: "column" }, pick, box, before, h("div", { class: "go" }, go)), watch: (then) => (told = then) };
}

/** A list of lines: each can be taken out, others are added. */
function lines(state, now, kind, onchange) {
  const costs = kind === "costs";
  const box = h("div", { class: "column" });
  const add = big(text.addLine, () => {
    box.replaceChildren(lineBuilder(state, (line) => onchange([...now, line]), text.addThis, { costs }).element);
  }, { name: `add-${kind}` });
  return [
    now.map((line, at) =>
      h(
        "button",
        { class: "choice", type: "button", "data-line": at, "aria-label": `${text.takeOut}: ${lineWords(line)}`, onclick: () => onchange(now.toSpliced(at, 1)) },
        `${lineWords(line)} ✕`,
      ),
    ),
    add,
    box,
  ].flat();
}

/** A line in words, in the language of the page. */
export const lineWords = (line) => text.line(line.do, line, unitName);

export const kindsToPutIn = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, text.tools[name]]));
export const forms = Object.fromEntries(
  [...Object.keys(COMMANDS), "correct", "setup"].map((name) => [
    name,
    (command, before, changed) => (fieldsOf(command, COMMANDS).length ? [formOf(command, before, changed)] : []),
  ]),
);
export { whole };
