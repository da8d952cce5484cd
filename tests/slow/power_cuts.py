"""Pull the plug many times: kill -9 at random moments of a busy match, and logs as a card leaves them.

    python -m tests.slow.power_cuts [--kills 1000] [--torn 200] [--seed 1] [--jobs 2] [--folder DIR]

Killed: the whole companion with its page, sent commands as fast as it answers; after each new start the state must be
the one after the last command that was answered, or after the one on its way. One start in twenty is a simulated table.
Torn: a log is written as fast as it goes, its process halted at a random moment, its files copied, and of the copy is
taken away what was not yet flushed, at a random length.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import mmap
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from companion.application import Settings, serve
from companion.files import set_aside
from companion.games import game
from companion.history import Record
from companion.log import MemoryLog, SqliteLog
from companion.log_reading import DamagedLog, look
from companion.salvage import salvage
from companion.session import Session

SETUP = {"do": "setup", "first": "A", "tray": "RYBRY/YBRBY/BRYBR"}
SIMULATED_EVERY = 20
UNFLUSHED = 4096
"""More than the longest commit of the torn logs: a few frames of 536 bytes."""
RULES = game("rematch")


# -- kill -9 -----------------------------------------------------------------------------------------------------------


def commands(random: Random) -> Iterator[dict[str, Any]]:
    """What two players and a nervous finger send, without end."""
    for number in itertools.count(2):
        player, button = random.choice("AB"), random.choice("RYB")
        hit = {"player": "AB".replace(player, ""), "button": button, "amount": 1}
        yield random.choice(
            [
                {"do": "heal", "player": player, "button": button, "amount": random.randrange(3)},
                {"do": "heal", "player": player, "button": button, "amount": -1},
                {"do": "fan", "player": player, "fan": button},
                {"do": "correct", "player": player, "button": button, "hp": random.randrange(5, 9)},
                {"do": "correct", "player": player, "credits": random.randrange(5)},
                {"do": "undo"},
                {"do": "redo"},
                {"do": "dance"},
                {"do": "amend", "seq": random.randrange(2, number + 1), "remove": True},
                {"do": "hit", "source": player, "hits": [hit]},
            ]
        )


class Child:
    """A companion in a process of its own, forked from this one so that nothing has to be imported again."""

    def __init__(self, data: Path, simulate: bool = False) -> None:
        read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                os.close(read)
                quiet = os.open(os.devnull, os.O_WRONLY)
                os.dup2(quiet, 1)
                os.dup2(os.open(data / "stderr.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
                status = serve(Settings(data, "127.0.0.1", 0, simulate=simulate), lambda text: _tell(write, text))
            finally:
                os._exit(status)
        os.close(write)
        self._said = os.fdopen(read)
        self.port = 0

    def wait_for_page(self) -> bool:
        """False: it was killed before."""
        for line in self._said:
            if "http://127.0.0.1:" in line:
                self.port = int(line.rsplit(":", 1)[1].strip(" /\n"))
                return True
        return False

    def killed_after(self, seconds: float) -> None:
        """kill -9 by another process, at a moment that has nothing to do with what ours does."""
        killer = os.fork()
        if killer == 0:
            time.sleep(seconds)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os._exit(0)
        self._killer = killer

    def gone(self) -> int:
        """How it ended: minus the signal."""
        os.waitpid(self._killer, 0)
        _, status = os.waitpid(self.pid, 0)
        self._said.close()
        return os.waitstatus_to_exitcode(status)


def _tell(pipe: int, text: str) -> None:
    os.write(pipe, f"{text}\n".encode())


class Client:
    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method: str, path: str, value: object = None) -> Any:
        body = None if value is None else json.dumps(value)
        self._connection.request(method, path, body, {"Content-Type": "application/json"})
        return json.loads(self._connection.getresponse().read())

    def version(self) -> int:
        found: int = self.ask("GET", "/api/history")["version"]
        return found


GONE = (OSError, http.client.HTTPException, ValueError)


def kill(folder: Path, rounds: int, seed: int) -> Counter[str]:
    """Raises AssertionError with the round when something was lost."""
    random = Random(seed)
    figures: Counter[str] = Counter()
    real, simulated = folder / "real", folder / "simulated"
    for data in (real, simulated):
        data.mkdir(parents=True)
        (data / "stderr.txt").touch()
    model = Session(RULES, MemoryLog())
    pending: dict[str, Any] | None = None
    stream = commands(random)
    for number in range(rounds):
        if number % SIMULATED_EVERY == SIMULATED_EVERY - 1:
            figures += kill_simulated(simulated, random)
            continue
        child = Child(real)
        figures["kills"] += 1
        if random.random() < 0.1:
            child.killed_after(random.uniform(0, 0.5))  # while it begins, and looks at what the last one left
            figures["during the start"] += 1
        if not child.wait_for_page():
            assert child.gone() == -signal.SIGKILL, (number, (real / "stderr.txt").read_text())
            continue
        client = Client(child.port)
        try:
            state, version = client.ask("GET", "/api/state"), client.version()
        except GONE:
            assert child.gone() == -signal.SIGKILL, number
            continue
        assert (state, version) == (model.state_json, model.version), (number, state, version)
        if not hasattr(child, "_killer"):
            child.killed_after(random.expovariate(8))
        while True:
            again = random.random() < 1 / 300 or model.state_json is None
            pending = {"do": "new_match", "setup": SETUP} if again else next(stream)
            try:
                if again:
                    reply = client.ask("POST", "/api/control", pending)
                else:
                    reply = client.ask("POST", "/api/commands", pending)
            except GONE:
                break
            model, pending = _after(model, pending), None
            figures["answers"] += 1
            assert again or reply["state"] == model.state_json, (number, reply)
        assert child.gone() == -signal.SIGKILL, number
        model, pending = _found(real, model, pending, figures), None
        assert not list(real.glob("**/*.damaged-*")), list(real.glob("**/*.damaged-*"))
    errors = (real / "stderr.txt").read_text() + (simulated / "stderr.txt").read_text()
    assert "Traceback" not in errors, errors
    figures["matches"] += len(list((real / "matches").glob("match-*.sqlite")))
    return figures


def _after(model: Session, command: dict[str, Any]) -> Session:
    if command["do"] == "new_match":
        model = Session(RULES, MemoryLog())
        model.submit(command["setup"])
    else:
        model.submit(command)
    return model


def _found(data: Path, model: Session, pending: dict[str, Any] | None, figures: Counter[str]) -> Session:
    """The match as its files tell it; the one command that was on its way may be in them or not."""
    with tempfile.TemporaryDirectory(dir=data.parent) as name:
        # of a copy: the companion itself shall find what was left
        copy = shutil.copytree(data / "matches", Path(name) / "matches")
        logs = (look(path)[1] for path in sorted(copy.glob("match-*.sqlite"), reverse=True))
        records = [_plain(record) for record in next((found for found in logs if found), ())]
    before = [_plain(record) for record in _records(model)]
    if records == before:
        figures["unconfirmed, lost"] += pending is not None
        return model
    assert pending is not None, "a record that nobody sent"
    after = _after(Session(RULES, MemoryLog(_records(model))), pending)
    assert records == [_plain(record) for record in _records(after)], (pending, records[-2:], before[-2:])
    figures["unconfirmed, kept"] += 1
    return after


def _records(model: Session) -> tuple[Record, ...]:
    log = model._log
    return () if log is None else log.records()


def _plain(record: Record) -> object:
    return json.loads(json.dumps([record.kind, record.command, record.events, record.error]))


def kill_simulated(data: Path, random: Random) -> Counter[str]:
    """A simulated table with two scripted players: what a page has shown is still there after the next start."""
    child = Child(data, simulate=True)
    assert child.wait_for_page()
    client = Client(child.port)
    child.killed_after(random.uniform(0.5, 3))
    seen: dict[Path, int] = {}
    with contextlib.suppress(*GONE):
        while True:
            client.ask("POST", "/api/commands", {"do": "correct", "player": "A", "credits": random.randrange(5)})
            version = client.version()
            newest = max((data / "simulated").glob("match-*.sqlite"))
            seen[newest] = max(version, seen.get(newest, 0))
    assert child.gone() == -signal.SIGKILL
    if not seen:
        return Counter({"kills": 1, "simulated": 1})  # before its first answer
    path = max(seen)
    _, records = look(path)
    kept = Session(RULES, MemoryLog(records))
    assert kept.version >= seen[path], (kept.version, seen[path])
    return Counter({"kills": 1, "simulated": 1})


# -- torn writes -------------------------------------------------------------------------------------------------------


def tear(folder: Path, rounds: int, seed: int, checkpoints: int = 0) -> Counter[str]:
    """Raises AssertionError with the round when a log is not readable, or a record that was confirmed is lost.

    `checkpoints`: after so many pages; 0: as a companion does it, hardly ever.
    """
    random = Random(seed)
    figures: Counter[str] = Counter()
    source = folder / "source"
    source.mkdir(parents=True)
    confirmed = mmap.mmap(-1, 8)
    pid = os.fork()
    if pid == 0:
        try:
            _write_for_ever(source / "match-000001.sqlite", confirmed, checkpoints)
        finally:
            os._exit(1)
    try:
        while not int.from_bytes(confirmed[:], "little"):
            time.sleep(0.01)
        for number in range(rounds):
            time.sleep(random.uniform(0.005, 0.06))
            os.kill(pid, signal.SIGSTOP)
            _, status = os.waitpid(pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status), f"the writer has ended: {status}"
            sure = int.from_bytes(confirmed[:], "little")
            for kind in ("unflushed", "any", "main"):
                copy = folder / f"copy-{number % 8}-{kind}"
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(source, copy)
                figures += _torn(copy / "match-000001.sqlite", kind, sure, random, number)
            os.kill(pid, signal.SIGCONT)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return figures


def _command(number: int) -> dict[str, Any]:
    note = Random(number).randbytes(number * 7 % 150).hex()  # nothing that packing makes short
    return {"do": "correct", "player": "AB"[number % 2], "credits": number % 5, "note": note}


def _write_for_ever(path: Path, confirmed: mmap.mmap, checkpoints: int) -> None:
    log = SqliteLog(path, "rematch")
    if checkpoints:
        log._db.execute(f"PRAGMA wal_autocheckpoint={checkpoints}")
    for number in itertools.count(1):
        log.append("refused", _command(number))
        confirmed[:] = number.to_bytes(8, "little")


def _torn(path: Path, kind: str, sure: int, random: Random, number: int) -> Counter[str]:
    wal, shm = path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")
    path.with_name(path.name + "-lock").unlink()
    flushed, checkpoint = _flushed(shm, path)
    length = wal.stat().st_size if wal.exists() else 0
    if kind == "unflushed":
        # SQLite moves the end in its index once the frames before it are flushed
        # not far behind it: what comes then is only the place that is taken for the next records
        os.truncate(wal, random.randint(min(flushed, length), min(flushed + UNFLUSHED, length)))
        if random.random() < 0.5:
            os.truncate(wal, length)  # that place is there, its content is not
        if checkpoint:
            _garble_checkpointed(path, wal, random)
    elif kind == "any":
        os.truncate(wal, random.randint(0, min(flushed + UNFLUSHED, length)))
    else:
        os.truncate(path, random.randint(0, path.stat().st_size - 1))
    _spoil_index(shm, random)
    try:
        log = SqliteLog(path, "rematch")
        records = log.records()
        log.close()
        state = "read"
    except DamagedLog:
        assert kind != "unflushed", f"round {number}: a log of which nothing flushed is missing is damaged"
        records = salvage(set_aside(path), "rematch")
        state = "put aside"
    assert [record.command for record in records] == [_command(n) for n in range(1, len(records) + 1)], number
    if kind == "unflushed":
        assert sure <= len(records) <= sure + 1, f"round {number}: {len(records)} of {sure} records"
        lost = "kept" if len(records) > sure else "lost or not begun"
        return Counter({"torn": 1, f"unconfirmed, {lost}": 1, "in a checkpoint": int(checkpoint)})
    return Counter({f"{kind}: {state}": 1, f"{kind}: records lost": max(0, sure - len(records))})


def _flushed(shm: Path, path: Path) -> tuple[int, bool]:
    """Bytes of the -wal that are flushed, and whether a checkpoint is under way (https://sqlite.org/walformat.html)."""
    index = shm.read_bytes()
    frames = int.from_bytes(index[16:20], sys.byteorder)
    page = int.from_bytes(path.read_bytes()[16:18], "big")
    done, tried = (int.from_bytes(index[at : at + 4], sys.byteorder) for at in (96, 128))
    return 32 + frames * (24 + page), tried > done


def _garble_checkpointed(path: Path, wal: Path, random: Random) -> None:
    """Pages that a checkpoint was just writing back: half written. They stand in the -wal as well."""
    page = int.from_bytes(path.read_bytes()[16:18], "big")
    data = wal.read_bytes()
    numbers = {
        int.from_bytes(data[at : at + 4], "big")
        for at in range(32, len(data) - 24 - page + 1, 24 + page)
        if data[at + 8 : at + 16] == data[16:24]
    }
    with path.open("r+b") as file:
        for number in random.sample(sorted(numbers - {1}), min(3, len(numbers - {1}))):
            file.seek((number - 1) * page + random.randrange(page // 2))
            file.write(random.randbytes(page // 2))


def _spoil_index(shm: Path, random: Random) -> None:
    """It is never flushed: after a power cut it is not there, short, or old."""
    choice = random.randrange(3)
    if choice == 0:
        shm.unlink(missing_ok=True)
    elif choice == 1 and shm.exists():
        os.truncate(shm, random.randint(0, shm.stat().st_size))
    elif shm.exists():
        shm.write_bytes(random.randbytes(shm.stat().st_size))


# -- all of it ---------------------------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--torn", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where to work (default: a temporary folder)")
    args = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        folder = Path(name)
        if args.torn:
            _print("torn writes", tear(folder / "torn", args.torn - args.torn // 2, args.seed))
            _print("torn writes, many checkpoints", tear(folder / "checked", args.torn // 2, args.seed + 1, 60))
        if args.kills:
            shares = [len(range(job, args.kills, args.jobs)) for job in range(args.jobs)]
            work = [(folder / f"job-{job}", share, args.seed * 1000 + job) for job, share in enumerate(shares)]
            # forked, so that each job has what is imported here
            with get_context("fork").Pool(args.jobs) as pool:
                _print("kill -9", sum(pool.starmap(kill, work), Counter()))
    print(f"Nothing was lost; {time.monotonic() - began:.0f} s.")
    return 0


def _print(what: str, figures: Counter[str]) -> None:
    print(f"{what}: " + ", ".join(f"{count} {name}" for name, count in figures.items() if count), flush=True)


if __name__ == "__main__":
    sys.exit(main())
