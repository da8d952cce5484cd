// The page of Reinforcements: everybody's stacks, and what the player on turn may do. Only what lies open has a name.

import { h, redraw } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { later } from "./lazy.js";
import { SEATS, own, pickCard, pickStack, who } from "./reinforcements_pick.js";
import { createSheetsOf } from "./reinforcements_sheets.js";
import { drawPile, drawSeats } from "./reinforcements_table.js";
import { createShell } from "./shell.js";
import { words } from "../words/reinforcements.js";

const at = (id) => document.getElementById(id);
const playing = (state) => Object.keys(state.players).filter((seat) => !state.players[seat].out);

let chosenSeat = null; // in Chaos Mode: for whom this device acts

const host = createShell({
  game: "reinforcements",
  name: words.name,
  tagline: words.tagline,
  title: (state) => (state.over ? words.todo.over(state.over.winner && who(state, state.over.winner)) : words.title(state, who(state, state.turn))),
  setUp,
  draw,
  right: () => more((module) => module.openRightOf(host)),
  history: () => more((module) => module.openHistoryOf(host)),
});
const open = createSheetsOf(host);

/** What is seldom wanted is loaded when it is. */
async function more(then, load = () => import("./reinforcements_right.js")) {
  const module = await later(load);
  if (module) then(module);
}
const openMore = () => more((module) => module.openMoreOf(host), () => import("./reinforcements_more.js"));

/** Whose actions the buttons are. */
function actor(state) {
  if (state.mode !== "chaos") return state.turn;
  const there = playing(state);
  return there.includes(chosenSeat) ? chosenSeat : there[0];
}

// --- sheets -------------------------------------------------------------------------------------------------------------

function setUp({ sheets, start }) {
  let [count, first, mode] = [2, "A", "normal"];
  const names = SEATS.map((seat) =>
    h("label", { class: "field" }, h("span", {}, words.setup.name(seat)), h("input", { type: "text", maxlength: 40, autocomplete: "off", "data-input": seat })),
  );
  const firsts = h("div", { class: "firsts" });
  const show = () => {
    for (const [i, field] of names.entries()) field.hidden = i >= count;
    if (SEATS.indexOf(first) >= count) first = "A";
    firsts.replaceChildren(choice(SEATS.slice(0, count).map((seat) => [seat, seat]), first, (seat) => (first = seat)));
  };
  show();
  const begin = () =>
    start({
      do: "setup",
      players: names.slice(0, count).map((field) => {
        const name = field.querySelector("input").value.trim();
        return name ? { name } : {};
      }),
      first,
      mode,
    });
  sheets.open(
    words.setup.title,
    h(
      "div",
      { class: "column" },
      part(words.setup.players, amounts(2, (n) => ((count = n), show()), { stays: true, value: 2, to: 4 })),
      names,
      part(words.setup.first, firsts),
      part(words.setup.mode, choice(Object.entries(words.setup.modes), "normal", (value) => (mode = value))),
      big(words.setup.begin, begin, { main: true, name: "begin" }),
    ),
    { wide: true },
  );
}

// --- drawing ------------------------------------------------------------------------------------------------------------

function draw({ model }) {
  const { state, said } = model;
  drawPile(at("pile"), state);
  drawSeats(at("players"), state);
  redraw(at("say"), [state, said, chosenSeat], () => lines(state, said));
  redraw(at("actions"), [state, chosenSeat], () => (host.onlooking ? [] : actions(state)));
}

function lines(state, said) {
  const seat = actor(state);
  const ask = state.asks[0];
  const name = (one) => who(state, one);
  const texts = ask
    ? {
        flip: () => words.asks.flip(ask),
        reinforcements: () => words.asks.reinforcements,
        rallied: () => words.asks.rallied(name(ask.player)),
        reveal: () => words.asks.reveal(ask),
        hero: () => words.asks.hero(name(ask.player)),
        send: () => words.asks.send(name(ask.player)),
        gift: () => words.asks.gift(name(ask.player)),
      }[ask.kind]()
    : state.over
      ? words.todo.over(state.over.winner && name(state.over.winner))
      : state.defends
        ? words.todo.elk(state.defends)
        : !state.players[seat].drawn
          ? words.todo.draw(name(due(state) ?? seat))
          : state.players[seat].main
            ? words.todo.done(name(seat))
            : words.todo.act(name(seat));
  return [said && h("p", { class: "bad", id: "said" }, said), h("p", { class: ask?.kind === "reinforcements" ? "head loud" : "head" }, texts)];
}

/** Who draws next: in a round everybody does, from who holds the token. */
function due(state) {
  if (state.mode !== "chaos") return state.players[state.turn].drawn ? null : state.turn;
  const seats = Object.keys(state.players);
  const from = seats.indexOf(state.turn);
  return [...seats.slice(from), ...seats.slice(0, from)].find((seat) => !state.players[seat].out && !state.players[seat].drawn) ?? null;
}

function actions(state) {
  const { button } = host;
  if (state.over) return [button(words.setup.begin, () => setUp(host), "again", true)];
  if (state.asks.length) return answers(state, state.asks[0]);
  const drawing = due(state);
  if (drawing) {
    const side = state.players[drawing];
    const needed = Math.max(0, 5 - side.hand);
    const greens = side.stacks.filter((stack) => stack.revealed && stack.colour === "G").length;
    return [
      Array.from({ length: greens + 1 }, (_, i) => needed + greens - i).map((n, i) =>
        button(words.act.drawSeat(who(state, drawing), n), host.send({ do: "draw", player: drawing, count: n }), `draw-${n}`, i === 0),
      ),
      state.mode === "chaos" && button(words.act.totemDrawn, () => open.totemDrawn(state, drawing), "totem-drawn"),
    ];
  }
  const seat = actor(state);
  const side = state.players[seat];
  const act = (label, name, main = false) => button(label, () => open[name](state, seat), name, main);
  if (state.defends) return [act(words.act.defend, "defend", true), button(words.act.elkDone, host.send({ do: "elk_done", player: seat }), "elk-done")];
  return [
    state.mode === "chaos" && choice(playing(state).map((one) => [one, who(state, one)]), seat, (one) => ((chosenSeat = one), host.draw())),
    !side.main && [act(words.act.attack, "attack", true), act(words.act.defend, "defend", true), act(words.act.deploy, "deploy", true), act(words.act.discard, "discard", true)],
    side.kingdom.barrage > 0 && act(words.act.barrage(side.kingdom.barrage), "barrage"),
    side.kingdom.fortify > 0 && act(words.act.fortify(side.kingdom.fortify), "fortify"),
    side.kingdom.adapt > 0 && act(words.act.adapt(side.kingdom.adapt), "adapt"),
    side.totems.filter((name) => name !== "hero").map((name) => button(words.act.use(name), () => open.totem(state, seat, name), `totem-${name}`)),
    state.mode === "chaos"
      ? button(words.act.endRound, host.send({ do: "end_round" }), "end")
      : button(words.act.endTurn, host.send({ do: "end_turn", player: seat }), "end"),
    button(words.act.more, openMore, "more"),
  ];
}

function answers(state, ask) {
  const { button } = host;
  const name = (seat) => who(state, seat);
  if (ask.kind === "flip" || ask.kind === "rallied") return [pickCard((card) => host.command({ do: ask.kind, card }))];
  if (ask.kind === "reveal") {
    const cards = [];
    const send = () => cards.filter(Boolean).length === 3 && host.command({ do: "reveal", cards });
    return [0, 1, 2].map((i) => part(String(i + 1), pickCard((card) => ((cards[i] = card), send()), { name: `reveal${i}` })));
  }
  if (ask.kind === "reinforcements" && state.deck + state.discard.count < 2) {
    // nothing is left to draw: whoever wins, wins as the players settle it
    const wins = (winner, seat) => button(words.todo.over(name(seat)), host.send({ do: "reinforcements", winner }), `wins-${winner}`, true);
    return [wins("attacker", ask.player), wins("defender", ask.against)];
  }
  if (ask.kind === "reinforcements") {
    const drawn = {};
    const send = () => drawn.defender && drawn.attacker && host.command({ do: "reinforcements", ...drawn });
    return [
      part(words.pick.defender(name(ask.against)), pickCard((card) => ((drawn.defender = card), send()), { name: "defender" })),
      part(words.pick.attacker(name(ask.player)), pickCard((card) => ((drawn.attacker = card), send()), { name: "attacker" })),
    ];
  }
  if (ask.kind === "hero")
    return [button(words.asks.use, host.send({ do: "hero", use: true }), "hero-use", true), button(words.asks.let, host.send({ do: "hero", use: false }), "hero-let")];
  if (ask.kind === "send")
    return [pickStack(state, (place) => place && host.command({ do: "send", player: ask.player, place }), { of: own(ask.player), places: true, name: "send" })];
  const full = state.players[ask.player].stacks.length >= 5 || state.players[ask.player].locked;
  return full
    ? [button(words.asks.keep, host.send({ do: "gift", player: ask.player, keep: true }), "keep", true), button(words.asks.toDiscard, host.send({ do: "gift", player: ask.player, discard: true }), "to-discard")]
    : [button(words.asks.draw, host.send({ do: "gift", player: ask.player }), "gift", true)];
}
