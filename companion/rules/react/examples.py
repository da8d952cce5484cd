"""Re;ACT's commands with an example each. All examples together are the lines of one match (test_examples.py)."""

from __future__ import annotations

from typing import Final

from companion.rules.manual import Entry, Manual, switches
from companion.rules.react.artists import ARTISTS
from companion.rules.react.switches import CHOICES, MEANINGS, Rules

_WORDS: Final = (
    "A zone is \"x,y\": column x from player A's left, row y from A's side, both from 1 ([x,y] works too). Directions: "
    "up (away from A), down, left, right. Units: A and B are the artists, A.fish1 is A's first summon of the kind "
    "fish. The Masterpiece Zone's spaces are 1 to 5 from A's left, a player's own cards 1 to 3. In a refusal's cells "
    "a space is mp1, a slot of the React Chain slot1.",
    'An effect is one line {"do":TOOL,...}. Tools are entered as commands, or stand in the lists costs and effects '
    "of play, effects of resolve and of a passive. In such a list a zone may be target (where the card's chain token "
    "lies) or here (where the passive was set off), a direction chosen (of the chain token), a unit it (which set the "
    "passive off). What cannot be resolved is skipped: the reply is ok, with an event failed that says why. What can "
    "never be meant (a diagonal, an unknown kind, two empty spaces) is refused.",
    "A turn: start effects, Masterpiece Phase (progress; not in turn 1), Draw Phase (draw), Main Phase (play, pass, "
    "resolve, again and again), end_turn. state.next always says what the match waits for.",
)
_AFTER: Final = (
    "state: players.{A,B}.{artist, hand, deck, discard, damage, hp, ascended, masterpiece, beside, summons, tokens, "
    "tiles, passives}, turn, turn_number, phase (start masterpiece draw main end over), field, units, tokens, tiles, "
    "blocks, masterpiece (5 spaces), chain.{slots, stack, priority, passes, resolving, next}, due (what comes first), "
    "next, reminders, over (null or {winner, reason}; winner null is a tie), rules.",
    "Codes: bad_command unknown_command bad_value too_many not_now not_your_turn must_progress must_draw no_cards "
    "cannot_pay empty_cell out_of_reach too_late match_over nothing_to_undo nothing_to_redo. Codes of what was "
    "skipped, too: off_board occupied none_left not_there exhausted not_exhausted hand_full no_deck.",
    switches(Rules().to_json(), CHOICES, MEANINGS),
)

_SIDE: Final = (
    "artist (" + ", ".join(ARTISTS) + '; or any name with "custom": true), zone, exhausted, damage, ascended, '
    "deck_size (30; null: no deck), hand (4), deck, discard, summons {kind: count or {count, follows}}, "
    "tokens {kind: count}, tiles {kind: count} (null: not counted), invincible, sheet, "
    "passives [{name, when: enter, of: TILE, who: any|own|foe} or {name, when: tokens, of: TOKEN, count} or "
    "{name, when: start|end, turns: own|every}, each with effects if they are known]"
)

MANUAL: Final = Manual(
    _WORDS,
    (
        Entry(
            "setup",
            "begins a match; decks are shuffled and 4 cards drawn",
            f"first, field {{columns, rows, stars}}, optional masterpiece (5 spaces), turn_number, rules, "
            f"players.{{A,B}}: {_SIDE}",
            (
                '{"do":"setup","first":"A","field":{"columns":5,"rows":5,"stars":{"A":"3,1","B":"3,5"}},"players":'
                '{"A":{"artist":"Dancer","summons":{"fish":2}},"B":{"artist":"Tagger"}},"rules":{"blocks_end":"turn"}}',
            ),
        ),
        Entry(
            "rules",
            "changes switches before the first card is played",
            "any switch with its value",
            ('{"do":"rules","replaced_card":"beside"}',),
        ),
        Entry(
            "draw",
            "the Draw Phase: both draw, the turn player first; with player: an effect by which one draws",
            "none, or player, cards (1)",
            ('{"do":"draw"}', '{"do":"draw","player":"B","cards":1}'),
        ),
        Entry(
            "play",
            "a card is played to the React Chain, its costs are paid at once",
            "player, kind (intention|reaction), optional from (hand|ability|other; hand), card, effect (names), slot, "
            "costs [effects that must succeed; target and direction place the chain token], effects [lines for later]",
            (
                '{"do":"play","player":"A","kind":"intention","from":"ability","card":"Dancer",'
                '"costs":[{"do":"exhaust","unit":"A"},{"do":"target","zone":"3,5"}],'
                '"effects":[{"do":"damage","zones":["target"]}]}',
                '{"do":"play","player":"B","kind":"reaction","card":"Sidestep",'
                '"costs":[{"do":"direction","direction":"left"},{"do":"discard","player":"B","cards":1}]}',
            ),
        ),
        Entry(
            "pass",
            "the player with priority plays no Reaction now; two passes in a row resolve the chain",
            "player",
            ('{"do":"pass","player":"A"}', '{"do":"pass","player":"B"}'),
        ),
        Entry(
            "resolve",
            "what is next happens: the card in the highest slot, or first a passive, start or end effect in state.due. "
            "Its lines are those given here, else those told by play, else what was entered by hand before",
            "optional slot, effects, choose (numbers of lines; they happen in printed order), drop (it happens not)",
            (
                '{"do":"resolve","slot":2,"effects":[{"do":"move","unit":"B","direction":"chosen"},'
                '{"do":"exhaust","unit":"B"}],"choose":[2,1]}',
                '{"do":"resolve"}',
            ),
        ),
        Entry(
            "passive",
            "a passive that the match does not know interrupts: it is resolved before anything else, then what was "
            "under way goes on. Known ones (of the artist, or told in setup) set themselves off",
            "player, name, optional zone (here), unit (it), effects",
            ('{"do":"passive","player":"A","name":"Splash","zone":"3,4"}',),
        ),
        Entry("move", "a unit moves to an adjacent zone", "unit, direction or to", (
            '{"do":"move","unit":"A","direction":"up"}', '{"do":"move","unit":"A","to":"3,3"}',
        )),
        Entry("jump", "a unit moves to the next empty zone, over occupied ones", "unit, direction", (
            '{"do":"jump","unit":"A","direction":"up"}',
        )),
        Entry("summon", "a summon comes, refreshed", "player, kind, zone", (
            '{"do":"summon","player":"A","kind":"fish","zone":"4,2"}',
        )),
        Entry("swap", "two units change places", "units", ('{"do":"swap","units":["A","A.fish1"]}',)),
        Entry("remove", "a summon goes back to its pool", "unit", ('{"do":"remove","unit":"A.fish1"}',)),
        Entry("block", "a block token is placed, or removed", "player, zone, optional stays (through the end of the "
              "turn), remove", ('{"do":"block","player":"B","zone":"2,5"}',)),
        Entry("damage", "one effect, all zones at once; whoever stands there takes it", "zones and/or units, optional "
              "amount (1), player (whose effect)", (
            '{"do":"damage","player":"A","zones":["2,5","1,1"]}', '{"do":"damage","units":["B"],"amount":1}',
        )),
        Entry("token", "tokens are placed, moved (to) or removed", "player, kind, zone or unit, optional count (1), "
              "to, remove", (
            '{"do":"token","player":"A","kind":"scale","zone":"1,1","count":2}',
            '{"do":"token","player":"A","kind":"scale","zone":"1,1","to":"1,2"}',
            '{"do":"token","player":"A","kind":"scale","zone":"1,2","remove":true}',
        )),
        Entry("tile", "a zone tile is placed, moved (to) or removed", "player, kind, zone, optional to, remove", (
            '{"do":"tile","player":"B","kind":"mural","zone":"1,4"}',
            '{"do":"tile","player":"B","kind":"mural","zone":"1,4","remove":true}',
        )),
        Entry("exhaust", "a unit is turned", "unit", ('{"do":"exhaust","unit":"A"}',)),
        Entry("refresh", "a unit is turned back", "unit", ('{"do":"refresh","unit":"A"}',)),
        Entry("discard", "cards go from the hand to the discard pile", "player, cards (1)", (
            '{"do":"discard","player":"A","cards":1}',
        )),
        Entry("ascend", "an artist ascends by an effect", "player", ('{"do":"ascend","player":"A"}',)),
        Entry("descend", "an artist descends; with a complete masterpiece it ascends again", "player", (
            '{"do":"descend","player":"A"}',
        )),
        Entry("other", "something that only the players see to, in words", "text", (
            '{"do":"other","text":"B shows a card"}',
        )),
        Entry("end_turn", "the turn player plays no more Intentions: the End Phase", "player", (
            '{"do":"end_turn","player":"A"}',
        )),
        Entry(
            "progress",
            "the Masterpiece Phase: place a card in an empty space; with none empty, replace an opponent's; with all "
            "three placed, swap two spaces; skip where that is allowed. Also as an effect while a card resolves",
            "player and one of: place (card) with space, replace (card) with space, swap [space, space], skip",
            ('{"do":"progress","player":"B","place":1,"space":5}',),
        ),
        Entry("rearrange", "two spaces of the Masterpiece Zone are swapped by an effect", "player, swap", (
            '{"do":"rearrange","player":"A","swap":[5,4]}',
        )),
        Entry("target", "a chain token is put on another zone", "slot, zone", (
            '{"do":"target","slot":1,"zone":"2,2"}',
        )),
        Entry("direction", "a chain token is turned", "slot, direction", (
            '{"do":"direction","slot":1,"direction":"down"}',
        )),
        Entry(
            "correct",
            "sets right what is known wrongly; it lets nothing happen",
            "player with hand, deck, discard, damage, flipped [cards], ascended; unit with zone (null: off the field) "
            "and/or exhausted; units [several at once]; player, token (kind or block), zone, count; player, tile (kind "
            "or null), zone; masterpiece [5 spaces]; turn; phase (masterpiece|draw|main)",
            (
                '{"do":"correct","player":"A","hand":3,"damage":1}',
                '{"do":"correct","unit":"B","zone":"2,4","exhausted":false}',
                '{"do":"correct","units":[{"unit":"A","exhausted":false},{"unit":"B","zone":"2,4"}]}',
            ),
        ),
        Entry("lose", "an effect says that a player loses", "player", ('{"do":"lose","player":"B"}',)),
        Entry("concede", "a player gives up", "player", ('{"do":"concede","player":"A"}',)),
    ),
    _AFTER,
)  # fmt: skip
