"""The fit of the scale between scores and win probabilities: a known scale is found again in simulated games."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

from core.training.score_scale import ScoredGame, fit_scale, read_games

SCALE = 150


def simulate_game(rng: random.Random) -> ScoredGame:
    """Return a game of one score, which wins with the probability that `SCALE` gives it."""
    score = round(rng.gauss(0, 200))
    return ScoredGame((score,), (float(rng.random() < 1 / (1 + math.exp(-score / SCALE))),))


def test_a_known_scale_is_found_within_its_error() -> None:
    rng = random.Random(3)
    fit = fit_scale([simulate_game(rng) for _ in range(4000)])
    assert abs(fit.scale - SCALE) < 3 * fit.error < 40
    assert fit.calibration_error < 0.03
    assert (fit.games, fit.scores) == (4000, 4000)


def test_scores_belong_to_the_side_that_gave_them(tmp_path: Path) -> None:
    """Also: proven scores and games that ended by a fault do not count."""
    moves = [{"move": "a", "score": 40}, {"move": "b", "score": -40, "side": 1}, {"move": "c", "score": 31999}]
    moves += [{"move": "d", "score": 5, "side": 1, "result": "loss"}, {"move": "e"}]
    events = [
        {"event": "run", "game": "hex", "variant": "standard"},
        {"event": "start"},
        {"event": "end", "first": "A", "second": "B", "winner": "A", "ending": "win by rule", "moves": moves},
        {"event": "end", "first": "B", "second": "A", "winner": "", "ending": "draw by rule", "moves": moves},
        {"event": "end", "first": "A", "second": "B", "winner": "A", "ending": "time", "moves": moves},
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    assert list(read_games(log, "hex")) == [
        ("standard", ScoredGame((40, -40), (1.0, 0.0))),
        ("standard", ScoredGame((40, -40), (0.5, 0.5))),
    ]
    with pytest.raises(ValueError, match="games of hex, not of hive"):
        list(read_games(log, "hive"))
