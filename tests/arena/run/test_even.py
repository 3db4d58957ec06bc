"""Tests that an engine against itself scores exactly 50 %, so a run favours neither engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.log.file import read_run
from arena.results.outcome import compute_outcome
from arena.results.run_statistics import group_by_pair
from arena.terms.arguments import find_game

BOOKS = Path(cli.__file__).parents[1] / "books"


@pytest.mark.parametrize("pair_count", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_engine_against_itself_is_exactly_even(tmp_path: Path, pair_count: int) -> None:
    """With fixed nodes both games of a pair have the same moves, so each engine wins one of them or both are drawn."""
    book = BOOKS / find_game("gomoku").book
    options = ["--nodes", "100", "--restart", "--openings", str(book), "--games", str(2 * pair_count), "--seed", "1"]
    engines = ["--engine", "player=pentad:hash=1,name=A", "--engine", "player=pentad:hash=1,name=B"]
    assert cli.run(["match", "--game", "gomoku", *engines, *options, "--out", str(tmp_path / "run")]) == 0
    run = read_run(tmp_path / "run")
    games_by_pair = group_by_pair(run.games)
    assert len(games_by_pair) == pair_count
    for first_game, second_game in games_by_pair.values():
        assert first_game.all_moves == second_game.all_moves
        assert (first_game.first, first_game.second) == (second_game.second, second_game.first)
        assert first_game.score("A") == second_game.score("B")
    engine_a, engine_b = compute_outcome(run).statistics.engines
    assert (engine_a.won, engine_a.drawn, engine_a.lost) == (engine_b.won, engine_b.drawn, engine_b.lost)
