// The texts of the doctor's page, in German. What it finds is told as `companion doctor` tells it, most of it in English.

export const doctorWords = {
  title: "Alles in Ordnung?",
  back: "Zur Partie",
  checking: "Ich sehe alles nach; einen Augenblick …",
  again: "Noch einmal nachsehen",
  fine: "Nichts ist verkehrt.",
  found: (wrong, look) =>
    [wrong && `${wrong} verkehrt`, look && `${look} zum Nachsehen`].filter(Boolean).join(", ") + ".",
  closed: "Was dieses Gerät ist und hat, erfahren nur Geräte, die mitzählen dürfen. Lass dieses erst herein, auf der Seite der Partie.",
  noAnswer: "Der Begleiter hat nicht geantwortet.",
  states: { ok: "In Ordnung", absent: "Nicht da", warn: "Nachsehen", bad: "Verkehrt" },
  checks: {
    machine: "Rechner",
    python: "Python",
    package: "Pakete",
    disk: "Karte",
    clock: "Uhr",
    power: "Netzteil",
    pins: "Pins",
    table: "Tischdatei",
    beams: "Lichtschranken",
    extras: "Knöpfe und Lampen",
    camera: "Kamera",
    aim: "Ziel",
    notice: "Hinweis",
    kept: "Aufgehobenes",
    address: "Adresse",
  },
};
