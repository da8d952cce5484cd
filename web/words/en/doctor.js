// The texts of the doctor's page. What it finds is told as `companion doctor` tells it.

export const doctorWords = {
  title: "Is all well?",
  back: "Back to the match",
  checking: "Looking at everything; a moment …",
  again: "Check again",
  fine: "Nothing is wrong.",
  found: (wrong, look) =>
    [wrong && `${wrong} wrong`, look && `${look} to look at`].filter(Boolean).join(", ") + ".",
  closed: "What this machine is and has is told to devices that may keep the score. Let this one in first, on the match’s page.",
  noAnswer: "The companion did not answer.",
  states: { ok: "All right", absent: "Not there", warn: "Look at it", bad: "Wrong" },
  checks: {
    machine: "Machine",
    python: "Python",
    package: "Packages",
    disk: "Card",
    clock: "Clock",
    power: "Power supply",
    pins: "Pins",
    table: "Table file",
    beams: "Light beams",
    extras: "Buttons and lamps",
    camera: "Camera",
    aim: "Aim",
    notice: "Notice",
    kept: "What is kept",
    address: "Address",
  },
};
