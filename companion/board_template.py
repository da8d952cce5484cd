"""A board file to fill in: nine attacks that say nothing yet, each with lines to uncomment (docs/fighters.md)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.board_file import FORMAT
from companion.rules.rematch.chains import attack_name
from companion.rules.rematch.fighters import ATTACKS
from companion.toml_text import quoted

_HEAD = """\
# The board of one fighter, to be filled in from the printed one. Lines that begin with # say nothing: take the # away
# from those that you need. What is left out is unknown: the companion reminds you, and you tap it in by hand.
# When done:  companion fighters check THIS-FILE  and  companion fighters import THIS-FILE
format = {format}

[[fighter]]
name = {name}
# edition = "2.5"
# remarks = ["shown when the fighter is chosen"]

# Effects of each of the fighter's turns, at its start (before buttons are flipped) and its end:
# start = [{{ do = "note", text = "draw a card" }}]
# end = [{{ do = "heal", amount = 1, optional = true }}]

# Effects, in the order in which they happen:
#   {{ do = "deal", amount = 2 }}          damage to one of the opponent's buttons; deal_all: to each of them
#   {{ do = "take", amount = 1 }}          damage to one of your own; take_all: to each of them
#   {{ do = "heal", amount = 2 }}          one of your own buttons
#   {{ do = "destroy", amount = 2 }}       up to so many marbles
#   {{ do = "fan", fan = "R" }}            R, Y or B; {{ do = "any_fan" }}: one of your choice
#   {{ do = "pay" }}                       the opponent pays a credit; may have amount, who = "self", restores = true
#   {{ do = "skip" }}                      the opponent skips the next turn
#   {{ do = "deny" }}                      the opponent cannot attack with a colour of your choice next turn
#   {{ do = "no_destroy" }}                the opponent cannot destroy marbles for a turn
#   {{ do = "marker", marker = "spirit" }}  a marker to lay on a row, a cell, a colour or a player
#   {{ do = "note", text = "gain 3 focus" }}
#   {{ do = "either", options = [[{{ do = "heal", amount = 1 }}], [{{ do = "deal", amount = 2 }}]] }}
#   {{ do = "unknown" }}                   to be tapped in by hand
# An amount may count something: amount = "X", x = "cards discarded"; also "X-1", "X+2".
# To each of them: optional = true; if = "you hold no fan"; text = "words to be shown with it".
# A kicker is  when = "before", "after" or "either" (the icon for both); kicker = "none" says that there is none.
"""

_ATTACK = """\

# {name}
# [fighter.attacks.{attack}]
# effects = [{{ do = "deal", amount = {amount} }}]
# [fighter.attacks.{attack}.kicker]
# when = "after"
# effects = [{{ do = "any_fan" }}]
"""


def template(name: str) -> str:
    """The text of a board file for a fighter of this name, of which nothing is known yet."""
    return "".join(_parts(name))


def _parts(name: str) -> Iterator[str]:
    yield _HEAD.format(format=FORMAT, name=quoted(name))
    for attack in ATTACKS:
        yield _ATTACK.format(name=attack_name(attack), attack=attack, amount=attack[1])
