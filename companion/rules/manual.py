"""What a game's commands are, for whoever writes them by hand: `companion referee --game GAME --help`."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH = 110


@dataclass(frozen=True, slots=True)
class Entry:
    """One command. `fields`: in words; `examples`: whole lines."""

    name: str
    does: str
    fields: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manual:
    """`words`: paragraphs about the notation; `after`: paragraphs about state and refusals."""

    words: tuple[str, ...]
    entries: tuple[Entry, ...]
    after: tuple[str, ...] = ()


SESSION = (
    Entry("undo", "takes the last command back, whatever came of it", "none", ('{"do":"undo"}',)),
    Entry("redo", "does again what was undone last", "none", ('{"do":"redo"}',)),
    Entry(
        "amend",
        "replaces, takes out or puts in an older command; the rest is decided again",
        "seq with command or remove; or after with command",
        ('{"do":"amend","seq":2,"remove":true}',),
    ),
)
"""Commands that every game has: the session does them."""


def switches(defaults: Mapping[str, Any], choices: Mapping[str, Sequence[Any]], meanings: Mapping[str, str]) -> str:
    """The rule switches as a paragraph."""
    told = [
        f"{name} {_options(values)} ({meanings[name]}; default {_word(defaults[name])})"
        for name, values in choices.items()
    ]
    return "rules: " + "; ".join(told) + "."


def _options(values: Sequence[Any]) -> str:
    many = len(values) > 9
    return f"{_word(values[0])} to {_word(values[-1])}" if many else "|".join(_word(value) for value in values)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_text(manual: Manual) -> str:
    return "\n".join([*_paragraphs(manual.words), "commands:", *_entries(manual.entries), "", *_rest(manual)])


def _rest(manual: Manual) -> list[str]:
    return ["commands of every game:", *_entries(SESSION), "", *_paragraphs(manual.after)]


def _entries(entries: Sequence[Entry]) -> list[str]:
    lines = []
    for entry in entries:
        lines += _wrapped(f"{entry.name}: {entry.does}", "  ", "      ")
        if entry.fields != "none":
            lines += _wrapped(f"fields: {entry.fields}", "      ", "        ")
        # examples stand whole, to be copied
        lines += [f"      {example}" for example in entry.examples]
    return lines


def _paragraphs(texts: Sequence[str]) -> list[str]:
    return [line for text in texts for line in [*_wrapped(text, "", ""), ""]]


def _wrapped(text: str, first: str, then: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=then, break_long_words=False, break_on_hyphens=False
    )
