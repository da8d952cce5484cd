// What the buttons of Reinforcements open: an action's cards and targets are picked, then it is done.

import { h } from "./dom.js";
import { amounts, big, choice, part } from "./form.js";
import { COLOURS, own, pickCard, pickStack, theirs } from "./reinforcements_pick.js";
import { words } from "../words/reinforcements.js";

/** The sheets by name; each is opened with the state and whose action it is. */
export function createSheetsOf(host) {
  /** A sheet whose button sends the fields that `made()` gives, once it gives any. */
  function sheet(title, made, ...content) {
    const go = big(words.act.go, () => {
      const fields = made();
      if (fields) host.sheets.send(fields);
    }, { main: true, name: "go" });
    host.sheets.open(title, h("div", { class: "column" }, ...content, go), { wide: true });
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
  return open;
}

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
        { class: "choice", type: "button", "data-colour": colour, "data-mob": colour, onclick: () => (count.textContent = told.mob[colour] = (told.mob[colour] + 1) % 6) },
        count,
        " ",
        words.colours[colour],
      );
    }),
  );
}

const peasantsOf = (told) => COLOURS.flatMap((colour) => Array.from({ length: told.mob[colour] }, () => `${colour}1`));
