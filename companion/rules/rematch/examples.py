"""Re;MATCH's commands with an example each (DESIGN §7)."""

from __future__ import annotations

from typing import Final

from companion.rules.manual import Entry, Manual

MANUAL: Final = Manual(
    (
        "Lanes a b c from above with the tower at the top, a on player A's side; rows 1 to 5 from the open end; a cell "
        "is b3. A tray text is lanes a/b/c, each from row 1, with R Y B, . (empty) and ? (not known).",
    ),
    (
        Entry("setup", "begins a match",
              "first, tray, optional rules and players.{A,B}.{buttons, credits, fans, fighter, board}", (
            '{"do":"setup","first":"A","tray":"RYBRY/YBRBY/BRYBR","players":{"A":{"fighter":"Chef"}},'
            '"rules":{"edition":"2.5"}}',
        )),
        Entry("begin", "ends the opening", "none", ('{"do":"begin"}',)),
        Entry("destroy", "marbles go back into the tower, all at once", "player, cells, optional refill", (
            '{"do":"destroy","player":"B","cells":["b3","c2"],"refill":{"b":"R","c":"?"}}',
        )),
        Entry("flip", "a broken button is flipped", "player, button", ('{"do":"flip","player":"A","button":"B"}',)),
        Entry("declare", "names the attack before the clear", "player, attack", (
            '{"do":"declare","player":"A","attack":"R2"}',
        )),
        Entry("clear", "a clear by its cells, or by taps; overrule lets an illegal one stand",
              "player, cells, optional refill, attack, overrule; or player, attack, optional shorts", (
            '{"do":"clear","player":"A","cells":["a1","b2"],"refill":{"a":"R","b":"Y"}}',
            '{"do":"clear","player":"A","attack":"R2","shorts":{"B":1}}',
        )),
        Entry("resolve", "the first item of state.due happens as chosen", "item and button, fan, cells, amount, yes, "
              "option, when, colour, place, done or drop", ('{"do":"resolve","item":1,"button":"R"}',)),
        Entry("hit", "one effect's damage, all at once", "source, hits [{player, button, amount}]", (
            '{"do":"hit","source":"A","hits":[{"player":"B","button":"R","amount":2}]}',
        )),
        Entry("heal", "a dial is healed", "player, button, amount", (
            '{"do":"heal","player":"A","button":"R","amount":2}',
        )),
        Entry("fan", "a fan is taken", "player, fan", ('{"do":"fan","player":"A","fan":"R"}',)),
        Entry("pay", "a forced credit", "player, credits, optional restores", (
            '{"do":"pay","player":"B","credits":1,"restores":true}',
        )),
        Entry("skip_next", "the player's next turn is skipped", "player", ('{"do":"skip_next","player":"B"}',)),
        Entry("marker", "a free marker is laid, or taken off (remove)", "player, name, place, optional reacts, blocks, "
              "forces, turns, once; or remove", (
            '{"do":"marker","player":"A","name":"spirit","place":"row3"}', '{"do":"marker","remove":1}',
        )),
        Entry("end_turn", "the player on turn is done", "player", ('{"do":"end_turn","player":"A"}',)),
        Entry("concede", "a player gives up", "player", ('{"do":"concede","player":"A"}',)),
        Entry("correct", "sets right what is known wrongly", "player with button and hp or broken, player with "
              "credits, fan with place, cell with colour, tray, turn", (
            '{"do":"correct","player":"A","button":"R","hp":5}', '{"do":"correct","cell":"a3","colour":"R"}',
        )),
        Entry("rules", "changes switches before the first clear", "any switch with its value", (
            '{"do":"rules","kicker":"optional"}',
        )),
    ),
)  # fmt: skip
