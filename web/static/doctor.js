// The doctor: what each check of this machine says, and the one thing to do about it. Checked when the page is opened.

import { h } from "./dom.js";
import { icon } from "./draw.js";
import { words as pageWords } from "./words.js";
import { doctorWords as words } from "./words_doctor.js";

const PATIENCE_MS = 60_000; // a package that hangs is given up by the companion itself, long before
const SIGNS = { ok: "yes", absent: "absent", warn: "ask", bad: "no" };
const WORST = ["bad", "warn", "ok", "absent"];

const part = (id) => document.getElementById(id);
const again = h("button", { class: "action", type: "button", id: "again", onclick: check }, words.again);
part("top").append(
  h("a", { class: "tool back", id: "back", href: "/", "aria-label": words.back }, icon("undo"), h("span", {}, words.back)),
  h("h1", { class: "brand" }, words.title),
  again,
);

function say(text, state = null) {
  part("told").textContent = text;
  part("told").dataset.state = state ?? "";
}

async function asked() {
  const answer = await fetch("/api/doctor", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return answer.json();
}

async function check() {
  again.disabled = true;
  say(words.checking);
  try {
    const reply = await asked();
    if (reply.ok) show(reply.findings);
    else say(reply.error.code === "not_paired" ? words.closed : pageWords.told(reply.error), "warn");
  } catch {
    say(words.noAnswer, "bad");
  } finally {
    again.disabled = false;
  }
}

/** What is wrong comes first; what goes together stays together. */
function show(findings) {
  const count = (state) => findings.filter((one) => one.state === state).length;
  const [wrong, look] = [count("bad"), count("warn")];
  say(wrong || look ? words.found(wrong, look) : words.fine, wrong ? "bad" : look ? "warn" : "ok");
  const sorted = WORST.flatMap((state) => findings.filter((one) => one.state === state));
  part("findings").replaceChildren(
    ...sorted.map(({ check: name, state, text, fix }) =>
      h(
        "li",
        { "data-check": name, "data-state": state },
        h("span", { class: "sign" }, SIGNS[state] !== "absent" && icon(SIGNS[state]), h("small", {}, words.states[state])),
        h("h2", {}, words.checks[name] ?? name),
        told(text, "p", "finding"),
        fix && told(fix, "p", "fix"),
      ),
    ),
  );
}

/** A sentence of the checks: where it has no translation, it is marked as the English that it is. */
function told(text, tag, kind) {
  const said = pageWords.said(text);
  const { lang } = document.documentElement;
  return h(tag, { class: kind, lang: said === text && lang !== "en" ? "en" : null }, said);
}

check();
