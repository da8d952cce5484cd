"""The shipped boards against a table of what the rulebook prints of the eight fighters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.board_file import read_boards
from companion.boards import SHIPPED, load_boards, shipped
from companion.rules.rematch.fighters import Attack, Effect, flat

FIGHTERS = ("Chef", "DJ", "Dancer", "Duelist", "Firefighter", "Psychic", "Trickster", "VTuber")
SOURCES = r"(?:V(?:1\.[1-5]|2\.[0-5])|F\.A\.Q\.s)"

# What is printed of the attack itself, of its kicker, and where (rulebook: F.A.Q.s, Balance Changelog).
# "…": something more is left to be tapped in by hand.
PRINTED = {
    "Chef R1": ("…", "destroy 2", "V2.3"),
    "Chef Y1": ("…", "destroy 1, deal 1", "V2.3"),
    "Chef Y2": ("marker spirit, …", "heal 2", "V1.1"),
    "Chef Y4": ("deal_all 2, marker spirit, marker spirit, …", "…", "V2.3"),
    "Chef B1": ("…", "any_fan", "V2.3"),
    "Chef B4": ("…", "marker spirit, marker spirit", "V1.5, F.A.Q.s"),
    "Firefighter R2": ("note, …", "…", "V1.5"),
    "Firefighter R4": ("note, …", "note, …", "V2.2"),
    "Firefighter Y1": ("either heal 1 / deal 2, …", "…", "V1.1"),
    "Firefighter Y2": ("…", "deal X-1, …", "V2.2, F.A.Q.s"),
    "Firefighter Y4": ("…", "note, …", "V2.2"),
    "Firefighter B1": ("take_all 1, …", "…", "V1.1"),
    "Firefighter B2": ("destroy 2, …", "…", "V1.1"),
    "Firefighter B4": ("heal 2, any_fan if, …", "…", "V1.5, V2.2"),
    "Psychic R4": ("deal 2, skip, note, …", "…", "V1.2, V2.2"),
    "Psychic Y1": ("take_all 1, any_fan if, …", "…", "V1.4"),
    "Psychic Y2": ("take_all X-3, …", "note", "V1.4, V2.1, V2.2"),
    "Psychic Y4": ("…", "…", "V1.4"),
    "Psychic B1": ("marker tarot, …", "heal 1", "V1.3"),
    "Psychic B4": ("pay 1 if, …", "…", "V1.4"),
    "Trickster Y2": ("deal X, …", "…", "F.A.Q.s"),
    "Trickster B4": ("deny, …", "…", "F.A.Q.s"),
    "Duelist R1": ("…", "note", "V2.3"),
    "Duelist R2": ("deal 2, …", "any_fan", "V2.2, V2.3"),
    "Duelist R4": ("…", "…", "V2.3"),
    "Duelist Y1": ("…", "note", "V2.3"),
    "Duelist Y2": ("note, …", "…", "V2.4"),
    "Duelist Y4": ("…", "…", "V2.3"),
    "Duelist B1": ("…", "note", "V2.3"),
    "Duelist B2": ("destroy 1, …", "…", "V2.4"),
    "Duelist B4": ("…", "…", "V2.3"),
    "Dancer R4": ("pay 1, …", "…", "F.A.Q.s, V2.3"),
    "Dancer B2": ("…, no_destroy, …", "…", "V2.3"),
    "VTuber Y4": ("…", "…", "V2.2"),
    "VTuber B4": ("…", "…", "V2.2"),
}  # fmt: skip
NOTES = {
    "Firefighter R2": "axe",
    "Firefighter R4": "costs 2 ironblood",
    "Psychic R4": "3 focus",
    "Duelist Y2": "2 cards",
}
KICKER_NOTES = {
    "Firefighter R4": "2 ironblood",
    "Firefighter Y4": "2 ironblood",
    "Psychic Y2": "1 more",
    **dict.fromkeys(("Duelist R1", "Duelist Y1", "Duelist B1"), "next card costs 2 less"),
}


def short(effects: tuple[Effect, ...]) -> str:
    said = []
    for effect in effects:
        if effect.do == "unknown":
            said.append("…")
            continue
        parts = [effect.do, *(" / ".join(short(option) for option in effect.options),) * bool(effect.options)]
        parts += [str(effect.amount.to_json())] if effect.amount is not None else []
        parts += [effect.marker] if effect.marker is not None else []
        parts += ["if"] if effect.condition is not None else []
        said.append(" ".join(parts))
    return ", ".join(said)


def test_there_are_the_eight_that_the_rulebook_names() -> None:
    assert sorted(board.name for board in shipped()) == sorted(FIGHTERS)
    assert {board.edition for board in shipped()} == {"2.5"}
    assert {path.stem for path in SHIPPED.glob("*.toml")} == {name.lower() for name in FIGHTERS}


def test_the_shipped_boards_say_what_is_printed_and_nothing_else() -> None:
    said = {}
    for board in shipped():
        assert not board.start
        assert not board.end
        for name, attack in board.attacks.items():
            if attack == Attack():
                continue
            kicker = attack.kicker
            assert kicker is not None
            assert kicker.when == "unknown"  # no icon is printed
            said[f"{board.name} {name}"] = (short(attack.effects), short(kicker.effects), attack.source)
    assert said == PRINTED


def test_what_a_note_or_an_unknown_rest_says() -> None:
    by_name = load_boards(None)
    for notes, of_kicker in ((NOTES, False), (KICKER_NOTES, True)):
        for where, words in notes.items():
            name, attack = where.split()
            found = by_name[name].attacks[attack]
            effects = found.kicker.effects if of_kicker and found.kicker is not None else found.effects
            (note,) = (effect for effect in effects if effect.do == "note")
            assert words in (note.text or ""), where
    # an attack's own lines are never all printed
    for board in shipped():
        for attack in board.attacks.values():
            assert attack.effects[-1].do == "unknown"


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_no_shipped_fact_is_without_its_source(path: Path) -> None:
    (board,) = read_boards(path)
    for name, attack in board.attacks.items():
        if attack != Attack():
            assert re.fullmatch(rf"{SOURCES}(, {SOURCES})*", attack.source or ""), f"{board.name} {name}"
    assert board.remarks
    for remark in board.remarks:
        assert re.search(rf" \({SOURCES}(, {SOURCES})*\)$", remark), remark


def test_the_dancers_contradiction_is_remarked() -> None:
    dancer = load_boards(None)["Dancer"]
    (pay,) = (effect for effect in flat(dancer.attacks["R4"].effects) if effect.do == "pay")
    assert pay.restores is None  # the switch of the rule set says
    assert any("forced_credit_heals" in remark for remark in dancer.remarks)
