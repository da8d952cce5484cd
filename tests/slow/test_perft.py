"""All 3^10 colourings of one player's ten cells: the legal clears equal the brute force. About a minute."""

from __future__ import annotations

from itertools import product

import pytest

from companion.rules.rematch.chains import moves
from companion.rules.rematch.tray import Tray
from tests.companion.rules.brute import legal_clears


@pytest.mark.parametrize(("player", "broken"), [("A", ""), ("B", ""), ("A", "B")])
def test_every_colouring(player: str, broken: str) -> None:
    # with a broken colour the brute force is slow: every seventh tray
    for number, colours in enumerate(product("RYB", repeat=10)):
        if broken and number % 7:
            continue
        near, far = "".join(colours[:5]), "".join(colours[5:])
        text = f"{near}/{far}/YYYYY" if player == "A" else f"YYYYY/{near}/{far}"
        found = {frozenset(clear.cells): clear.attack for clear in moves(Tray.parse(text), player, broken)}
        assert found == legal_clears(text, player, broken), text
