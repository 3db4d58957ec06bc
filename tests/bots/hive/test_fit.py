"""The fit of the evaluation weights to recorded games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.hive import weights
from bots.hive.training import fit as fit_module
from bots.hive.training.features import all_features, count_features, list_pairs, weight_of
from bots.hive.training.fit import cross_entropy, fit, format_module, read_features
from bots.hive.training.game_record import GameRecord
from bots.hive.training.make_data import Recorder, RecordingSettings
from bots.hive.training.samples import GameReplayer, Sample, value_target
from core.search.scores import MAX_EVALUATION, NO_SCORE


@pytest.fixture(scope="module")
def games() -> list[GameRecord]:
    recorder = Recorder(RecordingSettings(seed=3, nodes=60))
    return [recorder.play_game(index) for index in range(12)]


@pytest.fixture(scope="module")
def positions(games: list[GameRecord]) -> tuple[Any, Any, Any]:
    """Features, targets and evaluations of the games' quiet positions."""
    return read_features(games, 10_000)


def present_vector() -> Any:
    """Return the present weights in the order of the features' columns."""
    return np.array([weight_of(feature) for feature in all_features()], dtype=float).T.ravel()


def test_features_give_the_evaluation(positions: tuple[Any, Any, Any]) -> None:
    """Weights fitted to other numbers than the kernel multiplies them with would be wrong."""
    features, targets, evaluations = positions
    assert len(features) == len(targets) == len(evaluations) > 200
    assert np.abs(features @ present_vector() - evaluations).max() <= 1  # the kernel rounds


def test_quiet_positions_are_those_that_the_search_evaluates(games: list[GameRecord]) -> None:
    """Others, such as a queen about to be surrounded, would spoil the fit."""
    replayer = GameReplayer()
    counts = {True: 0, False: 0}
    for game in games:
        for sample in replayer.replay(game):
            library: Any = replayer.library
            terminal = library.terminal_score(replayer.state, 0) != NO_SCORE
            is_quiet = not terminal and not library.must_answer_threat(replayer.state)
            assert sample.is_quiet == (is_quiet and abs(sample.score) <= MAX_EVALUATION)
            counts[sample.is_quiet] += 1
    assert counts[True] > counts[False] > 20


def test_the_limit_of_positions_holds(games: list[GameRecord], positions: tuple[Any, Any, Any]) -> None:
    features, targets, _ = read_features(iter(games), 50)
    assert np.array_equal(features, positions[0][:50])
    assert np.array_equal(targets, positions[1][:50])


def test_the_target_mixes_score_and_result() -> None:
    assert value_target(Sample(0, 0, True)) == pytest.approx(0.5)
    assert value_target(Sample(0, 1, True)) == pytest.approx(0.65)
    assert value_target(Sample(0, -1, True)) == pytest.approx(0.35)
    assert value_target(Sample(140, 0, True)) == pytest.approx(0.7 * 0.7310586 + 0.15)
    assert value_target(Sample(30_000, 1, True)) == pytest.approx(1)


def test_weights_that_explain_the_targets_are_found(
    positions: tuple[Any, Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Targets that the present weights predict exactly are predicted by the fitted ones too."""
    monkeypatch.setattr(fit_module, "RIDGE", 1e-6)
    features, _, _ = positions
    log_odds = features @ present_vector() / fit_module.UNITS
    targets = 1 / (1 + np.exp(-log_odds))
    vector = np.array(list(fit(features, targets).values()), dtype=float).T.ravel()
    assert np.abs(1 / (1 + np.exp(-features @ vector / fit_module.UNITS)) - targets).max() < 0.05
    entropy = cross_entropy(features @ present_vector(), targets)
    assert entropy <= cross_entropy(features @ vector, targets) < entropy + 1e-3
    assert cross_entropy(features @ vector, targets) < cross_entropy(-features @ vector, targets)


def test_printed_weights_are_a_module_like_the_present_one() -> None:
    """The output replaces bots/hive/weights.py, so it must have the same names, shapes and order."""
    source = Path(weights.__file__).read_text(encoding="utf-8")
    text = format_module({feature: weight_of(feature) for feature in all_features()})
    loaded: dict[str, Any] = {}
    exec(text, loaded)
    names = re.findall(r"^([A-Z_]+) = ", source, re.MULTILINE)
    assert re.findall(r"^([A-Z_]+) = ", text, re.MULTILINE) == names
    assert {name: loaded[name] for name in names} == {name: getattr(weights, name) for name in names}
    assert len(all_features()) == sum(len(list_pairs(loaded[name])) for name in names if name != "HAND_UNIT")
    assert count_features(GameReplayer().state)["TEMPO", 0] == 1
