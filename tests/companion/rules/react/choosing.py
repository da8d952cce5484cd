"""Random commands of Re;ACT, sensible and not, and what must hold of every state."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

from companion.rules.react.switches import CHOICES

JUNK: Final[list[Any]] = [
    None, True, False, 0, -1, 1, 3, 6, 1.5, 10**9, 10**30, "", "A", "C", "B.fish1", "A.fish1", "A.fish0", "A.fish99",
    "it", "target", "here", "chosen", "2,2", "0,0", "99,99", "100,1", "2;2", "up", "up-left", "é", "\ud800\udc00", [],
    {}, [2, 2], [9, 9], [1, 1], ["2,2", "2,2"], [[]], {"do": "move"}, {"do": {}}, {"x": {}}, "x" * 300, "fish", "scale",
]  # fmt: skip
CODES: Final = {
    "bad_command", "bad_value", "unknown_command", "not_now", "not_your_turn", "must_progress", "must_draw", "no_cards",
    "cannot_pay", "empty_cell", "out_of_reach", "too_late", "match_over", "nothing_to_undo", "nothing_to_redo",
    "too_many",
}  # fmt: skip
FAILED: Final = {
    "off_board", "occupied", "none_left", "not_there", "exhausted", "not_exhausted", "hand_full", "no_deck", "no_cards",
    "out_of_reach", "empty_cell", "not_now", "bad_value",
}  # fmt: skip
FIELDS: Final = (
    "player",
    "zone",
    "zones",
    "unit",
    "units",
    "to",
    "kind",
    "do",
    "card",
    "space",
    "effects",
    "costs",
    "x",
)


def check(state: dict[str, Any]) -> None:
    """Whatever was sent."""
    field = state["field"]
    zones = [unit["zone"] for unit in state["units"].values()]
    assert len(set(zones)) == len(zones), "two units in a zone"
    assert {"A", "B"} <= set(state["units"])
    for zone in [*zones, *(thing["zone"] for of in ("tiles", "blocks") for thing in state[of])]:
        x, y = map(int, zone.split(","))
        assert 1 <= x <= field["columns"]
        assert 1 <= y <= field["rows"]
    tiles = [tile["zone"] for tile in state["tiles"]]
    assert len(set(tiles)) == len(tiles), "two tiles in a zone"
    chain = state["chain"]
    held = [slot for slot in chain["slots"] if slot is not None]
    assert chain["stack"] == [slot["slot"] for slot in reversed(held)] == list(range(len(held), 0, -1))
    assert all((slot["kind"] == "intention") is (slot["slot"] == 1) for slot in held)
    assert (chain["priority"] is not None) is (bool(held) and not chain["resolving"] and state["over"] is None)
    assert not chain["resolving"] or held
    assert chain["passes"] in (0, 1)
    assert len(held) < 5 or chain["resolving"] or state["over"]
    for player, side in state["players"].items():
        check_side(state, player, side)
    assert (state["over"] is not None) is (state["phase"] == "over") is (state["next"] is None)
    assert not state["due"] or state["over"] is None
    assert len({item["id"] for item in state["due"]}) == len(state["due"])


def check_side(state: dict[str, Any], player: str, side: dict[str, Any]) -> None:
    assert 0 <= side["hand"] <= 6
    on_chain = [slot for slot in state["chain"]["slots"] if slot and (slot["player"], slot["from"]) == (player, "hand")]
    if side["deck"] is not None:
        assert min(side["deck"], side["discard"]) >= 0
        assert side["hand"] + side["deck"] + side["discard"] + len(on_chain) <= side["deck_size"]
    assert side["damage"] == sum(card["flipped"] for card in side["masterpiece"]) == 3 - side["hp"]
    assert side["damage"] < 3 or state["over"] is not None
    for card in side["masterpiece"]:
        places = [at for at, held in enumerate(state["masterpiece"], start=1) if held == f"{player}{card['card']}"]
        assert places == ([] if card["space"] is None else [card["space"]])
        assert (card["space"] is not None) + card["out"] + (card["card"] in side["beside"]) == 1
    for of in ("tokens", "tiles"):
        for pool in side[of].values():
            assert pool["count"] is None or pool["placed"] + pool["left"] == pool["count"]
    for kind, pool in side["summons"].items():
        there = [unit for unit in state["units"].values() if (unit["player"], unit["kind"]) == (player, kind)]
        assert pool["count"] is None or len(there) + pool["left"] == pool["count"]


class Chooser:
    """Draws the next command for a state."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def setup(self) -> dict[str, Any]:
        rng = self.rng
        columns, rows = rng.randint(2, 5), rng.randint(2, 5)
        stars = {"A": f"{rng.randint(1, columns)},1", "B": f"{rng.randint(1, columns)},{rows}"}
        command: dict[str, Any] = {"do": "setup", "first": rng.choice("AB"), "turn_number": rng.choice([1, 1, 2, 9])}
        command["field"] = {"columns": columns, "rows": rows, "stars": stars}
        command["players"] = {player: self.side() for player in "AB"}
        if rng.random() < 0.5:
            cards = rng.sample(["A1", "A2", "A3", "B1", "B2", "B3", None, None, None], 5)
            command["masterpiece"] = cards
        command["rules"] = {name: rng.choice(values) for name, values in CHOICES.items() if rng.random() < 0.4}
        return command

    def side(self) -> dict[str, Any]:
        rng = self.rng
        side: dict[str, Any] = {
            "summons": {"fish": rng.choice([0, 1, 3]), "arm": {"count": 1, "follows": True}},
            "tokens": {"scale": rng.choice([None, 2, 5]), "block": rng.choice([None, 1])},
            "tiles": {"mural": rng.choice([None, 1, 4])},
            "passives": [self.passive() for _ in range(rng.randint(0, 3))],
            "damage": rng.choice([0, 0, 1, 2]),
            "ascended": rng.random() < 0.3,
            "exhausted": rng.random() < 0.3,
        }
        if rng.random() < 0.3:
            side |= {"artist": rng.choice(["Dancer", "the tagger", "Painter"])}
        if side.get("artist") != "Painter" and rng.random() < 0.5:
            side |= rng.choice([{"deck": 0, "hand": 5}, {"deck": 2, "hand": 6}, {"deck": None}])
        return side

    def passive(self) -> dict[str, Any]:
        rng = self.rng
        when = rng.choice(["enter", "tokens", "start", "end"])
        told: dict[str, Any] = {"name": f"On {when}", "when": when}
        if when == "enter":
            told |= {"of": "mural", "who": rng.choice(["any", "own", "foe"])}
        elif when == "tokens":
            told |= {"of": "scale", "count": rng.randint(1, 3)}
        else:
            told |= {"turns": rng.choice(["own", "every"])}
        return told | ({"effects": self.lines()} if rng.random() < 0.5 else {})

    def player(self) -> str:
        return self.rng.choice("AB")

    def zone(self) -> Any:
        rng = self.rng
        if rng.random() < 0.2:
            return rng.choice(["target", "here"])
        return f"{rng.randint(0, 5)},{rng.randint(0, 5)}" if rng.random() < 0.9 else [1, rng.randint(1, 3)]

    def unit(self) -> str:
        return self.rng.choice(["A", "B", "A", "B", "A.fish1", "A.fish2", "B.fish1", "A.arm1", "B.arm1", "it"])

    def lines(self) -> list[dict[str, Any]]:
        return [self.effect() for _ in range(self.rng.randint(0, 4))]

    def effect(self) -> dict[str, Any]:
        rng = self.rng
        player, zone, unit = self.player(), self.zone(), self.unit()
        direction = rng.choice(["up", "down", "left", "right", "chosen"])
        space = rng.randint(1, 5)
        token = {"do": "token", "player": player, "kind": "scale", "zone": zone, "count": rng.randint(1, 3)}
        tile = {"do": "tile", "player": player, "kind": "mural", "zone": zone}
        made: list[Callable[[], dict[str, Any]]] = [
            lambda: {"do": "move", "unit": unit, "direction": direction},
            lambda: {"do": "move", "unit": unit, "to": zone},
            lambda: {"do": "jump", "unit": unit, "direction": direction},
            lambda: {"do": "swap", "units": rng.sample(["A", "B", "A.fish1", "B.arm1"], 2)},
            lambda: {"do": "summon", "player": player, "kind": rng.choice(["fish", "arm"]), "zone": zone},
            lambda: {"do": "remove", "unit": unit},
            lambda: {"do": "damage", "zones": zone, "amount": rng.randint(1, 3)} if rng.random() < 0.3 else token,
            lambda: {"do": "damage", "units": rng.choice([["A"], ["A", "B"], ["B.fish1"]])} if not space % 3 else tile,
            lambda: {"do": "block", "player": player, "zone": zone},
            lambda: token,
            lambda: {**token, "to": self.zone()},
            lambda: {**token, "remove": True},
            lambda: {key: value for key, value in token.items() if key != "zone"} | {"unit": unit},
            lambda: tile,
            lambda: {**tile, "to": self.zone()},
            lambda: {**tile, "remove": True},
            lambda: {"do": "exhaust", "unit": unit},
            lambda: {"do": "refresh", "unit": unit},
            lambda: {"do": "draw", "player": player, "cards": rng.randint(1, 2)},
            lambda: {"do": "discard", "player": player},
            self.progress,
            lambda: {"do": "rearrange", "player": player, "swap": rng.sample(range(1, 6), 2)},
            lambda: {"do": "descend", "player": player},
            lambda: {"do": "ascend", "player": player},
            lambda: {"do": "target", "slot": space, "zone": zone},
            lambda: {"do": "other", "text": "a word"},
        ]
        return rng.choice(made)()

    def progress(self) -> dict[str, Any]:
        rng = self.rng
        how = rng.choice(["place", "place", "replace", "swap", "skip"])
        told: dict[str, Any] = {"do": "progress", "player": self.player()}
        if how == "swap":
            return told | {"swap": rng.sample(range(1, 6), 2)}
        return told | ({"skip": True} if how == "skip" else {how: rng.randint(1, 3), "space": rng.randint(1, 5)})

    def play(self, state: dict[str, Any]) -> dict[str, Any]:
        rng = self.rng
        chain = state["chain"]
        told: dict[str, Any] = {"do": "play", "player": chain["priority"] or state["turn"]}
        told["kind"] = "reaction" if chain["stack"] else "intention"
        told["from"] = rng.choice(["hand", "hand", "ability", "other"])
        if rng.random() < 0.5:
            told |= {"card": rng.choice(["Wave", "Own", "Third"]), "effect": "first"}
        if rng.random() < 0.3:
            zone = {"do": "target", "zone": "1,1"}
            told["costs"] = [rng.choice([zone, {"do": "exhaust", "unit": told["player"]}, self.effect()])]
        return told | ({"effects": self.lines()} if rng.random() < 0.3 else {})

    def sensible(self, state: dict[str, Any]) -> dict[str, Any]:
        """A command that may well be accepted."""
        rng = self.rng
        awaited = state["next"]
        kind = rng.random()
        if awaited is None:
            return rng.choice([self.setup(), {"do": "undo"}, {"do": "correct", "player": "A", "hand": 1}])
        if kind < 0.06:
            return rng.choice([{"do": "undo"}, {"do": "redo"}])
        if kind < 0.1:
            return self.correct()
        if kind < 0.22:
            return self.effect()
        if kind < 0.23:
            return rng.choice([{"do": "concede", "player": "A"}, {"do": "rules", "foe_completes": False}, self.setup()])
        if rng.random() < 0.04:
            told = {"do": "passive", "player": self.player(), "name": "Unknown"}
            told |= rng.choice([{}, {"zone": "1,1"}, {"unit": rng.choice(["A", "B"])}])
            return told | ({"effects": self.lines()} if rng.random() < 0.5 else {})
        if awaited["do"] == "progress":
            return {**self.progress(), "player": awaited["player"]}
        if awaited["do"] == "draw":
            return {"do": "draw"}
        if awaited["do"] == "resolve":
            told = {"do": "resolve"}
            return told | rng.choice([{}, {"effects": self.lines()}, {"drop": True}, {"slot": awaited["slot"] or 1}])
        if not state["chain"]["stack"] and rng.random() < 0.3:
            return {"do": "end_turn", "player": state["turn"]}
        if state["chain"]["stack"] and rng.random() < 0.5:
            return {"do": "pass", "player": awaited["player"]}
        return self.play(state)

    def correct(self) -> dict[str, Any]:
        rng = self.rng
        zone, player = f"{rng.randint(0, 5)},{rng.randint(1, 5)}", self.player()
        return {"do": "correct"} | rng.choice([
            {"player": player, "hand": rng.randint(0, 7)},
            {"player": player, "damage": rng.randint(0, 3)},
            {"player": player, "ascended": True},
            {"player": player, "deck": rng.randint(0, 30), "discard": rng.randint(0, 9)},
            {"unit": self.unit(), "zone": rng.choice([zone, None])},
            {"unit": self.unit(), "exhausted": rng.random() < 0.5},
            {"token": rng.choice(["scale", "block"]), "player": player, "zone": zone, "count": rng.randint(0, 4)},
            {"tile": rng.choice(["mural", None]), "player": player, "zone": zone},
            {"turn": player},
            {"phase": rng.choice(["masterpiece", "draw", "main"])},
            {"masterpiece": rng.sample(["A1", "A2", "A3", "B1", "B2", "B3", None, None, None], 5)},
        ])  # fmt: skip

    def spoiled(self, command: dict[str, Any]) -> dict[str, Any]:
        """Something taken away, replaced or added, at any depth."""
        rng = self.rng
        command = json.loads(json.dumps(command))
        place: Any = command
        while isinstance(place, dict | list) and place and rng.random() < 0.6:
            deeper = place[rng.choice(list(place))] if isinstance(place, dict) else rng.choice(place)
            if not isinstance(deeper, dict | list):
                break
            place = deeper
        if isinstance(place, list):
            place.insert(rng.randint(0, len(place)), rng.choice(JUNK))
        elif place and rng.random() < 0.35:
            del place[rng.choice(list(place))]
        else:
            place[rng.choice([*place, *FIELDS])] = rng.choice(JUNK)
        return command

    def command(self, state: dict[str, Any] | None) -> dict[str, Any]:
        command = self.setup() if state is None else self.sensible(state)
        return self.spoiled(command) if self.rng.random() < 0.15 else command
