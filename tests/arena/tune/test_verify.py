"""Tests of the match that verifies a tuning; tests/arena/cli/test_tune.py plays it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.statistics.sprt import Sprt
from arena.tune.config import describe_tuning
from arena.tune.log import Tuning, start_tuning
from arena.tune.verify import configure_verification, parse_verification_sprt
from tests.arena.tune.skilled import configure


def finish(tuning: Tuning, *values: float) -> Tuning:
    """Return the tuning with all iterations done and these values."""
    tuning.spsa.iteration, tuning.spsa.values = tuning.header.iterations, values
    return tuning


def test_options_of_the_engine_are_replaced_by_the_values(tmp_path: Path) -> None:
    """With two values for an option, a program might take the wrong one; other options must be kept."""
    config = configure(tmp_path, engine="player=skilled,option.Skill=7,option.seed=3")
    tuning = finish(start_tuning(describe_tuning(config, ())), 61.7, 0.25)
    match = configure_verification(config, tuning, 40, Sprt(0, 10))
    assert [engine.name for engine in match.engines] == ["tuned", "start"]
    assert match.engines[0].options == (("seed", "3"), ("skill", "62"), ("taste", "0.25"))
    assert match.engines[1].options == (("seed", "3"), ("skill", "50"), ("taste", "0.5"))
    assert (match.games, match.sprt, match.out) == (40, Sprt(0, 10), tmp_path / "verify")
    assert match.seed != config.match.seed


def test_unfinished_tuning_is_not_verified(tmp_path: Path) -> None:
    config = configure(tmp_path)
    with pytest.raises(UsageError, match="the tuning is not finished; `pentad resume` continues it"):
        configure_verification(config, start_tuning(describe_tuning(config, ())), 40, None)


def test_sequential_test_may_be_left_out() -> None:
    assert parse_verification_sprt("--sprt", "none") is None
    assert parse_verification_sprt("--sprt", "0,5,logistic") == Sprt(0, 5, "logistic")
