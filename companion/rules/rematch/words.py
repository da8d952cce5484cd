"""A line of a match's text as words: `A hit B.R 2, B.Y 2`, `note "3 focus"`, `drops a=RY`. Pure.

A value is a bare word, a whole number, true, false, null, or a text in double quotes as JSON has it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from companion.rules.notation import NotationError, shown

_TOKEN: Final = re.compile(r'\s*(?:(?P<mark>[,=()|:])|(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>[^\s,=()|:"]+)|(?P<odd>\S))')
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,11})")
_BARE: Final = re.compile(r"[^\W\d][\w-]*|[0-9]+\.[0-9]+")
_FIXED: Final = {"true": True, "false": False, "null": None}

T = TypeVar("T")


def value_text(value: Any) -> str:
    """The value as a word, or in quotes. ValueError: it is neither text, whole number, true, false nor null."""
    if isinstance(value, str):
        return value if is_bare(value) else json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    raise ValueError(f"{value!r} has no word")


def is_bare(text: str) -> bool:
    return _BARE.fullmatch(text) is not None and text.casefold() not in _FIXED


@dataclass(frozen=True, slots=True)
class Token:
    """`kind`: word, text (in quotes; `text` is what they hold), mark, or end. `glued`: no space before it."""

    kind: str
    text: str
    glued: bool


def tokens(line: str) -> list[Token]:
    """The line's tokens; raises NotationError for a double quote that is never closed, or a text that JSON has not."""
    found = []
    at = 0
    while match := _TOKEN.match(line, at):
        kind = match.lastgroup or ""
        text = match[kind]
        if kind == "odd":
            raise NotationError("a double quote is never closed")
        if kind == "text":
            try:
                text = json.loads(text, strict=True)
            except ValueError:
                raise NotationError(f"{shown(text)} is no text as JSON has it (a backslash is written \\\\)") from None
        found.append(Token(kind, text, match.start(kind) == at and at > 0))
        at = match.end()
    return found


_END: Final = Token("end", "", False)


class Words:
    """The tokens of one line, taken from left to right. Each method raises NotationError naming `where` it reads."""

    def __init__(self, line: str, where: str) -> None:
        self.where = where
        self._tokens = tokens(line)
        self._at = 0

    @property
    def next(self) -> Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else _END

    @property
    def named(self) -> bool:
        """Whether a = comes after the next word."""
        after = self._tokens[self._at + 1 : self._at + 2]
        return bool(after) and (after[0].kind, after[0].text) == ("mark", "=")

    def take(self) -> Token:
        token = self.next
        self._at += 1
        return token

    @property
    def keyword(self) -> str:
        """The next word in lower case, "" when there is none."""
        return self.next.text.casefold() if self.next.kind == "word" else ""

    def may(self, *words: str) -> str | None:
        """One of these words, taken if it comes next; in whatever case it is written."""
        if self.keyword and self.keyword in words:
            return self.take().text.casefold()
        return None

    def mark(self, mark: str) -> bool:
        """Whether this mark came next; it is then taken."""
        if self.next.kind == "mark" and self.next.text == mark:
            self.take()
            return True
        return False

    def needs(self, what: str) -> NotationError:
        token = self.next
        found = "the line ends" if token.kind == "end" else f"{shown(token.text)} stands"
        return NotationError(f"{self.where}: {found} where {what} is needed")

    def need_mark(self, mark: str) -> None:
        if not self.mark(mark):
            raise self.needs(f'"{mark}"')

    def one_of(self, choices: Collection[str], what: str, change: Callable[[str], str] = str.upper) -> str:
        """A word that is one of the choices once it is changed."""
        word = change(self.next.text) if self.next.kind == "word" else ""
        if word not in tuple(choices):
            raise self.needs(what)
        self.take()
        return word

    def number(self, what: str) -> int:
        if self.next.kind != "word" or not _NUMBER.fullmatch(self.next.text):
            raise self.needs(what)
        return int(self.take().text)

    def text(self, what: str) -> str:
        """A bare word or a text in quotes."""
        if self.next.kind not in ("word", "text"):
            raise self.needs(what)
        return self.take().text

    def value(self, what: str) -> Any:
        token = self.next
        if token.kind == "text":
            return self.take().text
        if token.kind != "word":
            raise self.needs(what)
        self.take()
        if token.text.casefold() in _FIXED:
            return _FIXED[token.text.casefold()]
        return int(token.text) if _NUMBER.fullmatch(token.text) else token.text

    def listed(self, read: Callable[[], T]) -> list[T]:
        """What `read` reads, once and again after each comma."""
        found = [read()]
        while self.mark(","):
            found.append(read())
        return found

    def end(self) -> None:
        if self.next.kind != "end":
            raise self.needs("the end of the line")
