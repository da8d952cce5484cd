// All tables of a venue and who won how often. Nothing can be changed from here.

import { attribute, h, redraw } from "./dom.js";
import { connect } from "./link.js";
import { venueWords as words } from "./words_venue.js";

const part = (id) => document.getElementById(id);
const tables = new Map(); // key -> its card: a card that is looked at stays the same one

function createTable() {
  const root = h("article", { class: "venue-table" });
  function render(table, live) {
    attribute(root, "data-online", table.online && live);
    attribute(root, "data-over", table.result !== null);
    redraw(root, [table], () => [
      h(
        "header",
        {},
        h("h2", {}, table.name),
        h("span", { class: "venue-here" }, table.online ? words.online : words.offline),
      ),
      table.simulated && h("p", { class: "venue-soft" }, words.simulated),
      h("p", { class: "venue-turn" }, table.result ?? (table.turn || words.empty)),
      Object.entries(table.figures).map(([player, numbers]) =>
        h(
          "div",
          { class: "venue-player", "data-player": player, "data-won": table.winner === player },
          h("span", { class: "venue-name" }, words.figures(player, table.seats[player] ?? "")),
          h(
            "span",
            { class: "venue-figures" },
            Object.entries(numbers).map(([name, n]) =>
              h("span", { class: "venue-figure", "data-figure": name }, h("i", {}, name), " ", h("b", {}, n)),
            ),
          ),
        ),
      ),
      table.last && h("p", { class: "venue-soft" }, table.last),
      table.page && h("a", { class: "venue-open", href: new URL("/watch", table.page).href }, words.open(table.name)),
    ]);
  }
  return { root, render };
}

const model = { hall: null, link: { live: false, silentMs: 0 } };

function draw() {
  const { hall, link } = model;
  const seconds = Math.floor(link.silentMs / 1000);
  part("silence").hidden = link.live || seconds < 3;
  part("silence").textContent = words.silence(seconds);
  if (hall === null) return;
  const live = hall.broker === null && link.live;
  part("title").textContent = words.title(hall.event);
  part("broker").hidden = hall.broker === null;
  part("broker").textContent = hall.broker === null ? "" : words.broker(hall.broker);
  for (const [key, card] of tables) {
    if (!hall.tables.some((table) => table.key === key)) {
      card.root.remove();
      tables.delete(key);
    }
  }
  part("tables").querySelector(".venue-none")?.remove();
  hall.tables.forEach((table, at) => {
    if (!tables.has(table.key)) tables.set(table.key, createTable());
    const { root, render } = tables.get(table.key);
    render(table, live);
    if (part("tables").children[at] !== root) part("tables").insertBefore(root, part("tables").children[at] ?? null);
  });
  if (hall.tables.length === 0) part("tables").append(h("p", { class: "venue-none" }, words.none));
  redraw(part("standings"), hall.standings, () => standings(hall.standings));
  redraw(part("notices"), hall.notices, () =>
    hall.notices.map((notice) => h("p", { class: "venue-notice" }, words.notices[notice.code]?.(notice) ?? notice.code)),
  );
}

function standings(rows) {
  if (rows.length === 0) return h("p", { class: "venue-soft" }, words.noStandings);
  const columns = ["played", "won", "lost"];
  const head = ["name", ...columns].map((column) => h("th", { scope: "col" }, words[column]));
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, head)),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h("tr", {}, h("th", { scope: "row" }, row.name), columns.map((column) => h("td", {}, row[column]))),
      ),
    ),
  );
}

connect({
  state(hall) {
    model.hall = hall;
    draw();
  },
  view() {},
  link(link) {
    model.link = link;
    draw();
  },
});
