"""The analysis lists each move once, the engine's choice first, and tells what is proven as a hint does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from arena.web.painters import find_painter
from arena.web.play import analyst
from arena.web.play.analyst import Analyst, Insight, describe_score, make_insight, put_line
from bots.registry import GAMES
from core.play.game import Position
from core.play.player import Limits, Progress, Setup
from core.search.scores import proven_score

DEADLINE_S = 30.0
LINES = Limits(move_time_ms=300, multi_pv=3)
DRAWN = Setup(6, 6, "pentago", "bw1b2/wbww1w/1wb1wb/wbwbb1/bwbb1w/1wwbb1 w")  # to move e5v, the only one that draws
KOLIBRAT = Setup(variant="3x4-4-5")


def insight(move: str, depth: int = 0) -> Insight:
    return Insight(move, (move,), "+1", False, depth, 100, (move,))


class Desk:
    """An analyst who can be waited for."""

    def __init__(self, game: str) -> None:
        self._changed = threading.Event()
        self.analyst = Analyst(GAMES[game], find_painter(GAMES[game]), self._changed.set)

    def look(self, position: Position, limits: Limits) -> list[tuple[str, str, bool]]:
        """Moves with their scores, and whether they are proven."""
        self.analyst.look(position, limits)
        while self.analyst.busy:
            assert self._changed.wait(DEADLINE_S)
            self._changed.clear()
        assert self.analyst.failure == ""
        return [(line.move, line.score, line.proven) for line in self.analyst.lines]


@pytest.fixture
def desks() -> Iterator[dict[str, Desk]]:
    made: dict[str, Desk] = {}
    yield made
    for desk in made.values():
        desk.analyst.close()


def position_after(game: str, line: str, setup: Setup) -> Position:
    position = GAMES[game].new_position(setup)
    for move in line.split():
        position.play(move)
    return position


@pytest.mark.parametrize(
    ("ranks", "line", "move", "wanted"),
    [
        ("", 1, "a", {1: "a"}),
        ("abc", 1, "a", {1: "a", 2: "b", 3: "c"}),
        ("abc", 1, "b", {1: "b", 2: "a", 3: "c"}),
        ("abc", 2, "c", {1: "a", 2: "c", 3: "b"}),
        ("abc", 3, "d", {1: "a", 2: "b", 3: "d"}),
        ("a", 2, "a", {2: "a"}),
    ],
)
def test_move_stands_in_one_line_only(ranks: str, line: int, move: str, wanted: dict[int, str]) -> None:
    """The first line of a new depth is often the second of the last one, which was then shown twice."""
    found = {number: insight(known) for number, known in enumerate(ranks, 1)}
    put_line(found, line, insight(move, 7))
    assert {number: known.move for number, known in found.items()} == wanted
    assert found[line].depth == 7


@pytest.mark.parametrize(
    ("game", "line", "setup", "score", "proven"),
    [
        ("kolibrat", "c1 a4 a1 b4 b1 b4c3", KOLIBRAT, "draw", True),
        ("kolibrat", "c1 a4 a1 b4 b1 b4c3 a1b2", KOLIBRAT, "draw", True),
        ("pentago", "", DRAWN, "draw", True),
        ("hex", "b3", Setup(4, 4, "standard"), "loss", True),
        ("gomoku", "h8 a1 h9 a3 h10 a5", Setup(15, 15, "freestyle"), "win in 3", True),
    ],
    ids=["table", "table of one move", "solver", "virtual connections", "fours"],
)
def test_hint_and_analysis_tell_the_same_of_what_is_proven(
    desks: dict[str, Desk], monkeypatch: Any, game: str, line: str, setup: Setup, score: str, proven: bool
) -> None:
    """A drawn move of the table was `+0, depth 0` as a hint, and the search's `+63` in the analysis beside it."""
    desk = desks.setdefault(game, Desk(game))
    position = position_after(game, line, setup)
    enough = Limits(move_time_ms=100 if game == "kolibrat" else 4000)  # for a proof on a busy machine, which ends it
    monkeypatch.setattr(analyst, "HINT", enough)
    (hint,) = desk.look(position, enough)
    best = desk.look(position, LINES)[0]
    assert hint[1].startswith(score)
    assert hint[2] is proven
    assert best[1:] == hint[1:]


def test_all_lines_of_a_solved_position_are_proven(desks: dict[str, Desk], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two moves draw, two lose: a search called one of the losing ones the best."""
    monkeypatch.setattr(analyst, "HINT", Limits(move_time_ms=100))
    desk = desks.setdefault("kolibrat", Desk("kolibrat"))
    lines = desk.look(position_after("kolibrat", "c1 a4 a1 b4 b1 b4c3", KOLIBRAT), LINES)
    assert {move: score for move, score, _ in lines[:2]} == {"a1b2": "draw", "c1b2": "draw"}
    assert lines[2][0] in ("b1a2", "b1c2")
    assert lines[2][1].startswith("loss in")
    assert all(proven for _, _, proven in lines)


def test_only_move_is_told(desks: dict[str, Desk]) -> None:
    """Without a choice there is no search, and the analysis stayed empty as if it were off."""
    desk = desks.setdefault("kolibrat", Desk("kolibrat"))
    position = position_after("kolibrat", "b1 a4 c1 c4 b1c2 c4b3 b1 b3a2 c1b2 c4 c2b3", KOLIBRAT)
    assert desk.look(position, LINES) == [("b4", "only move", False)]


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress(depth=3, score=35), "+35"),
        (Progress(depth=3, score=0), "+0"),
        (Progress(), ""),
        (Progress(nodes=1, proven_result="draw"), "draw"),
        (Progress(depth=9, score=12, proven_result="win"), "win"),
        (Progress(depth=9, score=proven_score(-4), win_in=-4, proven_result="loss"), "loss in 4"),
        (Progress(depth=9, score=proven_score(7)), "win"),  # proven, and nothing told of its length
        (Progress(depth=9, score=-40_000), "-40000"),  # of an engine with a scale of its own
    ],
)
def test_score_is_told_in_words(progress: Progress, words: str) -> None:
    assert describe_score(progress) == words
    assert make_insight(progress, "a1", {}).proven is bool(progress.result)
