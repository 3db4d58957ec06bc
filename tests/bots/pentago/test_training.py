"""Fitting the weights: what is counted must be what the evaluation counts, else the fit is of another evaluation."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from bots.pentago import weights
from bots.pentago.position import PentagoPosition
from bots.pentago.training import fit
from bots.pentago.training.features import LENGTHS, SINGLES, Counter, format_weights, spread
from bots.pentago.training.fit import SelfPlay, load_samples, save_samples
from core.play.player import Setup


def present_weights() -> list[float]:
    """The weights in the order of the columns, one knot after another."""
    found: list[float] = []
    for knot in range(len(weights.KNOTS)):
        for name, length in (*LENGTHS, *((single, 1) for single in SINGLES)):
            number = getattr(weights, name)[knot]
            found += number if length > 1 else [number]
    return found


def test_weighted_features_are_the_estimate() -> None:
    """Between knots the evaluation rounds each weight, so that a count may make it differ by half of itself."""
    source, position, counter = random.Random(21), PentagoPosition(Setup()), Counter()
    numbers = np.array(present_weights())
    for marbles in (*weights.KNOTS, 7, 19, 26):
        for _ in range(6):
            position.restart(Setup())
            while position.stones < marbles and not position.state.result:
                position.make(source.choice(position.legal_numbers()))
            state = position.state
            if state.result or position.library.count_turned(state) < 0:
                continue
            own, other = (state.white, state.black) if state.side == 0 else (state.black, state.white)
            features = counter.count(int(own), int(other))
            slack = 0 if marbles in weights.KNOTS or marbles > weights.KNOTS[-1] else sum(map(abs, features)) / 2
            wanted = float(np.array(spread(features, marbles)) @ numbers)
            assert abs(position.library.evaluate(state) - wanted) <= slack + 0.01, position.position_text()


def test_weights_are_told_as_they_are_kept() -> None:
    told = dict(line.split(" = ") for line in format_weights(present_weights()).splitlines())
    assert told == {name: str(getattr(weights, name)) for name in (*dict(LENGTHS), *SINGLES)}


def test_a_game_tells_of_positions_that_go_on() -> None:
    """A position that is won at once says nothing of what the evaluation counts."""
    position, player = PentagoPosition(Setup()), SelfPlay(nodes=300, seed=4)
    samples = [sample for _ in range(3) for sample in player.play()]
    assert len(samples) > 30
    for own, other, chance in samples:
        assert 0 <= chance <= 1
        assert own & other == 0
        position.library.setup(position.state, own, other, 0)
        assert position.state.result == 0


def test_the_same_seed_plays_the_same_games() -> None:
    first, second = (list(SelfPlay(nodes=300, seed=5).play()) for _ in range(2))
    assert first == second != list(SelfPlay(nodes=300, seed=6).play())


def test_saved_positions_come_back_as_they_were(tmp_path: Path) -> None:
    """Boards have 36 bits, more than a float32 holds."""
    samples = [((1 << 36) - 1, 0, 0.1), ((1 << 35) | 1, 1 << 34, 1.0)]
    save_samples(tmp_path / "games.npy", samples)
    assert load_samples(tmp_path / "games.npy") == samples
    save_samples(tmp_path / "none.npy", [])
    assert load_samples(tmp_path / "none.npy") == []


def test_a_fit_to_added_positions_is_that_to_both_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["fit", "--nodes", "300", *words])
        fit.main()
        return capsys.readouterr().out

    kept = {seed: tmp_path / f"{seed}.npy" for seed in (1, 2)}
    alone = [told("--games", "3", "--seed", str(seed), "--save", str(file)) for seed, file in kept.items()]
    both = told("--games", "0", "--add", *map(str, kept.values()))
    assert both == told("--games", "3", "--seed", "2", "--add", str(kept[1]))
    counts = [int(text.split()[0]) for text in (*alone, both)]
    assert counts[0] + counts[1] == counts[2] > counts[0] > 0
    assert both not in alone


@pytest.mark.parametrize(("marbles", "shares"), [(0, [1, 0, 0, 0]), (13, [0, 0.5, 0.5, 0]), (36, [0, 0, 0, 1])])
def test_knots_share_what_lies_between_them(marbles: int, shares: list[float]) -> None:
    assert spread([2], marbles) == pytest.approx([2 * share for share in shares])
