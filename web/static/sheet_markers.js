// Free markers: what lies on rows, marbles, colours and players, and laying or taking them off.

import { h } from "./dom.js";
import { placeList } from "./due.js";
import { big, choice, part } from "./form.js";
import { words } from "./words.js";

const ROWS = [1, 2, 3, 4, 5];
export const PLACES = [
  ...ROWS.map((row) => `row${row}`),
  ...["a", "b", "c"].flatMap((lane) => ROWS.map((row) => `${lane}${row}`)),
  "R",
  "Y",
  "B",
  "player A",
  "player B",
];
const NAMES = ["spirit", "stick", "amp", "frozen", "tarot", "trick card", "shield", "denied", "blocked", "forced"];

export function openMarkers({ open, send }, state) {
  let player = state.turn;
  let name = NAMES[0];
  const free = h("input", { type: "text", name: "marker", maxlength: 60, autocomplete: "off", list: "marker-names", "aria-label": words.markers.name });
  free.value = name;
  free.addEventListener("input", () => (name = free.value.trim()));
  open(words.markers.title, [
    h("p", { class: "how" }, words.markers.how),
    state.markers.length > 0 &&
      part(
        words.markers.there,
        state.markers.map((marker) =>
          big(words.markers.takeOff(marker), () => send({ do: "marker", remove: marker.id }), {
            name: `take-off-${marker.id}`,
          }),
        ),
      ),
    part(
      words.markers.whose,
      choice(
        ["A", "B"].map((p) => [p, words.player(p)]),
        player,
        (p) => (player = p),
      ),
    ),
    part(
      words.markers.name,
      free,
      h(
        "datalist",
        { id: "marker-names" },
        NAMES.map((known) => h("option", { value: known })),
      ),
    ),
    part(
      words.markers.where,
      placeList(PLACES, (place) => send({ do: "marker", player, name, place })),
    ),
  ]);
}
