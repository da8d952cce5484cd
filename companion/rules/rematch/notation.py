"""Re;MATCH as text: set-up as tags, commands as lines, states as notes (docs/match-text.md). Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Rejection
from companion.rules.notation import NotationError, Tag, known_as, shown, whole_setup, words_of, wrong_part
from companion.rules.rematch import lines
from companion.rules.rematch.board_text import board_lines, board_of
from companion.rules.rematch.commands import parse
from companion.rules.rematch.fighters import BoardError, board_from_json
from companion.rules.rematch.state import CREDITS, FULL_HP
from companion.rules.rematch.switches import Rules
from companion.rules.rematch.tray import COLOURS, PLAYERS, Tray
from companion.rules.rematch.words import Words

_PARTS: Final[Mapping[str, str]] = {
    "": "fighter",
    ".Dials": "buttons",
    ".Credits": "credits",
    ".Fans": "fans",
    ".Board": "board",
}
"""What is said about a player: the end of the tag's name → the field of the set-up."""
_SIDES: Final = tuple(f"{player}{part}" for player in PLAYERS for part in _PARTS)
TAGS: Final = ("Edition", "Rules", *_SIDES, "First", "Tray")
_REASONS: Final[Mapping[str, str]] = {
    "cannot_pay": "{loser} cannot pay",
    "both_cannot_pay": "neither can pay",
    "conceded": "{loser} concedes",
}


class RematchNotation:
    """See `companion.rules.notation.Notation`."""

    def setup_tags(self, setup: Mapping[str, Any], state: Mapping[str, Any]) -> Sequence[Tag]:
        whole = _with_boards(setup, state)
        try:
            tags = _tags(whole)
            if _filled(self.setup(tags)) == _filled(whole):
                return tags
        except (NotationError, ValueError, TypeError, LookupError, AttributeError):
            pass
        # some field that these words do not know
        return (Tag("Setup", block=(json.dumps(whole, ensure_ascii=False),)),)

    def setup(self, tags: Sequence[Tag]) -> dict[str, Any]:
        whole = whole_setup(tags)
        if whole is not None:
            return whole
        command: dict[str, Any] = {"do": "setup"}
        for tag in tags:
            name = known_as(tag, TAGS)
            if tag.block is not None and not name.endswith(".Board"):
                raise NotationError(f"{name}: its value is needed in the same line, in double quotes", tag.name)
            try:
                _read_tag(command, name, tag)
            except NotationError as error:
                text = str(error) if error.line is None else f"{name}: {error}"
                raise NotationError(text, tag.name, error.line) from None
        for needed in ("First", "Tray"):
            if needed.lower() not in command:
                example = {"First": '[First "A"]', "Tray": '[Tray "RYBRY/YBRBY/BRYBR"]'}[needed]
                raise NotationError(f"the tag {needed} is missing, as in {example}")
        refused = parse(command)
        if isinstance(refused, Rejection):
            raise NotationError(refused.text.removesuffix("."), _blamed(refused.text, tags))
        return command

    def line(self, command: Mapping[str, Any]) -> str | None:
        return lines.write(command)

    def command(self, line: str) -> dict[str, Any]:
        return lines.read(line)

    def remark(self, command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        if command["do"] == "clear":
            return _clear_remark(command, after["last_clear"])
        if command["do"] == "resolve":
            texts = [item["text"] for item in before.get("due", ()) if item["id"] == command["item"]]
            return str(texts[0]) if texts else ""
        return ""

    def turn(self, state: Mapping[str, Any]) -> str:
        return f"turn {state['turn_number']} {state['turn']}"

    def note(self, state: Mapping[str, Any]) -> str:
        return " | ".join(f"{name} {text}" for name, text in _notes(state).items() if text)

    def wrong(self, note: str, state: Mapping[str, Any]) -> str | None:
        return wrong_part(note, {**_notes(state), "turn": self.turn(state).removeprefix("turn ")}, _same)

    def figures(self, state: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
        """HP of each dial, 0 for a broken one, and the credits."""
        return {
            player: {
                **{colour: 0 if dial["broken"] else dial["hp"] for colour, dial in side["buttons"].items()},
                "credits": side["credits"],
            }
            for player, side in state["players"].items()
        }

    def names(self, state: Mapping[str, Any]) -> str:
        return " – ".join(state["players"][player]["fighter"] or player for player in PLAYERS)

    def seats(self, state: Mapping[str, Any]) -> Mapping[str, str]:
        named = {player: state["players"][player]["fighter"] for player in PLAYERS}
        return {player: name for player, name in named.items() if name}

    def winner(self, state: Mapping[str, Any]) -> str | None:
        return None if state["over"] is None else state["over"]["winner"]

    def result(self, state: Mapping[str, Any]) -> str | None:
        over = state["over"]
        if over is None:
            return None
        loser = "B" if over["winner"] == "A" else "A"
        return f"{over['winner']} wins: {_REASONS.get(over['reason'], over['reason']).format(loser=loser)}"


REMATCH_NOTATION: Final = RematchNotation()


# --- set-up ----------------------------------------------------------------------------------------------------------


def _with_boards(setup: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """The set-up with the boards that its fighters had, and with `null` for a fighter who had none."""
    players: dict[str, Any] = {player: dict(setup.get("players", {}).get(player, {})) for player in PLAYERS}
    for player, side in players.items():
        now = state["players"][player]
        if "board" in now and (now["board"] is not None or side.get("fighter") is not None):
            side["board"] = now["board"]
    return {**setup, "players": players}


def _blamed(text: str, tags: Sequence[Tag]) -> str | None:
    """The tag that a refusal's sentence is about."""
    fields = {f"players.{name[0]}.{_PARTS[name[1:]]}": name for name in _SIDES}
    fields |= {"rules.edition": "Edition", "rules": "Rules"}
    named = next((name for field, name in fields.items() if field in text), "")
    return next((tag.name for tag in tags if tag.name.casefold() == named.casefold()), None)


def _filled(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The set-up with everything said that could be left out, so that two of them can be compared."""
    filled = {**setup, "rules": {**Rules().to_json(), **setup.get("rules", {})}, "players": {}}
    for player in PLAYERS:
        told = setup.get("players", {}).get(player, {})
        # without a name of its own a fighter is called as its board
        side = {"fighter": (told.get("board") or {}).get("name"), "credits": CREDITS, **told}
        dials = side.get("buttons", {})
        side["buttons"] = {c: {"hp": FULL_HP, "broken": False, **dials.get(c, {})} for c in COLOURS}
        side["fans"] = sorted(side.get("fans", ()))
        filled["players"][player] = side
    return filled


def _tags(setup: Mapping[str, Any]) -> tuple[Tag, ...]:
    rules = dict(setup.get("rules", {}))
    printed = Rules().to_json()
    edition = rules.pop("edition", printed["edition"])
    switches = {name: value for name, value in rules.items() if name not in printed or printed[name] != value}
    tags = [Tag("Edition", edition)]
    if switches:
        tags.append(Tag("Rules", lines.write_switches(switches)))
    for player in PLAYERS:
        tags += _side_tags(player, setup["players"][player])
    return (*tags, Tag("First", setup["first"]), Tag("Tray", setup["tray"]))


def _side_tags(player: str, side: Mapping[str, Any]) -> list[Tag]:
    tags = []
    if side.get("fighter") is not None:
        tags.append(Tag(player, side["fighter"]))
    dials = {c: {"hp": FULL_HP, "broken": False, **side.get("buttons", {}).get(c, {})} for c in COLOURS}
    if any(dial != {"hp": FULL_HP, "broken": False} for dial in dials.values()):
        tags.append(Tag(f"{player}.Dials", _dials_text(dials)))
    if side.get("credits", CREDITS) != CREDITS:
        tags.append(Tag(f"{player}.Credits", str(side["credits"])))
    if side.get("fans"):
        tags.append(Tag(f"{player}.Fans", "".join(c for c in COLOURS if c in side["fans"])))
    if side.get("board") is not None:
        tags.append(Tag(f"{player}.Board", block=board_lines(side["board"])))
    elif "board" in side:
        tags.append(Tag(f"{player}.Board", "none"))
    return tags


def _read_tag(command: dict[str, Any], name: str, tag: Tag) -> None:
    if name == "First":
        command["first"] = Words(tag.value, "First").one_of(PLAYERS, lines.A_PLAYER)
    elif name == "Tray":
        try:
            command["tray"] = Tray.parse(tag.value.strip().upper()).text
        except ValueError as error:
            raise NotationError(f"Tray: {error}") from None
    elif name == "Edition":
        command.setdefault("rules", {})["edition"] = tag.value.strip()
    elif name == "Rules":
        words = Words(tag.value, "Rules")
        switches = lines.read_switches(words)
        words.end()
        if "edition" in switches:
            raise NotationError('Rules: the edition has a tag of its own, as in [Edition "2.5"]')
        command.setdefault("rules", {}).update(switches)
    else:
        player, part = name[0], name[1:]
        side = command.setdefault("players", {}).setdefault(player, {})
        side[_PARTS[part]] = _read_part(part, tag)


def _read_part(part: str, tag: Tag) -> Any:
    if part == "":
        return tag.value
    if part == ".Board":
        return _read_board(tag)
    words = Words(tag.value, tag.name)
    value: Any
    if part == ".Credits":
        value = words.number(lines.A_NUMBER)
    elif part == ".Dials":
        value = {}
        while words.next.kind != "end":
            text = words.next.text.upper()
            broken = text.endswith("!")
            hp = text[1:].removesuffix("!")
            if text[:1] not in tuple(COLOURS) or not (hp.isascii() and hp.isdecimal() and len(hp) < 5):
                raise words.needs("a dial such as R10, or Y8! for a broken one,")
            if text[0] in value:
                raise NotationError(f"{tag.name}: dial {text[0]} is said twice")
            value[text[0]] = {"hp": int(hp), "broken": broken}
            words.take()
    else:
        value = [letter for letter in tag.value.upper() if not letter.isspace()]
        for letter in value:
            if letter not in COLOURS:
                raise NotationError(f"{tag.name}: {shown(letter)} stands where the fans' colours are needed, as in RB")
        return value
    words.end()
    return value


def _read_board(tag: Tag) -> Any:
    if tag.block is None:
        if tag.value.strip().casefold() != "none":
            raise NotationError(f'{tag.name}: a block of lines is needed, or [{tag.name} "none"]')
        return None
    board = board_of(tag.block)
    try:
        board_from_json("", board)
    except BoardError as error:
        raise NotationError(f"{tag.name}: {error}") from None
    return board


# --- states ----------------------------------------------------------------------------------------------------------


def _dials_text(dials: Mapping[str, Mapping[str, Any]]) -> str:
    return " ".join(f"{colour}{dial['hp']}{'!' if dial['broken'] else ''}" for colour, dial in dials.items())


def _notes(state: Mapping[str, Any]) -> dict[str, str]:
    """What a note can name → how it stands now."""
    notes = {}
    for player in PLAYERS:
        side = state["players"][player]
        fans = f" fans {''.join(side['fans'])}" if side["fans"] else ""
        notes[player] = f"{_dials_text(side['buttons'])} ¢{side['credits']}{fans}"
    notes["tray"] = state["tray"]
    notes["markers"] = str(len(state.get("markers", ())) or "")
    return notes


def _same(text: str) -> str:
    """c stands for ¢, which not every keyboard has."""
    return words_of(text).replace("¢", "c")


def _clear_remark(command: Mapping[str, Any], clear: Mapping[str, Any]) -> str:
    said = [] if "attack" in command else [clear["attack"]]
    said += [f"heals {' '.join(f'{c} {hp}' for c, hp in clear['heals'].items())}"] if clear["heals"] else []
    said += ["kicker"] if clear["kicker"] else []
    said += ["overruled"] if clear["overruled"] else []
    return ", ".join(said)
