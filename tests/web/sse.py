"""A parser of event streams, written after the algorithm of the HTML standard, not after what our server sends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    event: str
    data: str
    last_id: str


class Parser:
    """Feed bytes, get messages. `retry` and `comments` are kept for tests to look at."""

    def __init__(self) -> None:
        self.retry: int | None = None
        self.comments: list[str] = []
        self._buffer = b""
        self._id = ""
        self._event = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[Message]:
        self._buffer += chunk
        while True:
            ends = [i for i in (self._buffer.find(b"\r"), self._buffer.find(b"\n")) if i >= 0]
            if not ends or (self._buffer[min(ends) :] == b"\r"):
                return
            end = min(ends)
            width = 2 if self._buffer[end : end + 2] == b"\r\n" else 1
            line, self._buffer = self._buffer[:end].decode(), self._buffer[end + width :]
            yield from self._line(line)

    def _line(self, line: str) -> Iterator[Message]:
        if line == "":
            if self._data:
                yield Message(self._event or "message", "\n".join(self._data), self._id)
            self._event, self._data = "", []
            return
        if line.startswith(":"):
            self.comments.append(line[1:].strip())
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._event = value
        elif field == "data":
            self._data.append(value)
        elif field == "id" and "\0" not in value:
            self._id = value
        elif field == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value)


def messages(parser: Parser, chunks: Iterable[bytes]) -> Iterator[Message]:
    for chunk in chunks:
        yield from parser.feed(chunk)
