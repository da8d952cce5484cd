// Letting this device in: the PIN is asked once, or comes with the address that the table's QR code holds (#pin=…).

import * as ask from "./ask.js";
import { h } from "./dom.js";
import { big } from "./form.js";
import { words } from "./words.js";

const DIGITS = 6;

/** What the table says of this device: `{ needed, allowed, pin }`; null: it did not answer. */
async function told() {
  try {
    const answer = await fetch("/api/pairing", { signal: AbortSignal.timeout(8000) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** `changed(watching)`: whether this device may only watch. */
export function createPairing(sheets, changed) {
  async function look() {
    const found = await told();
    if (found) changed(found.needed && !found.allowed);
    return found;
  }

  async function enter(pin) {
    const error = await ask.pair(pin);
    if (error === null) await look();
    return error;
  }

  /** The keypad's sheet. */
  function open() {
    const field = h("input", {
      class: "pin",
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      maxlength: DIGITS,
      "aria-label": words.pairing.pin,
    });
    const said = h("p", { class: "how", role: "status" });
    const go = async () => {
      if (field.value.trim().length < DIGITS) {
        said.textContent = words.pairing.digits(DIGITS);
        return;
      }
      const error = await enter(field.value.trim());
      if (error === null) sheets.close();
      else {
        said.textContent = words.told(error);
        field.value = "";
        field.focus();
      }
    };
    const form = h(
      "form",
      {
        class: "column",
        onsubmit: (event) => {
          event.preventDefault();
          go();
        },
      },
      h("p", {}, words.pairing.why),
      field,
      said,
      h("button", { class: "action main", type: "submit", "data-do": "pair" }, words.pairing.letIn),
    );
    sheets.open(words.pairing.title, form);
    field.focus();
  }

  /** For a device that is in: what the next one needs, as elements. */
  async function devices() {
    const found = await look();
    const pin = h("p", { class: "pin shown" }, found?.pin ?? "");
    const said = h("p", { class: "how", role: "status" });
    const code = h("img", { class: "code", src: "/api/pairing.svg", alt: words.pairing.code });
    const renew = async () => {
      const error = await ask.renewPin();
      if (error === null) {
        pin.textContent = (await told())?.pin ?? "";
        code.src = `/api/pairing.svg?n=${Date.now()}`;
      }
      said.textContent = error === null ? words.pairing.renewed : words.told(error);
    };
    return [
      h("p", {}, words.pairing.next(found?.url ?? `http://${location.host}/`)),
      found?.url && code,
      h("p", {}, found?.needed === false ? words.pairing.everybody : words.pairing.thenPin),
      found?.needed && pin,
      said,
      found?.needed && big(words.pairing.renew, renew, { name: "renew-pin" }),
    ];
  }

  /** Opened at once: an answer that comes late must not replace what was opened meanwhile. */
  async function openDevices() {
    const body = h("div", { class: "column" });
    sheets.open(words.pairing.devices, body);
    body.replaceChildren(...(await devices()).filter(Boolean));
  }

  async function begin() {
    const found = /^#pin=(\d{6})$/.exec(location.hash);
    if (found) {
      // not kept in the address, nor in what "back" leads to
      history.replaceState(null, "", location.pathname);
      await enter(found[1]);
    }
    await look();
  }

  return { begin, open, devices, openDevices };
}
