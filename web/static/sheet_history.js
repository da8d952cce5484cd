// The match command by command; each can be taken out, and everything after it is decided again.

import { h } from "./dom.js";
import { words } from "./words.js";

export async function openHistory({ open, send }, misfits) {
  const list = h("ol", { class: "history" });
  open(words.history.title, [h("p", { class: "how" }, words.history.how), list], { wide: true });
  let commands = [];
  try {
    const answer = await fetch("/api/history");
    commands = (await answer.json()).commands;
  } catch {
    list.append(h("li", {}, words.link.noAnswer));
    return;
  }
  const wrong = new Map(misfits.map((misfit) => [misfit.seq, misfit.error]));
  for (const { seq, command, undone, text, told } of commands.toReversed()) {
    if (undone) continue;
    const misfit = wrong.get(seq);
    list.append(
      h(
        "li",
        { "data-seq": seq, "data-misfit": Boolean(misfit) },
        h(
          "span",
          { class: "told" },
          h("b", {}, words.said(text ?? command.do)),
          (told ?? []).map((line) => h("small", {}, words.said(line))),
          misfit && h("small", { class: "misfit" }, words.history.misfit(words.told(misfit))),
        ),
        command.do !== "setup" &&
          h(
            "button",
            {
              class: "action quiet",
              type: "button",
              "data-remove": seq,
              onclick: () => send({ do: "amend", seq, remove: true }),
            },
            words.history.remove,
          ),
      ),
    );
  }
}
