"""What doctor says of an overlay over the system's files: are the matches beside it?"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from companion.doctor import protection as module
from companion.doctor.protection import in_memory, protection

PLAIN = "/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0\n"
COVERED = "overlayroot / overlay rw,lowerdir=/media/root-ro 0 0\n/dev/mmcblk0p2 /media/root-ro ext4 ro 0 0\n"
BESIDE = "/dev/sda1 /mnt/stick ext4 rw 0 0\n/dev/sda1 /var/lib/table-companion ext4 rw 0 0\n"
RASPI_CONFIG = "overlay / overlay rw,lowerdir=/lower 0 0\n/dev/mmcblk0p2 /lower ext4 ro 0 0\n"
CONTAINER = "overlay / overlay rw,lowerdir=/var/lib/docker/x 0 0\n"


@pytest.mark.parametrize(
    ("asked", "mounts", "state"),
    [(False, PLAIN, None), (True, PLAIN, "warn"), (True, COVERED + BESIDE, "ok"), (True, COVERED, "bad"),
     (False, COVERED, "bad"), (False, RASPI_CONFIG, "bad"), (False, RASPI_CONFIG + BESIDE, "ok"),
     (False, CONTAINER, None)],
    ids=["none", "from the next start on", "beside it", "under it", "somebody's own", "raspi-config's",
         "raspi-config's and beside it", "a container"],
)  # fmt: skip
def test_matches_that_would_be_gone_are_told(asked: bool, mounts: str, state: str | None, tmp_path: Path) -> None:
    conf, told = tmp_path / "conf", tmp_path / "mounts"
    if asked:
        conf.write_text('overlayroot="tmpfs:recurse=0"\n')
    told.write_text(mounts)
    found = protection(Path("/var/lib/table-companion"), conf, told)
    assert [one.state for one in found] == ([] if state is None else [state])
    assert all((one.fix == "") == (one.state == "ok") for one in found)
    if state == "ok":
        assert "/var/lib/table-companion (ext4)" in found[0].text


@pytest.mark.parametrize(("mounts", "told"), [(COVERED, 1), (COVERED + BESIDE, 0), (PLAIN, 0)])
def test_the_page_is_told_of_matches_in_memory(
    mounts: str, told: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mounts").write_text(mounts)
    monkeypatch.setattr(module, "protection", partial(protection, asked=tmp_path / "none", mounts=tmp_path / "mounts"))
    assert len(in_memory(Path("/var/lib/table-companion"))) == told
