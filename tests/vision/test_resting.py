from __future__ import annotations

from dataclasses import replace

from vision.pieces import Piece, Zone
from vision.resting import PICTURES, STILL_NS, UNSEEN_NS, Lying, Resting

MS = 1_000_000
HERE = Piece(7, (300.0, 200.0), Zone("field", 2, 1), 0)
THERE = Piece(7, (500.0, 200.0), Zone("field", 4, 1), 0)


class Film:
    """Pictures 100 ms apart."""

    def __init__(self) -> None:
        self.resting, self.t_ns = Resting(), 0

    def show(self, *pieces: Piece, times: int = 1, step_ns: int = 100 * MS) -> Lying:
        for _ in range(times):
            lying = self.resting.see(pieces, self.t_ns)
            self.t_ns += step_ns
        return lying


def test_a_piece_lies_when_it_did_not_move_for_a_while() -> None:
    film = Film()
    assert film.show(HERE, times=4).moving == {7}
    lying = film.show(HERE)
    assert (dict(lying.at_rest), lying.moving, lying.settled) == ({7: HERE}, frozenset(), True)


def test_two_pictures_far_apart_prove_nothing() -> None:
    film = Film()
    lying = film.show(HERE, times=PICTURES - 1, step_ns=STILL_NS)
    assert 7 not in lying.at_rest
    assert 7 in film.show(HERE).at_rest


def test_a_carried_piece_is_told_only_where_it_is_put_down() -> None:
    film = Film()
    film.show(HERE, times=8)
    for x in range(310, 500, 30):
        lying = film.show(replace(HERE, at=(float(x), 200.0), zone=Zone("field", 3, 1)))
        assert lying.at_rest[7] == HERE
        assert lying.moving == {7}
    assert film.show(THERE, times=8).at_rest == {7: THERE}


def test_a_piece_that_is_pushed_slowly_has_moved() -> None:
    film = Film()
    film.show(HERE, times=8)
    for step in range(20):
        lying = film.show(replace(HERE, at=(300.0 + 2 * step, 200.0)))
    assert lying.moving == {7}
    assert lying.at_rest[7].at[0] < 330


def test_noise_does_not_hide_a_piece_and_shaking_does_not_move_it() -> None:
    film = Film()
    film.show(HERE, times=8)
    assert film.show().settled
    lying = film.show(replace(HERE, at=(301.5, 199.0)), times=2)
    assert lying.settled
    assert lying.at_rest == {7: HERE}


def test_what_is_covered_lies_where_it_lay_and_is_named() -> None:
    film = Film()
    film.show(HERE, times=8)
    lying = film.show(times=2 + UNSEEN_NS // (100 * MS))
    assert (dict(lying.at_rest), lying.covered, lying.settled) == ({7: HERE}, {7}, False)
    # and comes back as itself, after it has been seen to lie again
    assert film.show(HERE).moving == {7}
    assert film.show(HERE, times=8).settled


def test_a_turned_piece_is_another_reading() -> None:
    film = Film()
    film.show(HERE, times=8)
    turned = replace(HERE, turn=90)
    assert film.show(turned).at_rest[7].turn == 0
    assert film.show(turned, times=6).at_rest[7].turn == 90


def test_a_piece_between_two_zones_is_told_as_that() -> None:
    film = Film()
    between = Piece(7, (400.0, 200.0), None, 0, "between", (Zone("field", 2, 1), Zone("field", 3, 1)))
    assert film.show(between, times=8).at_rest == {7: between}


def test_a_piece_that_somebody_took_away_is_forgotten_when_they_say_so() -> None:
    film = Film()
    film.show(HERE, times=8)
    film.show(times=10)
    film.resting.away(7)
    lying = film.show()
    assert (dict(lying.at_rest), lying.settled) == ({}, True)
