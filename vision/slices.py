"""Work that takes longer than a picture has time for: cut in slices, one of them done beside each of several pictures.

Written as generators that pause between slices; all of one is about the picture that it was begun with.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Generic, TypeVar

T = TypeVar("T")
Slices = Generator[None, None, T]


def whole(work: Slices[T]) -> T:
    """All of it at once."""
    begun = Begun(0, work)
    while not begun.go_on():
        pass
    return begun.answer


class Begun(Generic[T]):
    """`t_ns`: of the picture it is about; `answer`: once it is done."""

    answer: T

    def __init__(self, t_ns: int, work: Slices[T]) -> None:
        self.t_ns = t_ns
        self._work = work

    def go_on(self) -> bool:
        """The next slice. True: that was the last one."""
        try:
            next(self._work)
        except StopIteration as end:
            self.answer = end.value
            return True
        return False
