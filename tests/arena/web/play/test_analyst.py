"""Analysis on the play page: each move is listed once, the best first, with a proven score if a hint has one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from arena.web.painters import find_painter
from arena.web.play import analyst
from arena.web.play.analyst import AnalysisLine, Analyst, describe_score, insert_line, make_analysis_line
from bots.registry import GAMES
from core.play.game import Position
from core.play.player import Limits, Progress, Setup
from core.search.scores import proven_score

DEADLINE_S = 30.0  # between two changes of the results
THREE_MOVES = Limits(move_time_ms=300, multi_pv=3)
DRAWN_PENTAGO = Setup(6, 6, "pentago", "bw1b2/wbww1w/1wb1wb/wbwbb1/bwbb1w/1wwbb1 w")  # only e5v draws
KOLIBRAT = Setup(variant="3x4-4-5")  # a solved table of this board comes with the bot


def make_line(move: str, depth: int = 0) -> AnalysisLine:
    return AnalysisLine(move, clicks=(move,), score="+1", is_proven=False, depth=depth, nodes=100, pv=(move,))


class WaitingAnalyst:
    """Runs an `Analyst` and waits for its results."""

    def __init__(self, game: str) -> None:
        self._changed = threading.Event()
        self.analyst = Analyst(GAMES[game], find_painter(GAMES[game]), self._changed.set)

    def analyse(self, position: Position, limits: Limits) -> list[tuple[str, str, bool]]:
        """Return the lines of a finished analysis as tuples of move, score and whether it is proven."""
        self.analyst.analyse(position, limits)
        while self.analyst.is_busy:
            assert self._changed.wait(DEADLINE_S)
            self._changed.clear()
        assert self.analyst.failure == ""
        return [(line.move, line.score, line.is_proven) for line in self.analyst.lines]


@pytest.fixture
def analysts() -> Iterator[dict[str, WaitingAnalyst]]:
    """Yield an empty dict; the analysts that a test adds to it, by game, are closed after the test."""
    by_game: dict[str, WaitingAnalyst] = {}
    yield by_game
    for waiting in by_game.values():
        waiting.analyst.close()


def position_after(game: str, moves: str, setup: Setup) -> Position:
    position = GAMES[game].new_position(setup)
    for move in moves.split():
        position.play(move)
    return position


@pytest.mark.parametrize(
    ("moves", "rank", "new_move", "expected"),
    [
        ("", 1, "a", {1: "a"}),
        ("abc", 1, "a", {1: "a", 2: "b", 3: "c"}),
        ("abc", 1, "b", {1: "b", 2: "a", 3: "c"}),
        ("abc", 2, "c", {1: "a", 2: "c", 3: "b"}),
        ("abc", 3, "d", {1: "a", 2: "b", 3: "d"}),
        ("a", 2, "a", {2: "a"}),
    ],
)
def test_inserted_move_has_one_rank(moves: str, rank: int, new_move: str, expected: dict[int, str]) -> None:
    """Regression: if the best move of a new depth was second at the last depth, it used to be listed twice."""
    lines = {number: make_line(move) for number, move in enumerate(moves, 1)}
    insert_line(lines, rank, make_line(new_move, 7))
    assert {number: line.move for number, line in lines.items()} == expected
    assert lines[rank].depth == 7


@pytest.mark.parametrize(
    ("game", "moves", "setup", "score"),
    [
        ("kolibrat", "c1 a4 a1 b4 b1 b4c3", KOLIBRAT, "draw"),
        ("kolibrat", "c1 a4 a1 b4 b1 b4c3 a1b2", KOLIBRAT, "draw"),
        ("pentago", "", DRAWN_PENTAGO, "draw"),
        ("hex", "b3", Setup(4, 4, "standard"), "loss"),
        ("gomoku", "h8 a1 h9 a3 h10 a5", Setup(15, 15, "freestyle"), "win in 3"),
    ],
    ids=["solved table", "solved table, one move", "Pentago solver", "virtual connections", "threat search"],
)
def test_hint_and_analysis_show_the_same_proven_score(
    analysts: dict[str, WaitingAnalyst], monkeypatch: Any, game: str, moves: str, setup: Setup, score: str
) -> None:
    """Regression: a move that draws used to have the score `+0, depth 0` as hint and `+63` as analysis."""
    waiting = analysts.setdefault(game, WaitingAnalyst(game))
    position = position_after(game, moves, setup)
    # Enough time for the proof on a busy machine; the search ends with the proof. An analysis first searches with the
    # limits HINT, which must be as long.
    limits = Limits(move_time_ms=100 if game == "kolibrat" else 4000)
    monkeypatch.setattr(analyst, "HINT", limits)
    (hint,) = waiting.analyse(position, limits)
    best = waiting.analyse(position, THREE_MOVES)[0]
    assert hint[1].startswith(score)
    assert hint[2]
    assert best[1:] == hint[1:]


def test_all_lines_of_a_solved_position_are_proven(
    analysts: dict[str, WaitingAnalyst], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two moves draw and two lose. Regression: a search without the solved table used to rank a losing move first."""
    monkeypatch.setattr(analyst, "HINT", Limits(move_time_ms=100))
    waiting = analysts.setdefault("kolibrat", WaitingAnalyst("kolibrat"))
    lines = waiting.analyse(position_after("kolibrat", "c1 a4 a1 b4 b1 b4c3", KOLIBRAT), THREE_MOVES)
    assert {move: score for move, score, _ in lines[:2]} == {"a1b2": "draw", "c1b2": "draw"}
    assert lines[2][0] in ("b1a2", "b1c2")
    assert lines[2][1].startswith("loss in")
    assert all(proven for _, _, proven in lines)


def test_only_legal_move_is_listed(analysts: dict[str, WaitingAnalyst]) -> None:
    """Regression: a single legal move, which is not searched, used to be missing, as if the analysis were off."""
    waiting = analysts.setdefault("kolibrat", WaitingAnalyst("kolibrat"))
    position = position_after("kolibrat", "b1 a4 c1 c4 b1c2 c4b3 b1 b3a2 c1b2 c4 c2b3", KOLIBRAT)
    assert waiting.analyse(position, THREE_MOVES) == [("b4", "only move", False)]


@pytest.mark.parametrize(
    ("progress", "expected"),
    [
        (Progress(depth=3, score=35), "+35"),
        (Progress(depth=3, score=0), "+0"),
        (Progress(), ""),
        (Progress(nodes=1, proven_result="draw"), "draw"),
        (Progress(depth=9, score=12, proven_result="win"), "win"),
        (Progress(depth=9, score=proven_score(-4), win_in=-4, proven_result="loss"), "loss in 4"),
        (Progress(depth=9, score=proven_score(7)), "win"),  # a proven score without a distance
        (Progress(depth=9, score=-40_000), "-40000"),  # an engine with a different scale of scores
    ],
)
def test_score_as_text(progress: Progress, expected: str) -> None:
    assert describe_score(progress) == expected
    assert make_analysis_line(progress, "a1", {}).is_proven is bool(progress.result)
