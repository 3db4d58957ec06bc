"""Fit the scale between scores and win probabilities to the games of matches.

Each move of a log has the score that its engine gave for its own side, and the game has a result. The scale s maximises
the likelihood of the results under the win probability 1 / (1 + exp(-score / s)). Draws count as half a win. Usage:

    python -m core.training.score_scale hive runs/first runs/second
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from core.search.scores import MAX_EVALUATION

SCALE_RANGE = (1.0, 1e6)
COUNTED_ENDINGS = ("win by rule", "draw by rule", "resigned", "adjudicated", "move cap")  # no faults
RESAMPLES = 200  # bootstrap samples of games, for the standard error


@dataclass(frozen=True)
class ScoredGame:
    """The scores of a game except proven results, and for each the result of the side that gave it: 1, 0.5 or 0."""

    scores: tuple[int, ...]
    results: tuple[float, ...]


@dataclass(frozen=True)
class ScaleFit:
    """A fitted scale with its standard error, and the mean error of its predictions."""

    games: int  # number of games
    scores: int  # number of scores
    scale: float
    error: float  # standard error
    calibration_error: float  # mean distance between predicted and real share of points over ten classes of positions


def read_games(log: Path, game: str) -> Iterator[tuple[str, ScoredGame]]:
    """Yield the variant and the scores of each game of a match log that has scores and ended without a fault.

    Raise ValueError if the log is of another game.
    """
    variant = ""
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            event = json.loads(line)
            if event["event"] == "run":
                if event["game"] != game:
                    raise ValueError(f"{log} has games of {event['game']}, not of {game}")
                variant = event["variant"]
            elif event["event"] == "end" and event["ending"] in COUNTED_ENDINGS:
                scored = _read_scores(event)
                if scored.scores:
                    yield variant, scored


def _read_scores(event: dict[str, Any]) -> ScoredGame:
    winner = event["winner"]
    points = [0.5 if not winner else float(winner == event[name]) for name in ("first", "second")]
    scored = [entry for entry in event["moves"] if abs(entry.get("score", MAX_EVALUATION + 1)) <= MAX_EVALUATION]
    scored = [entry for entry in scored if not entry.get("result") and not entry.get("win_in")]
    return ScoredGame(
        tuple(entry["score"] for entry in scored), tuple(points[entry.get("side", 0)] for entry in scored)
    )


def fit_scale(games: Sequence[ScoredGame], seed: int = 1) -> ScaleFit:
    """Return the scale of maximal likelihood; its standard error comes from resampling whole games."""
    scores = np.concatenate([np.array(game.scores, float) for game in games])
    results = np.concatenate([np.array(game.results, float) for game in games])
    lengths = np.array([len(game.scores) for game in games])
    ends = np.cumsum(lengths)
    rows = [np.arange(end - length, end) for end, length in zip(ends, lengths, strict=True)]
    generator = np.random.default_rng(seed)
    resampled = []
    for _ in range(RESAMPLES):
        drawn = np.concatenate([rows[index] for index in generator.integers(len(rows), size=len(rows))])
        resampled.append(_maximise(scores[drawn], results[drawn]))
    scale = _maximise(scores, results)
    predicted = 1 / (1 + np.exp(-np.clip(scores / scale, -30, 30)))
    return ScaleFit(len(games), len(scores), scale, float(np.std(resampled)), _calibration_error(predicted, results))


def _maximise(scores: Any, results: Any) -> float:
    """Return the scale in SCALE_RANGE that gives the results the greatest likelihood."""

    def loss(log_scale: float) -> float:
        log_odds = scores / np.exp(log_scale)
        return float(np.mean(np.logaddexp(0, log_odds) - results * log_odds))

    found = minimize_scalar(loss, bounds=(np.log(SCALE_RANGE[0]), np.log(SCALE_RANGE[1])), method="bounded")
    return float(np.exp(found.x))


def _calibration_error(predicted: Any, results: Any) -> float:
    classes = np.minimum((predicted * 10).astype(int), 9)
    errors = [
        abs(predicted[classes == index].mean() - results[classes == index].mean()) * (classes == index).mean()
        for index in range(10)
        if (classes == index).any()
    ]
    return float(sum(errors))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the fitted scale of each variant of a game from the folders of runs on the command line."""
    parser = argparse.ArgumentParser(description="Fit the scale between scores and win probabilities.")
    parser.add_argument("game", help="name of the game")
    parser.add_argument("runs", nargs="+", type=Path, help="folders of matches, with log.jsonl")
    options = parser.parse_args(arguments)
    games_by_variant = defaultdict(list)
    for run in options.runs:
        for variant, scored in read_games(run / "log.jsonl", options.game):
            games_by_variant[variant].append(scored)
    for variant, played in games_by_variant.items():
        fit = fit_scale(played)
        print(
            f"{variant}: scale {fit.scale:.0f} +- {2 * fit.error:.0f} (95 %), calibration error "
            f"{fit.calibration_error:.3f}, {fit.games} games, {fit.scores} scores"
        )


if __name__ == "__main__":
    main()
