"""The installer moves the matches to a disk of their own: ended on its way and called again, none is lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"

# systemd's and the kernel's part, as far as it matters: what is enabled is mounted at the next start
SCRIPT = r"""
set -Eeuo pipefail
cd "$1"
. "$2/environment.sh"
. "$2/extras.sh"
STATE=$1/state UNITS=$1/units UNIT=companion.service ACCOUNT=$(id -un) overlay=1 overlay_folder=$1/disk
step() { :; }
sync() { :; }
chown() { :; }
findmnt() { echo "$overlay_folder"; }
mountpoint() { [ -e "$UNITS/mounted" ]; }
systemctl() {
    case $1 in
        enable) touch "$UNITS/enabled" ;;
        is-enabled) [ -e "$UNITS/enabled" ] ;;
        start) [ "$2" = "$UNIT" ] || touch "$UNITS/mounted" ;;
    esac
}
FULL=$4
cp() { if [ -z "$FULL" ]; then command cp "$@"; else mkdir "$3"; echo "No space left on device" >&2; return 1; fi; }
count=0
stop=$3
set -T
trap '[ "$((++count))" != "$stop" ] || kill -9 $$' DEBUG
move_matches
"""


def move(folder: Path, stop: int = 0, full: str = "") -> subprocess.CompletedProcess[str]:
    line = ["bash", "-c", SCRIPT, "bash", str(folder), str(DEPLOY), str(stop), full]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("state/matches", "units", "disk"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "state" / "matches" / "one").write_text("a match")
    return tmp_path


def kept(folder: Path) -> bool:
    """Where the companion would look for it: on the disk once that is mounted, else on the system's."""
    seen = folder / ("disk/table-companion" if (folder / "units" / "mounted").exists() else "state")
    return (seen / "matches" / "one").exists()


def test_ended_on_the_way_and_called_again_no_match_is_lost(tmp_path: Path) -> None:
    ends = 0
    # every third command: each of them is two starts of bash
    for stop in range(1, 400, 3):
        folder = tmp_path / str(stop)
        for name in ("state/matches", "units", "disk"):
            (folder / name).mkdir(parents=True)
        (folder / "state" / "matches" / "one").write_text("a match")
        done = move(folder, stop)
        if done.returncode == 0:
            break
        assert done.returncode == -9, done
        ends += 1
        # every second time the power failed, and the machine has started in between
        if stop % 2 and (folder / "units" / "enabled").exists():
            (folder / "units" / "mounted").touch()
            assert kept(folder), stop
        again = move(folder)
        assert again.returncode == 0, again
        assert (folder / "disk" / "table-companion" / "matches" / "one").read_text() == "a match", stop
        assert (folder / "units" / "mounted").exists()
    assert ends > 8


def test_a_disk_that_is_too_small_changes_nothing(folder: Path) -> None:
    done = move(folder, full="full")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("they stay where they are.")
    assert kept(folder)
    assert list((folder / "disk").iterdir()) == list((folder / "units").iterdir()) == []
    assert move(folder).returncode == 0
    assert kept(folder)
