// What opens on a tap on the field or the Masterpiece Zone: everything a card may do there, each an effect by itself.

import { h } from "./dom.js";
import { big, choice, part } from "./form.js";
import { unitName } from "./react_field.js";
import { DIRECTIONS, PLAYERS, kindsOf } from "./react_forms.js";
import { words } from "../words/react.js";

const row = (...buttons) => h("div", { class: "row" }, ...buttons);

/** A thing that lies there so often: one more, one less, and more that can be done with it. */
function pile(label, count, less, more, ...rest) {
  return h(
    "div",
    { class: "pile" },
    h("span", { class: "pile-name" }, label),
    h("button", { class: "choice", type: "button", "data-do": less.name, "aria-label": `${label}: −1`, disabled: !count, onclick: less.act }, "−"),
    h("b", {}, count),
    h("button", { class: "choice", type: "button", "data-do": more.name, "aria-label": `${label}: +1`, onclick: more.act }, "+"),
    rest,
  );
}

export function openZone({ sheets, model, mark, pick }, zone) {
  const { state } = model;
  const found = Object.entries(state.units).find(([, unit]) => unit.zone === zone);
  const tile = state.tiles.find((one) => one.zone === zone);
  const send = (fields) => () => sheets.send(fields);
  const button = (label, fields, name) => big(label, send(fields), { name });
  const shut = (label, then, name) =>
    big(label, () => {
      sheets.close();
      then();
    }, { name });

  const blocks = PLAYERS.map((player) => {
    const there = state.blocks.filter((block) => block.zone === zone && block.player === player).length;
    const block = { do: "block", player, zone };
    return pile(
      words.zone.block(player),
      there,
      { act: send({ ...block, remove: true }), name: `no-block-${player}` },
      { act: send(block), name: `block-${player}` },
    );
  });
  /** Tokens in the zone, or on the unit that stands there. */
  const tokens = (where) =>
    kindsOf(state, "tokens").map(([player, kind]) => {
      const lies = (one) => one.player === player && one.kind === kind && (where.zone ? one.zone === zone : one.unit === where.unit);
      const there = state.tokens.find(lies)?.count ?? 0;
      const token = { do: "token", player, kind, ...where };
      const name = `${player}-${kind}${where.unit ? "-unit" : ""}`;
      return pile(
        words.zone.token(player, kind),
        there,
        { act: send({ ...token, remove: true }), name: `no-token-${name}` },
        { act: send(token), name: `token-${name}` },
        there > 0 && shut(words.zone.moveOn, () => pick(words.zone.goesTo(kind), (to) => ({ ...token, to })), `move-token-${name}`),
      );
    });
  const tiles = tile
    ? [
        button(words.zone.noTile(tile.kind), { do: "tile", player: tile.player, kind: tile.kind, zone, remove: true }, "no-tile"),
        shut(words.zone.moveTile(tile.kind), () => pick(words.zone.goesTo(tile.kind), (to) => ({ do: "tile", player: tile.player, kind: tile.kind, zone, to })), "move-tile"),
      ]
    : kindsOf(state, "tiles").map(([player, kind]) =>
        button(words.zone.tile(player, kind), { do: "tile", player, kind, zone }, `tile-${player}-${kind}`),
      );
  const summons = kindsOf(state, "summons").map(([player, kind]) =>
    button(words.zone.summon(player, kind), { do: "summon", player, kind, zone }, `summon-${player}-${kind}`),
  );
  const damage = [1, 2, 3].map((amount) =>
    big(amount, send({ do: "damage", zones: [zone], ...(amount > 1 ? { amount } : {}) }), { name: amount === 1 ? "damage-here" : `damage-here-${amount}` }),
  );
  sheets.open(
    `${words.field.zone(zone)}${found ? `: ${unitName(found[0])}` : ""}`,
    h(
      "div",
      { class: "column" },
      found && aboutUnit(...found),
      part(words.zone.damage, damage, shut(words.zone.more, () => mark(zone), "damage-more")),
      !found && summons.length > 0 && row(...summons),
      part(words.zone.lying, h("div", { class: "piles" }, tokens({ zone }), blocks)),
      tiles.length > 0 && row(...tiles),
    ),
    { wide: true },
  );

  function aboutUnit(id, unit) {
    const pad = (label, tool) =>
      h(
        "section",
        {},
        h("h3", {}, label),
        h(
          "div",
          { class: "ways" },
          DIRECTIONS.map((direction) => {
            const one = button(words.chain.directions[direction], { do: tool, unit: id, direction }, `${tool}-${direction}`);
            one.dataset.way = direction;
            one.setAttribute("aria-label", `${label} ${words.chain.directions[direction]}`);
            return one;
          }),
        ),
      );
    const swapWith = (there) => {
      const other = Object.keys(state.units).find((one) => state.units[one].zone === there && one !== id);
      return other ? { do: "swap", units: [id, other] } : null;
    };
    const onUnit = tokens({ unit: id });
    return [
      h(
        "div",
        { class: "about-unit" },
        pad(words.zone.move, "move"),
        pad(words.zone.jump, "jump"),
        h(
          "div",
          { class: "column" },
          unit.exhausted
            ? button(words.zone.refresh, { do: "refresh", unit: id }, "refresh")
            : button(words.zone.exhaust, { do: "exhaust", unit: id }, "exhaust"),
          shut(words.zone.swap, () => pick(words.zone.swapping(unitName(id)), swapWith), "swap"),
          unit.kind !== "artist" && button(words.zone.remove, { do: "remove", unit: id }, "remove"),
          shut(words.zone.put, () => pick(words.zone.putting(unitName(id)), (to) => ({ do: "correct", unit: id, zone: to })), "put"),
        ),
      ),
      onUnit.length > 0 && part(words.zone.onUnit(unitName(id)), h("div", { class: "piles" }, onUnit)),
    ];
  }
}

/** In the phase what the player on turn may do; else what a card may do that resolves; and what lies there is put right. */
export function openSpace({ sheets, model }, space) {
  const { state } = model;
  const there = state.masterpiece[space - 1];
  const byCard = state.chain.resolving || state.due.length > 0;
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
  const players = byCard ? PLAYERS : state.phase === "masterpiece" ? [state.turn] : [];
  const parts = players.map((player) => [player, steps(player)]).filter(([, buttons]) => buttons.length);
  const content = parts.map(([player, buttons]) => part(words.masterpiece.progress(player), buttons));
  if (byCard && spaces.length) {
    const rearranged = spaces.map((other) =>
      button(words.masterpiece.rearrange(other), { do: "rearrange", player: state.turn, swap: [space, other] }, `rearrange-${other}`),
    );
    content.push(row(...rearranged));
  }
  const cards = PLAYERS.flatMap((player) => [1, 2, 3].map((card) => [`${player}${card}`, `${player}${card}`]));
  const right = (card) => {
    const masterpiece = state.masterpiece.map((one) => (one === card ? null : one));
    masterpiece[space - 1] = card || null;
    sheets.send({ do: "correct", masterpiece });
  };
  sheets.open(
    `${words.masterpiece.space(space)}${there ? `: ${there}` : ""}`,
    h(
      "div",
      { class: "column" },
      content.length ? content : h("p", {}, words.masterpiece.none),
      !state.over && part(words.masterpiece.right, choice([["", words.chain.empty], ...cards], there ?? "", right)),
    ),
  );
}
