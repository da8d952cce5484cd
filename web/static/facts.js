// What differs between two states of a game, in lines: from its facts, a list of [label, value] in the page's words. Pure.

/** `facts(state)`: only what has a value; a label stands for one thing of the table. */
export const differing = (facts) => (now, then) => {
  const [was, is] = [new Map(facts(now)), new Map(facts(then))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((label) => was.get(label) !== is.get(label))
    .map((label) => `${label}: ${was.get(label) ?? "–"} → ${is.get(label) ?? "–"}`);
};
