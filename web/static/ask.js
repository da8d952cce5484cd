// Asking the table for something. The answer's state is not used: what changed comes by the stream, to all pages alike.

import { words } from "./words.js";

async function post(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(8000),
    });
    const reply = await answer.json();
    return reply.ok ? null : reply.error;
  } catch {
    return { code: "no_answer", text: words.link.noAnswer, cells: [] };
  }
}

/** All give null when accepted, else the error `{ code, text, cells, reasons? }`. */
export const command = (fields) => post("/api/commands", fields);
export const control = (fields) => post("/api/control", fields);
export const pair = (pin) => post("/api/pair", { pin });
export const renewPin = () => post("/api/pair/renew", {});
