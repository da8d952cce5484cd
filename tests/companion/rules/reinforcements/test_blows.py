"""Attacks, Barrages and Rallies against a brute force: hidden and revealed stacks, shields, ties, bleeding."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.rules.reinforcements.cards import CARDS, how_many
from tests.companion.rules.reinforcements.table import Match, player, up

POWERS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "A": 2, "M": 2, "C": 3}


class Blow:
    """One blow by chance: B1 with its layers from the bottom, shields above their cards, and what strikes it."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.deck = [card for card in CARDS for _ in range(how_many(card))]
        chance.shuffle(self.deck)
        self.hidden = chance.random() < 0.4
        colour = chance.choice("RBG")
        most = 2 if self.hidden else 4 if colour == "B" else 3
        stack = [self.take(colour if not self.hidden else "RBG") for _ in range(chance.randint(1, most))]
        self.layers: list[str] = []
        slots = []
        for card in stack:
            shield = self.take("B", "C") if "BC" in self.deck and chance.random() < 0.25 else None
            slots.append({"card": "?" if self.hidden else card, "shield": shield})
            self.layers += [card] if shield is None else [card, shield]
        self.shields = [slot["shield"] for slot in slots]
        self.red = chance.random() < 0.5
        own = up(self.take("R" if self.red else "G"))
        self.match = Match(player(own, 1, hand=6), player({"cards": slots, "revealed": not self.hidden}, 1), player())
        kind = chance.choice(["attack", "barrage"] if self.red else ["attack"]) if chance.random() < 0.7 else "rally"
        self.strike(kind)

    def take(self, colours: str, ranks: str = "1234567AMC") -> str:
        card = next(card for card in self.deck if card[0] in colours and card[1] in ranks)
        self.deck.remove(card)
        return card

    def strike(self, kind: str) -> None:
        if kind == "rally":
            drawn = self.take("RBG")
            self.used = [self.take("R", "C"), drawn]
            pay = {} if self.red else {"pay": [self.take("RBG", "34567")]}
            self.match.do("deploy", player="A", cards=self.used[:1], target="B1", drawn=drawn, **pay)
            self.spent = [*self.used, *pay.get("pay", [])]
        else:
            self.used = self.spent = [self.take("R" if kind == "barrage" else "RBG")]
            self.match.do(kind, player="A", card=self.used[0], target="B1")
        self.power = sum(POWERS[card[1]] for card in self.used)


def shield_places(blow: Blow) -> list[int]:
    """Which layers are shields, counted from the bottom."""
    places, at = [], 0
    for shield in blow.shields:
        at += 1
        if shield:
            places.append(at)
            at += 1
    return places


@pytest.mark.parametrize("seed", range(120))
def test_a_blow_against_brute_force(seed: int) -> None:
    blow = Blow(seed)
    match, layers, gone, tie = blow.match, blow.layers, list(blow.spent), False
    shields = shield_places(blow)
    while layers and not tie:
        top = layers[-1]
        if blow.hidden and len(layers) - 1 not in shields:
            assert match.asks == [("flip", "B")]
            match.do("flip", card=top)
        left = blow.power - POWERS[top[1]]
        tie = left == 0 and not (blow.used[0][0] == "R" and blow.red)
        if left < 0 or tie:
            break
        gone.append(layers.pop())
        blow.power = left
        if left == 0:
            break
    while tie:
        assert match.asks == [("reinforcements", "A")]
        attacker, defender = blow.deck.pop(), blow.deck.pop()
        match.do("reinforcements", attacker=attacker, defender=defender)
        gone += [attacker, defender]
        tie = POWERS[attacker[1]] == POWERS[defender[1]]
        if POWERS[attacker[1]] > POWERS[defender[1]]:
            gone.append(layers.pop())
    assert match.asks == []
    assert match.discarded == Counter(gone)
    stack = next((one for one in match.state["players"]["B"]["stacks"] if one["id"] == "B1"), None)
    places = [place for place in shields if place < len(layers)]
    left_cards = [card for at, card in enumerate(layers) if at not in places]
    assert (stack["cards"] if stack else []) == (["?"] * len(left_cards) if blow.hidden else left_cards)
    assert [shield for shield in (stack["shields"] if stack else []) if shield] == ["BC"] * len(places)
