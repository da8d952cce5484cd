// The match entry by entry, with Re;MATCH's forms (entries.js does the rest).

import { openEntries } from "./entries.js";
import { forms, fresh } from "./history_forms.js";
import { differences } from "./outlook.js";
import { correctWords } from "./words_correct.js";

const game = {
  forms,
  fresh,
  kinds: correctWords.history.kinds,
  whole: (command) => command.do !== "destroy",
  differences,
};

export const openHistory = (sheets, model, command) => openEntries({ sheets, model, command }, game);
