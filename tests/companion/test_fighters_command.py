"""`companion fighters …` as on the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.board_file import read_boards
from companion.boards import SHIPPED, shipped
from companion.cli import main
from companion.rules.rematch.fighters import ATTACKS, Board, board_from_json

HOUSE = """\
format = 1

[[fighter]]
name = "Zoë"
edition = "our table"
remarks = ["Wins often."]
start = [{ do = "note", text = "draw a card" }]
end = [{ do = "heal", amount = 1, optional = true }]

[fighter.attacks.R1]
effects = [{ do = "deal", amount = 1 }]
kicker = "none"
source = "our card"

[fighter.attacks.B4]
effects = [{ do = "deal", amount = "X-1", x = "cards" }]
"""


@pytest.fixture(autouse=True)
def nobodys_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE)
    return path


def said(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    assert main(["fighters", *map(str, args)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    assert main(["fighters", *map(str, args)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_check_says_what_is_known(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "check", house).splitlines() == [
        "Zoë: 9 attacks: 1 known, 1 partly known, 7 not known.",
        "  partly known: Blue-4",
        "  not known: Red-2, Red-4, Yellow-1, Yellow-2, Yellow-4, Blue-1, Blue-2",
    ]
    (zoe,) = json.loads(said(capsys, "check", house, "--json"))["fighters"]
    assert zoe["name"] == "Zoë"
    assert zoe["attacks"] == {**dict.fromkeys(ATTACKS, "unknown"), "R1": "known", "B4": "partly"}
    assert (zoe["edition"], zoe["remarks"]) == ("our table", ["Wins often."])


def test_check_takes_what_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    for path in SHIPPED.glob("*.toml"):
        assert said(capsys, "check", path).startswith(read_boards(path)[0].name)


def test_check_refuses_in_one_line(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house.write_text(HOUSE.replace("amount = 1 }]\nkicker", "amount = -1 }]\nkicker"))
    assert f"{house}: Zoë: fighter[0].attacks.R1.effects[0].amount is -1, where" in refused(capsys, "check", house)
    house.write_text("format = 1\nname = 'two\nlines'\n")
    assert "line 2" in refused(capsys, "check", house)
    assert "no.toml: No such file" in refused(capsys, "check", house.with_name("no.toml"))
    assert "Is a directory" in refused(capsys, "check", house.parent)
    assert "null" in refused(capsys, "check", "a\0b")
    assert "required: FILE" in refused(capsys, "check")
    assert "invalid choice" in refused(capsys, "dance")
    assert "required: WHAT" in refused(capsys)


def test_list_and_show_find_the_groups_own(house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    assert said(capsys, "import", house, "--data", data).splitlines() == [
        "new: Zoë",
        f"written: {data / 'fighters' / 'zoe.toml'}",
    ]
    lines = said(capsys, "list", "--data", data).splitlines()
    assert len(lines) == 9
    assert f"Zoë: 9 attacks: 1 known, 1 partly known, 7 not known; {data / 'fighters' / 'zoe.toml'}" in lines
    assert "DJ: 9 attacks: 9 not known; shipped" in lines
    listed = json.loads(said(capsys, "list", "--data", data, "--json"))["fighters"]
    assert [each["file"] for each in listed if each["name"] == "Zoë"] == [str(data / "fighters" / "zoe.toml")]
    assert {each["name"] for each in listed if each["file"] is None} == {board.name for board in shipped()}
    assert said(capsys, "show", "zoë", "--data", data).splitlines() == [
        f"Zoë, version our table ({data / 'fighters' / 'zoe.toml'})",
        "  start of turn: draw a card",
        "  end of turn: heal 1 on one of your own buttons, if wanted",
        "  Red-1: deal 1 to one of the opponent's buttons  (our card)",
        "      kicker: none",
        "  Red-2: not known",
        "  Red-4: not known",
        "  Yellow-1: not known",
        "  Yellow-2: not known",
        "  Yellow-4: not known",
        "  Blue-1: not known",
        "  Blue-2: not known",
        "  Blue-4: deal X-1 (X: cards) to one of the opponent's buttons",
        "      kicker: not known",
        "  * Wins often.",
    ]


def test_show_as_json_is_what_a_setup_takes(capsys: pytest.CaptureFixture[str]) -> None:
    dancer = board_from_json("", json.loads(said(capsys, "show", "DANCER", "--json")))
    assert dancer in shipped()


def test_the_usual_data_folder_is_that_of_run(house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Zoë" not in said(capsys, "list")
    said(capsys, "import", house)
    assert (tmp_path / "xdg" / "table-companion" / "fighters" / "zoe.toml").read_text() == HOUSE
    assert "Zoë" in said(capsys, "list")


def test_names_and_folders_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean Firefighter" in refused(capsys, "show", "Firefigter")
    assert f"--data: {tmp_path / 'no'} is no folder" in refused(capsys, "list", "--data", tmp_path / "no")
    assert "did you mean Chef" in refused(capsys, "export", "Chev", "-o", tmp_path / "x.toml")
    assert "no boards of your own" in refused(capsys, "export", "-o", tmp_path / "x.toml")
    assert os.listdir(tmp_path) == []


def test_what_one_exports_another_imports(house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    said(capsys, "import", house, "--data", one)
    bundle = tmp_path / "bundle.toml"
    assert said(capsys, "export", "-o", bundle, "--data", one) == f"{bundle}: Zoë\n"
    assert said(capsys, "import", bundle, "--data", other).startswith("new: Zoë")
    assert read_boards(other / "fighters" / "zoe.toml") == read_boards(house)
    assert said(capsys, "import", house, "--data", other) == "there already: Zoë\n"
    # by name, shipped ones too, each once
    assert "is there already: --replace" in refused(capsys, "export", "chef", "-o", bundle)
    said(capsys, "export", "chef", "zoë", "Chef", "-o", bundle, "--data", one, "--replace")
    assert [board.name for board in read_boards(bundle)] == ["Chef", "Zoë"]


def test_another_board_of_a_name_needs_replace(house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    said(capsys, "import", house, "--data", data)
    house.write_text(HOUSE.replace("our table", "2"))
    assert "Zoë is another board" in refused(capsys, "import", house, "--data", data)
    assert (data / "fighters" / "zoe.toml").read_text() == HOUSE
    assert said(capsys, "import", house, "--data", data, "--replace").splitlines() == [
        "replaced: Zoë",
        f"written: {data / 'fighters' / 'zoe.toml'}",
        f"as it was before: {data / 'fighters' / 'zoe.toml.old'}",
    ]
    assert read_boards(data / "fighters" / "zoe.toml")[0].edition == "2"


def test_a_template_is_a_board_file_and_never_overwrites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.toml"
    assert f"companion fighters check {path}" in said(capsys, "template", 'Our "Ace"', "-o", path)
    assert read_boards(path) == (Board('Our "Ace"'),)
    path.write_text(HOUSE)
    assert "is there already" in refused(capsys, "template", "Ace", "-o", path)
    assert path.read_text() == HOUSE
    for name in ("", "x" * 61, "two\nlines", " x", "\udcff"):
        assert "cannot be a fighter's name" in refused(capsys, "template", name, "-o", tmp_path / "x.toml")
    assert "cannot write" in refused(capsys, "template", "Ace", "-o", tmp_path / "no" / "x.toml")
    assert "cannot write" in refused(capsys, "template", "Ace", "-o", tmp_path, "--replace")
    assert not (tmp_path / "x.toml").exists()
