"""The canonical form of Hex openings: equal after a rotation by 180 degrees, but not for mirror images."""

from __future__ import annotations

from bots.hex.openings import canonical_form
from bots.hex.position import HexPosition
from core.play.player import Setup


def form_of(moves: list[str], setup: Setup) -> object:
    """Return the canonical form of an opening."""
    position = HexPosition(setup)
    for move in moves:
        position.play(move)
    return canonical_form(position)


def test_a_rotation_is_the_same_opening_and_a_mirror_image_another() -> None:
    setup = Setup(5, 4, "standard")
    assert form_of(["a2", "c1"], setup) == form_of(["e3", "c4"], setup)
    assert form_of(["a2", "c1"], setup) != form_of(["c1", "a2"], setup)
    assert form_of(["b3", "c1"], Setup(5, 5, "standard")) != form_of(["c2", "a3"], Setup(5, 5, "standard"))
