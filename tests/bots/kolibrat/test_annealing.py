"""Tuning: the thesis' population, runs that repeat and resume, and the file of weights that the bot reads."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.errors import CommandFailedError, UsageError
from arena.tools.kolibrat import parse_request, tune
from bots.kolibrat.notation import Board
from bots.kolibrat.parameters import WEIGHT_NAMES
from bots.kolibrat.training import optuna_search
from bots.kolibrat.training import tune as module
from bots.kolibrat.training.annealing import (
    HIGHEST,
    POPULATION,
    initial_population,
    mutate,
    play_annealing_round,
    scale_weights,
)
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.training.tune import write_weights
from bots.kolibrat.weights import START_WEIGHTS, WEIGHTS_FILE, tuned_weights

BOARD = Board(2, 3, 2, 1)


def make_duel() -> Duel:
    return Duel(BOARD, depth=1, cap_plies=20)


def test_a_round_keeps_the_winners_and_adds_a_mutant_of_each() -> None:
    before = initial_population(seed=3)
    assert len(set(before.vectors)) == POPULATION
    assert all(0 <= weight <= HIGHEST for vector in before.vectors for weight in vector)
    after = play_annealing_round(before, rounds=4, seed=3, duel=make_duel())
    winners = after.vectors[: POPULATION // 2]
    assert set(winners) < set(before.vectors)
    assert len(after.vectors) == POPULATION
    assert after == play_annealing_round(before, rounds=4, seed=3, duel=make_duel())


@pytest.mark.parametrize(("temperature", "reach"), [(1.0, 1000), (0.1, 100), (0.0, 1)])
def test_mutants_stay_nearer_as_it_cools(temperature: float, reach: int) -> None:
    chance, parent = random.Random(1), (0, 500, 1000)
    mutants = [mutate(parent, temperature, chance) for _ in range(300)]
    moved = max(abs(a - b) for mutant in mutants for a, b in zip(mutant, parent, strict=True))
    assert reach / 2 < moved <= reach
    assert all(0 <= weight <= HIGHEST for mutant in mutants for weight in mutant)


def test_a_game_at_the_cap_is_decided_by_lot() -> None:
    duel = Duel(Board(3, 4, 4, 5), depth=1, cap_plies=6)
    winners = {duel.play(START_WEIGHTS, START_WEIGHTS, random.Random(seed)) for seed in range(20)}
    assert winners == {0, 1}


def test_better_weights_win_more_games() -> None:
    """A vector that hates to score against one that likes it."""
    points = tuple(1000 * (name == "point") for name in WEIGHT_NAMES)
    exposes = tuple(1000 * (name == "insertion_line") for name in WEIGHT_NAMES)
    duel = Duel(Board(3, 4, 4, 2), depth=3, cap_plies=80)
    assert sum(duel.play_match(points, exposes, 20, random.Random(2))) >= 14


def request(out: Path, method: str = "annealing", rounds: int = 2) -> module.TuneOptions:
    return parse_request(BOARD, method, out, rounds=rounds, depth=1, cap=20, games=4, seed=5)


@pytest.mark.parametrize("method", ["annealing", "optuna"])
def test_a_run_that_breaks_off_ends_with_the_same_weights(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken off in the middle of a game, which is then played again."""
    if method == "optuna":
        pytest.importorskip("optuna")
    monkeypatch.setattr(optuna_search, "TRIAL_GAMES", 2)
    monkeypatch.setattr(module, "POPULATION", 20)  # as many trials; ten are drawn at random, then the method begins
    console, games, play, rounds = Console(file=io.StringIO()), 0, Duel.play, 2 if method == "annealing" else 1
    whole = tune(request(tmp_path / "whole.json", method, rounds), console)

    def break_off(*arguments: Any) -> int:
        nonlocal games
        games += 1
        if games == 34:  # the second round, the seventeenth trial
            raise KeyboardInterrupt
        return play(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Duel, "play", break_off)
        with pytest.raises(KeyboardInterrupt):
            tune(request(tmp_path / "half.json", method, rounds), console)
    with pytest.raises(CommandFailedError, match="run with other numbers"):
        tune(request(tmp_path / "half.json", method, 3), console)
    assert tune(request(tmp_path / "half.json", method, rounds), console)[:2] == whole[:2]
    assert (tmp_path / "half.json").read_text() == (tmp_path / "whole.json").read_text()
    assert not list(tmp_path.glob("*.run"))


def test_trials_of_before_are_gone_on_with_as_if_nothing_had_been(monkeypatch: pytest.MonkeyPatch) -> None:
    """After ten trials at random the method learns from them, so that a wrong one would move the next."""
    pytest.importorskip("optuna")
    monkeypatch.setattr(optuna_search, "TRIAL_GAMES", 2)
    duel, study = make_duel(), optuna_search.restore_study([])
    whole = [optuna_search.run_trial(study, number, 3, duel) for number in range(14)]
    assert optuna_search.run_trial(optuna_search.restore_study(whole[:12]), 12, 3, duel) == whole[12]
    assert len(set(whole)) == 14


def test_weights_of_other_sizes_stay(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_weights(path, Board(3, 4, 4, 5), START_WEIGHTS)
    write_weights(path, Board(5, 6, 6, 4), scale_weights(tuple(range(11))))
    found = json.loads(path.read_text())
    assert list(found) == ["3x4", "5x6"]
    assert max(found["5x6"].values()) == 500


def test_numbers_are_checked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--depth must be 1 or more, not 0"):
        parse_request(BOARD, "annealing", tmp_path, rounds=1, depth=0, cap=1, games=1, seed=1)


def test_shipped_weights_serve_every_size() -> None:
    for size, row in json.loads(WEIGHTS_FILE.read_text()).items():
        width, height = map(int, size.split("x"))
        assert tuned_weights(Board(width, height, 4, 5)) == tuple(row[name] for name in WEIGHT_NAMES)
    assert len(tuned_weights(Board(9, 9, 30, 4))) == len(WEIGHT_NAMES)
