"""Tuning of Kolibrat's weights: annealing rounds, runs that repeat and resume, and the file of weights.

A vector has a weight for each name in WEIGHT_NAMES. A `Duel` plays games between two vectors on one board.
"""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.errors import CommandFailedError, UsageError
from arena.tools.kolibrat import make_tune_options, tune
from bots.kolibrat.notation import Board
from bots.kolibrat.parameters import WEIGHT_NAMES
from bots.kolibrat.training import optuna_search
from bots.kolibrat.training import tune as tune_module
from bots.kolibrat.training.annealing import (
    MAX_RAW_WEIGHT,
    POPULATION,
    initial_population,
    mutate,
    play_annealing_round,
    scale_weights,
)
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.training.tune import write_weights
from bots.kolibrat.weights import START_WEIGHTS, WEIGHTS_FILE, tuned_weights

BOARD = Board(2, 3, 2, 1)  # columns, rows, pieces of each side, points that win


def make_duel() -> Duel:
    return Duel(BOARD, depth=1, max_plies=20)


def test_a_round_keeps_the_winners_and_adds_their_mutants() -> None:
    population = initial_population(seed=3)
    assert len(set(population.vectors)) == POPULATION
    assert all(0 <= weight <= MAX_RAW_WEIGHT for vector in population.vectors for weight in vector)
    next_population = play_annealing_round(population, rounds=4, seed=3, duel=make_duel())
    winners = next_population.vectors[: POPULATION // 2]
    assert set(winners) < set(population.vectors)
    assert len(next_population.vectors) == POPULATION
    assert next_population == play_annealing_round(population, rounds=4, seed=3, duel=make_duel())


@pytest.mark.parametrize(("temperature", "max_change"), [(1.0, 1000), (0.1, 100), (0.0, 1)])
def test_mutation_shrinks_with_the_temperature(temperature: float, max_change: int) -> None:
    rng, parent = random.Random(1), (0, 500, 1000)
    mutants = [mutate(parent, temperature, rng) for _ in range(300)]
    largest_change = max(abs(a - b) for mutant in mutants for a, b in zip(mutant, parent, strict=True))
    assert max_change / 2 < largest_change <= max_change
    assert all(0 <= weight <= MAX_RAW_WEIGHT for mutant in mutants for weight in mutant)


def test_a_random_side_wins_a_game_at_the_ply_limit() -> None:
    duel = Duel(Board(3, 4, 4, 5), depth=1, max_plies=6)
    winners = {duel.play(START_WEIGHTS, START_WEIGHTS, random.Random(seed)) for seed in range(20)}
    assert winners == {0, 1}


def test_better_weights_win_more_games() -> None:
    """Weights that value only points beat weights that value only pieces on the own home row."""
    points_only = tuple(1000 * (name == "point") for name in WEIGHT_NAMES)
    insertion_only = tuple(1000 * (name == "insertion_line") for name in WEIGHT_NAMES)
    duel = Duel(Board(3, 4, 4, 2), depth=3, max_plies=80)
    assert sum(duel.play_match(points_only, insertion_only, 20, random.Random(2))) >= 14


def tune_options(out: Path, method: str = "annealing", rounds: int = 2) -> tune_module.TuneOptions:
    """Return options for a quick run; `cap` is the number of plies after which a random side wins a game."""
    return make_tune_options(BOARD, method, out, rounds=rounds, depth=1, cap=20, games=4, seed=5)


@pytest.mark.parametrize("method", ["annealing", "optuna"])
def test_an_interrupted_run_ends_with_the_same_weights(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is interrupted in the middle of a game, which is then played again."""
    if method == "optuna":
        pytest.importorskip("optuna")
    monkeypatch.setattr(optuna_search, "TRIAL_GAMES", 2)
    monkeypatch.setattr(tune_module, "POPULATION", 20)  # number of trials; optuna draws the first ten at random
    console, games, play, rounds = Console(file=io.StringIO()), 0, Duel.play, 2 if method == "annealing" else 1
    whole = tune(tune_options(tmp_path / "whole.json", method, rounds), console)

    def interrupt(*arguments: Any) -> int:
        nonlocal games
        games += 1
        if games == 34:  # in the second round of annealing, or in the seventeenth trial of optuna
            raise KeyboardInterrupt
        return play(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Duel, "play", interrupt)
        with pytest.raises(KeyboardInterrupt):
            tune(tune_options(tmp_path / "half.json", method, rounds), console)
    with pytest.raises(CommandFailedError, match="run with other numbers"):
        tune(tune_options(tmp_path / "half.json", method, 3), console)
    assert tune(tune_options(tmp_path / "half.json", method, rounds), console)[:2] == whole[:2]
    assert (tmp_path / "half.json").read_text() == (tmp_path / "whole.json").read_text()
    assert not list(tmp_path.glob("*.run"))


def test_a_restored_study_proposes_the_same_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the eleventh trial on, optuna's proposal depends on the earlier trials."""
    pytest.importorskip("optuna")
    monkeypatch.setattr(optuna_search, "TRIAL_GAMES", 2)
    duel, study = make_duel(), optuna_search.restore_study([])
    whole = [optuna_search.run_trial(study, number, 3, duel) for number in range(14)]
    assert optuna_search.run_trial(optuna_search.restore_study(whole[:12]), 12, 3, duel) == whole[12]
    assert len(set(whole)) == 14


def test_writing_weights_keeps_other_sizes(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_weights(path, Board(3, 4, 4, 5), START_WEIGHTS)
    write_weights(path, Board(5, 6, 6, 4), scale_weights(tuple(range(11))))
    written = json.loads(path.read_text())
    assert list(written) == ["3x4", "5x6"]
    assert max(written["5x6"].values()) == 500  # `scale_weights` gives the largest weight this value


def test_a_depth_of_zero_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--depth must be 1 or more, not 0"):
        make_tune_options(BOARD, "annealing", tmp_path, rounds=1, depth=0, cap=1, games=1, seed=1)


def test_every_board_size_has_weights() -> None:
    """A size that is not in the file, such as 9x9, has weights, too."""
    for size, row in json.loads(WEIGHTS_FILE.read_text()).items():
        width, height = map(int, size.split("x"))
        assert tuned_weights(Board(width, height, 4, 5)) == tuple(row[name] for name in WEIGHT_NAMES)
    assert len(tuned_weights(Board(9, 9, 30, 4))) == len(WEIGHT_NAMES)
