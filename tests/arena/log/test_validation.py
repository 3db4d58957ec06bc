"""Tests of the points that a complete pair of games gives in a tournament by rounds."""

from __future__ import annotations

import pytest

from arena.formats.tournament import Stage
from arena.log.validation import make_tournament, score_pair
from arena.terms.ending import Ending
from tests.arena.web.runs import make_game, make_header


@pytest.mark.parametrize(
    ("winners", "points"), [("BB", (0, 2)), ("AB", (1, 1)), (("A", ""), (1.5, 0.5)), (("B", None), (0, 1))]
)
def test_points_are_those_of_the_engines_of_the_encounter(
    winners: tuple[str | None, str | None], points: tuple[float, float]
) -> None:
    """None stands for a void game, which must not count as a draw. The colours are swapped in the second game."""
    header = make_header("AB", tournament_format="knockout")
    tournament = make_tournament(header)
    assert tournament
    tournament.add_stage(Stage(1, ((0, 1),)))
    endings = [Ending.VOID if winner is None else Ending.WIN if winner else Ending.DRAW for winner in winners]
    games = [
        make_game(number, *engines, winner=winner or "", ending=ending)
        for number, engines, winner, ending in zip((1, 2), ("AB", "BA"), winners, endings, strict=True)
    ]
    assert score_pair(header, tournament, 1, games) == points
