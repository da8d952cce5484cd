// Setting a table up, step by step, over the match page; loaded when it is first opened. Every step can be skipped.
// `aimOnly`: the camera is aimed anew in mid-match, and the match goes on where it was.

import { control } from "./ask.js";
import { attribute, h } from "./dom.js";
import { icon } from "./draw.js";
import { big } from "./form.js";
import { aimStep, stageStep } from "./wizard_aim.js";
import * as ask from "./wizard_ask.js";
import { beamsStep } from "./wizard_beams.js";
import { coloursStep } from "./wizard_colours.js";
import { wizardWords as words } from "../words/wizard.js";

let styled = null;

/** A page that is not dressed yet would jump under the first tap. */
const style = () =>
  (styled ??= new Promise((resolve) => {
    const link = h("link", { rel: "stylesheet", href: "/static/wizard.css" });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  }));

/**
 * `host`: { view(): the table's view now, state(): the match's state, form(start): the form of a new match,
 * start(fields): begin it, devices(): what other devices need, denied(): this device may not act }.
 */
export async function openWizard(host, { aimOnly = false } = {}) {
  await style();
  document.getElementById("wizard")?.close();
  // two scripted players at a simulated table would only be in the way
  if (host.view().autoplay) await control({ do: "autoplay", on: false });
  const table = await ask.told();
  const shared = { corners: null, stage: null, done: "", ...table };
  const steps = stepsFor(shared, aimOnly);
  const dialog = h("dialog", { id: "wizard", class: "wizard", "aria-labelledby": "wizard-title" });
  const title = h("h2", { id: "wizard-title", tabindex: "-1" });
  const where = h("p", { class: "where" });
  const body = h("div", { class: "step" });
  const said = h("p", { class: "said", role: "status", "aria-live": "polite" });
  const back = big(words.back, () => go(at - 1), { name: "back" });
  const skip = big(words.skip, () => skipped(), { name: "skip" });
  const next = big(words.next, () => onNext(), { main: true, name: "next" });
  const shut = h("button", { class: "tool", type: "button", id: "wizard-close", "aria-label": words.close, onclick: () => dialog.close() }, icon("no"));
  dialog.append(
    h("div", { class: "wizard-page" }, h("header", {}, h("div", {}, where, title), shut), body, said, h("footer", {}, back, skip, next)),
  );
  let at = -1;
  let step = null;
  let busy = false;

  function say(text, tone = "calm") {
    said.textContent = text;
    attribute(said, "data-tone", text ? tone : null);
  }

  /** What a step may ask of the page round it. */
  const around = {
    shared,
    host,
    say,
    aimOnly,
    ready: (on, label = words.next) => {
      next.disabled = !on;
      next.textContent = label;
    },
    withoutSkip: () => (skip.hidden = true),
    advance: () => go(at + 1),
    /** Runs what takes a while; whatever the companion refuses is said. True: it was done. */
    async work(text, run) {
      if (busy) return null;
      busy = true;
      say(text, "busy");
      attribute(dialog, "data-busy", true);
      const reply = await run();
      busy = false;
      attribute(dialog, "data-busy", null);
      if (!dialog.open) return null;
      if (reply.ok) {
        say("");
        return reply;
      }
      if (reply.error.code === "not_paired") {
        dialog.close();
        host.denied();
        return null;
      }
      say(words.said(reply.error.text), "no");
      return null;
    },
  };

  async function leave() {
    const left = step;
    step = null;
    await left?.leave?.();
  }

  async function go(to) {
    if (busy || to < 0) return;
    await leave();
    if (to >= steps.length) {
      dialog.close();
      return;
    }
    at = to;
    const [name, make] = steps[at];
    dialog.dataset.step = name;
    title.textContent = words.steps[name];
    where.textContent = words.where(at + 1, steps.length);
    back.disabled = at === 0;
    skip.hidden = false;
    around.ready(true);
    say(shared.done, "yes");
    shared.done = "";
    body.replaceChildren();
    body.scrollTop = 0;
    step = make(around);
    body.append(step.element);
    title.focus({ preventScroll: true });
    await step.enter?.();
  }

  async function onNext() {
    if (busy || !step) return;
    const mine = step;
    if ((await mine.next?.()) === false || step !== mine) return;
    await go(at + 1);
  }

  async function skipped() {
    if (busy) return;
    step?.skip?.();
    await go(at + 1);
  }

  dialog.addEventListener("close", async () => {
    await leave();
    dialog.remove();
  });
  // one stray tap of Escape must not throw away what was aimed; the cross closes it
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  await go(0);
}

function stepsFor(table, aimOnly) {
  const camera = table.camera !== "none";
  if (aimOnly) {
    return [["aim", aimStep], table.has_stage && ["stage", stageStep], ["colours", coloursStep]].filter(Boolean);
  }
  return [
    ["devices", devicesStep],
    ["aim", camera ? aimStep : noCameraStep],
    camera && ["stage", stageStep],
    ["beams", beamsStep],
    camera && ["colours", coloursStep],
    ["match", matchStep],
  ].filter(Boolean);
}

function devicesStep({ host }) {
  const element = h("div", { class: "column devices" });
  return {
    element,
    async enter() {
      element.replaceChildren(...(await host.devices()).filter(Boolean));
    },
  };
}

function noCameraStep({ work, shared, host }) {
  const look = async () => {
    const reply = await work(words.camera.looking, () => ask.step({ do: "camera" }));
    if (reply) host.reopen();
  };
  return {
    element: h(
      "div",
      { class: "column" },
      h("p", {}, words.camera.none),
      h("p", { class: "how" }, words.camera.without),
      big(words.camera.look, look, { name: "look" }),
    ),
  };
}

/** Who sits where, and the form of a new match; a match under way simply goes on. */
function matchStep({ host, ready, withoutSkip }) {
  const element = h("div", { class: "column match-step" });
  let timer = null;
  const form = () =>
    h(
      "div",
      { class: "column" },
      seats(),
      host.form((fields) => {
        document.getElementById("wizard").close();
        host.start(fields);
      }),
    );
  return {
    element,
    enter() {
      withoutSkip();
      const going = host.state() && !host.state().over;
      ready(true, going ? words.match.goOn : words.match.later);
      if (going) {
        element.append(h("p", {}, words.match.going), seats());
        return;
      }
      // the eyes are new: a moment, and the tray that they see is offered; a form that someone is at stays as it is
      const until = performance.now() + 4000;
      let touched = false;
      let shown = null;
      element.addEventListener("input", () => (touched = true));
      element.addEventListener("click", () => (touched = true));
      const wait = () => {
        const { table, seen } = host.view();
        const offered = seen ?? "";
        if (seen || !table?.aimed || performance.now() > until) {
          if (shown !== offered) element.replaceChildren(form());
          shown = offered;
        }
        if (!touched) timer = setTimeout(wait, 200);
      };
      element.append(h("p", {}, words.match.looking));
      wait();
    },
    leave: () => clearTimeout(timer),
  };
}

const seats = () =>
  h(
    "div",
    { class: "seats" },
    h("p", { class: "seat a" }, h("b", {}, "A"), h("span", {}, words.match.seatA)),
    h("p", { class: "tower" }, words.match.tower),
    h("p", { class: "seat b" }, h("b", {}, "B"), h("span", {}, words.match.seatB)),
  );
