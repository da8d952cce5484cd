"""Commands as lines of words and back: `A clear R2 a1-a2 drops a=RY` (docs/match-text.md). Pure.

A command's form is for `commands.parse` to judge; here a line need only say which command it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.notation import NotationError, shown
from companion.rules.rematch.chains import ATTACKS
from companion.rules.rematch.form import PLACES
from companion.rules.rematch.tray import COLOURS, INDEX, LANES, LETTERS, PLAYERS
from companion.rules.rematch.words import Words, value_text

Command = dict[str, Any]
Fields = Mapping[str, Any]

A_BUTTON: Final = "R, Y or B"
AN_ATTACK: Final = "an attack (R1 R2 R4 Y1 Y2 Y4 B1 B2 B4)"
A_CELL: Final = "a cell (a1 to c5)"
A_NUMBER: Final = "a whole number"
A_PLAYER: Final = "player A or B"


@dataclass(frozen=True, slots=True)
class _Verb:
    """`write`: the words after the verb; `read`: the fields from those words. `who`: the field of the player who
    stands before the verb; "": none does."""

    do: str
    who: str
    write: Callable[[Fields], str]
    read: Callable[[Words], Command]
    example: str


def write(command: Fields) -> str | None:
    """The line; None: these words cannot say the whole command."""
    tidy = tidied(command)
    verb = next((word for word, verb in VERBS.items() if verb.do == tidy.get("do")), None)
    if verb is None:
        return None
    who = VERBS[verb].who
    try:
        words = [tidy[who], verb] if tidy.get(who) else [verb]
        line = " ".join(filter(None, (*words, VERBS[verb].write(tidy))))
        # whatever is odd about it, e.g. a field that nobody knows yet: what does not come back is not written
        if not line.isprintable() or _plain(read(line)) != _plain(tidy):
            return None
    except (ValueError, TypeError, LookupError, AttributeError):
        return None
    return line


def read(line: str) -> Command:
    """The command. Raises NotationError."""
    words = Words(line, "command")
    player = None
    if words.keyword.upper() in tuple(PLAYERS):
        player = words.take().text.upper()
    word = words.keyword
    if word not in VERBS:
        known = ", ".join(VERBS)
        first = player is None and words.next.kind == "word"
        needed = f"a player (A, B) or a command ({known})" if first else f"a command ({known})"
        raise words.needs(needed)
    words.take()
    verb = VERBS[word]
    words.where = word
    if verb.who and player is None and not (word == "marker" and words.keyword == "remove"):
        raise NotationError(f"{word}: the player comes first, as in {verb.example}")
    if not verb.who and player is not None:
        raise NotationError(f"{word}: no player stands before it, as in {verb.example}")
    named = {} if player is None else {verb.who: player}
    fields = verb.read(words)
    words.end()
    return {"do": verb.do, **named, **fields}


def tidied(command: Fields) -> Command:
    """The command without what says nothing: an empty refill or shorts, an overrule that is none."""
    tidy = dict(command)
    if tidy.get("do") in ("clear", "destroy", "resolve") and "cells" in tidy and _empty(tidy.get("refill")):
        tidy.pop("refill", None)
    if tidy.get("do") == "clear":
        if "cells" not in tidy and _empty(tidy.get("shorts")):
            tidy.pop("shorts", None)
        if tidy.get("overrule") is False:
            del tidy["overrule"]
    return tidy


def _empty(value: Any) -> bool:
    return isinstance(value, Mapping) and not value


def _plain(command: Fields) -> str:
    """Its JSON, so that 1 and true are two things."""
    return json.dumps(command, sort_keys=True)


# --- parts of lines --------------------------------------------------------------------------------------------------


def _a_cell(words: Words) -> list[str]:
    """One or several cells that hang together: `a1-a2`."""
    names = words.next.text.casefold().replace("+", "-").split("-")
    if words.next.kind != "word" or not all(name in INDEX for name in names):
        raise words.needs(A_CELL)
    words.take()
    return names


def _cells(words: Words) -> list[str]:
    if words.may("none"):
        return []
    return [cell for cells in words.listed(lambda: _a_cell(words)) for cell in cells]


def _drops(words: Words) -> dict[str, str]:
    refill: dict[str, str] = {}
    while words.keyword in tuple(LANES):
        lane = words.one_of(LANES, "a lane (a, b, c)", str.lower)
        if lane in refill:
            raise NotationError(f"{words.where}: drops names lane {lane} twice")
        words.need_mark("=")
        letters = words.take().text.upper() if words.next.kind == "word" and words.next.glued else ""
        for letter in letters:
            if letter not in LETTERS:
                raise NotationError(f"{words.where}: drops {lane}={letters} where letters of R Y B . ? are needed")
        refill[lane] = letters
    if not refill:
        raise words.needs("a lane and its letters, as in drops a=RY,")
    return refill


def _drops_text(fields: Fields) -> str:
    refill = fields.get("refill")
    return "" if not refill else f"drops {' '.join(f'{lane}={letters}' for lane, letters in refill.items())}"


def _attack(words: Words) -> str:
    return words.one_of(ATTACKS, AN_ATTACK)


def _button(words: Words) -> str:
    return words.one_of(COLOURS, A_BUTTON)


def _yes(words: Words) -> bool:
    """What is named and not denied is meant."""
    return words.may("yes", "no") != "no"


def _yes_text(value: Any) -> str:
    return {True: "yes", False: "no"}[value]


def _dial(words: Words) -> tuple[str, str]:
    """`B.R`: a player and a button."""
    player, _, button = words.next.text.upper().partition(".")
    if words.next.kind != "word" or player not in tuple(PLAYERS) or button not in tuple(COLOURS):
        raise words.needs("a player and a button, such as B.R,")
    words.take()
    return player, button


def _whole(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError
    return str(value)


# --- one by one ------------------------------------------------------------------------------------------------------


def _write_cells(fields: Fields, between: str = ",") -> str:
    return between.join(fields["cells"]) or "none"


def _read_destroy(words: Words) -> Command:
    fields: Command = {"cells": _cells(words)}
    return {**fields, "refill": _drops(words)} if words.may("drops") else fields


def _write_clear(fields: Fields) -> str:
    shorts = fields.get("shorts", {})
    return " ".join(
        filter(
            None,
            (
                fields.get("attack", ""),
                _write_cells(fields, "-") if "cells" in fields else "",
                f"shorts {' '.join(f'{colour}={count}' for colour, count in shorts.items())}" if shorts else "",
                "overrule" if fields.get("overrule") else "",
                _drops_text(fields),
            ),
        )
    )


def _read_clear(words: Words) -> Command:
    fields: Command = {}
    if words.next.kind == "word" and words.next.text.upper() in ATTACKS:
        fields["attack"] = _attack(words)
    if words.next.kind == "word" and words.keyword not in ("shorts", "overrule", "drops"):
        if words.keyword[:2] not in INDEX and words.keyword != "none" and not fields:
            raise words.needs(f"{AN_ATTACK} or {A_CELL}")
        fields["cells"] = _cells(words)
    if not fields:
        raise words.needs(f"{AN_ATTACK} or {A_CELL}")
    if words.may("shorts"):
        fields["shorts"] = {}
        while words.keyword.upper() in tuple(COLOURS):
            colour = _button(words)
            words.need_mark("=")
            fields["shorts"][colour] = words.number(A_NUMBER)
        if not fields["shorts"]:
            raise words.needs("a colour and its short circuits, as in shorts B=1,")
    if words.may("overrule"):
        fields["overrule"] = True
    if words.may("drops"):
        fields["refill"] = _drops(words)
    return fields


def _write_hit(fields: Fields) -> str:
    return ", ".join(f"{hit['player']}.{hit['button']} {_whole(hit['amount'])}" for hit in fields["hits"])


def _read_hit(words: Words) -> Command:
    def one() -> Command:
        player, button = _dial(words)
        return {"player": player, "button": button, "amount": words.number(A_NUMBER)}

    return {"hits": words.listed(one)}


def _write_pay(fields: Fields) -> str:
    restores = f" restores {_yes_text(fields['restores'])}" if "restores" in fields else ""
    return _whole(fields["credits"]) + restores


def _read_pay(words: Words) -> Command:
    fields: Command = {"credits": words.number(A_NUMBER)}
    return {**fields, "restores": _yes(words)} if words.may("restores") else fields


def _write_correct(fields: Fields) -> str:
    said = []
    if "button" in fields:
        hp = [_whole(fields["hp"])] if "hp" in fields else []
        broken = [{True: "broken", False: "unbroken"}[fields["broken"]]] if "broken" in fields else []
        said.append(" ".join((f"{fields['player']}.{fields['button']}", *hp, *broken)))
    if "credits" in fields:
        said.append(f"{fields['player']} credits {_whole(fields['credits'])}")
    if "fan" in fields:
        said.append(f"fan {fields['fan']} {fields['place']}")
    if "cell" in fields:
        said.append(f"{fields['cell']} {fields['colour']}")
    said += [f"{name} {fields[name]}" for name in ("tray", "turn") if name in fields]
    return ", ".join(said)


def _read_correct(words: Words) -> Command:
    fields: Command = {}
    for part in words.listed(lambda: _one_correction(words)):
        if fields.get("player", part.get("player")) != part.get("player", fields.get("player")):
            raise NotationError("correct: one correction is about one player; the other one takes a line of its own")
        for name in part:
            if name in fields and name != "player":
                raise NotationError(f"correct: one correction names {name} once; a second one takes a line of its own")
        fields.update(part)
    return fields


def _one_correction(words: Words) -> Command:
    word = words.keyword
    if words.may("fan"):
        fan = _button(words)
        return {"fan": fan, "place": words.one_of(PLACES, "A, stage or B", _place)}
    if words.may("tray"):
        return {"tray": words.text("a tray such as RYBRY/YBRBY/BRYBR").upper()}
    if words.may("turn"):
        return {"turn": words.one_of(PLAYERS, A_PLAYER)}
    if word in INDEX:
        cell = words.take().text.casefold()
        return {"cell": cell, "colour": words.one_of(LETTERS, "R, Y, B, . or ?")}
    if word.upper() in tuple(PLAYERS):
        player = words.take().text.upper()
        if not words.may("credits"):
            raise words.needs("the word credits")
        return {"player": player, "credits": words.number(A_NUMBER)}
    if "." not in word:
        raise words.needs("what is corrected (B.R, B credits, fan, a1, tray, turn)")
    player, button = _dial(words)
    dial: Command = {"player": player, "button": button}
    if words.next.kind == "word" and words.keyword not in ("broken", "unbroken"):
        dial["hp"] = words.number("HP, broken or unbroken")
    state = words.may("broken", "unbroken")
    if state is not None:
        dial["broken"] = state == "broken"
    if len(dial) == 2:
        raise words.needs("HP, broken or unbroken")
    return dial


def _place(word: str) -> str:
    return word.upper() if len(word) == 1 else word.lower()


_CHOICES: Final[Mapping[str, tuple[Callable[[Any], str], Callable[[Words], Any]]]] = {
    "when": (str, lambda words: words.one_of(("before", "after"), "before or after", str.lower)),
    "option": (_whole, lambda words: words.number(A_NUMBER)),
    "amount": (_whole, lambda words: words.number(A_NUMBER)),
    "button": (str, _button),
    "fan": (str, _button),
    "colour": (str, _button),
    "place": (value_text, lambda words: words.text("a place")),
    "cells": (lambda cells: ",".join(cells) or "none", _cells),
    "refill": (lambda refill: _drops_text({"refill": refill})[6:], _drops),
}
"""The choices of `resolve` that are a word and a value; `refill` is called drops."""


def _write_resolve(fields: Fields) -> str:
    said = [_whole(fields["item"])]
    for name, value in fields.items():
        if name in ("do", "item"):
            continue
        if name == "yes":
            said.append(_yes_text(value))
        elif name in ("done", "drop"):
            said.append(name)
        else:
            said.append(f"{'drops' if name == 'refill' else name} {_CHOICES[name][0](value)}")
    return " ".join(said)


def _read_resolve(words: Words) -> Command:
    fields: Command = {"item": words.number("the number of what is due")}
    while words.next.kind != "end":
        name = words.may("yes", "no", "done", "drop", "drops", *_CHOICES)
        field = {"no": "yes", "drops": "refill"}.get(name or "", name)
        if name is None or field is None:
            raise words.needs(f"a choice (yes, no, done, drop, {', '.join(_CHOICES)})")
        if field in fields:
            raise NotationError(f"resolve: {name} is said twice")
        fields[field] = _CHOICES[field][1](words) if field in _CHOICES else name != "no"
    return fields


_FLAGS: Final = ("blocks", "forces", "once")


def _write_marker(fields: Fields) -> str:
    if "remove" in fields:
        return f"remove {_whole(fields['remove'])}"
    said = [value_text(fields["name"]), "on", fields["place"]]
    if fields["name"].casefold() == "remove":
        said[0] = json.dumps(fields["name"])
    for name, value in fields.items():
        if name == "reacts":
            said += ["reacts", "+".join(value) or "none"]
        elif name in _FLAGS:
            said += [name] if value else [name, _yes_text(value)]
        elif name == "turns":
            said += ["turns", "any" if value is None else _whole(value)]
    return " ".join(said)


def _read_marker(words: Words) -> Command:
    if words.may("remove"):
        return {"remove": words.number("the number of a marker")}
    fields: Command = {"name": words.text("the marker's name")}
    if not words.may("on"):
        raise words.needs("the word on and a place")
    place = words.text("a place (row1 to row5, a cell, R, Y, B, player A or player B)")
    fields["place"] = place.upper() if len(place) == 1 else place.lower()
    if place.casefold() == "player":
        fields["place"] = f"player {words.one_of(PLAYERS, A_PLAYER)}"
    while words.next.kind != "end":
        name = words.may("reacts", "turns", *_FLAGS)
        if name is None:
            raise words.needs(f"reacts, turns, {', '.join(_FLAGS)}")
        if name in fields:
            raise NotationError(f"marker: {name} is said twice")
        if name == "reacts":
            named = words.text("clear, destroy, attack, several joined by +, or none").casefold()
            fields[name] = [] if named == "none" else named.split("+")
        elif name == "turns":
            fields[name] = None if words.may("any") else words.number("a whole number or any")
        else:
            fields[name] = _yes(words)
    return fields


def write_switches(switches: Fields) -> str:
    return " ".join(f"{name}={value_text(value)}" for name, value in switches.items() if name != "do")


def read_switches(words: Words) -> Command:
    fields: Command = {}
    while words.next.kind == "word":
        name = words.take().text.casefold()
        words.need_mark("=")
        if name in fields:
            raise NotationError(f"{words.where}: the switch {shown(name)} is said twice")
        bare = words.next.kind == "word"
        value = words.value("a value")
        fields[name] = value.casefold() if bare and isinstance(value, str) else value
    return fields


def _only(*names: str) -> Callable[[Fields], str]:
    return lambda fields: " ".join(str(fields[name]) for name in names)


VERBS: Final[Mapping[str, _Verb]] = {
    "begin": _Verb("begin", "", _only(), lambda words: {}, "begin"),
    "destroy": _Verb(
        "destroy",
        "player",
        lambda fields: " ".join(filter(None, (_write_cells(fields), _drops_text(fields)))),
        _read_destroy,
        "A destroy b3,c2",
    ),
    "flip": _Verb("flip", "player", _only("button"), lambda words: {"button": _button(words)}, "A flip B"),
    "declare": _Verb("declare", "player", _only("attack"), lambda words: {"attack": _attack(words)}, "A declare R2"),
    "clear": _Verb("clear", "player", _write_clear, _read_clear, "A clear R2 a1-a2"),
    "hit": _Verb("hit", "source", _write_hit, _read_hit, "A hit B.R 2, B.Y 2"),
    "heal": _Verb(
        "heal",
        "player",
        lambda fields: f"{fields['button']} {_whole(fields['amount'])}",
        lambda words: {"button": _button(words), "amount": words.number(A_NUMBER)},
        "A heal R 2",
    ),
    "fan": _Verb("fan", "player", _only("fan"), lambda words: {"fan": _button(words)}, "A fan R"),
    "pay": _Verb("pay", "player", _write_pay, _read_pay, "B pay 1"),
    "skip": _Verb("skip_next", "player", _only(), lambda words: {}, "B skip"),
    "end": _Verb("end_turn", "player", _only(), lambda words: {}, "A end"),
    "concede": _Verb("concede", "player", _only(), lambda words: {}, "B concede"),
    "correct": _Verb("correct", "", _write_correct, _read_correct, "correct A.R 5 broken"),
    "resolve": _Verb("resolve", "", _write_resolve, _read_resolve, "resolve 3 button R"),
    "marker": _Verb("marker", "player", _write_marker, _read_marker, "A marker spirit on row3"),
    "rules": _Verb("rules", "", write_switches, read_switches, "rules kicker=optional"),
}
"""The word of a line → its command."""
