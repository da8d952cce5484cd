"""The set-up of a match as it comes in (rulebook: Setting Up the Game)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.rules import form as f
from companion.rules.react import effect_form as e
from companion.rules.react.artists import (
    ARTISTS,
    DAMAGE_TO_LOSE,
    MOST_IN_HAND,
    OPENING_HAND,
    Passive,
    SummonKind,
    Things,
    known_artist,
)
from companion.rules.react.field import MOST, PLAYERS, Field
from companion.rules.react.state import CARDS, SPACES, Side
from companion.rules.react.switches import CHOICES, Rules

MOST_KINDS: Final = 12


@dataclass(frozen=True, slots=True)
class Setup:
    """`zones`, `exhausted`: where each artist stands, and whether it is exhausted."""

    first: str
    field: Field
    sides: Mapping[str, Side]
    zones: Mapping[str, str]
    exhausted: Mapping[str, bool]
    spaces: tuple[str | None, ...]
    turn_number: int
    rules: Rules


def read_setup(o: f.Fields) -> Setup:
    first = o.need("first", f.a_player)
    field = o.need("field", _field)
    rules = o.may("rules", a_rule_set, Rules())
    turn_number = o.may("turn_number", f.a_number(1, f.MOST), 1)
    spaces = o.may("masterpiece", a_masterpiece, (None,) * SPACES)
    players = o.may("players", f.an_object, f.Fields("setup: players", {}))
    sides, zones, exhausted = {}, {}, {}
    for player, star in zip(PLAYERS, field.stars, strict=True):
        side = players.may(player, f.an_object, f.Fields(f"setup: players.{player}", {}))
        zones[player] = side.may("zone", e.a_zone, star)
        if not field.holds(zones[player]):
            raise f.bad_value(f"{side.path}.zone: {zones[player]} lies off the board.", zones[player])
        exhausted[player] = side.may("exhausted", f.a_flag, False)
        sides[player] = _side(side)
        side.close()
    players.close()
    if zones["A"] == zones["B"]:
        raise f.bad_value(f"setup: players: both artists stand in {zones['A']}; a zone holds one unit.", zones["A"])
    return Setup(first, field, sides, zones, exhausted, spaces, turn_number, rules)


def a_rule_set(path: str, value: Any) -> Rules:
    o = f.an_object(path, value)
    chosen = chosen_rules(o)
    o.close()
    return Rules(**chosen)


def chosen_rules(o: f.Fields) -> dict[str, Any]:
    """The switches among the fields, with their values."""
    return f.chosen(o, CHOICES)


def a_masterpiece(path: str, value: Any) -> tuple[str | None, ...]:
    """The five spaces from player A's left, each null or a card such as A1."""
    spaces = f.a_list(path, value)
    cards = [f"{player}{card}" for player in PLAYERS for card in CARDS]
    if len(spaces) != SPACES or any(space is not None and space not in cards for space in spaces):
        raise f.bad_value(f"{path} needs {SPACES} spaces, each null or a card (A1 A2 A3 B1 B2 B3).")
    for card in cards:
        if spaces.count(card) > 1:
            raise f.bad_value(f"{path} has card {card} more than once.")
    return tuple(spaces)


def _field(path: str, value: Any) -> Field:
    o = f.an_object(path, value)
    columns, rows = (o.need(name, f.a_number(1, MOST)) for name in ("columns", "rows"))
    if not o.has("stars"):
        raise f.bad_value(f"{path} has no stars: name each player's starting zone, as {_STARS}.")
    stars = o.need("stars", f.an_object)
    o.close()
    for player in PLAYERS:
        if not stars.has(player):
            raise f.bad_value(f"{path}.stars has no star of player {player}; a board has two, as {_STARS}.")
    a, b = (stars.need(player, e.a_zone) for player in PLAYERS)
    stars.close()
    field = Field(columns, rows, (a, b))
    for player, zone in zip(PLAYERS, field.stars, strict=True):
        if not field.holds(zone):
            text = f"{path}.stars.{player}: {zone} lies off a board of {columns} columns and {rows} rows."
            raise f.bad_value(text, zone)
    if a == b:
        raise f.bad_value(f"{path}.stars: both stars are {a}.", a)
    return field


_STARS: Final = '{"A": "3,1", "B": "3,5"}'


# --- a player's things ------------------------------------------------------------------------------------------------


def _side(o: f.Fields) -> Side:
    artist, things = _artist(o)
    things = replace(
        things,
        summons=o.may("summons", _kinds(_summon_kind), things.summons),
        tokens=o.may("tokens", _kinds(_pool), things.tokens),
        tiles=o.may("tiles", _kinds(_pool), things.tiles),
        invincible=o.may("invincible", f.a_flag, things.invincible),
        sheet=o.may("sheet", e.words, things.sheet),
    )
    if o.has("passives"):
        things = replace(things, passives=o.need("passives", _passives))
    _check_passives(o.path, things)
    things, hand, deck, discard = _cards(o, things)
    damage = o.may("damage", f.a_number(0, DAMAGE_TO_LOSE - 1), 0)
    ascended = o.may("ascended", f.a_flag, False)
    return Side(artist, things, hand, deck, discard, CARDS[:damage], ascended)


def _artist(o: f.Fields) -> tuple[str | None, Things]:
    custom = o.may("custom", f.a_flag, False)
    told = o.may("artist", lambda path, value: None if value is None else e.words(path, value))
    if told is None:
        return None, Things()
    known = known_artist(told)
    if known is not None and not custom:
        return known, ARTISTS[known]
    if not custom:
        raise f.bad_value(
            f'{o.path}.artist is {f.show(told)}, who is none of {", ".join(ARTISTS)}; "custom": true is for another.'
        )
    return told, Things()


def _cards(o: f.Fields, things: Things) -> tuple[Things, int, int | None, int]:
    """Hand, deck and discard pile; what is left out is counted from the deck's size, as at the beginning."""
    number = f.a_number(0, f.MOST)
    size = o.may("deck_size", lambda path, value: None if value is None else f.a_number(1, f.MOST)(path, value))
    if o.has("deck_size"):
        things = replace(things, deck=size)
    no_deck = o.has("deck") and o.values["deck"] is None
    if no_deck:
        o.asked.add("deck")
        things = replace(things, deck=None)
    elif o.has("deck") and things.deck is None and not o.has("deck_size"):
        raise f.bad_value(f"{o.path}.deck: this artist has no deck; deck_size gives one.")
    if things.deck is None:
        if o.has("deck") and not no_deck:
            raise f.bad_value(f"{o.path}.deck: an artist without a deck has no cards in it.")
        hand = o.may("hand", f.a_number(0, MOST_IN_HAND), 0)
        return things, hand, None, o.may("discard", number, 0)
    hand = o.may("hand", f.a_number(0, MOST_IN_HAND), min(OPENING_HAND, things.deck))
    if o.has("deck"):
        deck = o.need("deck", number)
        discard = o.may("discard", number, things.deck - hand - deck)
    else:
        discard = o.may("discard", number, 0)
        deck = things.deck - hand - discard
    if deck < 0 or discard < 0 or deck + hand + discard > things.deck:
        raise f.bad_value(f"{o.path}: hand, deck and discard together are more than {things.deck} cards.")
    return things, hand, deck, discard


def _kinds(check: f.Check) -> f.Check:
    def read(path: str, value: Any) -> dict[str, Any]:
        told = f.an_object(path, value).values
        if len(told) > MOST_KINDS:
            raise f.bad_value(f"{path} names {len(told)} kinds; {MOST_KINDS} are the most.")
        return {e.a_kind(path, kind): check(f"{path}.{kind}", number) for kind, number in told.items()}

    return read


def _pool(path: str, value: Any) -> int | None:
    return None if value is None else f.a_number(0, f.MOST)(path, value)


def _summon_kind(path: str, value: Any) -> SummonKind:
    if not isinstance(value, Mapping):
        return SummonKind(_pool(path, value))
    o = f.an_object(path, value)
    kind = SummonKind(o.may("count", _pool), o.may("follows", f.a_flag, False))
    o.close()
    return kind


def _passives(path: str, value: Any) -> tuple[Passive, ...]:
    told = f.a_list(path, value)
    if len(told) > MOST_KINDS:
        raise f.bad_value(f"{path} has {len(told)} passives; {MOST_KINDS} are the most.")
    return tuple(_passive(f"{path}[{number}]", one) for number, one in enumerate(told))


def _passive(path: str, value: Any) -> Passive:
    o = f.an_object(path, value)
    when = o.need("when", f.one_of(("enter", "tokens", "start", "end"), "enter, tokens, start or end"))
    on_field = when in ("enter", "tokens")
    passive = Passive(
        name=o.need("name", e.words),
        when=when,
        of=o.need("of", e.a_kind) if on_field else None,
        count=o.may("count", e.a_count, 1) if when == "tokens" else 1,
        who=o.may("who", f.one_of(("any", "own", "foe"), "any, own or foe"), "any") if when == "enter" else "any",
        turns="own" if on_field else o.may("turns", f.one_of(("own", "every"), "own or every"), "own"),
        lines=o.may("effects", e.effects),
    )
    o.close()
    return passive


def _check_passives(path: str, things: Things) -> None:
    for passive in things.passives:
        kinds = things.tiles if passive.when == "enter" else things.tokens
        if passive.of is not None and passive.of not in kinds:
            what = "tile" if passive.when == "enter" else "token"
            raise f.bad_value(
                f"{path}: the passive {f.show(passive.name)} is of {passive.of}, which is no {what} here."
            )


def passive_of(data: Mapping[str, Any]) -> Passive:
    """A passive as the set-up's event has it."""
    return _passive("passive", data)
