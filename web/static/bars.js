// The bar at the top, what the page has to say, and the buttons for what is due.

import { attribute, h, redraw } from "./dom.js";
import { COLOURS, icon, marble } from "./draw.js";
import { chosenButtons, dueButtons } from "./due.js";
import { leftToDestroy } from "./opening.js";
import { HEALED, at, cells } from "./tray.js";
import { COLOUR_NAMES, other, words } from "./words.js";

export function createTop(root, { command, control, openMenu, openPairing, realMatch }) {
  const table = h("div", { class: "sim" });
  const chips = h("div", { class: "chips" });
  const undo = h(
    "button",
    { class: "tool", type: "button", id: "undo", "aria-label": words.undo, onclick: () => command({ do: "undo" }) },
    icon("undo"),
    h("span", {}, words.undo),
  );
  const redo = h(
    "button",
    { class: "tool", type: "button", id: "redo", "aria-label": words.redo, onclick: () => command({ do: "redo" }) },
    icon("redo"),
    h("span", {}, words.redo),
  );
  const menu = h(
    "button",
    { class: "tool", type: "button", id: "menu", "aria-label": words.menu, onclick: openMenu },
    icon("menu"),
  );
  root.append(table, chips, h("div", { class: "tools" }, undo, redo, menu));

  return function render({ state, view, link, watching }) {
    undo.disabled = redo.disabled = !state;
    attribute(root, "data-simulated", view.simulated);
    redraw(table, [view.simulated, view.autoplay], () =>
      view.simulated
        ? [
            h("span", { class: "sim-name" }, words.simulated),
            h(
              "button",
              {
                class: "chip-button",
                type: "button",
                id: "autoplay",
                "aria-pressed": String(view.autoplay),
                onclick: () => control({ do: "autoplay", on: !view.autoplay }),
              },
              icon(view.autoplay ? "pause" : "play"),
              h("span", {}, words.autoplay(view.autoplay)),
            ),
            h(
              "button",
              { class: "chip-button", type: "button", id: "real-match", onclick: realMatch },
              words.realMatch,
            ),
          ]
        : h("span", { class: "brand" }, words.title),
    );
    const lost = !link.live;
    const seconds = Math.floor(link.silentMs / 1000);
    const chip = (id, sign, text, kind = "") =>
      h("span", { class: `chip ${kind}`, id, role: "img", "aria-label": text }, icon(sign), h("span", {}, text));
    const heard = link.busy ? words.link.busy : seconds < 3 ? words.link.waking : words.link.lost(seconds);
    redraw(
      chips,
      [watching, lost, lost && seconds, link.busy, view.hand, view.camera?.state, view.camera?.reopened, view.sensors?.state, view.aim?.ok, state?.markers],
      () => [
        lost ? chip("link", "link", heard, "bad") : chip("link", "link", words.link.live),
        watching &&
          h("button", { class: "chip-button", type: "button", id: "watching", onclick: openPairing }, words.pairing.watching),
        view.hand && chip("hand", "hand", words.hand, "hot"),
        view.camera?.state === "lost" && chip("camera", "eye", words.camera.lost, "bad"),
        view.camera?.state === "ok" &&
          chip("camera", "eye", view.camera.reopened ? words.camera.again(view.camera.reopened) : words.camera.ok),
        view.sensors?.state === "fault" && chip("sensors", "beam", words.sensors.fault, "bad"),
        view.sensors?.state === "ok" && chip("sensors", "beam", words.sensors.ok),
        view.aim && !view.aim.ok && chip("aim", "eye", words.aim, "bad"),
        (state?.markers ?? []).map((marker) => chip(`marker-${marker.id}`, "pen", words.markers.chip(marker))),
      ],
    );
  };
}

const MARKS = { no: "no", ask: "ask", warn: "ask", yes: "yes", calm: null };

export function createSay(root, { control, dismissHere, aimAnew }) {
  const notices = h("div", { class: "notices" });
  const body = h("div", { class: "say", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const shut = h(
    "button",
    { class: "tool shut", type: "button", id: "dismiss", "aria-label": words.dismiss },
    icon("no"),
  );
  let closes = null;
  shut.addEventListener("click", () => (closes === "refusal" ? dismissHere() : control({ do: "dismiss" })));
  root.append(notices, body, shut);

  return function render({ view }, say) {
    closes = say.closes ?? (view.notices?.length && !view.question ? "notices" : null);
    root.hidden = !say.title && !view.notices?.length && view.aim?.ok !== false;
    shut.hidden = !closes;
    attribute(root, "data-tone", say.tone);
    const astray = view.table?.aimed && view.aim?.ok === false;
    redraw(notices, [view.notices, astray], () => [
      (view.notices ?? []).map((notice) => h("p", { class: `notice ${notice.level}` }, words.said(notice.text))),
      astray && h("button", { class: "chip-button", type: "button", id: "aim-anew", onclick: aimAnew }, icon("eye"), words.table.aimNow),
    ]);
    redraw(body, [say.tone, say.title, say.stamp, say.lines, say.later, say.hint, say.chain], () => [
      MARKS[say.tone] && h("span", { class: "mark" }, icon(MARKS[say.tone])),
      h(
        "div",
        { class: "say-text" },
        h("p", { class: "say-title" }, say.title, say.stamp && h("span", { class: "stamp" }, say.stamp)),
        say.chain && miniChain(say.chain),
        say.lines.map((line) => h("p", { class: "say-line" }, line)),
        say.later.map((line) => h("p", { class: "then" }, line)),
        say.hint && h("p", { class: "say-line hint" }, say.hint),
      ),
    ]);
  };
}

/** The clear in a row, in drawn order: it stays readable when the tray has long rolled on. */
function miniChain(marbles) {
  if (!marbles.length) return null;
  return h(
    "span",
    { class: "mini-chain" },
    marbles.map(({ cell, letter, short }) =>
      h(
        "span",
        { class: `mini ${short ? "short" : ""}` },
        h("span", { class: "mini-glass" }, marble(letter)),
        h("small", {}, cell, short && [icon("bolt"), h("b", { class: "heal" }, words.plus(HEALED))]),
      ),
    ),
  );
}

export function createActions(root, acts) {
  const { command, control, unpick, call, newMatch, toggleSetting, setCell, pick, show, choose, moreOfDial, dismissHere, openRules, openHistory, openHelp, openEffects, openStand, openCell } = acts;
  const button = (id, label, onclick, { main = false, quiet = false, pressed = null, sign = null } = {}) =>
    h(
      "button",
      {
        class: `action ${main ? "main" : ""} ${quiet ? "quiet" : ""}`,
        type: "button",
        id,
        "aria-pressed": pressed,
        onclick,
      },
      sign && icon(sign),
      h("span", {}, label),
    );

  /** The marbles of an answer lie on its button too: players look at marbles and not at names of cells. */
  const answer = ({ label, cells: named, control: request }, i, tray) =>
    h(
      "button",
      { class: `answer ${i === 0 ? "main" : ""}`, type: "button", "data-choice": i, onclick: () => control(request) },
      named.length > 0 && h("span", { class: "answer-glasses", "aria-hidden": "true" }, named.map((cell) => h("span", { class: "mini-glass" }, marble(at(tray, cell))))),
      h("span", {}, label),
      named.some((cell) => !label.includes(cell)) && h("small", {}, named.join(" ")),
    );
  const letStand = (pull) => button("let-stand", words.letStand, () => openStand(pull), { quiet: true });

  const fillIn = (cell) =>
    h(
      "div",
      { class: "fill-in", role: "group", "aria-label": words.hint.fillIn(cell) },
      h("span", {}, words.hint.fillIn(cell)),
      COLOURS.map((colour) =>
        h(
          "button",
          {
            class: "swatch",
            type: "button",
            "data-fill": colour,
            "aria-label": COLOUR_NAMES[colour],
            onclick: () => setCell(cell, colour),
          },
          marble(colour),
        ),
      ),
    );

  /** What to offer, most pressing first: answers, ways out, what is picked, what is due. */
  function offer(model, say, unknown) {
    const { state, view, picked, setting } = model;
    if (say.answers.length) return say.answers.map((one, i) => answer(one, i, state?.tray));
    if (!state) return [];
    if (state.over) return [button("new-match", words.newMatch, newMatch, { main: true })];
    if ((say.ways.length || say.stand?.seen) && !picked.length) {
      return [
        say.ways.map((way) =>
          button(way.control.do.replace("_", "-"), way.label, () => control(way.control), { main: way.main }),
        ),
        say.stand && letStand(say.stand),
        say.meant.map(({ attack, cells: named, chain }) =>
          button(`show-${named.join("-")}`, words.nearest(attack, named), () => show(chain ?? named), {
            quiet: true,
            pressed: String(JSON.stringify(model.shown) === JSON.stringify(chain ?? named)),
          }),
        ),
      ];
    }
    if (say.stand && !say.nearest.length) {
      return [letStand(say.stand), picked.length > 0 && button("unpick", words.unpick, unpick, { quiet: true })];
    }
    if (say.nearest.length) {
      return [
        say.nearest.map(({ attack, cells: named, chain }) =>
          button(`nearest-${named.join("-")}`, words.nearest(attack, named), () => {
            dismissHere();
            pick(chain ?? named);
          }),
        ),
        say.stand && letStand(say.stand),
        picked.length > 0 && button("unpick", words.unpick, unpick, { quiet: true }),
      ];
    }
    if (say.due && model.chosen?.item === say.due.id && !setting) {
      return chosenButtons(say.due, model, { command, choose, moreOfDial });
    }
    if (say.due && !setting && (!picked.length || say.due.choice?.kind === "cells")) {
      const end = state.phase === "resolve" && button("end-turn", words.endTurn(state.turn), () => command({ do: "end_turn", player: state.turn }), { quiet: true });
      return [dueButtons(say.due, model, command, choose), picked.length > 0 && button("unpick", words.unpick, unpick, { quiet: true }), end];
    }
    const player = state.turn;
    const opening = state.phase === "opening";
    if (picked.length) {
      const n = picked.length;
      const destroys = n <= leftToDestroy(state);
      const pull = () => control({ do: "pull", cells: picked }); // at a simulated table all is done by pulling
      const clear = () => command({ do: "clear", player, cells: picked });
      const resolving = state.phase === "resolve"; // the clear is made: what is tapped now is destroyed by it
      const destroy = (by) => command({ do: "destroy", player: by, cells: picked });
      return [
        view.simulated && button("pull", destroys ? words.destroy(n) : words.pull(n), pull, { main: true }),
        !view.simulated && (destroys || resolving) &&
          button("destroy", words.destroy(n), () => destroy(destroys ? other(player) : player), { main: true }),
        !view.simulated && !resolving && button("clear", words.clear(n), clear, { main: !destroys }),
        n === 1 && button("set-cell", words.setCell(picked[0]), () => openCell(picked[0]), { quiet: true, sign: "pen" }),
        button("unpick", words.unpick, unpick, { quiet: true }),
      ];
    }
    return [
      unknown && !setting && fillIn(unknown),
      opening && button("begin", words.begin(player), () => command({ do: "begin" }), { main: true }),
      state.last_clear === null && !view.simulated && button("rules", words.rules.button, openRules, { quiet: true }),
      view.misfits?.length > 0 && button("misfits", words.misfits(view.misfits.length), openHistory, { main: true }),
      view.help?.clears && state.phase === "start" && button("help", words.help.button, openHelp, { quiet: true }),
      state.phase === "start" && !view.simulated && button("call", words.callAttack, call, { quiet: true }),
      !opening && button("effects", words.effects, openEffects, { quiet: true }),
      (!unknown || setting) &&
        button("set-marbles", setting ? words.setMarblesOn : words.setMarbles, toggleSetting, {
          quiet: !setting,
          pressed: String(setting),
          sign: "pen",
        }),
      !opening &&
        button("end-turn", words.endTurn(player), () => command({ do: "end_turn", player }), {
          main: state.phase === "resolve",
        }),
    ];
  }

  return function render(model, say) {
    const { state, view, picked, setting } = model;
    // without a camera somebody has to say what rolled in; it is offered, never demanded
    const unknown =
      view.camera?.state === "none" && state?.phase !== "start"
        ? cells.find((cell) => at(state?.tray, cell) === "?")
        : null;
    const { turn, phase } = state ?? {};
    const left = leftToDestroy(state);
    const dials = say.due && state.players; // their HP stand on the buttons
    const once = state?.last_clear === null;
    const helps = Boolean(view.help?.clears);
    const key = [helps, say.answers, say.ways, say.nearest, say.due, say.stand, say.meant, model.shown, model.chosen, dials, view.misfits?.length, once, picked, turn, phase, left, view.simulated, setting, unknown]; // prettier-ignore
    redraw(root, key, () => offer(model, say, unknown));
    attribute(root, "data-answers", say.answers.length || null);
    root.hidden = root.childElementCount === 0;
  };
}
