"""Reinforcements' commands with examples. All together are the lines of two matches (test_examples.py)."""

from __future__ import annotations

from typing import Final

from companion.rules.manual import Entry, Manual, switches
from companion.rules.reinforcements.switches import CHOICES, MEANINGS, Rules

_WORDS: Final = (
    "A card is colour and rank: R B G; 1 Peasant, 2 Soldier, 3 Ranger, 4 Knight, 5 Druid, 6 Heir, 7 Monarch, A "
    "Assassin, M Mage, C Mercenary. A stack is its owner's seat and a number (A2), a card on the field its stack and "
    "its place from the bottom (A2.1), a Mercenary that shields it A2.1s. Seats A to D are the order of play.",
    "Hidden cards are never asked for: hands, the deck and face-down cards are counted. What is flipped is said when "
    "it is flipped: in the command (seen, reveal, drawn), or in answer to what state.asks asks for.",
)

MANUAL: Final = Manual(
    _WORDS,
    (
        Entry(
            "setup",
            "a new match: everybody has three face-down stacks and one card in hand, unless told otherwise",
            "players (2 to 4: {name, hand, stacks [number of face-down cards, or {cards, revealed}], locked, totems}), "
            "initiative (everybody's card) or first, mode (normal, chaos), phase (draw, action), discard, rules",
            (
                '{"do":"setup","players":[{"name":"Ann"},{"name":"Bo"}],"initiative":{"A":"R5","B":"G2"}}',
                '{"do":"setup","mode":"chaos","first":"A","phase":"action","players":[{"stacks":[{"cards":["B1","B2",'
                '"B3"],"revealed":true},{"cards":["G1"],"revealed":true},{"cards":["R1","R2"],"revealed":true},1],'
                '"hand":9},{"hand":5,"stacks":[1,1,1,1]}]}',
            ),
        ),
        Entry("draw", "the Draw Phase", "player, count", ('{"do":"draw","player":"A"}',)),
        Entry(
            "attack",
            "Main Action: a card against the top of a stack",
            "player, card, target, seen (what is flipped, in order)",
            ('{"do":"attack","player":"A","card":"R4","target":"B1"}',),
        ),
        Entry("flip", "what a flipped card is", "card", ('{"do":"flip","card":"G4"}',)),
        Entry(
            "reinforcements",
            "a tie: both drew",
            "defender, attacker (their cards); winner (attacker, defender) when no two cards are left to draw",
            ('{"do":"reinforcements","defender":"B2","attacker":"G6"}',),
        ),
        Entry("end_turn", "the next player's turn", "player", ('{"do":"end_turn","player":"A"}',)),
        Entry(
            "defend",
            "Main Action: a card onto one's own stack, face down on a hidden one",
            "player, stack, card (on a revealed stack), reveal (the three cards, the bottom one first)",
            ('{"do":"defend","player":"B","stack":"B2"}',),
        ),
        Entry(
            "reveal",
            "the three cards of a stack that was flipped",
            "cards",
            ('{"do":"reveal","cards":["R1","R3","R3"]}',),
        ),
        Entry(
            "discard",
            "Main Action: any number of cards",
            "player, cards or count",
            ('{"do":"discard","player":"B","count":1}',),
        ),
        Entry(
            "deploy",
            "Main Action: an Assassin, a Mage, five Peasants, or a Mercenary",
            "player, cards, from (own revealed stack), target, pay (for a Mercenary), seen, drawn (Rally)",
            (
                '{"do":"deploy","player":"A","cards":["RA"],"target":"B2.1"}',
                '{"do":"deploy","player":"A","cards":["RC"],"target":"B3"}',
            ),
        ),
        Entry("rallied", "what was drawn for a Rally", "card", ('{"do":"rallied","card":"G2"}',)),
        Entry(
            "barrage",
            "Kingdom Action of red",
            "player, card, from, target, seen",
            ('{"do":"barrage","player":"A","card":"R2","from":"A3.2","target":"B1","seen":["B7"]}',),
        ),
        Entry(
            "fortify",
            "Kingdom Action of blue",
            "player, stack, card",
            ('{"do":"fortify","player":"A","stack":"A1","card":"B4"}',),
        ),
        Entry(
            "adapt",
            "Kingdom Action of green",
            "player, card and with (a place), or swap (two places)",
            ('{"do":"adapt","player":"A","card":"G6","with":"A2.1"}',),
        ),
        Entry(
            "totem",
            "uses a totem: wurm (targets), elk, chameleon (mine, theirs)",
            "player, totem, targets, seen, mine, theirs",
            ('{"do":"totem","player":"A","totem":"elk"}',),
        ),
        Entry("elk_done", "no more of the Elk's Defend actions", "player", ('{"do":"elk_done","player":"A"}',)),
        Entry(
            "hero",
            "whether the Hero of the People nullifies what state.asks tells of",
            "use (true, false)",
            ('{"do":"hero","use":true}',),
        ),
        Entry(
            "broken",
            "a hidden stack of several colours was found",
            "player, stack, seen",
            ('{"do":"broken","player":"A","stack":"A4"}',),
        ),
        Entry(
            "totem_drawn",
            "Chaos Mode: a totem comes from the deck",
            "player, totem",
            ('{"do":"totem_drawn","player":"A","totem":"wurm"}', '{"do":"totem_drawn","player":"A","totem":"hero"}'),
        ),
        Entry(
            "send",
            "Chaos Mode: a card in play goes to the discard pile",
            "player, place, seen",
            ('{"do":"send","player":"B","place":"B4.1"}',),
        ),
        Entry(
            "gift",
            "Chaos Mode: a card from the deck as a new stack; with five stacks kept or discarded",
            "player, keep, discard",
            ('{"do":"gift","player":"A"}', '{"do":"gift","player":"B"}'),
        ),
        Entry(
            "clash",
            "Chaos Mode: cards at the same moment; who was first, as the players settled it",
            "players, first",
            ('{"do":"clash","players":["A","B"],"first":"B"}',),
        ),
        Entry("end_round", "Chaos Mode: the token passes to the left", "none", ('{"do":"end_round"}',)),
        Entry("rules", "changes switches", "any of the switches below", ('{"do":"rules","adapt":"any"}',)),
        Entry(
            "correct",
            "sets something by hand; the deck takes the difference",
            "player with hand, locked, main, drawn or new (the cards of a stack to put in, with revealed); stack with "
            'cards (none: it is not there) and revealed; shield_on (a place) with shield (a card, or ""); discard (how '
            "many cards); totem with owner; turn",
            (
                '{"do":"correct","player":"A","hand":9}',
                '{"do":"correct","totem":"elk","owner":"A"}',
                '{"do":"correct","totem":"hero","owner":"B"}',
                '{"do":"correct","stack":"A1","cards":["B1","B2"],"revealed":true}',
                '{"do":"correct","player":"A","main":false}',
                '{"do":"correct","stack":"A4","cards":["?","?"],"revealed":false}',
                '{"do":"correct","player":"B","new":["?"]}',
                '{"do":"correct","shield_on":"A4.1","shield":"BC"}',
                '{"do":"correct","discard":20}',
            ),
        ),
        Entry("concede", "a player gives up", "player", ('{"do":"concede","player":"B"}',)),
    ),
    (
        "state: players.{A..D}.{name, hand, stacks [{id, revealed, colour, cards, shields, most, used}], drawn, main, "
        "kingdom {barrage, fortify, adapt: how many are left}, totems, locked, out}, mode, turn, turn_number, deck, "
        "discard {count, known}, totems, asks [{kind, player, ...}], fight, defends (of the Elk), total (96), over, "
        "rules.",
        "Codes: bad_command unknown_command bad_value not_now not_your_turn must_draw already_done no_cards no_kingdom "
        "not_revealed wrong_colour stack_full shielded cannot_pay no_totem too_many_of_card match_over nothing_to_undo "
        "nothing_to_redo.",
        switches(Rules().to_json(), CHOICES, MEANINGS),
    ),
)
