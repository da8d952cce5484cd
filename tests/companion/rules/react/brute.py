"""A second reading of the rulebook, written from its text alone and as plainly as can be: lists and dicts that change.

It knows no event and no code of a refusal, only whether something is allowed, and how the table lies afterwards.
`test_brute.py` plays both against each other.
"""

from __future__ import annotations

import random
from typing import Any

STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
FOE = {"A": "B", "B": "A"}
Json = dict[str, Any]


class NoError(Exception):
    """It is not allowed."""


class Skipped(Exception):
    """It fails, and that is all."""


class Slip(Skipped):
    """Nobody can mean it: skipped in a card's lines, not allowed by itself."""


class Book:
    """The default readings of every open point."""

    def __init__(self, setup: Json) -> None:
        size = setup["field"]
        self.size = (size["columns"], size["rows"])
        self.turn, self.number, self.phase = setup["first"], setup.get("turn_number", 1), "draw"
        self.players: dict[str, Json] = {}
        self.units: dict[str, Json] = {}
        for name, side in setup["players"].items():
            none = side.get("deck", 0) is None
            hand = side.get("hand", 0 if none else 4)
            deck = None if none else side.get("deck", 30 - hand)
            discard = 0 if none or "deck" not in side else 30 - hand - deck
            self.players[name] = {
                "hand": hand, "deck": deck, "discard": discard, "damage": side.get("damage", 0),
                "ascended": side.get("ascended", False), "fish": side["summons"]["fish"],
                "scales": side["tokens"]["scale"], "murals": side["tiles"]["mural"], "passive": "passives" in side,
            }  # fmt: skip
            x, y = size["stars"][name].split(",")
            self.units[name] = {"at": (int(x), int(y)), "of": name, "tired": False}
        self.space: list[str | None] = list(setup.get("masterpiece", [None] * 5))
        self.scales: dict[tuple[str, tuple[int, int]], int] = {}
        self.tiles: dict[tuple[int, int], str] = {}
        self.blocks: list[tuple[str, tuple[int, int]]] = []
        self.chain: list[Json] = []
        self.priority: str | None = None
        self.passed, self.resolving = 0, False
        self.waiting: list[Json] = []  # what has begun, the last of it first to go on
        self.winner: str | None = None  # "tie" if it is one
        self.failed = 0
        if self.number > 1:
            self.begin()

    # --- a command -------------------------------------------------------------------------------------------------

    def do(self, command: Json) -> int:
        """How much of it failed. Raises NoError; then this is of no use any more: work on a copy."""
        self.failed = 0
        name = command["do"]
        if self.winner:
            raise NoError
        if name in ("draw", "progress", "play", "pass", "resolve", "end_turn") and not (
            name == "draw" and "player" in command
        ):
            getattr(self, name)(command)
        else:
            now = self.waiting[-1] if self.waiting else {"card": self.chain[-1]} if self.resolving else {}
            try:
                self.words(command, now.get("card"))
                self.line(command, now.get("card"))
            except Slip:
                raise NoError from None
            except Skipped:
                self.failed += 1
        self.go_on()
        return self.failed

    def begin(self) -> None:
        """The Masterpiece Phase, if there is anything to progress."""
        self.phase = "masterpiece" if self.could(self.turn) else "draw"

    def draw(self, command: Json) -> None:
        if self.phase != "draw" or self.waiting:
            raise NoError
        for player in (self.turn, FOE[self.turn]):
            if not self.winner and not self.one_card(player):
                self.failed += 1
        if not self.winner:
            self.phase = "main"

    def one_card(self, player: str) -> bool:
        side = self.players[player]
        if side["deck"] is None or side["hand"] == 6:
            return False
        if side["deck"] == 0:
            self.winner = FOE[player]
            return True
        side["deck"] -= 1
        side["hand"] += 1
        return True

    def play(self, command: Json) -> None:
        player, intention = command["player"], command["kind"] == "intention"
        if self.phase != "main" or self.resolving or self.waiting:
            raise NoError
        if intention and (self.chain or player != self.turn):
            raise NoError
        if not intention and (not self.chain or player != self.priority):
            raise NoError
        side = self.players[player]
        if command["from"] == "hand":
            if side["hand"] == 0:
                raise NoError
            side["hand"] -= 1
        card = {**command, "token": None, "way": None, "from_hand": command["from"] == "hand"}
        self.chain.append(card)
        self.priority, self.passed = FOE[player], 0
        for cost in command.get("costs", []):
            try:
                self.line(cost, card, cost=True)
            except Skipped:
                raise NoError from None
            if self.winner:
                return
        if len(self.chain) == 5:
            self.resolve_chain()

    def resolve_chain(self) -> None:
        self.resolving, self.priority, self.passed = True, None, 0

    def pass_(self, command: Json) -> None:
        if (
            self.phase != "main"
            or not self.chain
            or self.resolving
            or self.waiting
            or command["player"] != self.priority
        ):
            raise NoError
        self.passed += 1
        self.priority = FOE[command["player"]]
        if self.passed == 2:
            self.resolve_chain()

    def resolve(self, command: Json) -> None:
        if not self.waiting:
            if not self.resolving:
                raise NoError
            card = self.chain[-1]
            self.waiting.append({"card": card, "lines": None, "known": card.get("effects")})
        now = self.waiting[-1]
        if now["lines"] is None:
            now["lines"] = list(command.get("effects", now.get("known") or []))

    def end_turn(self, command: Json) -> None:
        if self.phase != "main" or self.chain or self.waiting or command["player"] != self.turn:
            raise NoError
        for unit in self.units.values():
            unit["tired"] = False
        self.blocks.clear()
        self.turn, self.number = FOE[self.turn], self.number + 1
        self.begin()

    def go_on(self) -> None:
        while self.waiting and not self.winner:
            now = self.waiting[-1]
            if now["lines"] is None:
                return
            if now["lines"]:
                try:
                    self.line(now["lines"].pop(0), now.get("card"))
                except Skipped:
                    self.failed += 1
                continue
            self.waiting.remove(now)
            if "passive" not in now:
                card = self.chain.pop()
                self.players[card["player"]]["discard"] += card["from_hand"]
                if not self.chain:
                    self.resolving = False
        if self.winner:
            self.waiting.clear()
            self.priority = None

    # --- the masterpiece -------------------------------------------------------------------------------------------

    def mine(self, player: str) -> list[int]:
        return [at for at, card in enumerate(self.space) if card and card[0] == player]

    def could(self, player: str) -> bool:
        if len(self.mine(player)) == 3:
            return True
        return None in self.space or bool(self.mine(FOE[player]))

    def progress(self, command: Json) -> None:
        player = command["player"]
        in_phase = self.phase == "masterpiece" and not self.waiting
        if not in_phase and not (self.waiting or self.resolving):
            raise NoError
        if in_phase and player != self.turn:
            raise NoError
        if "skip" in command:
            if not in_phase or (None in self.space and len(self.mine(player)) < 3):
                raise NoError
            self.look()
        else:
            try:
                self.step(command)
            except Skipped:
                raise NoError from None
        if in_phase:
            self.phase = "draw"

    def step(self, command: Json) -> None:
        player, own = command["player"], self.mine(command["player"])
        if "swap" in command:
            if len(own) < 3:
                raise Skipped
            self.exchange(command["swap"])
        else:
            at = command["space"] - 1
            card = f"{player}{command.get('place', command.get('replace'))}"
            there = self.space[at]
            if card in self.space or ("place" in command) is not (None in self.space):
                raise Skipped
            if ("place" in command and there) or ("replace" in command and (not there or there[0] == player)):
                raise Skipped
            self.space[at] = card
        self.look()

    def exchange(self, two: list[int]) -> None:
        i, j = two[0] - 1, two[1] - 1
        if self.space[i] is None and self.space[j] is None:
            raise Slip
        self.space[i], self.space[j] = self.space[j], self.space[i]

    def look(self) -> None:
        """Whose is complete, ascends; each player reads from the own left, and B sits across."""
        row = "".join(card or "--" for card in self.space)
        for player, whole in (("A", "A1A2A3"), ("B", "B3B2B1")):
            if whole in row and not self.players[player]["ascended"]:
                self.players[player]["ascended"] = True
                self.space = [None if card and card[0] == player else card for card in self.space]

    # --- what an effect does ---------------------------------------------------------------------------------------

    def line(self, told: Json, card: Json | None, cost: bool = False) -> None:
        getattr(self, "do_" + told["do"])(told, card, cost)

    def words(self, told: Json, card: Json | None) -> None:
        """Each stands for something."""
        said = [told.get(name) for name in ("zone", "to", "direction")] + told.get("zones", [])
        if ("target" in said and (card is None or not card["token"])) or (
            "chosen" in said and (card is None or not card["way"])
        ):
            raise Slip

    def zone(self, text: str, card: Json | None) -> tuple[int, int]:
        if text == "target":
            if card is None or card["token"] is None:
                raise Slip
            return card["token"]
        x, y = text.split(",")
        return int(x), int(y)

    def inside(self, at: tuple[int, int]) -> bool:
        return 1 <= at[0] <= self.size[0] and 1 <= at[1] <= self.size[1]

    def who(self, at: tuple[int, int]) -> str | None:
        return next((name for name, unit in self.units.items() if unit["at"] == at), None)

    def unit(self, name: str) -> Json:
        if name not in self.units:
            raise Skipped
        return self.units[name]

    def do_target(self, told: Json, card: Json | None, cost: bool) -> None:
        at = self.zone(told["zone"], card)
        if card is None or not self.inside(at):
            raise Skipped
        card["token"] = at

    def do_direction(self, told: Json, card: Json | None, cost: bool) -> None:
        if card is None:
            raise Skipped
        card["way"] = told["direction"]

    def do_move(self, told: Json, card: Json | None, cost: bool) -> None:
        unit = self.unit(told["unit"])
        way = told["direction"]
        if way == "chosen":
            way = None if card is None else card["way"]
            if way is None:
                raise Slip
        goal = (unit["at"][0] + STEPS[way][0], unit["at"][1] + STEPS[way][1])
        if not self.inside(goal) or self.who(goal):
            raise Skipped
        unit["at"] = goal
        self.enter([told["unit"]])

    def do_jump(self, told: Json, card: Json | None, cost: bool) -> None:
        unit = self.unit(told["unit"])
        by = STEPS[told["direction"]]
        goal = (unit["at"][0] + by[0], unit["at"][1] + by[1])
        while self.inside(goal) and self.who(goal):
            goal = (goal[0] + by[0], goal[1] + by[1])
        if not self.inside(goal):
            raise Skipped
        unit["at"] = goal
        self.enter([told["unit"]])

    def do_swap(self, told: Json, card: Json | None, cost: bool) -> None:
        one, two = (self.unit(name) for name in told["units"])
        one["at"], two["at"] = two["at"], one["at"]
        self.enter(told["units"])

    def enter(self, names: list[str]) -> None:
        """The Tagger's murals."""
        zones = [self.units[name]["at"] for name in names]
        self.interrupt([(self.tiles[at], at) for at in zones if at in self.tiles])

    def interrupt(self, found: list[tuple[str, tuple[int, int]]]) -> None:
        """The turn player's first, and the newest of all before what was under way."""
        found = [(owner, at) for owner, at in found if self.players[owner]["passive"]]
        found.reverse()
        for owner, at in sorted(found, key=lambda one: one[0] == self.turn):
            self.waiting.append({"passive": owner, "lines": None, "card": {"token": at, "way": None}})

    def do_summon(self, told: Json, card: Json | None, cost: bool) -> None:
        player, at = told["player"], self.zone(told["zone"], card)
        there = [name for name in self.units if name.startswith(f"{player}.")]
        if len(there) >= self.players[player]["fish"] or not self.inside(at) or self.who(at):
            raise Skipped
        number = next(n for n in range(1, 9) if f"{player}.fish{n}" not in self.units)
        self.units[f"{player}.fish{number}"] = {"at": at, "of": player, "tired": False}

    def do_remove(self, told: Json, card: Json | None, cost: bool) -> None:
        self.unit(told["unit"])
        if "." not in told["unit"]:
            raise Slip
        del self.units[told["unit"]]

    def do_exhaust(self, told: Json, card: Json | None, cost: bool) -> None:
        unit = self.unit(told["unit"])
        if unit["tired"]:
            raise Skipped
        unit["tired"] = True

    def do_refresh(self, told: Json, card: Json | None, cost: bool) -> None:
        unit = self.unit(told["unit"])
        if not unit["tired"]:
            raise Skipped
        unit["tired"] = False

    def do_damage(self, told: Json, card: Json | None, cost: bool) -> None:
        zones = [self.zone(zone, card) for zone in told["zones"]]
        zones = [at for n, at in enumerate(zones) if self.inside(at) and at not in zones[:n]]
        if not zones:
            raise Skipped
        for at in zones:
            block = next((one for one in self.blocks if one[1] == at), None)
            name = self.who(at)
            if block:
                self.blocks.remove(block)
            elif name and "." in name:
                del self.units[name]
            elif name:
                self.players[name]["damage"] = min(3, self.players[name]["damage"] + told.get("amount", 1))
        beaten = [player for player in "AB" if self.players[player]["damage"] == 3]
        if beaten:
            self.winner = "tie" if len(beaten) == 2 else FOE[beaten[0]]

    def do_block(self, told: Json, card: Json | None, cost: bool) -> None:
        at = self.zone(told["zone"], card)
        if not self.inside(at):
            raise Skipped
        self.blocks.append((told["player"], at))

    def do_token(self, told: Json, card: Json | None, cost: bool) -> None:
        player, at, count = told["player"], self.zone(told["zone"], card), told.get("count", 1)
        if not self.inside(at):
            raise Skipped
        there = self.scales.get((player, at), 0)
        pool = self.players[player]["scales"] - sum(n for (who, _), n in self.scales.items() if who == player)
        most = there if "remove" in told or "to" in told else pool
        if not most or (cost and most < count):
            raise Skipped
        count = min(count, most)
        if "remove" in told:
            self.scales[player, at] = there - count
            return
        if "to" in told:
            goal = self.zone(told["to"], card)
            if not self.inside(goal) or goal == at:
                raise Skipped
            self.scales[player, at] = there - count
            at, there = goal, self.scales.get((player, goal), 0)
        self.scales[player, at] = there + count
        if there < 3 <= there + count:
            self.interrupt([(player, at)])

    def do_tile(self, told: Json, card: Json | None, cost: bool) -> None:
        player, at = told["player"], self.zone(told["zone"], card)
        if not self.inside(at):
            raise Skipped
        if "remove" in told:
            if self.tiles.get(at) != player:
                raise Skipped
            del self.tiles[at]
            return
        if at in self.tiles or list(self.tiles.values()).count(player) >= self.players[player]["murals"]:
            raise Skipped
        self.tiles[at] = player

    def do_draw(self, told: Json, card: Json | None, cost: bool) -> None:
        for _ in range(told.get("cards", 1)):
            if self.winner:
                return
            if not self.one_card(told["player"]):
                raise Skipped

    def do_discard(self, told: Json, card: Json | None, cost: bool) -> None:
        side, count = self.players[told["player"]], told.get("cards", 1)
        if not side["hand"] or (cost and side["hand"] < count):
            raise Skipped
        count = min(count, side["hand"])
        side["hand"] -= count
        side["discard"] += count

    def do_progress(self, told: Json, card: Json | None, cost: bool) -> None:
        self.step(told)

    def do_rearrange(self, told: Json, card: Json | None, cost: bool) -> None:
        self.exchange(told["swap"])
        self.look()

    def do_ascend(self, told: Json, card: Json | None, cost: bool) -> None:
        if self.players[told["player"]]["ascended"]:
            raise Skipped
        self.players[told["player"]]["ascended"] = True

    def do_descend(self, told: Json, card: Json | None, cost: bool) -> None:
        if not self.players[told["player"]]["ascended"]:
            raise Skipped
        self.players[told["player"]]["ascended"] = False
        self.look()

    # --- the table as both know it ---------------------------------------------------------------------------------

    def table(self) -> Json:
        return {
            "turn": (self.turn, self.number, "over" if self.winner else self.phase),
            "players": {
                player: tuple(side[what] for what in ("hand", "deck", "discard", "damage", "ascended"))
                for player, side in self.players.items()
            },
            "units": {name: (*unit["at"], unit["tired"]) for name, unit in self.units.items()},
            "space": self.space,
            "scales": {key: count for key, count in self.scales.items() if count},
            "tiles": self.tiles,
            "blocks": sorted(self.blocks),
            "chain": [(card["player"], card["kind"], card["token"], card["way"]) for card in self.chain],
            "whose": (self.priority, self.passed, self.resolving),
            "waiting": [one.get("passive", "card") for one in reversed(self.waiting)],
            "winner": self.winner,
        }


setattr(Book, "pass", Book.pass_)


def as_book(state: Json) -> Json:
    """A state of the referee in the same words."""
    at = lambda zone: None if zone is None else tuple(map(int, zone.split(",")))  # noqa: E731 (one line says it)
    chain = state["chain"]
    over = state["over"]
    return {
        "turn": (state["turn"], state["turn_number"], state["phase"]),
        "players": {
            player: tuple(side[what] for what in ("hand", "deck", "discard", "damage", "ascended"))
            for player, side in state["players"].items()
        },
        "units": {name: (*at(unit["zone"]), unit["exhausted"]) for name, unit in state["units"].items()},
        "space": state["masterpiece"],
        "scales": {(pile["player"], at(pile["zone"])): pile["count"] for pile in state["tokens"]},
        "tiles": {at(tile["zone"]): tile["player"] for tile in state["tiles"]},
        "blocks": sorted((block["player"], at(block["zone"])) for block in state["blocks"]),
        "chain": [
            (card["player"], card["kind"], at(card["zone"]), card["direction"]) for card in chain["slots"] if card
        ],
        "whose": (chain["priority"], chain["passes"], chain["resolving"]),
        "waiting": ["card" if item["part"] == "card" else item["player"] for item in state["due"]],
        "winner": None if over is None else over["winner"] or "tie",
    }


# --- what is tried -------------------------------------------------------------------------------------------------


class Trier:
    """Set-ups and commands, half of them at the wrong time."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def setup(self) -> Json:
        rng = self.rng
        columns, rows = rng.randint(2, 4), rng.randint(2, 4)
        stars = {"A": f"{rng.randint(1, columns)},1", "B": f"{rng.randint(1, columns)},{rows}"}
        told: Json = {"do": "setup", "first": rng.choice("AB"), "turn_number": rng.choice([1, 2])}
        told["field"] = {"columns": columns, "rows": rows, "stars": stars}
        told["players"] = {player: self.side() for player in "AB"}
        told["masterpiece"] = rng.sample(["A1", "A2", "A3", "B1", "B2", "B3", None, None, None, None], 5)
        return told

    def side(self) -> Json:
        rng = self.rng
        passives = [
            {"name": "Third", "when": "tokens", "of": "scale", "count": 3},
            {"name": "Mural", "when": "enter", "of": "mural"},
        ]
        return {
            "summons": {"fish": rng.randint(1, 3)},
            "tokens": {"scale": rng.choice([3, 7])},
            "tiles": {"mural": 2},
            "damage": rng.choice([0, 0, 1, 2]),
            "ascended": rng.random() < 0.4,
            **({"passives": passives} if rng.random() < 0.6 else {}),
            **rng.choice([{}, {}, {"deck": rng.randint(0, 2), "hand": rng.randint(0, 6)}, {"deck": None, "hand": 3}]),
        }

    def zone(self) -> str:
        rng = self.rng
        return "target" if rng.random() < 0.2 else f"{rng.randint(0, 5)},{rng.randint(1, 4)}"

    def effect(self) -> Json:
        rng = self.rng
        player, unit = rng.choice("AB"), rng.choice(["A", "B", "A", "B", "A.fish1", "B.fish1", "A.fish2"])
        way = rng.choice([*STEPS, "chosen"])
        scale = {"do": "token", "player": player, "kind": "scale", "zone": self.zone(), "count": rng.randint(1, 3)}
        tile = {"do": "tile", "player": player, "kind": "mural", "zone": self.zone()}
        return rng.choice([
            {"do": "move", "unit": unit, "direction": way}, {"do": "move", "unit": unit, "direction": way},
            {"do": "jump", "unit": unit, "direction": rng.choice(list(STEPS))},
            {"do": "swap", "units": rng.sample(["A", "B", "A.fish1", "B.fish1"], 2)},
            {"do": "summon", "player": player, "kind": "fish", "zone": self.zone()},
            {"do": "remove", "unit": unit}, {"do": "exhaust", "unit": unit}, {"do": "refresh", "unit": unit},
            {"do": "damage", "zones": list({self.zone() for _ in range(rng.randint(1, 3))})},
            {"do": "block", "player": player, "zone": self.zone()},
            scale, scale, {**scale, "remove": True}, {**scale, "to": self.zone()}, tile, tile, {**tile, "remove": True},
            {"do": "draw", "player": player, "cards": rng.randint(1, 2)},
            {"do": "discard", "player": player, "cards": rng.randint(1, 2)}, self.progress(player),
            {"do": "rearrange", "player": player, "swap": rng.sample(range(1, 6), 2)},
            {"do": "ascend", "player": player}, {"do": "descend", "player": player},
        ])  # fmt: skip

    def progress(self, player: str, how: str | None = None) -> Json:
        rng = self.rng
        how = how or rng.choice(["place", "replace", "swap"])
        told: Json = {"do": "progress", "player": player}
        return told | (
            {"swap": rng.sample(range(1, 6), 2)}
            if how == "swap"
            else {how: rng.randint(1, 3), "space": rng.randint(1, 5)}
        )

    def play(self, player: str, kind: str) -> Json:
        rng = self.rng
        costs = [
            {"do": "target", "zone": self.zone()}, {"do": "direction", "direction": rng.choice(list(STEPS))},
            {"do": "exhaust", "unit": player}, {"do": "discard", "player": player, "cards": rng.randint(1, 3)},
            self.effect(),
        ]  # fmt: skip
        told: Json = {
            "do": "play",
            "player": player,
            "kind": kind,
            "from": rng.choice(["hand", "hand", "ability", "other"]),
        }
        told["costs"] = rng.sample(costs, rng.choice([0, 0, 1, 2]))
        return told | ({"effects": [self.effect() for _ in range(rng.randint(0, 3))]} if rng.random() < 0.3 else {})

    def command(self, book: Book) -> Json:
        rng = self.rng
        likely: Json
        actor = book.priority or book.turn
        if book.waiting or book.resolving:
            likely = {"do": "resolve"}
            if not book.waiting or book.waiting[-1]["lines"] is None:
                likely |= {"effects": [self.effect() for _ in range(rng.randint(0, 3))]} if rng.random() < 0.7 else {}
        elif book.phase == "masterpiece":
            how = "swap" if len(book.mine(actor)) == 3 else "place" if None in book.space else "replace"
            likely = (
                self.progress(book.turn, how)
                if rng.random() < 0.9
                else {"do": "progress", "player": actor, "skip": True}
            )
        elif book.phase == "draw":
            likely = {"do": "draw"}
        elif book.chain and rng.random() < 0.4:
            likely = {"do": "pass", "player": actor}
        else:
            likely = self.play(actor, "reaction" if book.chain else "intention")
        kind = rng.random()
        if kind < 0.62:
            return likely
        if kind < 0.74:
            return self.effect()
        player = rng.choice("AB")
        return rng.choice([
            {"do": "pass", "player": player}, {"do": "end_turn", "player": player}, {"do": "end_turn", "player": actor},
            {"do": "draw"}, self.progress(player), {"do": "progress", "player": player, "skip": True},
            self.play(player, rng.choice(["intention", "reaction"])), {"do": "resolve"},
        ])  # fmt: skip
