// One marble dropped into each lane: which beam saw it, live.

import { control } from "./ask.js";
import { attribute, h, redraw } from "./dom.js";
import { icon } from "./draw.js";
import { big } from "./form.js";
import * as ask from "./wizard_ask.js";
import { wizardWords as words } from "../words/wizard.js";

const PACE_MS = 350;

export function beamsStep({ shared, ready, say, work, advance }) {
  const how = h("p", { class: "prompt", id: "beam-prompt", role: "status" });
  const lanes = h("div", { class: "beams" });
  const note = h("p", { class: "fit", role: "status" });
  const more = h("div", { class: "row" });
  let timer = null;
  let over = false;
  let beams = null;

  async function look() {
    const found = await ask.told();
    if (over) return;
    if (found.beams) {
      beams = found.beams;
      draw();
    } else if (beams) {
      // it was ended elsewhere, or forgotten while this page slept
      beams = null;
      await begin();
      return;
    }
    timer = setTimeout(look, PACE_MS);
  }

  function draw() {
    const { asked, swapped, failed } = beams;
    const seen = Object.values(beams.lanes).some((lane) => lane.seen);
    how.textContent = swapped ? words.beams.swapped : asked ? words.beams.drop(asked) : words.beams.done;
    redraw(lanes, beams.lanes, () => Object.entries(beams.lanes).map(([name, lane]) => tile(name, lane)));
    for (const element of lanes.children) attribute(element, "data-asked", element.dataset.lane === asked);
    const told = [swapped, beams.note, ...failed].filter(Boolean).map(words.said);
    note.textContent = told.join(" ");
    note.dataset.word = told.length ? "fair" : "";
    ready(seen && !swapped, asked ? words.beams.enough : words.next);
    redraw(more, [asked, Boolean(swapped), shared.simulated], () => [
      swapped && big(words.beams.swap, () => settle("swap"), { main: true, name: "swap" }),
      swapped && big(words.beams.leave, () => settle("keep"), { name: "leave-order" }),
      asked && big(words.beams.pass(asked), () => ask.step({ do: "beams", step: "pass" }), { name: "pass" }),
      asked && shared.simulated && big(words.beams.simulate(asked), () => pull(`${asked}5`), { name: "simulate" }),
    ]);
  }

  function tile(name, { drops, seen, beam, stuck, text }) {
    const state = stuck ? "stuck" : seen ? (beam === name ? "right" : "wrong") : "waiting";
    return h(
      "section",
      { class: "beam", "data-lane": name, "data-state": state },
      h("h3", {}, words.beams.lane(name)),
      h("p", { class: "count" }, String(drops)),
      h("p", { class: "beam-state" }, state !== "waiting" && icon(state === "right" ? "yes" : "no"), h("span", {}, words.beams[state](beam))),
      text && h("p", { class: "how" }, words.said(text)),
    );
  }

  async function keep(step) {
    const reply = await work(words.saving, () => ask.step({ do: "beams", step }));
    if (!reply) return false;
    over = true;
    shared.done = reply.unsaved ? words.said(reply.unsaved) : words.beams.kept;
    beams = null;
    return true;
  }

  async function pull(cell) {
    const error = await control({ do: "pull", cells: [cell] });
    say(error ? words.said(error.text) : "", "no");
  }

  const settle = async (step) => (await keep(step)) && advance();

  async function begin() {
    const reply = await work(words.beams.opening, () => ask.step({ do: "beams", step: "begin" }));
    if (over) return;
    if (reply) await look();
    else {
      how.textContent = words.beams.none;
      more.replaceChildren(big(words.beams.again, begin, { name: "again" }));
      ready(true);
    }
  }

  return {
    element: h("div", { class: "column" }, how, lanes, note, more, h("p", { class: "how" }, words.beams.how)),
    async enter() {
      ready(false);
      await begin();
    },
    next: () => (beams ? keep("keep") : true),
    async leave() {
      over = true;
      clearTimeout(timer);
      await ask.step({ do: "beams", step: "end" });
    },
  };
}
