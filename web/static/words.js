// The texts of the page. The server gives those of the page's language (web/words/<language>/page.js) and no others.

export { other } from "./seats.js";
export * from "../words/page.js";
