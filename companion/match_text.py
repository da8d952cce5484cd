"""A whole match as text that people write, read and compare (docs/match-text.md): the part that all games share.

Tags, one line a command, comments. `write` writes what is in force in a log; `read` and `play` turn text into a match
again, each command decided by the rules. Whatever was written comes back as the same state, and as the same bytes.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from companion.command_line import BadCommand, parse
from companion.errors import InputError
from companion.history import SETUP, Record, history
from companion.log import MemoryLog
from companion.rules.core import Game
from companion.rules.notation import Notation, NotationError, Tag, shown
from companion.session import Session

FORMAT = 1
"""Goes up when an older companion would misread the text."""

WIDTH = 100
LEAST_REMARK = 20
"""Room for fewer letters than that beside a command is left empty."""
MOST_BYTES = 1_000_000
"""A long match with both boards is about 30 kB."""
MOST_COMMANDS = 10_000
UNFINISHED = "unfinished"

_TAG = re.compile(r'\[\s*([^\W\d][\w.-]*)\s+("(?:[^"\\]|\\.)*")\s*\]')
_BLOCK = re.compile(r"\[\s*([^\W\d][\w.-]*)")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_CODE = re.compile(r'(?:[^"#;]|"(?:[^"\\]|\\.)*")*')
"""A line up to its comment; a ; in double quotes begins none."""
_OF_THE_SESSION = ("undo", "redo", "amend", SETUP)


# --- writing ---------------------------------------------------------------------------------------------------------


def write(records: Sequence[Record], game: Game, notation: Notation, everything: bool = False) -> str:
    """The match of a log. `everything`: also what was refused or is no longer in force, as comments.

    Raises InputError: there is no match in it, or the rules cannot replay it.
    """
    Session(game, MemoryLog(records))  # says what is wrong with records that no rules wrote
    in_force = history(records).in_force
    if not in_force:
        raise InputError("no match was set up in it")
    states = states_of(in_force, game)
    asides = _asides(records, in_force, notation) if everything else {}
    lines = list(_header(in_force[0], states[0], states[-1], game, notation))
    turn = None
    for number, record in enumerate(in_force[1:], start=1):
        before, after = states[number - 1], states[number]
        if notation.turn(before) != turn or number == 1:
            lines += _note(notation.note(before)) if number > 1 else ()
            lines.append("")
            turn = notation.turn(before)
            lines += _note(turn)
        lines += asides.get(number, ())
        lines.append(line(notation, record.command, notation.remark(record.command, before, after)))
    if len(in_force) > 1:
        lines += asides.get(len(in_force), ())
        lines += _note(notation.note(states[-1]))
    elif asides:
        lines += ["", *asides.get(1, ())]
    return "\n".join(lines) + "\n"


def states_of(records: Iterable[Record], game: Game) -> list[Mapping[str, Any]]:
    """The state, as JSON, after each record."""
    state: Any = None
    states: list[Mapping[str, Any]] = []
    for record in records:
        for event in record.events:
            state = game.evolve(state, event)
        states.append(game.state_to_json(state) or {})
    return states


def _header(
    setup: Record, first: Mapping[str, Any], last: Mapping[str, Any], game: Game, notation: Notation
) -> Iterator[str]:
    yield _tag(Tag("Game", game.name))
    yield _tag(Tag("Format", str(FORMAT)))
    if _DATE.match(setup.wall):
        yield _tag(Tag("Date", setup.wall[:10]))
    yield _tag(Tag("Result", notation.result(last) or UNFINISHED))
    for tag in notation.setup_tags(setup.command, first):
        if tag.block is None:
            yield _tag(tag)
        else:
            yield f"[{tag.name}"
            yield from (f"  {line}" for line in tag.block)
            yield "]"


def _tag(tag: Tag) -> str:
    return f"[{tag.name} {_json(tag.value)}]"


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # half of a surrogate pair is text to Python and to nobody else
    return text if text.isprintable() else json.dumps(value)


def _note(text: str) -> tuple[str, ...]:
    return (f";= {text}",) if text else ()


def line(notation: Notation, command: Mapping[str, Any], remark: str = "") -> str:
    """A command as one line of the text."""
    words = notation.line(command) or _json(dict(command))
    room = WIDTH - len(words) - len("  ; ")
    if not remark or room < LEAST_REMARK or not remark.isprintable():
        return words
    return f"{words}  ; {remark if len(remark) <= room else f'{remark[: room - 1].rstrip()}…'}"


def _asides(records: Sequence[Record], in_force: Sequence[Record], notation: Notation) -> dict[int, list[str]]:
    """Comments about what is not in force: before which of the commands in force → their lines."""
    begun = in_force[0].seq
    place = {record.seq: number for number, record in enumerate(in_force)}
    misfits = {record.seq: record for record in history(records).timeline if record.kind == "refused"}
    asides: dict[int, list[str]] = {}
    for record in records:
        command = record.command.get("command") if record.kind == "amend" else record.command
        if record.seq < begun or record.kind in ("undo", "redo") or not isinstance(command, Mapping):
            continue
        seq = record.command.get("seq", record.seq) if record.kind == "amend" else record.seq
        said, why = "", ""
        if record.kind == "refused":
            said, why = "refused", (record.error or {}).get("text", "")
        elif seq in misfits and misfits[seq].command == command:
            said, why = "no longer fits", (misfits[seq].error or {}).get("text", "")
        elif seq not in place or in_force[place[seq]].command != command:
            said = "not in force"
        if said:
            at = place.get(seq, 1 + max((place[other] for other in place if other < record.seq), default=0))
            asides.setdefault(max(at, 1), []).extend(_comment(f"{said}: {line(notation, command)}", why))
    return asides


def _comment(text: str, why: str) -> list[str]:
    whole = " ".join(f"{text} – {why}".split()) if why else text
    return textwrap.wrap(
        whole, WIDTH, initial_indent="; ", subsequent_indent=";   ", break_long_words=False, break_on_hyphens=False
    )


# --- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """`number`: from 1; `text`: without comment; `note`: of `;= note`, "" without one."""

    number: int
    text: str
    note: str = ""


@dataclass(frozen=True)
class HeaderTag:
    """A tag and the lines where it and its block begin."""

    tag: Tag
    number: int
    numbers: tuple[int, ...] = ()

    def at(self, line: int | None) -> int:
        return self.number if line is None else self.numbers[line]


@dataclass(frozen=True)
class MatchText:
    """A text that has the form of a match. `source`: what errors call it; `date` "": not said; `tags`: the game's."""

    source: str
    game: str
    date: str
    result: HeaderTag | None
    tags: tuple[HeaderTag, ...]
    lines: tuple[Line, ...]

    def error(self, number: int, text: str) -> InputError:
        return _error(self.source, number, text)


def _error(source: str, number: int, text: str) -> InputError:
    return InputError(f"match {source}: line {number}: {text.removesuffix('.')}")


def read(data: bytes, source: str) -> MatchText:
    """The text's form, whatever the game. Raises InputError naming the line."""
    if len(data) > MOST_BYTES:
        raise InputError(f"match {source}: is larger than {MOST_BYTES // 1000} kB, which no match is")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _error(source, data[: error.start].count(b"\n") + 1, "is not UTF-8 text") from None
    lines = [_split(source, number, line) for number, line in enumerate(re.split("\r\n|\n|\r", text), start=1)]
    lines = [line for line in lines if line.text or line.note]
    if not lines:
        raise InputError(f'match {source}: is empty: a match begins with tags such as [Game "rematch"]')
    tags, rest = _read_header(source, lines)
    for line in rest:
        if line.text.startswith("["):
            raise _error(source, line.number, "a tag stands in the header, before the first command")
    if len(rest) > MOST_COMMANDS:
        raise _error(source, rest[MOST_COMMANDS].number, f"more than {MOST_COMMANDS} lines are no match")
    own = {tag.tag.name.casefold(): tag for tag in tags}
    return MatchText(
        source,
        _game(source, own, lines[0].number),
        _date(source, own.get("date")),
        own.get("result"),
        tuple(tag for tag in tags if tag.tag.name.casefold() not in ("game", "format", "date", "result")),
        tuple(rest),
    )


def _split(source: str, number: int, line: str) -> Line:
    match = _CODE.match(line)
    end = match.end() if match else 0
    if end < len(line) and line[end] == '"':
        raise _error(source, number, "a double quote is never closed")
    comment = line[end:].strip()
    return Line(number, line[:end].strip(), comment[2:].strip() if comment.startswith(";=") else "")


def _read_header(source: str, lines: Sequence[Line]) -> tuple[list[HeaderTag], list[Line]]:
    tags: dict[str, HeaderTag] = {}
    at = 0
    while at < len(lines) and (lines[at].text.startswith("[") or not lines[at].text):
        line = lines[at]
        if not line.text:
            break
        at += 1
        block: list[Line] | None = None
        match = _TAG.fullmatch(line.text)
        if match is None:
            match = _BLOCK.fullmatch(line.text)
            if match is None:
                raise _error(source, line.number, f'{shown(line.text)} is no tag: one is written as [Name "value"]')
            block = []
            while at < len(lines) and lines[at].text != "]":
                block.append(lines[at])
                at += 1
            if at == len(lines):
                raise _error(source, line.number, f"the block {match[1]} is never closed by a line ]")
            at += 1
        name = match[1]
        if name.casefold() in tags:
            earlier = tags[name.casefold()].number
            raise _error(source, line.number, f"the tag {name} is already there in line {earlier}")
        tags[name.casefold()] = _header_tag(source, name, line.number, block, match)
    return list(tags.values()), list(lines[at:])


def _header_tag(source: str, name: str, number: int, block: Sequence[Line] | None, match: re.Match[str]) -> HeaderTag:
    if block is not None:
        told = [line for line in block if line.text]
        return HeaderTag(Tag(name, "", tuple(line.text for line in told)), number, tuple(line.number for line in told))
    try:
        return HeaderTag(Tag(name, json.loads(match[2])), number)
    except ValueError:
        needed = 'a backslash is written \\\\, a double quote \\"'
        raise _error(source, number, f"{name}: its value is no text as JSON has it ({needed})") from None


def _game(source: str, tags: Mapping[str, HeaderTag], first: int) -> str:
    version = tags.get("format")
    if version is not None:
        said = version.tag.value
        if not (said.isascii() and said.isdecimal() and len(said) < 10 and int(said)):
            raise _error(source, version.number, f"Format: {shown(said)} stands where {FORMAT} is needed")
        if int(said) > FORMAT:
            text = f"Format: {said} is of a newer companion (this one reads up to {FORMAT})"
            raise _error(source, version.number, text)
    game = tags.get("game")
    if game is None:
        raise _error(source, first, 'is no match: the tag Game is missing, as in [Game "rematch"]')
    return game.tag.value


def _date(source: str, tag: HeaderTag | None) -> str:
    if tag is None:
        return ""
    try:
        if not _DATE.fullmatch(tag.tag.value):
            raise ValueError
        return date.fromisoformat(tag.tag.value).isoformat()
    except ValueError:
        text = f"Date: {shown(tag.tag.value)} stands where a day such as 2026-02-28 is needed"
        raise _error(source, tag.number, text) from None


# --- playing ---------------------------------------------------------------------------------------------------------


def play(text: MatchText, game: Game, notation: Notation, recount: bool = False) -> Session:
    """The match that the text tells, decided by the rules. `recount`: its notes and its result are not checked.

    Raises InputError naming the line: words that mean nothing, a refused command, a note that is wrong.
    """
    if text.game.casefold() != game.name.casefold():
        raise InputError(f"match {text.source}: Game: {shown(text.game)} is not the game {shown(game.name)}")
    session = Session(game, MemoryLog())
    _set_up(text, session, notation)
    for line in text.lines:
        if line.text:
            _do(text, line, session, notation)
        if line.note and not recount:
            wrong = notation.wrong(line.note, session.state_json or {})
            if wrong is not None:
                raise text.error(line.number, f"the note is wrong: {wrong}")
    if text.result is not None and not recount:
        said = text.result.tag.value
        true = notation.result(session.state_json or {}) or UNFINISHED
        if said.casefold().split() != true.casefold().split():
            raise text.error(text.result.number, f"Result: it says {shown(said)}, but it is {shown(true)}")
    return session


def _set_up(text: MatchText, session: Session, notation: Notation) -> None:
    numbers = [tag.number for tag in text.tags] or [1]
    try:
        command = notation.setup([tag.tag for tag in text.tags])
    except NotationError as error:
        blamed = next((tag for tag in text.tags if tag.tag.name == error.tag), None)
        raise text.error(numbers[0] if blamed is None else blamed.at(error.line), str(error)) from None
    reply = session.submit(command)
    if not reply.accepted:
        where = f"lines {numbers[0]} to {numbers[-1]}: the set-up: " if len(numbers) > 1 else f"line {numbers[0]}: "
        raise InputError(f"match {text.source}: {where}{reply.body['error']['text'].removesuffix('.')}")


def _do(text: MatchText, line: Line, session: Session, notation: Notation) -> None:
    try:
        command = parse(line.text.encode()) if line.text.startswith("{") else notation.command(line.text)
    except (BadCommand, NotationError) as error:
        raise text.error(line.number, str(error)) from None
    if command.get("do") in _OF_THE_SESSION:
        name = command["do"]
        needed = "the header says it" if name == SETUP else "write the commands that are in force"
        raise text.error(line.number, f"{name} is no command of a match's text: {needed}")
    reply = session.submit(command)
    if not reply.accepted:
        raise text.error(line.number, reply.body["error"]["text"])
