"""A group's own boards in the data folder, beside the shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import boards
from companion.board_file import dump_boards, parse_boards, read_boards
from companion.boards import all_boards, find, import_boards, load_boards, own_boards, shipped
from companion.errors import InputError
from companion.rules.rematch.fighters import Amount, Board, Effect

FIGHTERS = {"Chef", "DJ", "Dancer", "Duelist", "Firefighter", "Psychic", "Trickster", "VTuber"}
HOUSE = """\
# typed in from our own cards
format = 1

[[fighter]]
name = "Zoë"

[fighter.attacks.R1]
effects = [{ do = "deal", amount = 1 }]
"""
BUNDLE = HOUSE + '\n[[fighter]]\nname = "chef"\n'


def keep(data: Path, name: str, text: str) -> Path:
    path = data / "fighters" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def content(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_without_a_folder_there_are_the_shipped_ones(tmp_path: Path) -> None:
    assert load_boards(None) == load_boards(tmp_path) == load_boards(tmp_path / "no")
    assert set(load_boards(None)) == FIGHTERS


def test_own_boards_go_before_shipped_ones_of_the_same_name(tmp_path: Path) -> None:
    path = keep(tmp_path, "house.toml", BUNDLE)
    found = load_boards(tmp_path)
    assert set(found) == {"chef", "Zoë"} | FIGHTERS - {"Chef"}
    assert found["chef"] == Board("chef")
    assert find("CHEF", all_boards(tmp_path)).file == path
    assert find("dancer", all_boards(tmp_path)).file is None


def test_only_toml_files_that_are_not_hidden_are_read(tmp_path: Path) -> None:
    keep(tmp_path, "house.toml", HOUSE)
    for name in (".house.toml", "house.toml.old", "notes.txt", ".house.toml.abc.new"):
        keep(tmp_path, name, "not a board")
    assert list(own_boards(tmp_path)) == ["zoë"]


def test_a_broken_own_file_is_an_error_or_told_and_passed_over(tmp_path: Path) -> None:
    keep(tmp_path, "a.toml", "format = 1\n")
    keep(tmp_path, "b.toml", HOUSE)
    with pytest.raises(InputError, match=r"a\.toml: holds no fighter"):
        load_boards(tmp_path)
    told: list[str] = []
    assert "Zoë" in load_boards(tmp_path, told.append)
    assert len(told) == 1
    assert "a.toml: holds no fighter" in told[0]


def test_a_name_in_two_files_is_an_error(tmp_path: Path) -> None:
    keep(tmp_path, "a.toml", HOUSE)
    keep(tmp_path, "b.toml", HOUSE.replace("Zoë", "ZOË"))
    with pytest.raises(InputError, match=r"b\.toml: the fighter 'ZOË' is also in .*a\.toml"):
        load_boards(tmp_path)
    told: list[str] = []
    assert load_boards(tmp_path, told.append)["Zoë"].name == "Zoë"
    assert len(told) == 1


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "fighters").write_text("")
    with pytest.raises(InputError, match=r"folder .*fighters: Not a directory"):
        load_boards(tmp_path)
    with pytest.raises(InputError, match="fighters"):
        import_boards(keep(tmp_path / "x", "h.toml", HOUSE), tmp_path)


def test_who_is_not_known() -> None:
    with pytest.raises(InputError, match="'Dancr' is not known: did you mean Dancer"):
        find("Dancr", all_boards(None))
    with pytest.raises(InputError, match="'zzz' is not known: known are Chef, Dancer, DJ,"):
        find("zzz", all_boards(None))


def test_importing_keeps_the_file_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(HOUSE)
    data = tmp_path / "data"
    done = import_boards(tmp_path / "in.toml", data)
    assert (done.new, done.replaced, done.same, done.former) == (("Zoë",), (), (), ())
    assert content(data) == {"fighters/zoe.toml": HOUSE}
    assert done.files == (data / "fighters" / "zoe.toml",)
    # once more: nothing is to be done
    again = import_boards(tmp_path / "in.toml", data)
    assert (again.new, again.same, again.files) == ((), ("Zoë",), ())
    assert content(data) == {"fighters/zoe.toml": HOUSE}


def test_a_bundle_goes_into_one_file_named_like_it(tmp_path: Path) -> None:
    (tmp_path / "Our House!.toml").write_text(BUNDLE)
    keep(tmp_path, "our-house.toml", HOUSE.replace("Zoë", "Ann"))
    done = import_boards(tmp_path / "Our House!.toml", tmp_path)
    assert done.files == (tmp_path / "fighters" / "our-house-2.toml",)
    assert done.files[0].read_text() == BUNDLE


def test_of_a_bundle_only_what_is_new_is_added(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(BUNDLE)
    keep(tmp_path, "house.toml", HOUSE)
    done = import_boards(tmp_path / "in.toml", tmp_path)
    assert (done.new, done.same) == (("chef",), ("Zoë",))
    assert read_boards(tmp_path / "fighters" / "chef.toml") == (Board("chef"),)
    assert (tmp_path / "fighters" / "house.toml").read_text() == HOUSE


def test_another_board_of_the_same_name_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(BUNDLE.replace("amount = 1", "amount = 2"))
    keep(tmp_path, "house.toml", HOUSE)
    before = content(tmp_path)
    with pytest.raises(InputError, match=r"in\.toml: Zoë is another board than the one in .*house\.toml: --replace"):
        import_boards(tmp_path / "in.toml", tmp_path)
    assert content(tmp_path) == before


def test_replacing_keeps_the_others_of_the_file_and_the_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(HOUSE.replace("amount = 1", "amount = 2").replace("Zoë", "ZOË"))
    path = keep(tmp_path, "house.toml", BUNDLE)
    done = import_boards(tmp_path / "in.toml", tmp_path, replace=True)
    assert (done.new, done.replaced, done.files) == ((), ("ZOË",), (path,))
    assert [board.name for board in read_boards(path)] == ["ZOË", "chef"]
    assert read_boards(path)[0].attacks["R1"].effects == (Effect("deal", Amount(2)),)
    assert done.former == (tmp_path / "fighters" / "house.toml.old",)
    assert done.former[0].read_text() == BUNDLE


def test_a_bad_file_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(HOUSE + "[fighter.attacks.R3]\n")
    with pytest.raises(InputError, match=r"in\.toml: Zoë: fighter\[0\]\.attacks\.R3"):
        import_boards(tmp_path / "in.toml", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_an_import_that_cannot_be_written_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in.toml").write_text(BUNDLE.replace("amount = 1", "amount = 2"))
    keep(tmp_path, "house.toml", BUNDLE)
    before = content(tmp_path)

    def full(path: Path, _: bytes) -> None:
        raise InputError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr(boards, "write_whole", full)
    with pytest.raises(InputError, match="No space left"):
        import_boards(tmp_path / "in.toml", tmp_path, replace=True)
    assert content(tmp_path) == before


def test_the_shipped_boards_can_be_exported_and_read_again() -> None:
    assert parse_boards(dump_boards(shipped()).encode(), Path("all.toml")) == shipped()
