"""Openings for books: no two alike under rotation, and none with a swap."""

from __future__ import annotations

from itertools import islice

from bots.hex.openings import balanced_openings, canonical_form
from bots.hex.position import HexPosition
from core.play.player import Setup


def form_of(moves: list[str], setup: Setup) -> object:
    """Return the canonical form of an opening."""
    position = HexPosition(setup)
    for move in moves:
        position.play(move)
    return canonical_form(position)


def test_a_half_turn_is_the_same_opening_and_a_mirror_image_another() -> None:
    setup = Setup(5, 4, "standard")
    assert form_of(["a2", "c1"], setup) == form_of(["e3", "c4"], setup)
    assert form_of(["a2", "c1"], setup) != form_of(["c1", "a2"], setup)
    assert form_of(["b3", "c1"], Setup(5, 5, "standard")) != form_of(["c2", "a3"], Setup(5, 5, "standard"))


def test_openings_are_stones_even_where_the_swap_is_allowed() -> None:
    openings = list(islice(balanced_openings(Setup(7, 7, "swap"), 2, 1, 3), 4))
    assert len({form_of(moves, Setup(7, 7, "standard")) for moves in openings}) == len(openings) == 4
    assert all(len(moves) == 2 and "swap-pieces" not in moves for moves in openings)
