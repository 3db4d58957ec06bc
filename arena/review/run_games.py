"""Review the games of a match in which the win probability swung most; the report of the match links to the reviews."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from arena.log.events import GameEnded, MoveEntry
from arena.review.files import PAGE_NAME
from arena.review.grades import PROVEN_PROBABILITIES
from core.play.game import Game
from core.play.player import Setup

REVIEWS_FOLDER = "reviews"


def name_review(game_number: int) -> str:
    """Return the path of a game's review page from the folder of the run, such as `reviews/00012/review.html`."""
    return f"{REVIEWS_FOLDER}/{game_number:05}/{PAGE_NAME}"


def list_existing_reviews(directory: Path, games: Sequence[GameEnded]) -> dict[int, str]:
    """Return the paths of the reviews that a run's folder has, by game number."""
    return {game.number: path for game in games if (directory / (path := name_review(game.number))).is_file()}


def find_greatest_swings(game: Game, setup: Setup, games: Sequence[GameEnded], count: int) -> list[GameEnded]:
    """Return the `count` games with the greatest swing, the greatest first; games without scores come last."""
    return sorted(games, key=lambda ended: (-measure_swing(game, setup, ended), ended.number))[:count]


def measure_swing(game: Game, setup: Setup, ended: GameEnded) -> float:
    """Return the greatest change of win probability, 0 to 1, between two successive scores of the same engine."""
    swing = 0.0
    for side in (0, 1):
        known = [_win_probability(game, setup, entry) for entry in ended.moves_of(side)]
        probabilities = [probability for probability in known if probability is not None]
        swing = max([swing, *(abs(after - before) for before, after in pairwise(probabilities))])
    return swing


def _win_probability(game: Game, setup: Setup, entry: MoveEntry) -> float | None:
    if entry.win_in:
        return float(entry.win_in > 0)
    if entry.result:
        return PROVEN_PROBABILITIES[entry.result]
    return None if entry.score is None else game.win_probability(entry.score, setup)
