// What this device says aloud: a tone and, where the browser can, a spoken line. Each can be switched off for itself.

import { COLOURS } from "./draw.js";
import { COLOUR_NAMES, words } from "./words.js";

const TONES = {
  // [frequency in Hz, from, to in s]
  yes: [
    [660, 0, 0.12],
    [880, 0.12, 0.3],
  ],
  no: [
    [220, 0, 0.16],
    [165, 0.16, 0.42],
  ],
  ask: [[520, 0, 0.25]],
};

const CORRECTIONS = ["correct", "undo", "redo", "amend"];

/** What a change of the score sounds like: the new totals of what changed, never the old ones. "" when none did. */
function totals(before, now) {
  if (!before || !now) return "";
  const said = [];
  for (const player of Object.keys(now.players)) {
    const [old, own] = [before.players[player], now.players[player]];
    for (const colour of COLOURS) {
      const [was, is] = [old.buttons[colour], own.buttons[colour]];
      if (was.hp === is.hp && was.broken === is.broken) continue;
      said.push(`${player}, ${COLOUR_NAMES[colour]}: ${is.hp}${is.broken ? `, ${words.voice.broken}` : ""}`);
    }
    if (old.credits !== own.credits) said.push(words.credits(player, own.credits));
  }
  return said.join(". ");
}

const stored = (key) => {
  try {
    return localStorage.getItem(key) === "on";
  } catch {
    return false; // a private window without storage
  }
};

export function createAnnouncer() {
  const on = { sounds: stored("sounds"), voice: stored("voice") };
  let context = null;
  let last = null; // { key, state } of what was announced last

  function play(tone) {
    if (!on.sounds || !TONES[tone]) return;
    try {
      context ??= new AudioContext();
      const start = context.currentTime;
      for (const [frequency, from, to] of TONES[tone]) {
        const sound = context.createOscillator();
        const gain = context.createGain();
        sound.frequency.value = frequency;
        gain.gain.setValueAtTime(0.0001, start + from);
        gain.gain.linearRampToValueAtTime(0.2, start + from + 0.02);
        gain.gain.linearRampToValueAtTime(0.0001, start + to);
        sound.connect(gain).connect(context.destination);
        sound.start(start + from);
        sound.stop(start + to);
      }
    } catch {
      // no sound is no reason to stop keeping the score
    }
  }

  function speak(text) {
    if (!on.voice || !text || !window.speechSynthesis) return;
    speechSynthesis.cancel(); // the newest counts; nobody wants to hear a backlog
    const line = new SpeechSynthesisUtterance(text);
    line.lang = document.documentElement.lang;
    speechSynthesis.speak(line);
  }

  return {
    on,
    canSpeak: "speechSynthesis" in window,
    set(name, value) {
      on[name] = value;
      try {
        localStorage.setItem(name, value ? "on" : "off");
      } catch {
        // it holds until the page is left
      }
      // a tap on the switch is what allows a page to make sounds
      if (name === "sounds") play("ask");
      if (name === "voice") speak(value ? words.voice.hello : "");
    },
    /** Called with whatever is shown; what was already announced is not announced again. `done`: the last command. */
    heard(say, state, done = null) {
      const key = JSON.stringify([say.tone, say.title, say.lines]);
      const before = last;
      last = { key, state, version: done?.version };
      if (before === null) return; // a page that has just come knows nothing new
      const news = before.key !== key && say.title ? say.tone : null;
      const corrected = done && done.version !== before.version && CORRECTIONS.includes(done.do);
      if (corrected && !["no", "ask"].includes(news)) {
        // a clear that the page shows again because of it was said when it happened
        const text = totals(before.state, state);
        if (text) speak(text);
      } else if (["yes", "no", "ask"].includes(news)) {
        play(news);
        speak([say.title, say.lines[0]].filter(Boolean).join(". "));
      } else {
        const text = totals(before.state, state);
        if (text) speak(text);
      }
    },
  };
}
