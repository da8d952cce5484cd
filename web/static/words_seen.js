export * from "../words/seen.js";
