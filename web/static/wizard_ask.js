// Asking the companion for a step of the set-up. Some take seconds on a Raspberry Pi.

import { wizardWords as words } from "../words/wizard.js";

const PATIENCE_MS = 90_000;

async function reply(path, options) {
  try {
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS), ...options });
    return await answer.json();
  } catch {
    return { ok: false, error: { code: "no_answer", text: words.noAnswer, cells: [] } };
  }
}

/** How far the table is set up; nothing is known when the companion does not answer. */
export async function told() {
  const found = await reply("/api/table", {});
  return found.camera ? found : { camera: "none", size: null, beams: null, pins: null };
}

/** `{ ok: true, … }` or `{ ok: false, error }`. */
export const step = (fields) =>
  reply("/api/table", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
  });
