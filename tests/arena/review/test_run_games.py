"""The games of a match that are worth a review, and the links of the report to the reviews."""

from __future__ import annotations

from pathlib import Path

from arena.log.events import MoveEntry
from arena.review.run_games import find_greatest_swings, measure_swing, name_review
from arena.web.report.page import make_report
from bots.registry import GAMES
from core.play.player import Setup
from tests.arena.web.runs import make_game, make_header, make_outcome

GOMOKU, SETUP = GAMES["gomoku"], Setup(15, 15, "freestyle")


def entries(*scores: int | None) -> tuple[MoveEntry, ...]:
    """Return moves whose scores are given by both sides in turn."""
    squares = ("i8", "a1", "j8", "a3", "k8", "a5")
    return tuple(MoveEntry(squares[ply], 10, score, side=ply % 2) for ply, score in enumerate(scores))


def test_the_swing_is_between_scores_of_the_same_engine() -> None:
    calm = make_game(1, "A", "B", moves=entries(100, -100, 100, -100))
    wild = make_game(2, "A", "B", moves=entries(100, -100, -800, 700))
    silent = make_game(3, "A", "B", moves=entries(None, None))
    assert measure_swing(GOMOKU, SETUP, calm) == 0
    assert measure_swing(GOMOKU, SETUP, silent) == 0
    assert measure_swing(GOMOKU, SETUP, wild) > 0.3
    assert find_greatest_swings(GOMOKU, SETUP, [calm, wild, silent], 2) == [wild, calm]


def test_the_report_links_to_reviews() -> None:
    outcome = make_outcome(make_header("AB"), make_game(1, "A", "B"), make_game(2, "B", "A"))
    first, second = make_report(outcome, {2: name_review(2)}).games
    assert (first.review, second.review) == ("", "reviews/00002/review.html")


def test_the_name_of_a_review_is_a_path_from_the_folder_of_the_run() -> None:
    assert Path(name_review(12)) == Path("reviews", "00012", "review.html")
