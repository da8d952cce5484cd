"""Damage, breaks, prices, restoring, forced credits and who loses (DESIGN §7).

Rulebook: Breaking Button Health Dials; Repairing Broken Buttons; F.A.Q.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.companion.rules.cases import Match, match, side


def hits(*targets: str) -> list[dict[str, Any]]:
    """`BR3` = 3 damage to B's red dial."""
    return [{"player": t[0], "button": t[1], "amount": int(t[2:])} for t in targets]


def resolving(a: dict[str, Any] | None = None, b: dict[str, Any] | None = None, **rules: Any) -> Match:
    """A has cleared and resolves the attack."""
    return match(a=a, b=b, **rules).ok("clear", player="A", cells=["a1"], refill={"a": "Y"})


# --- one effect ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dials", "credits", "targets", "after", "left"),
    [
        ("10 10 10", 4, ["BR3"], "7 10 10", 4),
        ("3 10 9", 4, ["BR3"], "1! 10 10", 3),
        ("3 10 10", 4, ["BR99"], "1! 10 10", 3),
        ("2 2 9", 4, ["BR2", "BY2", "BB2"], "3! 3! 10", 1),  # 1 + 2 credits, +3 to all
        ("1 1 1", 5, ["BR1", "BY1", "BB1"], "5! 5! 5!", 0),  # 1 + 2 + 2
        ("5! 1 5", 4, ["BY1"], "7! 2! 7", 2),
        ("7! 1 5", 4, ["BY1"], "9 2! 7", 2),  # restoring repairs at 9
        ("6! 1 5", 4, ["BY1"], "8! 2! 7", 2),
        ("8! 1 5", 4, ["BY1"], "10 2! 7", 2),
        ("3! 4! 2", 2, ["BB2"], "5! 6! 2!", 0),
        ("3! 4 5", 4, ["BR2", "BY2", "BB2"], "3! 2 3", 4),  # broken ones are passed over
        ("5 5 5", 4, ["BR0"], "5 5 5", 4),
        ("5! 5 5", 4, ["BR0"], "5! 5 5", 4),
        ("5! 5 5", 4, ["BR3", "BY0", "BB1"], "5! 5 4", 4),
    ],
)
def test_one_effect(dials: str, credits: int, targets: list[str], after: str, left: int) -> None:
    for game in (match(b=side(dials, credits)), resolving(b=side(dials, credits))):
        game.ok("hit", source="A", hits=hits(*targets))
        assert (game.dials("B"), game.credits("B"), game.json["over"]) == (after, left, None)


def test_both_players_dials_in_one_effect() -> None:
    game = match(a=side("1 9 9"), b=side("2 9 9")).ok("hit", source="B", hits=hits("AR1", "BR1", "BY1"))
    assert (game.dials("A"), game.dials("B")) == ("1! 10 10", "1 8 9")


@pytest.mark.parametrize("targets", [["BR2"], ["BR2", "BY1"], ["BR2", "AB0"]])
def test_only_broken_dials_hit(targets: list[str]) -> None:
    assert match(b=side("5! 5! 5")).code("hit", source="A", hits=hits(*targets)) == "broken_button"


def test_a_third_break_may_cost_three() -> None:
    for price, left in ((2, 2), (3, 1)):
        game = match(b=side("3! 4! 1"), third_break_price=price).ok("hit", source="A", hits=hits("BB1"))
        assert game.credits("B") == left
        assert game.dials("B") == f"{3 + price}! {4 + price}! {price}!"
    game = match(b=side("1 1 1", 6), third_break_price=3).ok("hit", source="A", hits=hits("BR1", "BY1", "BB1"))
    assert (game.dials("B"), game.credits("B")) == ("6! 6! 6!", 0)


def test_an_effect_settles_before_the_next() -> None:
    # H26: the restored point saves the second dial
    game = match(b=side("2 1 10")).ok("hit", source="A", hits=hits("BR2")).ok("hit", source="A", hits=hits("BY1"))
    assert (game.dials("B"), game.credits("B")) == ("1! 1 10", 3)


def test_before_v2_each_break_restores_one_to_its_own_dial() -> None:
    for edition in ("1.0", "1.5"):
        game = match(b=side("1 6 7!"), edition=edition).ok("hit", source="A", hits=hits("BR1"))
        assert (game.dials("B"), game.credits("B")) == ("1! 6 7!", 2)
    game = match(b=side("1 6 7!"), edition="2.0").ok("hit", source="A", hits=hits("BR1"))
    assert game.dials("B") == "2! 8 9"


# --- breaks at the end of the attack ---------------------------------------------------------------------------------


def test_breaks_may_be_settled_when_the_attack_ends() -> None:
    game = resolving(b=side("2 1 9"), breaks_settle="attack_end").ok("hit", source="A", hits=hits("BR2"))
    assert (game.dials("B"), game.credits("B"), game.json["players"]["B"]["owed"]) == ("0! 1 9", 4, 1)
    game.ok("hit", source="A", hits=hits("BY1"))  # no point was restored in between
    assert game.json["players"]["B"]["owed"] == 3
    game.ok("end_turn", player="A")
    assert (game.dials("B"), game.credits("B"), game.json["turn"]) == ("3! 3! 10", 1, "B")
    assert game.json["players"]["B"]["owed"] == 0


def test_outside_an_attack_breaks_are_settled_at_once_all_the_same() -> None:
    game = match(b=side("2 1 9"), breaks_settle="attack_end").ok("hit", source="A", hits=hits("BR2"))
    assert game.dials("B") == "1! 2 10"


def test_a_dial_repaired_and_broken_again_is_owed_twice() -> None:
    game = resolving(b=side("2 9 9"), breaks_settle="attack_end").ok("hit", source="A", hits=hits("BR2"))
    game.ok("heal", player="B", button="R", amount=9).ok("hit", source="A", hits=hits("BR9"))
    assert game.json["players"]["B"]["owed"] == 2
    game.ok("end_turn", player="A")
    assert (game.dials("B"), game.credits("B")) == ("2! 10 10", 2)


def test_before_v2_at_the_end_of_the_attack() -> None:
    game = resolving(b=side("2 1 9"), breaks_settle="attack_end", edition="1.5").ok("hit", source="A", hits=hits("BR2"))
    game.ok("hit", source="A", hits=hits("BY1")).ok("end_turn", player="A")
    assert (game.dials("B"), game.credits("B")) == ("1! 1! 9", 1)


@pytest.mark.parametrize(
    ("a_credits", "b_credits", "over"),
    [
        (1, 1, None),
        (0, 1, {"winner": "B", "reason": "cannot_pay"}),
        (1, 0, {"winner": "A", "reason": "cannot_pay"}),
        (0, 0, {"winner": "A", "reason": "both_cannot_pay"}),
    ],
)
def test_losses_of_breaks_that_are_settled_at_the_end(a_credits: int, b_credits: int, over: Any) -> None:
    game = resolving(side("1 5 5", a_credits), side("1 5 5", b_credits), breaks_settle="attack_end")
    game.ok("hit", source="A", hits=hits("AR1", "BR1"))
    assert game.json["over"] is None
    game.ok("end_turn", player="A")
    assert game.json["over"] == over


def test_a_forced_credit_leaves_what_is_owed_for_breaks() -> None:
    game = resolving(a=side("1 5 5", 2), breaks_settle="attack_end").ok("hit", source="A", hits=hits("AR1"))
    game.ok("pay", player="A", credits=1)
    assert (game.credits("A"), game.json["players"]["A"]["owed"]) == (1, 1)
    game.ok("pay", player="A", credits=2)
    assert (game.credits("A"), game.json["players"]["A"]["owed"]) == (1, 1)
    assert game.json["players"]["A"]["cannot_pay"] is True


def test_a_corrected_dial_owes_no_more() -> None:
    game = resolving(b=side("2 1 9"), breaks_settle="attack_end").ok("hit", source="A", hits=hits("BR2", "BY1"))
    game.ok("correct", player="B", button="R", hp=2, broken=False)
    assert game.json["players"]["B"]["owed"] == 2
    game.ok("end_turn", player="A")
    assert (game.dials("B"), game.credits("B")) == ("4 2! 10", 2)


def test_no_other_turn_begins_with_a_break_that_is_not_settled() -> None:
    game = resolving(b=side("2 9 9"), breaks_settle="attack_end").ok("hit", source="A", hits=hits("BR2"))
    error = game.refused("correct", turn="B")
    assert error["code"] == "bad_value"
    assert "red of player b is at 0 hp" in error["text"].lower()
    game.ok("correct", turn="B", player="B", button="R", hp=1, broken=True)
    assert (game.json["turn"], game.json["players"]["B"]["owed"]) == ("B", 0)


# --- who loses -------------------------------------------------------------------------------------------------------


def test_a_defender_who_cannot_pay_loses_at_once_and_keeps_the_credits() -> None:
    game = resolving(b=side("2 2 9", 2)).ok("hit", source="A", hits=hits("BR2", "BY2", "BB2"))
    assert game.json["over"] == {"winner": "A", "reason": "cannot_pay"}
    assert (game.json["phase"], game.credits("B")) == ("over", 2)


def test_t38_an_attacker_who_cannot_pay_loses_when_the_turn_ends() -> None:
    game = resolving(a=side("1 5 5", 0)).ok("hit", source="A", hits=hits("AR1"))
    assert (game.json["over"], game.json["players"]["A"]["cannot_pay"]) == (None, True)
    game.ok("hit", source="A", hits=hits("BR1")).ok("end_turn", player="A")
    assert game.json["over"] == {"winner": "B", "reason": "cannot_pay"}
    assert game.json["turn"] == "A"


@pytest.mark.parametrize("order", [["AR1", "BR1"], ["BR1", "AR1"]])
def test_t39_unless_the_defender_cannot_either(order: list[str]) -> None:
    game = resolving(side("1 5 5", 0), side("1 5 5", 0))
    for target in order:
        if game.json["over"] is None:
            game.ok("hit", source="A", hits=hits(target))
    assert game.json["over"]["winner"] == "A"
    assert game.json["over"]["reason"] == ("both_cannot_pay" if order[0][0] == "A" else "cannot_pay")


@pytest.mark.parametrize("source", ["A", "B"])
def test_t37_both_in_one_effect_of_the_attack(source: str) -> None:
    for rules in ({}, {"both_lose": "first_loses"}):
        game = resolving(side("1 5 5", 0), side("1 5 5", 0), **rules).ok("hit", source=source, hits=hits("AR1", "BR1"))
        assert game.json["over"] == {"winner": "A", "reason": "both_cannot_pay"}


@pytest.mark.parametrize("source", ["A", "B"])
@pytest.mark.parametrize("first", ["A", "B"])
def test_both_in_one_effect_outside_an_attack(source: str, first: str) -> None:
    game = match(a=side("1 5 5", 0), b=side("1 5 5", 0), first=first)
    game.ok("hit", source=source, hits=hits("AR1", "BR1"))
    assert game.json["over"] == {"winner": source, "reason": "both_cannot_pay"}


@pytest.mark.parametrize("player", ["A", "B"])
def test_outside_an_attack_whoever_cannot_pay_loses_at_once(player: str) -> None:
    for source in "AB":
        game = match(a=side("1 5 5", 0), b=side("1 5 5", 0)).ok("hit", source=source, hits=hits(f"{player}R1"))
        assert game.json["over"] == {"winner": "B" if player == "A" else "A", "reason": "cannot_pay"}


def test_in_strict_order_the_first_to_fail_loses() -> None:
    game = resolving(side("1 5 5", 0), side("1 5 5", 0), both_lose="first_loses").ok(
        "hit", source="A", hits=hits("AR1")
    )
    assert game.json["over"] == {"winner": "B", "reason": "cannot_pay"}


def test_one_who_can_pay_does_while_the_other_fails() -> None:
    game = resolving(side("1 5 5", 0), side("1 5 5", 4)).ok("hit", source="A", hits=hits("AR1", "BR1"))
    assert (game.dials("A"), game.dials("B"), game.credits("B")) == ("0! 5 5", "1! 6 6", 3)


def test_healing_does_not_save_who_could_not_pay() -> None:
    game = resolving(a=side("1 5 5", 0)).ok("hit", source="A", hits=hits("AR1"))
    game.ok("heal", player="A", button="R", amount=9).ok("end_turn", player="A")
    assert game.json["over"]["winner"] == "B"


def test_but_correcting_the_dial_does() -> None:
    game = resolving(a=side("1 5 5", 0)).ok("hit", source="A", hits=hits("AR1"))
    game.ok("correct", player="A", button="R", hp=1, broken=False).ok("end_turn", player="A")
    assert (game.json["over"], game.json["turn"]) == (None, "B")


def test_of_two_dials_that_could_not_be_paid_for_both_have_to_be_corrected() -> None:
    game = resolving(a=side("1 1 5", 2)).ok("hit", source="A", hits=hits("AR1", "AY1"))
    game.ok("correct", player="A", button="R", hp=1, broken=False)
    assert (game.json["players"]["A"]["cannot_pay"], game.dials("A")) == (True, "1 0! 5")
    game.ok("correct", player="A", button="Y", hp=1, broken=True).ok("end_turn", player="A")
    assert (game.json["over"], game.json["turn"]) == (None, "B")


def test_no_credits_left_is_no_loss() -> None:
    game = match(b=side("2 5 5", 1)).ok("hit", source="A", hits=hits("BR2"))
    assert (game.credits("B"), game.json["over"]) == (0, None)


# --- healing and forced credits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dials", "button", "amount", "after"),
    [
        ("9 5 5", "R", 4, "10 5 5"),
        ("7! 5 5", "R", 2, "9 5 5"),
        ("6! 5 5", "R", 2, "8! 5 5"),
        ("1! 5 5", "R", 99, "10 5 5"),
        ("5! 5 5", "Y", 1, "5! 6 5"),
        ("5! 5 5", "R", 0, "5! 5 5"),
    ],
)
def test_heal(dials: str, button: str, amount: int, after: str) -> None:
    assert match(b=side(dials)).ok("heal", player="B", button=button, amount=amount).dials("B") == after


@pytest.mark.parametrize(
    ("rule", "restores", "after"),
    [(False, None, "5 5 8!"), (False, True, "7 7 10"), (True, None, "7 7 10"), (True, False, "5 5 8!")],
)
def test_t42_a_forced_credit_heals_only_if_asked(rule: bool, restores: bool | None, after: str) -> None:
    fields = {} if restores is None else {"restores": restores}
    game = match(b=side("5 5 8!"), forced_credit_heals=rule).ok("pay", player="B", credits=2, **fields)
    assert (game.dials("B"), game.credits("B")) == (after, 2)


def test_t43_a_forced_credit_that_is_not_there() -> None:
    game = match(b=side(credits=1)).ok("pay", player="B", credits=2)
    assert (game.json["over"], game.credits("B")) == ({"winner": "A", "reason": "cannot_pay"}, 1)
    game = resolving(a=side(credits=0)).ok("pay", player="A", credits=1)
    assert game.json["over"] is None
    assert game.ok("end_turn", player="A").json["over"]["winner"] == "B"
    assert match(b=side(credits=0)).ok("pay", player="B", credits=0).json["over"] is None
