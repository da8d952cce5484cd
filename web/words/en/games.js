// The games that the companion knows, for its menus.

export const gamesWords = {
  title: "Another game",
  names: {
    rematch: "Re;MATCH",
    react: "Re;ACT",
    reactions: "Actions and Reactions",
    reinforcements: "Reinforcements",
  },
  now: (name) => `${name} (now)`,
  changing: (name) => `${name} is being set up; this page comes back by itself.`,
};
