"""Generated openings: legal, at least two moves to choose from after each, and no two mirror images of each other."""

from __future__ import annotations

from itertools import islice

import pytest

from bots.kolibrat.openings import balanced_openings, canonical_form
from bots.kolibrat.players import PLAYERS
from bots.kolibrat.position import KolibratPosition
from core.play.player import Limits, Setup, build_player


@pytest.mark.parametrize(
    ("position", "image"),
    [
        ("3/1bb/rrr/r2 r 0 0 4 5", "3/bb1/rrr/2r r 0 0 4 5"),
        ("b2/3/3/2r b 1 0 4 5", "2b/3/3/r2 b 1 0 4 5"),
    ],
)
def test_only_mirror_images_share_a_canonical_form(position: str, image: str) -> None:
    forms = [canonical_form(KolibratPosition(Setup(position=text))) for text in (position, image)]
    assert forms[0] == forms[1]
    ranks, side, red, black, *rest = position.split()
    others = (
        " ".join([ranks, "rb"[side == "r"], red, black, *rest]),
        " ".join([ranks, side, red, "2", *rest]),
    )
    assert forms[0] not in {canonical_form(KolibratPosition(Setup(position=text))) for text in others}


def test_openings_leave_a_choice_and_no_proven_end() -> None:
    """A position with a single move is not searched, so its score would look perfectly balanced."""
    setup = Setup(variant="3x4-4-2")
    openings = list(islice(balanced_openings(setup, 8, 3, 1), 8))
    assert openings == list(islice(balanced_openings(setup, 8, 3, 1), 8))
    player = build_player(PLAYERS, "pentad")
    player.new_game(setup)
    forms = set()
    for moves in openings:
        position = KolibratPosition(setup)
        for move in moves:
            position.play(move)
        assert len(moves) == 8
        assert len(position.legal_moves()) > 1
        forms.add(canonical_form(position))
        player.set_position(moves)
        assert player.choose(Limits(depth=3)).progress.win_in is None
    assert len(forms) == len(openings)


def test_the_generator_stops_when_there_are_no_more_openings() -> None:
    """On three columns the first move has only two canonical forms."""
    assert len(list(balanced_openings(Setup(variant="3x4-4-5"), 1, 2, 1))) == 1
