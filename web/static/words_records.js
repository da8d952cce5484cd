export * from "../words/records.js";
