from __future__ import annotations

from pathlib import Path

import pytest

from hardware.edge_file import read_edges
from hardware.edges import Edge


def write(path: Path, data: bytes) -> Path:
    file = path / "edges.csv"
    file.write_bytes(data)
    return file


@pytest.mark.parametrize(
    "data",
    [
        b"t_ns,lane,blocked\n0,a,0\n1000,a,1\n",
        b"\xef\xbb\xbft_ns,lane,blocked\r\n0,a,0\r\n\r\n 1000 , a ,1",
    ],
)
def test_reads_edges_in_the_order_of_the_file(tmp_path: Path, data: bytes) -> None:
    assert read_edges(write(tmp_path, data)) == [Edge(0, "a", False), Edge(1000, "a", True)]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "line 1 must be the header t_ns,lane,blocked"),
        (b"time,lane,blocked\n", "line 1 must be the header t_ns,lane,blocked, not 'time,lane,blocked'"),
        (b"0,a,0\n", "line 1 must be the header"),
        (b"t_ns,lane,blocked\n0,a,0\n1.5,a,1\n", "line 3: t_ns must be a whole number of nanoseconds, not '1.5'"),
        (b"t_ns,lane,blocked\n0,a,0\n1_0,a,1\n", "line 3: t_ns"),
        (b"t_ns,lane,blocked\n99999999999999999999,a,1\n", "line 2: t_ns"),
        (b"t_ns,lane,blocked\n0,d,0\n", "line 2: lane must be one of a b c, not 'd'"),
        (b"t_ns,lane,blocked\n0,ab,0\n", "line 2: lane"),
        (b"t_ns,lane,blocked\n0,,0\n", "line 2: lane"),
        (b"t_ns,lane,blocked\n0,a,2\n", "line 2: blocked must be 0 or 1, not '2'"),
        (b"t_ns,lane,blocked\n0,a\n", "line 2 has 2 fields"),
        (b"t_ns,lane,blocked\n0,a,1,7\n", "line 2 has 4 fields"),
        (b"\xff\xd8\xff\xe0jpeg", "byte 0 is not UTF-8"),
    ],
)
def test_a_bad_file_is_named_with_line_and_field(tmp_path: Path, data: bytes, says: str) -> None:
    file = write(tmp_path, data)
    with pytest.raises(ValueError) as raised:
        read_edges(file)
    assert str(raised.value).startswith(f"{file}: ")
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nowhere\.csv: there is no such edge file"):
        read_edges(tmp_path / "nowhere.csv")
    with pytest.raises(ValueError, match="cannot be read"):
        read_edges(tmp_path)
