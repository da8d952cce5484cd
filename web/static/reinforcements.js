// The page of Reinforcements: everybody's stacks, and what the player on turn may do. Only what lies open has a name.

import { h, redraw } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { createShell } from "./shell.js";
import { words } from "../words/reinforcements.js";

const at = (id) => document.getElementById(id);
const SEATS = ["A", "B", "C", "D"];
const COLOURS = ["R", "B", "G"];
const RANKS = ["1", "2", "3", "4", "5", "6", "7", "A", "M", "C"];
const who = (state, seat) => words.seat(seat, state.players[seat].name);
const playing = (state) => Object.keys(state.players).filter((seat) => !state.players[seat].out);

let chosenSeat = null; // in Chaos Mode: for whom this device acts

const host = createShell({
  game: "reinforcements",
  name: words.name,
  tagline: words.tagline,
  title: (state) => (state.over ? words.todo.over(state.over.winner && who(state, state.over.winner)) : words.title(state, who(state, state.turn))),
  setUp,
  draw,
});

/** Whose actions the buttons are. */
function actor(state) {
  if (state.mode !== "chaos") return state.turn;
  const there = playing(state);
  return there.includes(chosenSeat) ? chosenSeat : there[0];
}

// --- picking ------------------------------------------------------------------------------------------------------------

/** A card by colour and rank; `of`: which there are to choose from. */
function pickCard(onpick, { of = () => true, name = "card", columns = RANKS } = {}) {
  const buttons = [];
  const rows = COLOURS.map((colour) =>
    columns
      .map((rank) => colour + rank)
      .filter(of)
      .map((card) => {
        const button = h(
          "button",
          { class: "pick-card", type: "button", "data-colour": colour, [`data-pick-${name}`]: card, "aria-label": words.card(card), "aria-pressed": "false", onclick: () => pick(card, button) },
          h("b", {}, card), // the letter too: colour alone tells some nothing
        );
        buttons.push(button);
        return button;
      }),
  ).filter((row) => row.length);
  function pick(card, button) {
    for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
    onpick(card);
  }
  return h("div", { class: "card-picker" }, rows.map((row) => h("div", { class: "card-row" }, row)));
}

/** A stack, or a card in one (`places`), among those that `of` allows. */
function pickStack(state, onpick, { of, places = false, several = 1, name = "stack" }) {
  const picked = [];
  const buttons = [];
  const made = Object.entries(state.players).flatMap(([seat, side]) =>
    side.stacks
      .filter((stack) => of(stack, seat))
      .flatMap((stack) =>
        (places ? spots(stack) : [[stack.id, `${stack.id} ${stack.cards.map((card) => (card === "?" ? "▮" : card)).join(" ")}`]]).map(([value, label]) => {
          const button = h(
            "button",
            { class: "choice", type: "button", "data-colour": stack.colour, [`data-pick-${name}`]: value, "aria-pressed": "false", onclick: () => pick(value) },
            label,
          );
          buttons.push([value, button]);
          return button;
        }),
      ),
  );
  function pick(value) {
    if (picked.includes(value)) picked.splice(picked.indexOf(value), 1);
    else picked.push(value);
    while (picked.length > several) picked.shift();
    for (const [one, button] of buttons) button.setAttribute("aria-pressed", String(picked.includes(one)));
    onpick(several === 1 ? (picked[0] ?? null) : [...picked]);
  }
  return h("div", { class: "shell-row" }, made);
}

const spots = (stack) =>
  stack.cards.flatMap((card, i) => {
    const place = `${stack.id}.${i + 1}`;
    return [
      [place, `${place} ${card === "?" ? "▮" : card}`],
      ...(stack.shields[i] ? [[`${place}s`, `${place} ${stack.shields[i]}`]] : []),
    ];
  });

/** A sheet whose button sends the fields that `made()` gives, once it gives any. */
function sheet(title, made, ...content) {
  const go = big(words.act.go, () => {
    const fields = made();
    if (fields) host.sheets.send(fields);
  }, { main: true, name: "go" });
  host.sheets.open(title, h("div", { class: "column" }, ...content, go), { wide: true });
}

const theirs = (player) => (stack, seat) => seat !== player;
const own = (player, of = () => true) => (stack, seat) => seat === player && of(stack);

// --- sheets -------------------------------------------------------------------------------------------------------------

function setUp({ sheets, start }) {
  let [count, first, mode] = [2, "A", "normal"];
  const names = SEATS.map((seat) =>
    h("label", { class: "field" }, h("span", {}, words.setup.name(seat)), h("input", { type: "text", maxlength: 40, autocomplete: "off", "data-input": seat })),
  );
  const firsts = h("div", {});
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

const open = {
  attack(state, player) {
    const told = {};
    sheet(
      words.act.attack,
      () => told.card && told.target && { do: "attack", player, ...told },
      part(words.pick.card, pickCard((card) => (told.card = card))),
      part(words.pick.target, pickStack(state, (stack) => (told.target = stack), { of: theirs(player) })),
    );
  },
  barrage(state, player) {
    const told = {};
    const red = state.players[player].stacks.filter((stack) => stack.revealed && stack.colour === "R");
    const from = red.flatMap((stack) => stack.cards.map((card, i) => [`${stack.id}.${i + 1}`, `${stack.id}.${i + 1} ${card}`, card]));
    const hand = h("div", {}, pickCard((card) => (told.card = card), { of: (card) => card[0] === "R" }));
    sheet(
      words.act.barrage(state.players[player].kingdom.barrage),
      () => told.card && told.target && { do: "barrage", player, ...told },
      part(
        words.pick.from,
        choice([["", words.pick.hand], ...from.map(([place, label]) => [place, label])], "", (place) => {
          hand.hidden = place !== "";
          if (place) told.from = place;
          else delete told.from;
          told.card = place ? from.find(([one]) => one === place)[2] : null;
        }),
      ),
      part(words.pick.card, hand),
      part(words.pick.target, pickStack(state, (stack) => (told.target = stack), { of: theirs(player) })),
    );
  },
  defend(state, player) {
    const told = {};
    const cards = h("div", {});
    const chosen = (name) => {
      told.stack = name;
      delete told.card;
      const stack = state.players[player].stacks.find((one) => one.id === name);
      cards.replaceChildren(...(stack?.revealed ? [pickCard((card) => (told.card = card), { of: (card) => card[0] === stack.colour })] : []));
    };
    sheet(
      words.act.defend,
      () => told.stack && { do: "defend", player, ...told },
      part(words.pick.target, pickStack(state, chosen, { of: own(player, (stack) => stack.cards.length < stack.most) })),
      cards,
    );
  },
  fortify(state, player) {
    const told = {};
    sheet(
      words.act.fortify(state.players[player].kingdom.fortify),
      () => told.stack && told.card && { do: "fortify", player, ...told },
      part(words.pick.target, pickStack(state, (stack) => (told.stack = stack), { of: own(player, (stack) => stack.revealed && stack.colour === "B" && stack.cards.length < stack.most) })),
      part(words.pick.card, pickCard((card) => (told.card = card), { of: (card) => card[0] === "B" })),
    );
  },
  adapt(state, player) {
    const told = {};
    const green = (stack, seat) => stack.revealed && stack.colour === "G" && (seat === player || state.rules.adapt === "any");
    sheet(
      words.act.adapt(state.players[player].kingdom.adapt),
      () => {
        if (told.swap?.length === 2) return { do: "adapt", player, swap: told.swap };
        return told.card && told.swap?.length === 1 && { do: "adapt", player, card: told.card, with: told.swap[0] };
      },
      part(words.pick.place, pickStack(state, (places) => (told.swap = places), { of: green, places: true, several: 2, name: "place" })),
      part(words.pick.card, pickCard((card) => (told.card = card), { of: (card) => card[0] === "G" })),
    );
  },
  discard(state, player) {
    let count = 0;
    sheet(
      words.act.discard,
      () => ({ do: "discard", player, count }),
      part(words.pick.count, amounts(0, (n) => (count = n), { stays: true, value: 0, to: Math.min(10, state.players[player].hand) })),
    );
  },
  deploy(state, player) {
    const told = {};
    const where = h("div", { class: "column" });
    const pay = h("div", {}, part(words.pick.pay, pickCard((card) => (told.pay = [card]), { name: "pay", of: (card) => !"12AM".includes(card[1]) })));
    const peasants = "P";
    const chosen = (card) => {
      told.card = card;
      for (const key of ["target", "pay"]) delete told[key];
      pay.hidden = card[1] !== "C" || state.players[player].stacks.some((stack) => stack.revealed && stack.colour === card[0]);
      const ability = card[1] === "C" && (card[0] === state.rules.rally ? "rally" : card[0] === state.rules.shield ? "shield" : "foresight");
      const set = (target) => (told.target = target);
      where.replaceChildren(
        ...(ability === "foresight"
          ? []
          : ability === "shield"
            ? [part(words.pick.place, pickStack(state, set, { of: own(player), places: true, name: "place" }))]
            : card[1] === "A"
              ? [part(words.pick.place, pickStack(state, set, { of: () => true, places: true, name: "place" }))]
              : [part(words.pick.target, pickStack(state, set, { of: card === peasants ? () => true : ability ? theirs(player) : () => true }))]),
      );
    };
    pay.hidden = true;
    const mob = big(words.pick.peasants, () => chosen(peasants), { name: "peasants" });
    // from a revealed stack of one's own, when it lies there
    const from = (card) => {
      for (const stack of state.players[player].stacks)
        if (stack.revealed && stack.cards.includes(card)) return `${stack.id}.${stack.cards.indexOf(card) + 1}`;
      return null;
    };
    let fromStack = false;
    sheet(
      words.act.deploy,
      () => {
        if (!told.card) return null;
        if (told.card === peasants) return told.target && { do: "deploy", player, cards: peasantsOf(told), target: told.target };
        const place = fromStack ? from(told.card) : null;
        return { do: "deploy", player, cards: [told.card], ...(place ? { from: place } : {}), ...(told.target ? { target: told.target } : {}), ...(told.pay ? { pay: told.pay } : {}) };
      },
      part(words.pick.deploy, pickCard(chosen, { columns: ["A", "M", "C"] })),
      mobPicker(told, mob),
      part(words.pick.from, choice([["hand", words.pick.hand], ["stack", words.pick.mine]], "hand", (value) => (fromStack = value === "stack"))),
      where,
      pay,
    );
  },
  totem(state, player, totem) {
    const told = {};
    if (totem === "elk") return host.command({ do: "totem", player, totem });
    if (totem === "chameleon")
      return sheet(
        words.act.use(totem),
        () => told.mine && told.theirs && { do: "totem", player, totem, ...told },
        part(words.pick.mine, pickStack(state, (stack) => (told.mine = stack), { of: own(player), name: "mine" })),
        part(words.pick.theirs, pickStack(state, (stack) => (told.theirs = stack), { of: theirs(player), name: "theirs" })),
      );
    return sheet(
      words.act.use(totem),
      () => told.targets && { do: "totem", player, totem, targets: told.targets },
      part(words.pick.place, pickStack(state, (places) => (told.targets = places), { of: () => true, places: true, several: 3, name: "place" })),
    );
  },
  totemDrawn(state, player) {
    let totem = null;
    const left = Object.keys(state.totems).filter((name) => state.totems[name] === "deck");
    sheet(words.act.totemDrawn, () => totem && { do: "totem_drawn", player, totem }, part(words.pick.totem, choice(left.map((name) => [name, words.totems[name]]), "", (name) => (totem = name))));
  },
};

/** How many of the five Peasants are of which colour. */
function mobPicker(told, mob) {
  told.mob = { R: 2, B: 2, G: 1 };
  return h(
    "div",
    { class: "shell-row" },
    mob,
    COLOURS.map((colour) => {
      const count = h("b", {}, told.mob[colour]);
      return h(
        "button",
        { class: "choice", type: "button", "data-colour": colour, "data-mob": colour, "aria-label": words.card(`${colour}1`), onclick: () => (count.textContent = told.mob[colour] = (told.mob[colour] + 1) % 6) },
        count,
        " ",
        words.card(`${colour}1`),
      );
    }),
  );
}

const peasantsOf = (told) => COLOURS.flatMap((colour) => Array.from({ length: told.mob[colour] }, () => `${colour}1`));

// --- drawing ------------------------------------------------------------------------------------------------------------

function draw({ model }) {
  const { state, said } = model;
  redraw(at("pile"), [state.deck, state.discard, state.totems, state.players], () => [
    h("span", { class: "pile-count", "data-pile": "deck" }, words.deck(state.deck)),
    h("span", { class: "pile-count", "data-pile": "discard" }, words.discard(state.discard.count)),
    Object.entries(state.totems)
      .filter(([, owner]) => owner === "" || state.players[owner])
      .map(([name, owner]) => h("span", { class: "pile-totem", "data-totem": name, "data-owner": owner || null }, owner ? words.held(name, who(state, owner)) : words.totems[name])),
  ]);
  redraw(at("players"), [state.players, state.turn, state.fight, state.over], () => Object.keys(state.players).map((seat) => player(state, seat)));
  redraw(at("say"), [state, said, chosenSeat], () => lines(state, said));
  redraw(at("actions"), [state, chosenSeat], () => (host.onlooking ? [] : actions(state)));
}

function player(state, seat) {
  const side = state.players[seat];
  return h(
    "article",
    { class: "seat", "data-seat": seat, "data-turn": state.turn === seat && !state.over, "data-out": side.out },
    h(
      "header",
      {},
      h("h2", {}, who(state, seat)),
      h("span", { class: "soft" }, side.out ? words.out : words.hand(side.hand)),
      side.locked && h("span", { class: "seat-mark" }, words.locked),
      side.totems.map((name) => h("span", { class: "seat-mark" }, words.totems[name])),
    ),
    h("div", { class: "stacks" }, side.stacks.map((stack) => stackOf(state, stack))),
  );
}

const stackOf = (state, stack) =>
  h(
    "div",
    { class: "stack-box", role: "img", "data-stack": stack.id, "data-colour": stack.colour, "data-target": state.fight?.target === stack.id, "aria-label": `${words.stack(stack)}: ${stack.cards.map(words.card).join(", ")}` },
    h("span", { class: "stack-name" }, stack.id),
    stack.cards
      .map((card, i) =>
        h(
          "span",
          { class: "card", "data-colour": card === "?" ? null : card[0] },
          card === "?" ? "▮" : card,
          stack.shields[i] && h("i", { class: "card-shield", title: words.shield(stack.shields[i]) }, "◆"),
        ),
      )
      .reverse(),
  );

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
  const full = state.players[ask.player].stacks.length >= 5;
  return full
    ? [button(words.asks.keep, host.send({ do: "gift", player: ask.player, keep: true }), "keep", true), button(words.asks.toDiscard, host.send({ do: "gift", player: ask.player, discard: true }), "to-discard")]
    : [button(words.asks.draw, host.send({ do: "gift", player: ask.player }), "gift", true)];
}
