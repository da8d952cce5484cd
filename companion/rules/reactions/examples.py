"""The commands of the reaction sheet with an example each. All examples together are the lines of one session."""

from __future__ import annotations

from typing import Final

from companion.rules.manual import Entry, Manual, switches
from companion.rules.reactions.switches import CHOICES, MEANINGS, Rules

_WORDS: Final = (
    "Four actions: A attack, > move, ! stunt, D defend (symbol or word). A turn: act names who is active and the two "
    "actions, in the order in which they are done; each part is announced, state.offers says who may react with what, "
    "just before what, and by which line of the sheet; react enters what somebody does; proceed lets the part happen. "
    "To ask only, announce and undo.",
    "On a grid a square is [column, row], from 1; adjacency and range follow from where the characters stand. Without "
    "one, or against it, relations are set by hand with relate.",
)

MANUAL: Final = Manual(
    _WORDS,
    (
        Entry(
            "setup",
            "names the characters and the grid, if there is one",
            "characters [{id, at, range, disabled, reacted}], grid {columns, rows} or null, rules, "
            "relations [{who, to, adjacent, in_range}] (as relate sets them)",
            (
                '{"do":"setup","characters":[{"id":"Ann","at":[2,2]},{"id":"Bo","at":[3,2]},{"id":"Cy","at":[5,2]}],'
                '"grid":{"columns":8,"rows":8},"rules":{"range":3,"adjacency":8}}',
            ),
        ),
        Entry("join", "somebody comes", "character {id, at, …}", ('{"do":"join","character":{"id":"Di","at":[8,8]}}',)),
        Entry("leave", "somebody goes", "character", ('{"do":"leave","character":"Di"}',)),
        Entry(
            "relate",
            "says by hand whether who is adjacent to to, or can attack to; null: as the grid says",
            "who, to, adjacent, in_range (true, false, null)",
            ('{"do":"relate","who":"Cy","to":"Ann","in_range":false}',),
        ),
        Entry(
            "rules",
            "changes switches",
            "any of the switches below",
            ('{"do":"rules","range":2}',),
        ),
        Entry(
            "act",
            "a turn begins: who is active, and the pair of actions; the one reaction of each comes back",
            'active [ids], actions ("A>", ["attack","move"] or "recovery")',
            ('{"do":"act","active":["Ann"],"actions":"A>"}',),
        ),
        Entry(
            "announce",
            "a part is about to happen; state.offers says who may react",
            "part (attack, move, stunt, recovery), by (with several active), target (of an attack), path (squares of a "
            "move) or leaves (without a grid: whose adjacent squares are left, in order)",
            (
                '{"do":"announce","part":"attack","target":"Bo"}',
                '{"do":"announce","part":"move","path":[[2,3],[2,4]]}',
            ),
        ),
        Entry(
            "react",
            "somebody uses its one reaction",
            "character, reaction, against (with several active), moment (of a move, from 0), to (square of a move)",
            ('{"do":"react","character":"Bo","reaction":"D"}',),
        ),
        Entry(
            "proceed",
            "the part happens; stopped: a defend interrupted the attack",
            "stopped (true, false)",
            (
                '{"do":"proceed","stopped":false}',
                '{"do":"proceed"}',
            ),
        ),
        Entry(
            "correct",
            "sets a character by hand",
            "character, and any of at, range, disabled, reacted",
            ('{"do":"correct","character":"Bo","disabled":true}',),
        ),
        Entry("end_turn", "nobody is active any more", "none", ('{"do":"end_turn"}',)),
    ),
    (
        "state: characters, grid, relations, turn (null or {number, active, actions, entry, parts, done, left}), step "
        "(null or {part, by, target, path, leaves, moment, reactions, may_be_stopped}), offers [{character, moment, "
        "when, entry, part, reactions {A: {name, against}}, because}], log (reactions used), rules.",
        "Codes: bad_command unknown_command bad_value not_now already_done already_reacted no_reaction not_stopped "
        "out_of_reach disabled too_many nothing_to_undo nothing_to_redo.",
        switches(Rules().to_json(), CHOICES, MEANINGS),
    ),
)
