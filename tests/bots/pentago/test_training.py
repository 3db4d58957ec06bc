"""Fitting the weights of Pentago: features must match the evaluation, and recorded games must be reproducible.

A weight has one value per knot, a number of marbles on the board, and is interpolated between knots.
`record_games(file, games, Recorder, nodes, seed)` fills a file with games of the engine against itself.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from bots.pentago import weights
from bots.pentago.position import PentagoPosition
from bots.pentago.training import fit
from bots.pentago.training.features import (
    FEATURE_COLUMNS,
    SCALAR_FEATURES,
    FeatureExtractor,
    expand_by_knot,
    format_weights,
)
from bots.pentago.training.fit import read_samples
from bots.pentago.training.make_data import Recorder
from core.play.player import Setup
from core.training.games import record_games


def current_weights() -> list[float]:
    """Return the weights in use, in the order of the feature columns, one knot after another."""
    weight_list: list[float] = []
    for knot in range(len(weights.KNOTS)):
        for name, length in (*FEATURE_COLUMNS, *((single, 1) for single in SCALAR_FEATURES)):
            value = getattr(weights, name)[knot]
            weight_list += value if length > 1 else [value]
    return weight_list


def test_weighted_features_equal_the_evaluation() -> None:
    """Between knots the evaluation rounds each weight, so each count may differ by half a unit."""
    rng, position, extractor = random.Random(21), PentagoPosition(Setup()), FeatureExtractor()
    numbers = np.array(current_weights())
    for marbles in (*weights.KNOTS, 7, 19, 26):
        for _ in range(6):
            position.restart(Setup())
            while position.marble_count < marbles and not position.state.result:
                position.make(rng.choice(position.legal_numbers()))
            state = position.state
            if state.result or position.library.rotated_threes_to_move(state) < 0:
                continue
            own, other = (state.white, state.black) if state.side == 0 else (state.black, state.white)
            features = extractor.extract(int(own), int(other))
            slack = 0 if marbles in weights.KNOTS or marbles > weights.KNOTS[-1] else sum(map(abs, features)) / 2
            expected = float(np.array(expand_by_knot(features, marbles)) @ numbers)
            assert abs(position.library.evaluate(state) - expected) <= slack + 0.01, position.position_text()


def test_format_weights() -> None:
    formatted = dict(line.split(" = ") for line in format_weights(current_weights()).splitlines())
    assert formatted == {name: str(getattr(weights, name)) for name in (*dict(FEATURE_COLUMNS), *SCALAR_FEATURES)}


def test_recorded_positions_are_undecided(tmp_path: Path) -> None:
    """The position after the end of a game teaches nothing about the evaluation."""
    position, file = PentagoPosition(Setup()), tmp_path / "games"
    record_games(file, 3, Recorder, 300, 4)
    samples = list(read_samples([file]))
    assert len(samples) > 30
    for own, other, target in samples:
        assert 0 <= target <= 1
        assert own & other == 0
        position.library.setup(position.state, own, other, 0)
        assert position.state.result == 0


def test_interrupted_file_continues_with_the_same_games(tmp_path: Path) -> None:
    file, other = tmp_path / "games", tmp_path / "other"
    record_games(file, 4, Recorder, 300, 5)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) * 2 // 3])
    record_games(file, 4, Recorder, 300, 5)
    record_games(other, 4, Recorder, 300, 6)
    assert file.read_bytes() == whole != other.read_bytes()
    positions = {str(json.loads(line)["positions"]) for line in whole.splitlines()}
    assert len(positions) == 4


def test_game_does_not_depend_on_earlier_games() -> None:
    """A file of recorded games must not depend on the number of processes that record them."""
    recorder = Recorder(nodes=2_000, seed=7)
    assert recorder.play(3) == recorder.play(3)


def test_fit_uses_the_positions_of_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fit_output(*files: Path) -> str:
        monkeypatch.setattr("sys.argv", ["fit", *map(str, files)])
        fit.main()
        return capsys.readouterr().out

    first, second, joined = (tmp_path / name for name in ("first", "second", "joined"))
    for seed, file in enumerate((first, second)):
        record_games(file, 3, Recorder, 300, seed)
    joined.write_bytes(first.read_bytes() + second.read_bytes())
    assert fit_output(first, second) == fit_output(joined)
    counts = [int(fit_output(*files).split()[0]) for files in ((first,), (second,), (first, second))]
    assert counts[0] + counts[1] == counts[2] > counts[0] > 0


@pytest.mark.parametrize(
    ("marbles", "weights_at_knots"), [(0, [1, 0, 0, 0]), (13, [0, 0.5, 0.5, 0]), (36, [0, 0, 0, 1])]
)
def test_interpolation_between_knots(marbles: int, weights_at_knots: list[float]) -> None:
    assert expand_by_knot([2], marbles) == pytest.approx([2 * weight for weight in weights_at_knots])
