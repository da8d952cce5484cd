"""Random commands, sensible and not, sent to a real `companion referee`, and what must hold after each reply."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.rules.rematch.chains import ATTACKS, moves
from companion.rules.rematch.tray import CELLS, Tray
from tests.companion.rules.commanding import check

CODES: Final = {
    "illegal_clear", "not_your_turn", "already_cleared", "must_clear", "must_flip", "too_late", "not_now", "too_many",
    "broken_button", "not_broken", "empty_cell", "too_many_of_colour", "bad_value", "bad_command", "unknown_command",
    "nothing_to_undo", "nothing_to_redo", "match_over", "unknown_cell", "blocked",
}  # fmt: skip
FIGHTERS: Final = sorted(path.stem for path in (Path(__file__).parents[2] / "companion" / "fighters").glob("*.toml"))
PLACES: Final = ["row1", "row3", "row5", "b3", "a5", "c1", "R", "Y", "B", "player A", "player B"]
MARKERS: Final = ["spirit", "stick", "AMP token", "frozen", "Trick card", "tarot card", "shield", "denied", "blocked"]
SWITCHES: Final[dict[str, list[Any]]] = {
    "edition": ["1.5", "2.0", "2.5"],
    "forced_credit_heals": [True, False],
    "flips_per_turn": [None, 1],
    "fan_snapshot": ["turn_begins", "after_start_effects"],
    "kicker": ["mandatory", "optional"],
    "detours": [True, False],
    "breaks_settle": ["effect", "attack_end"],
    "both_lose": ["attacker_wins", "first_loses"],
    "marbles_return": ["end_of_turn", "at_once"],
    "spare_marbles": [True, False],
    "third_break_price": [2, 3],
}
JUNK: Final[list[Any]] = [
    None, True, False, 0, -1, 1, 11, 1.5, 10**9, 10**30, "", "A", "C", "a1", "a6", "d1", "R", "R3", "é", "\ud800\udc00",
    [], {}, ["a1"], ["a1", "a1"], [[]], {"R": 1}, {"x": {}}, "x" * 300,
]  # fmt: skip
NO_COMMANDS: Final[list[bytes]] = [
    b"", b" ", b"[]", b"[1]", b"1", b"null", b"true", b'"undo"', b"{", b"{}", b"\xff\xfe", b'{"do":"\xff"}', b"NaN",
    b'{"do":NaN}', b'{"do":"undo","do":"redo"}', b'{"do":1}', b'{"do":null}', b'{"do":"hit","source":1e999}',
    b'{"do":"\\ud800"}', b"[" * 5000, b'{"a":' * 2000, b'{"do":"heal","amount":' + b"9" * 5000 + b"}",
    b'{"do":"' + b"x" * 70_000 + b'"}', b"x" * 65_537, b'{"do":"undo"} {"do":"undo"}', b"\x00", b'{"do":"begin"}\x00',
    b"\xef\xbb\xbf{}", b"undo",
]  # fmt: skip
"""Lines that are no command at all, and a few that are one without a name."""
NAMELESS: Final = (b"{}", b'{"do":1}', b'{"do":null}')


class Chooser:
    """Draws the next line. `state`: as the last reply had it; `timeline`: the numbers of what is in force."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.state: dict[str, Any] | None = None
        self.seqs = 0
        self.timeline: list[int] = []
        self.undone: list[int] = []

    def heard(self, line: bytes, ok: bool, state: dict[str, Any] | None) -> None:
        """What became of a line."""
        self.state = state
        if not logged(line):
            return
        self.seqs += 1
        name = json.loads(line).get("do")
        if ok and name == "undo":
            self.undone += self.timeline[-1:]
            self.timeline[-1:] = []
        elif ok and name == "redo":
            self.timeline += self.undone[-1:]
            self.undone[-1:] = []
        elif ok and name == "setup":
            self.timeline, self.undone = [self.seqs], []
        elif ok:
            self.timeline.append(self.seqs)
            self.undone = []

    def line(self) -> bytes:
        rng = self.rng
        kind = rng.random()
        if kind < 0.03:
            return rng.choice(NO_COMMANDS)
        if self.state is None or (self.state["over"] is not None and kind < 0.4):
            return dumped(self.setup())
        command = self.sensible(self.state)
        if kind < 0.25:
            self.spoil(command)
        return dumped(command)

    # -- what a player may do

    def sensible(self, state: dict[str, Any]) -> dict[str, Any]:
        """A command that may well be accepted, whatever the phase; each kind often enough."""
        rng = self.rng
        due = state.get("due") or []
        if due and rng.random() < 0.45:
            return self.resolve(due)
        likely = {
            "opening": [self.clear, self.destroy, self.hit],
            "start": [self.clear, self.clear, self.flip, self.declare, self.end_turn],
            "resolve": [self.hit, self.hit, self.end_turn, self.end_turn, self.heal, self.destroy],
            "over": [self.correct],
        }[state["phase"]]
        any_of: list[Callable[[], dict[str, Any]]] = [
            self.clear, self.taps, self.destroy, self.flip, self.declare, self.hit, self.heal, self.fan, self.pay,
            self.skip, self.end_turn, self.correct, self.correct, self.undo, self.redo, self.marker, self.rules,
            self.setup, self.amend, self.amend, self.amend,
            lambda: {"do": "begin"}, lambda: {"do": "undo"},
        ]  # fmt: skip
        if rng.random() < 0.004:
            return {"do": "concede", "player": self.player()}
        return rng.choice(likely if rng.random() < 0.55 else any_of)()

    def player(self) -> str:
        return self.rng.choice("AB")

    def button(self) -> str:
        return self.rng.choice("RYB")

    def on_turn(self) -> str:
        assert self.state is not None
        return self.state["turn"] if self.rng.random() < 0.9 else self.player()

    def tray(self) -> str:
        rng = self.rng
        if rng.random() < 0.7:
            bag = list("RYB" * 11)
            rng.shuffle(bag)
        else:
            bag = rng.choices("RYB.?", (3, 3, 3, 1, 1), k=15)
        return "/".join("".join(bag[start : start + 5]) for start in (0, 5, 10))

    def setup(self) -> dict[str, Any]:
        rng = self.rng
        command: dict[str, Any] = {"do": "setup", "first": self.player(), "tray": self.tray()}
        if rng.random() < 0.8:
            fans = list("RYB")
            rng.shuffle(fans)
            held = rng.randint(0, 3)
            command["players"] = {"A": self.side(fans[:held]), "B": self.side(fans[held : rng.randint(held, 3)])}
        if rng.random() < 0.6:
            names = rng.sample(sorted(SWITCHES), rng.randint(1, 4))
            command["rules"] = {name: rng.choice(SWITCHES[name]) for name in names}
        return command

    def side(self, fans: list[str]) -> dict[str, Any]:
        rng = self.rng
        side: dict[str, Any] = {"credits": rng.randint(0, 4), "fans": fans}
        buttons = {}
        for button in "RYB":
            broken = rng.random() < 0.25
            buttons[button] = {"hp": rng.randint(1, 8 if broken else 10), "broken": broken}
        side["buttons"] = buttons
        who = rng.random()
        if who < 0.35 and FIGHTERS:
            side["fighter"] = rng.choice(FIGHTERS)
        elif who < 0.75:
            side["board"] = self.board()
        return side

    def board(self) -> dict[str, Any]:
        rng = self.rng
        attacks = {}
        for attack in rng.sample(ATTACKS, rng.randint(3, 9)):
            attacks[attack] = {"effects": self.effects(3)}
            if rng.random() < 0.7:
                when = rng.choice(["before", "after", "either", "unknown"])
                attacks[attack]["kicker"] = {"when": when, "effects": self.effects(2)}
        board: dict[str, Any] = {"name": rng.choice(["Own", "Ours", "Somebody"]), "attacks": attacks}
        for part in ("start", "end"):
            if rng.random() < 0.3:
                board[part] = self.effects(2)
        return board

    def effects(self, most: int) -> list[dict[str, Any]]:
        return [self.effect() for _ in range(self.rng.randint(1, most))]

    def effect(self, inside: bool = False) -> dict[str, Any]:
        rng = self.rng
        kinds = ["deal", "deal_all", "take", "take_all", "heal", "fan", "any_fan", "destroy", "pay", "skip", "marker"]
        kinds += ["no_destroy", "deny", "note", "unknown", "deal", "deal_all", "destroy"] + ["either"] * (not inside)
        effect: dict[str, Any] = {"do": rng.choice(kinds)}
        do = effect["do"]
        if do in ("deal", "deal_all", "take", "take_all", "heal", "destroy") or (do == "pay" and rng.random() < 0.3):
            effect["amount"] = rng.choice([1, 1, 2, 3, 5, "X", "X-1", "X+2"])
            if isinstance(effect["amount"], str):
                effect["x"] = "cards discarded"
        if do == "fan":
            effect["fan"] = self.button()
        if do == "pay" and rng.random() < 0.6:
            effect["who"] = rng.choice(["opponent", "self"])
            effect["restores"] = rng.random() < 0.5
        if do == "marker":
            effect["marker"] = rng.choice(MARKERS)
        if do == "note":
            effect["text"] = "gain 3 focus"
        if do == "either":
            effect["options"] = [[self.effect(inside=True)] for _ in range(rng.randint(2, 3))]
        if rng.random() < 0.1:
            effect["if"] = "you hold no fan"
        if rng.random() < 0.1:
            effect["optional"] = True
        return effect

    def clear(self) -> dict[str, Any]:
        assert self.state is not None
        rng, player = self.rng, self.on_turn()
        buttons = self.state["players"][player]["buttons"]
        broken = "".join(colour for colour, dial in buttons.items() if dial["broken"])
        legal = moves(Tray.parse(self.state["tray"]), player, broken)
        if not legal:
            return self.flip() if broken else self.end_turn()
        clear = rng.choice(legal)
        command: dict[str, Any] = {"do": "clear", "player": player, "cells": list(clear.cells)}
        if rng.random() < 0.1:
            command["cells"] = rng.sample(CELLS, rng.randint(1, 5))
            if rng.random() < 0.4:
                command |= {"overrule": True, "attack": rng.choice(ATTACKS)}
        elif rng.random() < 0.3:
            command["attack"] = clear.attack
        if rng.random() < 0.8:
            command["refill"] = self.refill(command["cells"])
        return command

    def refill(self, cells: list[str]) -> dict[str, str]:
        letters = "RYB" if self.rng.random() < 0.8 else "RYB.?"
        pulled = Counter(cell[0] for cell in cells)
        return {lane: "".join(self.rng.choices(letters, k=count)) for lane, count in sorted(pulled.items())}

    def taps(self) -> dict[str, Any]:
        command = {"do": "clear", "player": self.on_turn(), "attack": self.rng.choice(ATTACKS)}
        if self.rng.random() < 0.5:
            command["shorts"] = {self.button(): self.rng.randint(0, 3)}
        return command

    def destroy(self) -> dict[str, Any]:
        cells = self.rng.sample(CELLS, self.rng.randint(0, 2))
        return {"do": "destroy", "player": self.player(), "cells": cells, "refill": self.refill(cells)}

    def flip(self) -> dict[str, Any]:
        return {"do": "flip", "player": self.on_turn(), "button": self.button()}

    def declare(self) -> dict[str, Any]:
        return {"do": "declare", "player": self.on_turn(), "attack": self.rng.choice(ATTACKS)}

    def hit(self) -> dict[str, Any]:
        dials = [(player, button) for player in "AB" for button in "RYB"]
        hits = self.rng.sample(dials, self.rng.choice((1, 1, 1, 2, 3, 6)))
        amounts = (1, 2, 2, 3, 5, 10, 0)
        return {
            "do": "hit",
            "source": self.on_turn(),
            "hits": [{"player": p, "button": b, "amount": self.rng.choice(amounts)} for p, b in hits],
        }

    def heal(self) -> dict[str, Any]:
        return {"do": "heal", "player": self.player(), "button": self.button(), "amount": self.rng.randint(0, 10)}

    def fan(self) -> dict[str, Any]:
        return {"do": "fan", "player": self.player(), "fan": self.button()}

    def pay(self) -> dict[str, Any]:
        command: dict[str, Any] = {"do": "pay", "player": self.player(), "credits": self.rng.choice((0, 1, 1, 2))}
        if self.rng.random() < 0.5:
            command["restores"] = self.rng.random() < 0.5
        return command

    def skip(self) -> dict[str, Any]:
        return {"do": "skip_next", "player": self.player()}

    def end_turn(self) -> dict[str, Any]:
        return {"do": "end_turn", "player": self.on_turn()}

    def correct(self) -> dict[str, Any]:
        rng = self.rng
        command: dict[str, Any] = {"do": "correct"}
        if rng.random() < 0.5:
            command |= {"player": self.player(), "button": self.button()}
            command |= rng.choice([{"hp": rng.randint(1, 10)}, {"broken": rng.random() < 0.5}])
        if rng.random() < 0.4:
            command |= {"player": command.get("player", self.player()), "credits": rng.randint(0, 4)}
        if rng.random() < 0.2:
            command |= {"fan": self.button(), "place": rng.choice(["A", "stage", "B"])}
        if rng.random() < 0.2:
            command |= {"cell": rng.choice(CELLS), "colour": rng.choice("RYB.?")}
        if rng.random() < 0.3:
            command["tray"] = self.tray()
        if rng.random() < 0.1:
            command["turn"] = self.player()
        return command if len(command) > 1 else {"do": "correct", "tray": self.tray()}

    def undo(self) -> dict[str, Any]:
        return {"do": "undo"}

    def redo(self) -> dict[str, Any]:
        return {"do": "redo"}

    def amend(self) -> dict[str, Any]:
        """Mostly one of the latest commands: all after it is decided again."""
        rng = self.rng
        latest = self.timeline[-1 - int(rng.expovariate(0.2)) :] or [1]
        seq = latest[0] if rng.random() < 0.9 else self.seqs
        nested = rng.choice([self.clear, self.hit, self.heal, self.pay, self.correct, self.flip, self.setup])
        shape = rng.random()
        if shape < 0.3:
            return {"do": "amend", "seq": seq, "remove": True}
        return {"do": "amend", "seq" if shape < 0.65 else "after": seq, "command": nested()}

    def marker(self) -> dict[str, Any]:
        assert self.state is not None
        rng = self.rng
        laid = [marker["id"] for marker in self.state.get("markers", ())]
        if laid and rng.random() < 0.35 + 0.05 * len(laid):
            return {"do": "marker", "remove": rng.choice(laid)}
        command: dict[str, Any] = {"do": "marker", "player": self.player(), "name": rng.choice(MARKERS)}
        command["place"] = rng.choice(PLACES)
        if rng.random() < 0.3:
            command["reacts"] = rng.sample(["clear", "destroy", "attack"], rng.randint(0, 3))
        if rng.random() < 0.2:
            command["blocks"] = rng.random() < 0.5
        if rng.random() < 0.5:
            command["turns"] = rng.choice([None, 1, 2, 3])
        return command

    def rules(self) -> dict[str, Any]:
        names = self.rng.sample(sorted(SWITCHES), self.rng.randint(1, 3))
        return {"do": "rules", **{name: self.rng.choice(SWITCHES[name]) for name in names}}

    def resolve(self, due: list[dict[str, Any]]) -> dict[str, Any]:
        rng = self.rng
        item = due[0] if rng.random() < 0.95 else rng.choice(due)
        command: dict[str, Any] = {"do": "resolve", "item": item["id"]}
        if rng.random() < 0.1:
            return command | {"drop": True}
        for choice in _choices(item.get("choice")):
            command |= self.chosen(choice)
        return command

    def chosen(self, choice: dict[str, Any]) -> dict[str, Any]:
        rng = self.rng
        options = choice.get("options") or []
        match choice["kind"]:
            case "dial":
                return {"button": rng.choice(options) if options else self.button()}
            case "fan" | "colour":
                return {choice["kind"]: rng.choice(options) if options else self.button()}
            case "cells":
                cells = rng.sample(CELLS, rng.randint(0, min(choice.get("most") or 1, 3)))
                return {"cells": cells, "refill": self.refill(cells)}
            case "amount":
                return {"amount": rng.randint(0, 4)}
            case "yes_no":
                return {"yes": rng.random() < 0.6}
            case "option":
                return {"option": rng.randrange(max(1, len(options)))}
            case "when":
                return {"when": rng.choice(["before", "after"])}
            case "place":
                return {"place": rng.choice(PLACES)}
            case _:
                return {"done": True}

    # -- what nobody should do

    def spoil(self, command: dict[str, Any]) -> None:
        """Take away, replace or add a field, at any depth, or name another command."""
        rng = self.rng
        place: Any = command
        while isinstance(place, dict | list) and place and rng.random() < 0.5:
            deeper = place[rng.choice(list(place))] if isinstance(place, dict) else rng.choice(place)
            if not isinstance(deeper, dict | list):
                break
            place = deeper
        if isinstance(place, list):
            if place and rng.random() < 0.5:
                place[rng.randrange(len(place))] = rng.choice(JUNK)
            else:
                place.append(rng.choice(JUNK))
            return
        fields = list(place)
        kind = rng.random()
        if fields and kind < 0.35:
            del place[rng.choice(fields)]
        elif fields and kind < 0.8:
            place[rng.choice(fields)] = rng.choice(JUNK)
        else:
            place[rng.choice(["x", "player", "cells", "button", "amount", "attack", "do", "tray", "item"])] = (
                rng.choice(JUNK)
            )


def _choices(choice: Any) -> Iterator[dict[str, Any]]:
    if isinstance(choice, dict) and "kind" in choice:
        yield choice
    elif isinstance(choice, list):
        for one in choice:
            yield from _choices(one)


def dumped(command: dict[str, Any]) -> bytes:
    return json.dumps(command).encode()


class Referee:
    """The real program, a line in and a line out."""

    def __init__(self, told: Path) -> None:
        self._errors = told.open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", "referee"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )

    def ask(self, line: bytes) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> int:
        """The exit status, once it has read to the end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        rest = self._process.stdout.read()
        assert rest == b"", rest[:200]
        self._process.stdout.close()
        status = self._process.wait()
        self._errors.close()
        return status


class Judge:
    """Checks each reply against what must hold (DESIGN §4, §7). `past`, `future`: states that undo and redo reach."""

    def __init__(self) -> None:
        self.state: dict[str, Any] | None = None
        self.bytes = b"null"
        self.past: list[bytes] = []
        self.future: list[bytes] = []
        self.counts: Counter[str] = Counter()

    def took(self, line: bytes, reply: bytes) -> dict[str, Any]:
        assert reply.endswith(b"\n"), "no answer"
        body: dict[str, Any] = json.loads(reply)
        before, self.state = self.bytes, body["state"]
        self.bytes = json.dumps(self.state).encode()
        if not body["ok"]:
            self.refused(body, before)
            return body
        command = json.loads(line)
        name = command["do"]
        self.counts[f"accepted {name}"] += 1
        assert isinstance(body["events"], list)
        assert all(isinstance(event["type"], str) for event in body["events"])
        if name == "undo":
            assert self.bytes == self.past.pop()
            self.future.append(before)
        elif name == "redo":
            assert self.bytes == self.future.pop()
            self.past.append(before)
        elif name == "setup":
            self.past.clear()
            self.future.clear()
        else:
            self.past.append(before)
            self.future.clear()
        if name == "amend":
            self.counts["misfits"] += len(body["misfits"])
        assert self.state is not None
        check(self.state)
        self.check_due(self.state)
        return body

    def refused(self, body: dict[str, Any], before: bytes) -> None:
        error = body["error"]
        self.counts[f"refused {error['code']}"] += 1
        assert self.bytes == before
        assert error["code"] in CODES, error
        assert error["text"].endswith((".", "…", "?")), error
        assert "\n" not in error["text"]
        assert isinstance(error["cells"], list)
        if error["code"] == "nothing_to_undo":
            assert not self.past
        if error["code"] == "nothing_to_redo":
            assert not self.future

    def check_due(self, state: dict[str, Any]) -> None:
        due = state.get("due", [])
        assert len({item["id"] for item in due}) == len(due)
        assert not due or state["phase"] != "over", due
        for item in due:
            assert item["part"] in ("start", "prediction", "kicker", "attack", "card", "end")
            assert item["text"]
            assert item["player"] in ("A", "B")
        if due:
            self.counts["states with something due"] += 1


@dataclass
class Told:
    """`counts`: what was accepted and refused how often."""

    counts: Counter[str]
    lines: list[bytes] = field(default_factory=list)
    replies: list[bytes] = field(default_factory=list)


def fuzz(seed: int, commands: int) -> Told:
    """At least so many lines to one referee."""
    chooser, judge = Chooser(seed), Judge()
    said = Told(judge.counts)
    lines = said.lines
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "stderr"
        referee = Referee(told)

        def send(line: bytes) -> bool:
            lines.append(line)
            reply = referee.ask(line)
            said.replies.append(reply)
            try:
                body = judge.took(line, reply)
            except Exception as error:
                error.add_note(f"line {len(lines)} of seed {seed}: {line[:2000]!r}\nreply: {reply[:3000]!r}")
                error.add_note(told.read_text()[-2000:])
                raise
            chooser.heard(line, body["ok"], judge.state)
            return bool(body["ok"])

        while len(lines) < commands:
            line = chooser.line()
            before = judge.bytes
            if send(line) and json.loads(line)["do"] not in ("setup", "undo", "redo") and chooser.rng.random() < 0.15:
                after = judge.bytes
                assert send(b'{"do":"undo"}')
                assert judge.bytes == before
                assert send(b'{"do":"redo"}')
                assert judge.bytes == after
        assert referee.close() == 0
        assert told.read_bytes() == b""
    return said


def logged(line: bytes) -> bool:
    """Whether the line is an object, which the log numbers whatever becomes of it."""
    return line in NAMELESS or line not in NO_COMMANDS
