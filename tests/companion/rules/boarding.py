"""Any fighter's board, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from companion.rules.rematch.fighters import (
    ATTACKS,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST,
    PAYERS,
    UNKNOWN_ATTACK,
    WHEN,
    Amount,
    Attack,
    Board,
    Effect,
    Kicker,
)


def _words(longest: int) -> st.SearchStrategy[str]:
    odd = st.sampled_from(['"', "\\", '"""', "'", "#", "[x]", "= 1", "ß", "火", "🎲", "é", "\u0301"])
    plain = st.text(st.characters(codec="utf-8"), max_size=12)

    def possible(parts: list[str]) -> str:
        printable = "".join(char for char in "".join(parts) if char.isprintable())
        return printable.strip()[:longest].strip() or "x"

    return st.lists(plain | odd, min_size=1, max_size=4).map(possible)


TEXT = _words(LONGEST_TEXT)
NAME = _words(LONGEST_NAME)
AMOUNT = st.integers(1, MOST).map(Amount) | st.builds(Amount, st.none(), TEXT, st.integers(-MOST, MOST))


def _effect(do: str, **fields: st.SearchStrategy[object]) -> st.SearchStrategy[Effect]:
    always = {"text": st.none() | TEXT, "condition": st.none() | TEXT, "optional": st.booleans()}
    return st.fixed_dictionaries({**always, **fields}).map(lambda given: Effect(do, **given))


PLAIN = st.one_of(
    *(_effect(do, amount=AMOUNT) for do in ("deal", "deal_all", "take", "take_all", "heal", "destroy")),
    *(_effect(do) for do in ("any_fan", "skip", "no_destroy", "deny", "unknown")),
    _effect("fan", fan=st.sampled_from("RYB")),
    _effect("pay", amount=AMOUNT, who=st.sampled_from(PAYERS), restores=st.none() | st.booleans()),
    _effect("marker", marker=NAME),
    _effect("note", text=TEXT),
)
EITHER = _effect(
    "either", options=st.lists(st.lists(PLAIN, min_size=1, max_size=2).map(tuple), min_size=2, max_size=3).map(tuple)
)
EFFECTS = st.lists(PLAIN | EITHER, min_size=1, max_size=3).map(tuple)
KICKER = st.none() | st.just(Kicker()) | st.builds(Kicker, st.sampled_from(WHEN), EFFECTS)
ATTACK = st.just(UNKNOWN_ATTACK) | st.builds(Attack, EFFECTS, KICKER, st.none() | TEXT)
_BOARD = st.builds(
    Board,
    NAME,
    st.none() | NAME,
    st.fixed_dictionaries(dict.fromkeys(ATTACKS, ATTACK)),
    st.just(()) | EFFECTS,
    st.just(()) | EFFECTS,
    st.lists(TEXT, max_size=3).map(tuple),
)


@st.composite
def _board(draw: st.DrawFn) -> Board:
    """As it is, hypothesis would write the strategy out in 37 kB."""
    return draw(_BOARD)


BOARD = _board()
