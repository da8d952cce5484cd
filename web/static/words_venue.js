// The texts of the venue's page, in the page's language.

export * from "../words/venue.js";
