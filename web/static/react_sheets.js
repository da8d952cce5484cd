// What opens on a tap: a card to play, a zone, a space of the Masterpiece Zone, a player, the set-up, the menu.

import { h } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { games } from "./games.js";
import { sized, unitName } from "./react_field.js";
import { openSetup } from "./react_setup.js";
import { words } from "../words/react.js";

export { openSetup };

const PLAYERS = ["A", "B"];
const DIRECTIONS = ["up", "down", "left", "right"];
const row = (...buttons) => h("div", { class: "row" }, ...buttons);
const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);

/** Zones as small buttons, player A's side below; `onpick` is told the zone. */
export function pickZone(size, value, onpick) {
  const buttons = [];
  for (let y = size.rows; y >= 1; y--)
    for (let x = 1; x <= size.columns; x++) {
      const zone = `${x},${y}`;
      const button = h(
        "button",
        { class: "choice", type: "button", "data-pick": zone, "aria-pressed": String(zone === value), onclick: () => pick(zone) },
        zone,
      );
      buttons.push(button);
    }
  let now = value;
  function pick(zone) {
    now = zone === now ? null : zone;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.pick === now));
    onpick(now);
  }
  return sized(h("div", { class: "zone-picker" }, buttons), size);
}

export function openPlay({ sheets, model }, player, kind) {
  const { state } = model;
  const side = state.players[player];
  let from = side.hand > 0 ? "hand" : "ability";
  let discard = 0;
  let zone = null;
  let direction = null;
  const tired = new Set();
  const name = h("input", { type: "text", maxlength: 60, autocomplete: "off", "aria-label": words.playing.name });
  const units = Object.entries(state.units).filter(([, unit]) => unit.player === player && !unit.exhausted);
  const exhausting = units.map(([id]) => {
    const button = big(words.playing.exhaust(unitName(id)), () => {
      if (!tired.delete(id)) tired.add(id);
      button.setAttribute("aria-pressed", String(tired.has(id)));
    }, { name: `exhaust-${id}` });
    button.setAttribute("aria-pressed", "false");
    return button;
  });
  const go = () => {
    const costs = [
      ...[...tired].map((unit) => ({ do: "exhaust", unit })),
      zone && { do: "target", zone },
      direction && { do: "direction", direction },
      discard > 0 && { do: "discard", player, cards: discard },
    ].filter(Boolean);
    sheets.send({
      do: "play",
      player,
      kind,
      from,
      ...(name.value.trim() ? { card: name.value.trim() } : {}),
      ...(costs.length ? { costs } : {}),
    });
  };
  sheets.open(
    words.playing.title(player, kind),
    h(
      "div",
      { class: "column" },
      part(words.playing.from, choice(Object.entries(words.playing.sources), from, (value) => (from = value))),
      field(words.playing.name, name),
      h("h3", {}, words.playing.costs),
      exhausting.length > 0 && row(...exhausting),
      part(
        words.playing.direction,
        choice([["", words.playing.none], ...DIRECTIONS.map((one) => [one, words.chain.directions[one]])], "", (value) => (direction = value || null)),
      ),
      part(words.playing.discard, amounts(0, (count) => (discard = count), { stays: true, value: 0, to: 5 })),
      part(words.playing.target, pickZone(state.field, null, (picked) => (zone = picked))),
      big(words.playing.play, go, { main: true, name: "go" }),
    ),
    { wide: true },
  );
}

export function openZone({ sheets, model, mark, put }, zone) {
  const { state } = model;
  const found = Object.entries(state.units).find(([, unit]) => unit.zone === zone);
  const tile = state.tiles.find((one) => one.zone === zone);
  const button = (label, fields, name) => big(label, () => sheets.send(fields), { name });
  const shut = (label, then, name) =>
    big(label, () => {
      sheets.close();
      then();
    }, { name });
  const blocks = PLAYERS.map((player) => [
    button(words.zone.block(player), { do: "block", player, zone }, `block-${player}`),
    state.blocks.some((block) => block.zone === zone && block.player === player) &&
      button(words.zone.noBlock(player), { do: "block", player, zone, remove: true }, `no-block-${player}`),
  ]);
  const tokens = (where) =>
    PLAYERS.flatMap((player) =>
      Object.keys(state.players[player].tokens)
        .filter((kind) => kind !== "block")
        .map((kind) => {
          const there = state.tokens.some(
            (pile) => pile.player === player && pile.kind === kind && (where.zone ? pile.zone === zone : pile.unit === where.unit),
          );
          return [
            button(words.zone.token(player, kind), { do: "token", player, kind, ...where }, `token-${player}-${kind}${where.unit ? "-unit" : ""}`),
            there && button(words.zone.noToken(player, kind), { do: "token", player, kind, ...where, remove: true }),
          ];
        }),
    );
  const tiles = tile
    ? [button(words.zone.noTile(tile.kind), { do: "tile", player: tile.player, kind: tile.kind, zone, remove: true }, "no-tile")]
    : kinds("tiles").map(([player, kind]) =>
        button(words.zone.tile(player, kind), { do: "tile", player, kind, zone }, `tile-${player}-${kind}`),
      );
  const summons = kinds("summons").map(([player, kind]) =>
    button(words.zone.summon(player, kind), { do: "summon", player, kind, zone }, `summon-${player}-${kind}`),
  );
  sheets.open(
    `${words.field.zone(zone)}${found ? `: ${unitName(found[0])}` : ""}`,
    h(
      "div",
      { class: "column" },
      found && aboutUnit(...found),
      row(button(words.zone.damage, { do: "damage", zones: [zone] }, "damage-here"), shut(words.zone.more, () => mark(zone), "damage-more")),
      row(...blocks),
      tokens({ zone }).length > 0 && row(...tokens({ zone })),
      tiles.length > 0 && row(...tiles),
      !found && summons.length > 0 && row(...summons),
    ),
    { wide: true },
  );

  function kinds(of) {
    return PLAYERS.flatMap((player) => Object.keys(state.players[player][of]).map((kind) => [player, kind]));
  }

  function aboutUnit(id, unit) {
    const others = Object.keys(state.units).filter((other) => other !== id);
    const ways = (tool) =>
      DIRECTIONS.map((direction) => button(words.chain.directions[direction], { do: tool, unit: id, direction }, `${tool}-${direction}`));
    const onUnit = tokens({ unit: id });
    return [
      part(words.zone.move, ways("move")),
      part(words.zone.jump, ways("jump")),
      row(
        unit.exhausted
          ? button(words.zone.refresh, { do: "refresh", unit: id }, "refresh")
          : button(words.zone.exhaust, { do: "exhaust", unit: id }, "exhaust"),
        ...others.map((other) => button(words.zone.swap(unitName(other)), { do: "swap", units: [id, other] }, `swap-${other}`)),
        unit.kind !== "artist" && button(words.zone.remove, { do: "remove", unit: id }, "remove"),
        shut(words.zone.put, () => put(id), "put"),
      ),
      onUnit.length > 0 && part(words.zone.onUnit(unitName(id)), onUnit),
      h("h3", {}, words.zone.here),
    ];
  }
}

/** In the phase what the player on turn may do; else what a card may do that resolves. */
export function openSpace({ sheets, model }, space) {
  const { state } = model;
  const there = state.masterpiece[space - 1];
  const byCard = state.phase === "main" && (state.chain.resolving || state.due.length > 0);
  const button = (label, fields, name) => big(label, () => sheets.send(fields), { name });
  const spaces = [1, 2, 3, 4, 5].filter((other) => other !== space && (there || state.masterpiece[other - 1]));
  const steps = (player) => {
    const side = state.players[player];
    if (side.beside.length && !there)
      return side.beside.map((card) => button(words.masterpiece.place(`${player}${card}`), { do: "progress", player, place: card, space }, `place-${card}`));
    if (side.beside.length && !state.masterpiece.includes(null) && there[0] !== player)
      return side.beside.map((card) =>
        button(words.masterpiece.replace(`${player}${card}`, there), { do: "progress", player, replace: card, space }, `replace-${card}`),
      );
    if (side.masterpiece.every((card) => card.space !== null))
      return spaces.map((other) => button(words.masterpiece.swap(other), { do: "progress", player, swap: [space, other] }, `swap-${other}`));
    return [];
  };
  const players = byCard ? PLAYERS : state.phase === "masterpiece" && !state.due.length ? [state.turn] : [];
  const parts = players.map((player) => [player, steps(player)]).filter(([, buttons]) => buttons.length);
  const content = parts.map(([player, buttons]) => part(words.masterpiece.progress(player), buttons));
  if (byCard && spaces.length) {
    const rearranged = spaces.map((other) =>
      button(words.masterpiece.rearrange(other), { do: "rearrange", player: state.turn, swap: [space, other] }, `rearrange-${other}`),
    );
    content.push(row(...rearranged));
  }
  sheets.open(
    `${words.masterpiece.space(space)}${there ? `: ${there}` : ""}`,
    h("div", { class: "column" }, content.length ? content : h("p", {}, words.masterpiece.none)),
  );
}

/** A button that asks back before it acts. */
function twice(label, act, name) {
  let asked = false;
  const one = big(label, () => {
    if (asked) act();
    asked = true;
    one.textContent = `${label}: ${words.person.surely}`;
  }, { name });
  return one;
}

export function openPlayer({ sheets, model, command }, player) {
  const { state } = model;
  const side = state.players[player];
  const button = (label, fields, name) => big(label, () => sheets.send(fields), { name });
  /** One card more in hand is one less in the deck: there are no more than there are. */
  const inHand = (hand) => {
    const deck = side.deck === null ? -1 : side.deck + side.hand - hand;
    return { do: "correct", player, hand, ...(deck >= 0 ? { deck } : {}) };
  };
  const surely = (label, fields, name) => twice(label, () => sheets.send(fields), name);
  sheets.open(
    `${words.player(player)}${side.artist ? `: ${side.artist}` : ""}`,
    h(
      "div",
      { class: "column" },
      !state.over &&
        row(
          button(words.person.draw, { do: "draw", player }, "draw-one"),
          button(words.person.discard, { do: "discard", player }, "discard-one"),
          side.ascended
            ? button(words.person.descend, { do: "descend", player }, "descend")
            : button(words.person.ascend, { do: "ascend", player }, "ascend"),
        ),
      part(words.person.hand, amounts(0, (hand) => sheets.send(inHand(hand)), { stays: true, value: side.hand, to: 6 })),
      !state.over &&
        part(words.person.damage, amounts(0, (damage) => sheets.send({ do: "correct", player, damage }), { stays: true, value: side.damage, to: 2 })),
      !state.over &&
        row(
          player !== state.turn && button(words.person.turn, { do: "correct", turn: player }, "turn"),
          surely(words.person.lose, { do: "lose", player }, "lose"),
          surely(words.person.concede, { do: "concede", player }, "concede"),
        ),
    ),
  );
}

export function openMenu(host) {
  const { sheets, model, newMatch, devices } = host;
  sheets.open(
    words.menu,
    h(
      "div",
      { class: "column" },
      big(words.newMatch, newMatch, { name: "new-match" }),
      model.state && big(words.history, () => openHistory(host), { name: "history" }),
      model.state && big(words.rules.title, () => openRules(host), { name: "rules" }),
      big(words.devices, devices, { name: "devices" }),
      h("a", { class: "action", href: "/records", "data-do": "records" }, words.records),
      games(model.view),
    ),
  );
}

/** The open points of the rulebook: until the first card is played each can be chosen. */
function openRules({ sheets, model, command }) {
  const { rules, played } = model.state;
  const one = ([name, [text, options]]) => {
    const set = (value) => command({ do: "rules", [name]: typeof rules[name] === "boolean" ? value === "true" : value });
    const shown = played ? { [rules[name]]: options[rules[name]] } : options;
    return part(text, choice(Object.entries(shown), String(rules[name]), set));
  };
  sheets.open(
    words.rules.title,
    h(
      "div",
      { class: "column" },
      played > 0 && h("p", { class: "soft" }, words.rules.late),
      Object.entries(words.rules.switches).map(one),
    ),
    { wide: true },
  );
}

/** The match in words, the newest first. */
async function openHistory({ sheets }) {
  const line = (one) =>
    h(
      "li",
      { class: one.error ? "bad" : "" },
      h("b", {}, one.text ?? one.command?.do ?? ""),
      ` ${one.error ? words.misfit(one.error.text) : (one.told ?? []).join(" ")}`,
      one.command?.do !== "setup" &&
        twice(words.takeOut, () => sheets.send({ do: "amend", seq: one.seq, remove: true }), `take-${one.seq}`),
    );
  const found = await fetch("/api/history", { signal: AbortSignal.timeout(8000) })
    .then((answer) => answer.json())
    .catch(() => ({ commands: [] }));
  const lines = (found.commands ?? []).filter((one) => !one.undone).reverse();
  sheets.open(
    words.history,
    h(
      "ol",
      { class: "history", reversed: true },
      lines.map(line),
    ),
    { wide: true },
  );
}
