// `/watch?overlay`: the strip that a stream lays over its picture, for every game's onlookers.

import { attribute, h } from "./dom.js";

/** Whether this page is one. `style`: the style sheet of the strip, loaded for it alone. */
export function laidOver(style = null) {
  const over = location.pathname === "/watch" && new URLSearchParams(location.search).has("overlay");
  attribute(document.documentElement, "data-overlay", over);
  if (over && style) document.head.append(h("link", { rel: "stylesheet", href: style }));
  return over;
}
