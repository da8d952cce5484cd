"""Board files: read, refused in one sentence, and written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board_file import LARGEST, MOST_FIGHTERS, dump_boards, parse_boards, read_boards
from companion.board_template import template
from companion.errors import InputError
from companion.rules.rematch.fighters import ATTACKS, FIELDS, Amount, Attack, Board, Effect, Kicker, flat, same_name
from tests.companion.rules.boarding import BOARD

BUNDLES = st.lists(BOARD, min_size=1, max_size=3, unique_by=lambda board: same_name(board.name))
SMALL = """\
format = 1

[[fighter]]
name = "Zed"

[fighter.attacks.R2]
effects = [{ do = "deal", amount = 2 }]

[[fighter]]
name = "Wye"
"""
PATH = Path("house.toml")


@settings(max_examples=30, deadline=None)
@given(BUNDLES)
def test_what_is_written_is_read(boards: list[Board]) -> None:
    assert list(parse_boards(dump_boards(boards).encode(), PATH)) == boards


def test_a_file_for_people() -> None:
    attack = Attack((Effect("deal", Amount(2)),), Kicker("either", (Effect("any_fan"),)), "our table")
    board = Board("Zed", attacks={**Board("").attacks, "Y4": attack}, remarks=("Hello.",))
    assert (
        dump_boards([board])
        == """\
format = 1

[[fighter]]
name = "Zed"
remarks = [
    "Hello.",
]

[fighter.attacks.Y4]
source = "our table"
effects = [
    { do = "deal", amount = 2 },
]
[fighter.attacks.Y4.kicker]
when = "either"
effects = [
    { do = "any_fan" },
]
"""
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("format = 1", "", "format is missing: a board file begins with format = 1"),
        ("format = 1", "format = true", "format is something else"),
        ("format = 1", "format = 0", "format is something else"),
        ("format = 1", "format = '1'", "format is something else"),
        ("format = 1", "format = 2", "format is of a newer companion (this one knows 1)"),
        ("format = 1", f"format = 0x{'f' * 9000}", "format is of a newer companion"),
        ("format = 1", f"format = {'9' * 9000}", "not valid TOML"),
        ("format = 1", "format = 1\nday = 2026-02-31", "not valid TOML"),
        ("format = 1", "format = 1\nowner = 'me'", "'owner' is not a known key: known are format and [[fighter]]"),
        ("[fighter.attacks.R2]", "[fighter.attacks.R2", "line 6"),
        ("[fighter.attacks.R2]", "[fighter.attacks.R3]", "Zed: fighter[0].attacks.R3 is not a known key"),
        ("amount = 2", "amount = -2", "Zed: fighter[0].attacks.R2.effects[0].amount is -2, where a whole number"),
        ("amount = 2", "amount = 1.5", "amount is 1.5"),
        ("amount = 2", "amount = true", "amount is True"),
        ("amount = 2", "amount = 1000000000", "amount is 1000000000"),
        ("amount = 2", "amount = 2026-01-01", "amount is datetime.date(2026, 1, 1)"),
        ("amount = 2", f"amount = 0x{'f' * 9000}", "amount is a very long number"),
        ("amount = 2", "amount = 'X'", "effects[0].x is missing"),
        ('"deal"', '"smash"', "effects[0].do is 'smash', where one of deal, deal_all, take"),
        ("amount = 2", "amount = 2, amount = 3", "line 7"),
        ('name = "Wye"', 'name = "zED"', "fighter[1].name is 'zED', which fighter[0] is called already"),
        ('name = "Wye"', "age = 3", "fighter[1].age is not a known key"),
        ('name = "Wye"', "", "fighter[1].name is missing"),
        ('name = "Wye"', "name = 3", "fighter[1].name is 3"),
    ],
)
def test_bad_files_are_named_in_one_sentence(old: str, new: str, words: str) -> None:
    assert old in SMALL
    with pytest.raises(InputError) as error:
        parse_boards(SMALL.replace(old, new, 1).encode(), PATH)
    assert str(error.value).startswith("house.toml: ")
    assert words in str(error.value)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "format is missing"),
        ("format = 1", "holds no fighter"),
        ("format = 1\nfighter = 3", "holds no fighter"),
        ("format = 1\nfighter = []", "holds no fighter"),
        ("format = 1\nfighter = [3]", r"fighter[0] is 3, where a table is needed"),
        ("format = 1\n[fighter]\nname = 'Zed'", "fighter must be written [[fighter]], in double brackets"),
        ("format = 1\n" + "".join(f"[[fighter]]\nname = 'f{n}'\n" for n in range(MOST_FIGHTERS + 1)), "1 to 200"),
        ("format = 1\nx = " + "[" * 5000, "nested too deeply"),
        ("format = 1\nx = " + "{x = " * 5000, "nested too deeply"),
    ],
)
def test_files_that_hold_no_boards(text: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        parse_boards(text.encode(), PATH)
    assert str(error.value).startswith("house.toml: ")
    assert words in str(error.value)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"board file .*no\.toml: No such file"):
        read_boards(tmp_path / "no.toml")
    with pytest.raises(InputError, match=rf"{tmp_path}: Is a directory"):
        read_boards(tmp_path)
    with pytest.raises(InputError, match="null"):
        read_boards(Path("a\0b"))
    path = tmp_path / "b.toml"
    path.write_bytes(b"format = 1\n# caf\xe9\n")
    with pytest.raises(InputError, match=r"b\.toml: not a text file in UTF-8 \(line 2\)"):
        read_boards(path)
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(InputError, match=r"b\.toml: too large for a board file"):
        read_boards(path)
    path.write_bytes(SMALL.encode() + b"#" * (LARGEST - len(SMALL)))
    assert [board.name for board in read_boards(path)] == ["Zed", "Wye"]


def test_a_template_says_nothing_yet() -> None:
    assert parse_boards(template('Zed "the house"').encode(), PATH) == (Board('Zed "the house"'),)


def test_every_line_of_a_template_can_be_uncommented() -> None:
    text = template("Zed")
    filled = re.sub(r"^# (?=(\[fighter|effects = |when = |edition|remarks|start|end))", "", text, flags=re.MULTILINE)
    (board,) = parse_boards(filled.encode(), PATH)
    assert {name: attack.known for name, attack in board.attacks.items()} == dict.fromkeys(ATTACKS, "known")
    assert board.attacks["B4"].effects == (Effect("deal", Amount(4)),)
    assert (board.edition, len(board.start), len(board.end), len(board.remarks)) == ("2.5", 1, 1, 1)


def test_a_template_shows_every_effect() -> None:
    text = template("Zed")
    shown = re.findall(r"^#   (\{.*?\})(?:$| {2,}|;)", text, flags=re.MULTILINE) + re.findall(r"; (\{.*?\})", text)
    listed = "\n".join(f"    {effect}," for effect in shown)
    head = SMALL[: SMALL.index("[fighter.attacks")]
    (board,) = parse_boards(f"{head}start = [\n{listed}\n]\n".encode(), PATH)
    names = {effect.do for effect in (*board.start, *flat(board.start))}
    assert names | set(re.findall(r"(deal_all|take_all):", text)) == set(FIELDS)


def test_the_example_of_the_page_is_a_board_file() -> None:
    page = (Path(__file__).parents[2] / "docs" / "fighters.md").read_text()
    (example,) = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    (board,) = parse_boards(example.encode(), PATH)
    known = {name: attack.known for name, attack in board.attacks.items()}
    assert known == {**dict.fromkeys(ATTACKS, "unknown"), "R1": "known", "R2": "known", "Y4": "partly"}
    table = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page, flags=re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(table))) - {"do"} == set(FIELDS)
