// The texts of the doctor's page, in the page's language.

export * from "../words/doctor.js";
