// The texts of the sheets that are loaded when they open (web/words/<language>/correct.js).

export * from "../words/correct.js";
