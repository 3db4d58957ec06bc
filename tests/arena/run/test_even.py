"""A run is fair: an engine scores as much as itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.log.file import read_run
from arena.results.outcome import compute_outcome
from arena.results.run_statistics import group_by_pair
from arena.terms.arguments import find_game

BOOKS = Path(cli.__file__).parents[1] / "books"


@pytest.mark.parametrize("pairs", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_engine_against_itself_is_exactly_even(tmp_path: Path, pairs: int) -> None:
    """With fixed nodes both games of a pair are the same one, and each engine wins it once, if anybody does."""
    book = BOOKS / find_game("gomoku").book
    terms = ["--nodes", "100", "--restart", "--openings", str(book), "--games", str(2 * pairs), "--seed", "1"]
    engines = ["--engine", "player=pentad:hash=1,name=A", "--engine", "player=pentad:hash=1,name=B"]
    assert cli.run(["match", "--game", "gomoku", *engines, *terms, "--out", str(tmp_path / "run")]) == 0
    run = read_run(tmp_path / "run")
    found = group_by_pair(run.games)
    assert len(found) == pairs
    for one, other in found.values():
        assert one.all_moves == other.all_moves
        assert (one.first, one.second) == (other.second, other.first)
        assert one.score("A") == other.score("B")
    first, second = compute_outcome(run).statistics.engines
    assert (first.won, first.drawn, first.lost) == (second.won, second.drawn, second.lost)
