// Every text of the page, in one place. Texts that come from the table (reasons, questions) are shown as they come.

export const COLOUR_NAMES = { R: "Red", Y: "Yellow", B: "Blue", ".": "Empty", "?": "Not known" };
export const other = (player) => (player === "A" ? "B" : "A");

const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

export const words = {
  title: "Table companion",
  game: "Re;MATCH",
  tagline: "Two players, one tray. The table keeps score.",
  simulated: "Simulated table",
  realMatch: "Score a real match by taps",
  autoplay: (on) => (on ? "Autoplay is on" : "Autoplay"),
  undo: "Undo",
  redo: "Redo",
  menu: "Menu",
  close: "Close",
  cancel: "Cancel",

  turn: (player) => `${player}’s turn`,
  opening: "Opening",
  mayDestroy: (player, left) => `${player} may destroy ${left > 1 ? `up to ${left} marbles` : "1 more marble"}`,
  due: {
    dial: (player, colour, { hp }) => `${COLOUR_NAMES[colour]} of ${player}, ${hp} HP`,
    fan: (colour) => `${COLOUR_NAMES[colour]} fan`,
    when: (when) => (when === "before" ? "Before the attack" : "After the attack"),
    yes: "Yes",
    no: "No",
    done: "Done",
    drop: "Did not happen",
    noMore: "No more",
    howMany: (what) => `How many: ${what}?`,
    cells: (most) => `Tap ${most === 1 ? "a marble" : `up to ${most} marbles`} on the tray.`,
    where: "Where does it lie?",
    choose: "Choose …",
    place: (place) =>
      place.startsWith("row") ? `Row ${place[3]}` : (COLOUR_NAMES[place] ?? place.replace("player", "Player")),
    then: (n) => (n === 1 ? "Then one more." : `Then ${n} more.`),
    left: (texts) => `Not done in the last turn: ${texts.join(" ")}`,
    opening: (player, left) => (left ? words.mayDestroy(other(player), left) : `${player} begins`),
    start: () => "Pull your marbles",
    resolve: () => "Resolve the attack",
    over: () => "Match over",
  },
  wins: (player) => `${player} wins`,
  noMatch: "No match yet",

  player: (player) => `Player ${player}`,
  lane: { a: "A only", b: "shared", c: "B only" },
  dial: (player, colour, { hp, broken }) =>
    `${player}’s ${COLOUR_NAMES[colour]} dial: ${hp} HP${broken ? ", broken" : ""}`,
  credits: (player, n) => `${player} has ${n} ${n === 1 ? "credit" : "credits"}`,
  creditsShort: (n) => (n === 1 ? "credit" : "credits"),
  fan: (colour, place) => `${COLOUR_NAMES[colour]} fan ${place === "stage" ? "on the stage" : `with ${place}`}`,
  stage: "Stage",
  withPlayer: (player) => `${player}’s fans`,
  cell: (cell, letter, picked, now = null) =>
    `${cell}: ${COLOUR_NAMES[letter]}${picked ? `, picked as number ${picked}` : ""}${now ? `, now ${COLOUR_NAMES[now]}` : ""}`,

  clear: (n) => `Clear ${n} ${n === 1 ? "marble" : "marbles"}`,
  pull: (n) => `Pull ${n} ${n === 1 ? "marble" : "marbles"}`,
  destroy: (n) => `Destroy ${n} ${n === 1 ? "marble" : "marbles"}`,
  unpick: "Unpick",
  unpickFirst: "No more",
  nearest: (attack, cells) => `${words.attack(attack)}: ${cells.join(" ")}`,
  nearestHint: "Legal and nearest to it:",
  misfits: (n) => `${n} ${n === 1 ? "entry no longer fits" : "entries no longer fit"} after a correction`,
  putBack: "Put back",
  takeTray: "Take the tray as it is",
  dismiss: "Dismiss",
  endTurn: (player) => `End ${player}’s turn`,
  begin: (player) => `Begin: ${player} pulls`,
  callAttack: "Call an attack",
  setMarbles: "Set marbles",
  setMarblesOn: "Done setting",
  newMatch: "New match",

  legal: (player, attack) => `${player} cleared ${words.attack(attack)}`,
  attack: (attack) => (attack ? `${COLOUR_NAMES[attack[0]]} ${attack.slice(1)}` : "marbles"),
  legalMark: "Legal",
  overruledMark: "Let stand",
  likely: "The camera did not see it all; the player has the benefit of the doubt.",
  illegal: (player) => `Illegal pull by ${player}`,
  notIllegalHere: "Not a legal clear",
  refused: "Not possible",
  heals: (heals) =>
    listed(Object.entries(heals).map(([colour, amount]) => `${COLOUR_NAMES[colour]} +${amount}`)) + " by short circuit",
  kicker: "Kicker: resolve it too",
  overBecause: ({ winner, reason }) =>
    ({
      cannot_pay: `${other(winner)} cannot pay the credits for a broken dial.`,
      both_cannot_pay: "Neither can pay; the rule for that decides.",
      conceded: `${other(winner)} conceded.`,
    })[reason] ?? "",
  differs: "The tray is not as expected",
  differsHow: (cells) => `Put the marbles drawn here into ${listed(cells)}, or take the tray as it is.`,
  differsSettling: "Waiting until the tray lies still.",
  restore: (cells) => `Put the tray back as drawn: ${listed(cells)} ${cells.length === 1 ? "differs" : "differ"}.`,
  questionFor: (player) => (player ? `A question about ${player}’s pull` : "A question"),
  hand: "Hand in the tray",
  hint: {
    opening: (player, simulated, left) =>
      left ? `Tap them. Then, or without, ${player} begins and pulls.` : `Tap “${words.begin(player)}”.`,
    start: (player, simulated) =>
      `${player} takes lanes ${player === "A" ? "a and b" : "b and c"}. Tap marbles in order${simulated ? " to pull them" : ""}.`,
    resolve: () => "Tap a dial to hit or heal it, a fan to take it.",
    set: "Tap a marble to set it.",
    fillIn: (cell) => `What rolled into ${cell}?`,
  },

  sheet: {
    hit: "Hit",
    heal: "Heal",
    set: "Set",
    whose: "Whose effect?",
    hitWhich: "Which dials? One effect hits them all at once.",
    amount: "How much?",
    setHp: "Set to",
    broken: "Broken",
    working: "Working",
    flip: "Flip it back over",
    credits: (player) => `${player}’s credits`,
    creditsHow: "A correction: pays and heals nothing.",
    fan: (colour) => `${COLOUR_NAMES[colour]} fan`,
    takes: (player) => `${player} takes it`,
    putThere: (place) => (place === "stage" ? "Back on the stage" : `It lies with ${place}`),
    correction: "Correct a mistake",
    cell: (cell) => `What lies in ${cell}?`,
    call: (player) => `${player} calls an attack`,
    callHow: "Trusted: the page does not ask which marbles. The tray is then not known.",
    shorts: (colour) => `${COLOUR_NAMES[colour]} short circuits`,
    turn: "Whose turn is it really?",
    camera: "Camera picture",
    noPicture: "No picture yet.",
  },
  rules: {
    title: "Rules of this match",
    how: "They can be changed until the first clear. What the rulebook prints is marked.",
    fixed: "The first clear is made, so the rules stay as they are.",
    printed: "printed",
    button: "Rules",
    line: (edition, names) =>
      `Rules: edition ${edition}, ${names.length ? `house rules: ${names.map((name) => words.rules.switches[name].label.toLowerCase()).join("; ")}` : "as printed"}.`,
    switches: {
      edition: {
        label: "Edition",
        options: ["2.5", "2.4", "2.3", "2.2", "2.1", "2.0", "1.5", "1.4", "1.3", "1.2", "1.1", "1.0"].map((e) => [e, e]),
      },
      forced_credit_heals: {
        label: "A forced credit restores HP",
        options: [
          [false, "No"],
          [true, "Yes"],
        ],
      },
      forced_credit_unpaid: {
        label: "A forced credit that is not there",
        options: [
          ["loses", "Loses the match"],
          ["ignored", "Is let go"],
        ],
      },
      flips_per_turn: {
        label: "Flips in one turn",
        options: [
          [null, "Any number"],
          [1, "One"],
        ],
      },
      fan_snapshot: {
        label: "Fans count for the kicker",
        options: [
          ["turn_begins", "When the turn begins"],
          ["after_start_effects", "After its start effects"],
        ],
      },
      kicker: {
        label: "The kicker",
        options: [
          ["mandatory", "Is always used"],
          ["optional", "Is used if wanted"],
        ],
      },
      detours: {
        label: "Longer ways through short circuits",
        options: [
          [true, "Allowed"],
          [false, "Only the shortest"],
        ],
      },
      breaks_settle: {
        label: "Breaks are paid",
        options: [
          ["effect", "After each effect"],
          ["attack_end", "At the attack’s end"],
        ],
      },
      both_lose: {
        label: "Neither can pay",
        options: [
          ["attacker_wins", "The attacker wins"],
          ["first_loses", "Who failed first loses"],
        ],
      },
      marbles_return: {
        label: "Cleared marbles go back",
        options: [
          ["end_of_turn", "At the end of the turn"],
          ["at_once", "At once"],
        ],
      },
      spare_marbles: {
        label: "Spare marbles in play",
        options: [
          [false, "No"],
          [true, "Yes, 12 a colour"],
        ],
      },
      third_break_price: {
        label: "Price of a third break at once",
        options: [
          [2, "2 credits"],
          [3, "3 credits"],
        ],
      },
    },
  },
  markers: {
    title: "Markers",
    how: "Spirits, sticks, tokens, cards: the companion reminds you when something touches them.",
    there: "On the table; tap one to take it off",
    whose: "Whose?",
    name: "Name",
    where: "Lay it on",
    takeOff: ({ name, owner, place }) => `${name} of ${owner}: ${words.due.place(place)}`,
    chip: ({ name, owner, place }) => `${name} (${owner}) ${words.due.place(place)}`,
  },
  history: {
    title: "This match",
    how: "Newest first. Take an entry out, and all after it is worked out again; undo brings it back.",
    remove: "Take out",
    misfit: (text) => `No longer fits: ${text}`,
    command: (command) => {
      const { do: name, player, source, ...rest } = command;
      const who = player ?? source;
      const what = Object.entries(rest)
        .filter(([key]) => !["players", "refill"].includes(key))
        .map(([key, value]) => words.history.value(key, value));
      return [who, name.replace("_", " "), ...what].filter(Boolean).join(" ");
    },
    value: (key, value) => {
      if (key === "hits") return value.map((hit) => `${hit.player} ${COLOUR_NAMES[hit.button]} ${hit.amount}`).join(", ");
      if (Array.isArray(value)) return value.join(" ");
      if (["button", "fan", "colour"].includes(key)) return COLOUR_NAMES[value] ?? value;
      if (key === "attack") return words.attack(value);
      return value !== null && typeof value === "object" ? JSON.stringify(value) : `${key} ${value}`;
    },
  },
  setup: {
    title: "New match",
    who: "Who starts?",
    fighters: "Fighters (may stay empty)",
    fighter: (player) => `Fighter of ${player}`,
    rules: "Rules",
    tray: "What lies in the tray?",
    seen: "As the camera sees it",
    unknown: "Not known yet",
    enter: "I enter it",
    enterHow: "Lane a, then b, then c, each from the open end up. Tap a marble to go back to it.",
    typed: "Tray text",
    start: "Start the match",
    ends: "The match on the table ends. Undo cannot bring it back.",
  },
  link: {
    live: "Live",
    waking: "Connecting …",
    lost: (seconds) => `Last heard ${seconds} s ago`,
    busy: "Too many pages open; waiting",
    noAnswer: "The companion did not answer. Nothing is known to have changed; look at the score before you tap again.",
  },
  camera: {
    none: "No camera",
    ok: "Camera",
    lost: "Camera lost",
    again: (times) => `Camera (opened again ${times}×)`,
  },
  sensors: { none: "No beams", ok: "Beams", fault: "Beam fault" },
  help: {
    button: "What can I clear?",
    on: "Help for learners: on",
    off: "Help for learners: off",
    title: (player) => `What ${player} can clear`,
    how: "Tap one to see it on the tray; it is not yet pulled.",
    none: "Nothing can be cleared now.",
    next: "What may roll in next",
    chance: (share) => `${Math.round(share * 100)} %`,
  },
  watch: { asked: "The companion has asked the players what happened." },
  pairing: {
    title: "Let this device in",
    why: "Everyone may watch. To keep the score, enter the PIN once: a device that is in shows it under “Menu”, the companion prints it when it starts.",
    pin: "PIN of the table",
    digits: (n) => `The PIN has ${n} digits.`,
    letIn: "Let it in",
    watching: "Only watching: enter PIN",
    devices: "Add a phone or tablet",
    next: (url) => `Point its camera at the code, or open ${url} on it.`,
    code: "QR code of the page",
    thenPin: "Without the code: tap “Only watching” and enter this PIN:",
    everybody: "That is all: this table lets every device on the network keep the score.",
    renew: "New PIN, and shut the other devices out",
    renewed: "The PIN is new. Every other device must enter it once.",
  },
  aim: "Camera moved",
};
