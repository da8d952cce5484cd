"""Commands as they come in (plain JSON, from anybody) and as frozen values.

Here only the form is checked: names, fields, types, ranges. Whether a command is allowed now is for `decide`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules import form as f
from companion.rules.core import Rejection
from companion.rules.react import effect_form as e
from companion.rules.react.artists import DAMAGE_TO_LOSE, MOST_IN_HAND, Effect
from companion.rules.react.setup_form import Setup, a_masterpiece, chosen_rules, read_setup
from companion.rules.react.state import CARDS


@dataclass(frozen=True, slots=True)
class Progress:
    """The Masterpiece Phase: `effect` is that of the tool, with `skip` for nothing."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class DrawPhase:
    pass


@dataclass(frozen=True, slots=True)
class Play:
    player: str
    kind: str
    source: str
    card: str | None
    effect: str | None
    slot: int | None
    costs: tuple[Effect, ...]
    lines: tuple[Effect, ...] | None


@dataclass(frozen=True, slots=True)
class Pass:
    player: str


@dataclass(frozen=True, slots=True)
class Resolve:
    """What is next happens: with these lines, only the chosen ones of them, or not at all (`drop`)."""

    slot: int | None
    lines: tuple[Effect, ...] | None
    choose: tuple[int, ...] | None
    drop: bool


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A passive that no rule here knows interrupts: it comes before anything else."""

    player: str
    name: str
    zone: str | None
    unit: str | None
    lines: tuple[Effect, ...] | None


@dataclass(frozen=True, slots=True)
class EndTurn:
    player: str


@dataclass(frozen=True, slots=True)
class Concede:
    player: str


@dataclass(frozen=True, slots=True)
class ChangeRules:
    chosen: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Correct:
    """`told`: field → value, only those that are corrected."""

    told: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ByHand:
    """An effect that the players enter by itself."""

    effect: Effect


Command = (
    Setup
    | Progress
    | DrawPhase
    | Play
    | Pass
    | Resolve
    | Interrupt
    | EndTurn
    | Concede
    | ChangeRules
    | Correct
    | ByHand
)


def parse(raw: Mapping[str, Any]) -> Command | Rejection:
    """The command, or why it is none: bad_command, unknown_command, bad_value."""
    command: Command | Rejection = f.read(raw, READERS)
    return command


KINDS: Final = ("intention", "reaction")
SOURCES: Final = ("hand", "ability", "other")


def _play(o: f.Fields) -> Play:
    return Play(
        player=o.need("player", f.a_player),
        kind=o.need("kind", f.one_of(KINDS, "intention or reaction")),
        source=o.may("from", f.one_of(SOURCES, "hand, ability or other"), "hand"),
        card=o.may("card", e.words),
        effect=o.may("effect", e.words),
        slot=o.may("slot", e.a_slot),
        costs=o.may("costs", e.effects, ()),
        lines=o.may("effects", e.effects),
    )


def _resolve(o: f.Fields) -> Resolve:
    lines = o.may("effects", e.effects)
    choose = o.may("choose", _chosen)
    drop = o.may("drop", e.true, False)
    if drop and (lines is not None or choose is not None):
        raise f.bad_command("resolve: drop stands alone, without effects.")
    return Resolve(o.may("slot", e.a_slot), lines, choose, drop)


def _passive(o: f.Fields) -> Interrupt:
    unit = o.may("unit", e.a_unit)
    if unit == e.IT:
        raise f.bad_value("passive: unit is it, but nothing set it off yet; name the unit.")
    player, name = o.need("player", f.a_player), o.need("name", e.words)
    return Interrupt(player, name, o.may("zone", e.a_zone), unit, o.may("effects", e.effects))


def _chosen(path: str, value: Any) -> tuple[int, ...]:
    """Lines by number, from 1; whatever their order they happen as they are printed."""
    numbers = [f.a_number(1, e.MOST_LINES)(path, number) for number in f.a_list(path, value)]
    if not numbers or len(set(numbers)) < len(numbers):
        raise f.bad_value(f"{path} is {f.show(value)} where numbers of lines are needed, each once.")
    return tuple(sorted(numbers))


def _draw(o: f.Fields) -> Command:
    return ByHand(e.tool("draw", o)) if o.has("player") else DrawPhase()


def _by_hand(name: str) -> Callable[[f.Fields], Command]:
    return lambda o: ByHand(e.tool(name, o))


def _aimed(name: str) -> Callable[[f.Fields], Command]:
    """By itself it has no card of its own."""

    def read(o: f.Fields) -> Command:
        o.need("slot", e.a_slot)
        return ByHand(e.tool(name, o))

    return read


def _rules(o: f.Fields) -> ChangeRules:
    chosen = chosen_rules(o)
    if not chosen and not o.values:
        raise f.bad_command("rules names no switch.")
    return ChangeRules(chosen)


def _nullable(check: f.Check) -> f.Check:
    return lambda path, value: None if value is None else check(path, value)


def _flipped(path: str, value: Any) -> tuple[int, ...]:
    cards = sorted({e.a_card(path, card) for card in f.a_list(path, value)})
    if len(cards) >= DAMAGE_TO_LOSE:
        raise f.bad_value(f"{path}: {DAMAGE_TO_LOSE} flipped cards end the match; enter the damage instead.")
    return tuple(cards)


def _damage(path: str, value: Any) -> tuple[int, ...]:
    return CARDS[: f.a_number(0, DAMAGE_TO_LOSE - 1)(path, value)]


def _units(path: str, value: Any) -> tuple[Mapping[str, Any], ...]:
    """Several units at once, which may change places."""
    told = [f.an_object(f"{path}[{number}]", one) for number, one in enumerate(f.a_list(path, value))]
    found: list[Mapping[str, Any]] = []
    for o in told:
        one = {"unit": o.need("unit", e.a_unit)}
        one |= {name: o.need(name, CORRECTABLE[name]) for name in ("zone", "exhausted") if o.has(name)}
        o.close()
        if len(one) == 1 or one["unit"] in (e.IT, *(other["unit"] for other in found)):
            raise f.bad_value(f"{o.path} needs a unit, each once, with zone or exhausted.")
        found.append(one)
    if not found:
        raise f.bad_value(f"{path} names no unit.")
    return tuple(found)


_number: Final = f.a_number(0, f.MOST)
CORRECTABLE: Final[Mapping[str, f.Check]] = {
    "player": f.a_player,
    "hand": f.a_number(0, MOST_IN_HAND),
    "deck": _number,
    "discard": _number,
    "damage": _damage,
    "flipped": _flipped,
    "ascended": f.a_flag,
    "unit": e.a_unit,
    "units": _units,
    "exhausted": f.a_flag,
    "zone": _nullable(e.a_zone),
    "token": e.a_kind,
    "count": _number,
    "tile": _nullable(e.a_kind),
    "masterpiece": a_masterpiece,
    "turn": f.a_player,
    "phase": f.one_of(("masterpiece", "draw", "main"), "masterpiece, draw or main"),
}
_OF_A_PLAYER: Final = ("hand", "deck", "discard", "damage", "flipped", "ascended")


def _correct(o: f.Fields) -> Correct:
    found = {name: o.need(name, check) for name, check in CORRECTABLE.items() if o.has(name)}
    if not found and not o.values:
        raise f.bad_command("correct names nothing to correct.")
    goes = {
        **dict.fromkeys((*_OF_A_PLAYER, "token"), ("player",)),
        "unit": ("zone", "exhausted"),
        "exhausted": ("unit",),
        "player": (*_OF_A_PLAYER, "token", "tile"),
        "zone": ("unit", "token", "tile"),
        "count": ("token",),
    }
    for name, partners in goes.items():
        if name in found and not any(partner in found for partner in partners):
            raise f.bad_command(f"correct: the field {name} goes with {' or '.join(partners)}.")
    if sum(name in found for name in ("unit", "units", "token", "tile")) > 1:
        raise f.bad_command("correct: units, a token or a tile, one at a time.")
    if "token" in found and not {"zone", "count"} <= found.keys():
        raise f.bad_command("correct: the field token goes with zone and count.")
    if "tile" in found and ("zone" not in found or (found["tile"] is not None and "player" not in found)):
        raise f.bad_command("correct: the field tile goes with zone and player; null takes it off.")
    if found.get("unit") == e.IT or ("zone" in found and found["zone"] is None and "unit" not in found):
        raise f.bad_value("correct: that names nothing on the board.")
    if "damage" in found and "flipped" in found:
        raise f.bad_command("correct: damage or flipped, not both.")
    return Correct({("flipped" if name == "damage" else name): value for name, value in found.items()})


READERS: Final[Mapping[str, Callable[[f.Fields], Command]]] = {
    "setup": read_setup,
    "progress": lambda o: Progress(e.tool("progress", o)),
    "draw": _draw,
    "play": _play,
    "pass": lambda o: Pass(o.need("player", f.a_player)),
    "resolve": _resolve,
    "passive": _passive,
    "end_turn": lambda o: EndTurn(o.need("player", f.a_player)),
    "concede": lambda o: Concede(o.need("player", f.a_player)),
    **{name: _by_hand(name) for name in e.TOOLS if name not in ("draw", "progress", "target", "direction")},
    **{name: _aimed(name) for name in ("target", "direction")},
    "correct": _correct,
    "rules": _rules,
}
