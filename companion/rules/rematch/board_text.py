"""A fighter's board as lines for people: `R4: deal 2, heal X-1 x="cards discarded"` (docs/match-text.md). Pure.

Any JSON that a board may be comes back as it was: what these words cannot say stays JSON in its line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from companion.rules.notation import NotationError
from companion.rules.rematch.fighters import ATTACKS, FIELDS, WHEN
from companion.rules.rematch.words import Words, is_bare, value_text

LONGEST: Final = 96
"""Of a line, so that it is no longer than 100 with its indent."""
_MORE: Final = ("if", "text", "x", "fan", "who", "restores", "marker", "optional")
_PARTS: Final = ("start", "end")


def board_lines(board: Mapping[str, Any]) -> tuple[str, ...]:
    lines = [f"name {_quoted(board['name'])}"]
    if "edition" in board:
        lines.append(f"edition {_quoted(board['edition'])}")
    for name, attack in board.get("attacks", {}).items():
        lines += _attack_lines(name, attack)
    for part in _PARTS:
        if part in board:
            lines += _effect_lines(part, board[part])
    lines += [f"remark {_quoted(remark)}" for remark in board.get("remarks", ())]
    if board_of(lines) != board:
        return (f"json {json.dumps(board, ensure_ascii=False)}",)
    return tuple(lines)


def board_of(lines: Sequence[str]) -> dict[str, Any]:
    """The board's JSON; whether it is a possible board is for `fighters.board_from_json`. Raises NotationError."""
    board: dict[str, Any] = {"attacks": {}}
    for number, line in enumerate(lines):
        try:
            _read_line(board, line)
        except NotationError as error:
            raise NotationError(str(error), line=number) from None
    return board


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _attack_lines(name: str, attack: Mapping[str, Any]) -> Iterator[str]:
    if "effects" in attack:
        yield from _effect_lines(name, attack["effects"])
    kicker = attack.get("kicker")
    if kicker == "none":
        yield f"{name} kicker none"
    elif kicker is not None:
        when = f" {kicker['when']}" if "when" in kicker else ""
        if "effects" in kicker:
            yield from _effect_lines(f"{name} kicker{when}", kicker["effects"])
        else:
            yield f"{name} kicker{when}"
    if "source" in attack:
        yield f"{name} source {_quoted(attack['source'])}"
    if not attack:
        yield name


def _effect_lines(start: str, effects: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    texts = [_effect_text(effect) for effect in effects]
    line = f"{start}: {', '.join(texts)}"
    if len(line) <= LONGEST:
        yield line
    else:
        yield from (f"{start}: {text}" for text in texts)


def _effect_text(effect: Mapping[str, Any]) -> str:
    words = [str(effect["do"])]
    for name, value in effect.items():
        if name == "do":
            continue
        if name == "amount":
            words.append(str(value))
        elif name == "options":
            options = (", ".join(_effect_text(inner) for inner in option) for option in value)
            words.append(f"({' | '.join(options)})")
        elif value is True:
            words.append(name)
        elif name == _first_text(effect["do"]):
            words.append(_quoted(value))
        else:
            words.append(f"{name}={value_text(value)}")
    return " ".join(words)


def _first_text(do: str) -> str:
    """The field whose text stands without its name."""
    return {"note": "text", "marker": "marker"}.get(do, "")


def _read_line(board: dict[str, Any], line: str) -> None:
    if line.startswith("json "):
        try:
            value = json.loads(line[5:])
        except (ValueError, RecursionError):
            raise NotationError("json: no JSON stands after it") from None
        board.clear()
        board.update(value if isinstance(value, dict) else {"name": value})
        return
    words = Words(line, "board")
    name = words.may("name", "edition", "remark", *_PARTS)
    if name is not None:
        words.where = name
        if name == "remark":
            board.setdefault("remarks", []).append(words.text("a text in double quotes"))
        elif name in _PARTS:
            words.need_mark(":")
            board.setdefault(name, []).extend(_effects(words))
        elif name in board:
            raise NotationError(f"{name}: it is said twice")
        else:
            board[name] = words.text("a text in double quotes")
    else:
        _read_attack(board["attacks"], words)
    words.end()


def _read_attack(attacks: dict[str, Any], words: Words) -> None:
    name = words.one_of(ATTACKS, f"name, edition, start, end, remark or an attack ({' '.join(ATTACKS)})")
    attack = attacks.setdefault(name, {})
    words.where = name
    if words.mark(":"):
        attack.setdefault("effects", []).extend(_effects(words))
    elif words.may("source"):
        attack["source"] = words.text("a text in double quotes")
    elif words.may("kicker"):
        words.where = f"{name} kicker"
        _read_kicker(attack, words)


def _read_kicker(attack: dict[str, Any], words: Words) -> None:
    if words.may("none"):
        attack["kicker"] = "none"
        return
    kicker = attack.setdefault("kicker", {})
    when = words.may(*WHEN)
    if kicker == "none" or (kicker and when != kicker.get("when")):
        raise NotationError(f"{words.where}: its lines say different things about when it comes")
    if when is not None:
        kicker["when"] = when
    if words.mark(":"):
        kicker.setdefault("effects", []).extend(_effects(words))


def _effects(words: Words) -> list[dict[str, Any]]:
    return words.listed(lambda: _effect(words))


def _effect(words: Words) -> dict[str, Any]:
    do = words.one_of(FIELDS, f"an effect ({', '.join(FIELDS)})", str.lower)
    effect: dict[str, Any] = {"do": do}
    value: Any
    while True:
        token = words.next
        if words.mark("("):
            effect["options"] = [_effects(words)]
            while words.mark("|"):
                effect["options"].append(_effects(words))
            words.need_mark(")")
            continue
        if token.kind == "text" and _first_text(do):
            name, value = _first_text(do), words.take().text
        elif token.kind != "word":
            return effect
        elif is_bare(token.text) and words.keyword in _MORE and (words.keyword != "x" or words.named):
            name = words.take().text.casefold()
            value = words.value("a value") if words.mark("=") else True
        else:
            name, value = "amount", _amount(words)
        if name in effect:
            raise NotationError(f"{words.where}: {do} says {name} twice")
        effect[name] = value


def _amount(words: Words) -> int | str:
    if words.keyword.startswith("x"):
        return words.take().text.upper()
    return words.number("an amount (a whole number, X, X-1), a colon, a comma or the end of the line")
