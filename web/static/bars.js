// The bar at the top, what the page has to say, and the buttons for what is due.

import { attribute, h, redraw } from "./dom.js";
import { COLOURS, icon, marble } from "./draw.js";
import { at, cells } from "./tray.js";
import { other, words } from "./words.js";

export function createTop(root, { command, control, openMenu, realMatch }) {
  const table = h("div", { class: "sim" });
  const chips = h("div", { class: "chips" });
  const undo = h("button", { class: "tool", type: "button", id: "undo", onclick: () => command({ do: "undo" }) }, icon("undo"), h("span", {}, words.undo));
  const redo = h("button", { class: "tool", type: "button", id: "redo", onclick: () => command({ do: "redo" }) }, icon("redo"), h("span", {}, words.redo));
  const menu = h("button", { class: "tool", type: "button", id: "menu", "aria-label": words.menu, onclick: openMenu }, icon("menu"));
  root.append(table, chips, h("div", { class: "tools" }, undo, redo, menu));

  return function render({ state, view, link }) {
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
            h("button", { class: "chip-button", type: "button", id: "real-match", onclick: realMatch }, words.realMatch),
          ]
        : h("span", { class: "brand" }, words.title),
    );
    const lost = !link.live;
    const seconds = Math.floor(link.silentMs / 1000);
    redraw(chips, [lost, lost && seconds, link.busy, view.hand, view.camera, view.sensors?.state, view.aim?.ok], () => [
      lost
        ? h("span", { class: "chip bad", id: "link" }, icon("link"), seconds < 3 ? words.link.waking : words.link.lost(seconds))
        : h("span", { class: "chip", id: "link" }, icon("link"), words.link.live),
      view.hand && h("span", { class: "chip hot", id: "hand" }, icon("hand"), words.hand),
      view.camera?.state === "lost" && h("span", { class: "chip bad" }, icon("eye"), words.camera.lost),
      view.camera?.state === "ok" && h("span", { class: "chip" }, icon("eye"), words.camera.ok),
      view.sensors?.state === "fault" && h("span", { class: "chip bad" }, icon("beam"), words.sensors.fault),
      view.sensors?.state === "ok" && h("span", { class: "chip" }, icon("beam"), words.sensors.ok),
      view.aim && !view.aim.ok && h("span", { class: "chip bad" }, icon("eye"), words.aim),
    ]);
  };
}

const MARKS = { no: "no", ask: "ask", warn: "ask", yes: "yes", calm: null };

export function createSay(root, { control, dismissHere, newMatch }) {
  const notices = h("div", { class: "notices" });
  const body = h("div", { class: "say", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const ways = h("div", { class: "ways" });
  root.append(notices, body, ways);

  return function render({ state, view, before }, say) {
    attribute(root, "data-tone", say.tone);
    attribute(root, "data-kind", say.answers.length ? "question" : null);
    redraw(notices, view.notices, () =>
      (view.notices ?? []).map((notice) => h("p", { class: `notice ${notice.level}` }, notice.text)),
    );
    redraw(body, [say.tone, say.title, say.lines, say.chain], () => [
      MARKS[say.tone] && h("span", { class: "mark" }, icon(MARKS[say.tone])),
      h(
        "div",
        { class: "say-text" },
        h("p", { class: "say-title" }, say.title, say.chain && h("span", { class: "stamp" }, words.legalMark)),
        say.chain && miniChain(say.chain, before),
        say.lines.map((line) => h("p", { class: "say-line" }, line)),
      ),
    ]);
    redraw(ways, [say.answers, say.ways, say.over], () => [
      say.answers.map((answer, i) =>
        h(
          "button",
          { class: `answer ${i === 0 ? "main" : ""}`, type: "button", "data-choice": i, onclick: () => control(answer.control) },
          h("span", {}, answer.label),
          answer.cells.length > 0 && h("small", {}, answer.cells.join(" ")),
        ),
      ),
      say.ways.map((way) =>
        h(
          "button",
          {
            class: `action ${way.main ? "main" : ""}`,
            type: "button",
            "data-way": way.control?.do ?? "dismiss",
            onclick: () => (way.dismissHere ? dismissHere() : control(way.control)),
          },
          way.label,
        ),
      ),
      say.over && h("button", { class: "action main", type: "button", onclick: newMatch }, words.newMatch),
    ]);
  };
}

/** The clear in a row, in drawn order: it stays readable when the tray has long rolled on. */
function miniChain(clear, before) {
  const chain = clear.chain ?? clear.cells ?? [];
  if (!chain.length) return null;
  return h(
    "span",
    { class: "mini-chain" },
    chain.map((cell) => {
      const letter = clear.marbles?.[cell] ?? (before ? at(before, cell) : "?");
      const known = COLOURS.includes(letter) ? letter : (clear.attack?.[0] ?? "?");
      const short = known !== clear.attack?.[0];
      return h(
        "span",
        { class: `mini ${short ? "short" : ""}` },
        h("span", { class: "mini-glass" }, marble(known)),
        h("small", {}, cell, short && " ⚡"),
      );
    }),
  );
}

export function createActions(root, { command, control, unpick, call, toggleSetting, setCell }) {
  return function render(model, say) {
    const { state, view, picked, setting } = model;
    const unknown = state && !view.simulated && view.camera?.state === "none" ? cells.find((cell) => at(state.tray, cell) === "?") : null;
    const asks = say.answers.length > 0 || !state || state.over;
    const fillIn = unknown && !picked.length && state.phase !== "start" ? unknown : null;
    root.hidden = Boolean(asks);
    redraw(root, [asks, picked.length, state?.turn, state?.phase, view.simulated, setting, unknown], () => {
      if (asks) return [];
      const player = state.turn;
      const button = (name, label, onclick, extra = {}) =>
        h("button", { class: `action ${extra.main ? "main" : ""} ${extra.quiet ? "quiet" : ""}`, type: "button", id: name, "aria-pressed": extra.pressed, onclick }, extra.icon && icon(extra.icon), h("span", {}, label));
      if (picked.length) {
        const clears = { do: "clear", player, cells: picked };
        return [
          view.simulated
            ? button("pull", words.pull(picked.length), () => control({ do: "pull", cells: picked }), { main: true })
            : button("clear", words.clear(picked.length), () => command(clears), { main: true }),
          state.phase === "opening" && !view.simulated
            ? button("destroy", words.destroy(picked.length), () => command({ do: "destroy", player: other(player), cells: picked }))
            : null,
          button("unpick", words.unpick, unpick, { quiet: true }),
        ];
      }
      if (fillIn && !setting) {
        return [
          h(
            "div",
            { class: "fill-in", role: "group", "aria-label": words.hint.fillIn(unknown) },
            h("span", {}, words.hint.fillIn(unknown)),
            COLOURS.map((colour) =>
              h("button", { class: "swatch", type: "button", "data-fill": colour, "aria-label": colour, onclick: () => setCell(unknown, colour) }, marble(colour)),
            ),
          ),
          button("end-turn", words.endTurn(player), () => command({ do: "end_turn", player }), { main: state.phase === "resolve" }),
        ];
      }
      return [
        state.phase === "opening" ? button("begin", words.begin(player), () => command({ do: "begin" })) : null,
        state.phase === "start" && !view.simulated ? button("call", words.callAttack, call, { quiet: true }) : null,
        button("set-marbles", setting ? words.setMarblesOn : words.setMarbles, toggleSetting, { quiet: !setting, pressed: String(setting), icon: "pen" }),
        state.phase === "opening"
          ? null
          : button("end-turn", words.endTurn(player), () => command({ do: "end_turn", player }), { main: state.phase === "resolve" }),
      ];
    });
  };
}
