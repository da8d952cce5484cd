// Die Spiele, die der Begleiter kennt, für seine Menüs.

export const gamesWords = {
  title: "Ein anderes Spiel",
  names: {
    rematch: "Re;MATCH",
    react: "Re;ACT",
    reactions: "Actions and Reactions",
    reinforcements: "Reinforcements",
  },
  now: (name) => `${name} (jetzt)`,
  changing: (name) => `${name} wird vorbereitet; diese Seite kommt von selbst wieder.`,
};
