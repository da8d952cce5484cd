// Asking the table for something. The answer's state is not used: what changed comes by the stream, to all pages alike.

import { words } from "./words.js";

/** The whole reply. `version`: of the score that is looked at, so that of two at once the later one is told. */
async function post(path, body, version = null) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(version === null ? {} : { "Score-Version": version }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(8000),
    });
    return await answer.json();
  } catch {
    return { ok: false, error: { code: "no_answer", text: words.link.noAnswer, cells: [] } };
  }
}

const refusal = async (reply) => {
  const { ok, error } = await reply;
  return ok ? null : error;
};

/** The whole reply, a command's with the `version` after it. */
export const commanded = (fields, version) => post("/api/commands", fields, version);
export const controlled = (fields, version) => post("/api/control", fields, version);
/** What a command would do: `{ ok, told, state, changed?, before? }` or `{ ok: false, error }`. */
const preview = (fields) => controlled({ do: "preview", command: fields });

/** Previews of which only the newest counts: `ask(fields)` gives null when something newer was asked or `drop()` called. */
export function createPreviews() {
  let asked = 0;
  const drop = () => (asked += 1);
  const ask = async (fields) => {
    const mine = drop();
    const reply = await preview(fields);
    return mine === asked ? reply : null;
  };
  return { ask, drop };
}

/** All these give null when accepted, else the error `{ code, text, cells, reasons? }`. */
export const control = (fields) => refusal(controlled(fields));
export const pair = (pin) => refusal(post("/api/pair", { pin }));
export const renewPin = () => refusal(post("/api/pair/renew", {}));
