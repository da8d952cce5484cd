"""What can be said of the installer and its unit without installing; ./deploy/test-install does it for real."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion import cli

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "systemd" / "table-companion.service"
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")


def _analyze(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *args], capture_output=True, text=True, timeout=60, check=False)


def _startable(unit: Path, folder: Path) -> str:
    """The unit with a program that is there: verify looks for it."""
    path = folder / unit.name
    path.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text()))
    return str(path)


@needs_systemd
@pytest.mark.parametrize("unit", sorted((DEPLOY / "systemd").glob("*.service")), ids=lambda path: path.stem)
def test_systemd_has_nothing_to_say_about_a_unit(unit: Path, tmp_path: Path) -> None:
    # it says so on stderr alone when it does not know a key or a value
    done = _analyze("verify", _startable(unit, tmp_path))
    assert (done.returncode, done.stderr) == (0, "")


@needs_systemd
def test_the_unit_is_well_locked_in(tmp_path: Path) -> None:
    done = _analyze("security", "--offline=true", "--no-pager", _startable(UNIT, tmp_path))
    score = re.search(r"exposure level for \S+ ([\d.]+)", done.stdout)
    assert score is not None, done
    assert float(score[1]) <= 3.0


def test_the_unit_and_the_settings_agree_on_what_is_started() -> None:
    # the unit's own words count where the settings file is gone
    words = re.compile(r'COMPANION_ARGS=(?P<args>[^"]*?)"')
    in_unit = words.search(UNIT.read_text())
    settings = re.search(r'(?m)^COMPANION_ARGS="(.*)"$', (DEPLOY / "systemd" / "table-companion.default").read_text())
    assert in_unit is not None
    assert settings is not None
    assert in_unit["args"] == settings[1]
    args = cli.build_parser(["run"]).parse_args(["run", *settings[1].split()])
    assert args.port == 8000
    assert not args.open


@pytest.mark.parametrize("argument", ["--frobnicate", "", "uninstall"])
def test_a_wrong_call_is_one_sentence(argument: str) -> None:
    line = [str(DEPLOY / "install"), argument]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"'{argument}'" in done.stderr


def test_files_that_one_may_not_see_are_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def denied(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", denied)
    assert cli.main(["pin", "--data", "/var/lib/table-companion"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("/var/lib/table-companion/")
    assert "permission denied" in said.err
    assert said.err.count("\n") == 1
