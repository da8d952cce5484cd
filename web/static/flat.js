// The tablet lies flat between two players who sit opposite each other: A at its lower edge, B at its upper one. Each
// half is turned to its player, the tray lies as on the table (lane a towards A), and what is asked turns to who acts.

import { attribute, h, redraw } from "./dom.js";
import { whoActs } from "./opening.js";

const KEY = "flat";

export function createFlat(body, { tray, echo }) {
  const room = matchMedia("(min-width: 600px) and (min-height: 600px)"); // a phone does not lie between two players
  let on = false;
  try {
    on = localStorage.getItem(KEY) === "on";
  } catch {
    // a private window without storage
  }

  // a turned box keeps the room of the unturned one: the style sheet is told both sides of it
  const measure = () => {
    tray.style.setProperty("--across", `${tray.offsetWidth}px`);
    tray.style.setProperty("--along", `${tray.offsetHeight}px`);
  };
  new ResizeObserver(measure).observe(tray);

  return {
    get on() {
      return on;
    },
    set(value) {
      on = value;
      try {
        localStorage.setItem(KEY, on ? "on" : "off");
      } catch {
        // it holds until the page is left
      }
    },
    render({ state, view }, say) {
      const lies = on && room.matches;
      attribute(body, "data-flat", lies && state !== null);
      attribute(body, "data-acts", view.question?.player ?? whoActs(state) ?? "A");
      redraw(echo, [lies, say.tone, say.title, say.lines], () =>
        lies && say.title ? [h("b", {}, say.title), say.lines.slice(0, 1).map((line) => h("span", {}, line))] : [],
      );
      echo.hidden = !lies || !say.title;
    },
  };
}
