"""Grades of moves and accuracy of players, from win probabilities before and after each move.

A move is graded by the win probability that it gives away, as lichess does it: the score of a search means little in a
position that is won anyway. The probability of a proven result is 1, 0.5 or 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, harmonic_mean, pstdev

PROVEN_PROBABILITIES = {"win": 1.0, "draw": 0.5, "loss": 0.0}
ROUNDING = 1e-9  # losses are whole percent, and the limits of a preset are products
MIN_ACCURACY = 0.5  # percent; the harmonic mean of a game is 0 as soon as one move has 0
VOLATILITY_RANGE = (0.005, 0.12)  # of a standard deviation of win probabilities, as lichess bounds it
WINDOW_RANGE = (2, 8)  # plies of a volatility window


class Grade(StrEnum):
    """The grade of a move, from the best to the worst; UNGRADED for opening moves and swaps."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    UNGRADED = "ungraded"

    @property
    def is_error(self) -> bool:
        """True for an inaccuracy, a mistake and a blunder."""
        return self in (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)

    @property
    def symbol(self) -> str:
        """Return the annotation symbol of chess: `?!`, `?`, `??`, or no text."""
        return _SYMBOLS.get(self, "")


_SYMBOLS = {Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}


@dataclass(frozen=True)
class Thresholds:
    """Losses of win probability from which a move is an inaccuracy, a mistake and a blunder."""

    inaccuracy: float = 0.05
    mistake: float = 0.10
    blunder: float = 0.15

    def grade(self, loss: float) -> Grade:
        """Return the grade of a move that is not the engine's choice."""
        for grade, limit in (
            (Grade.BLUNDER, self.blunder),
            (Grade.MISTAKE, self.mistake),
            (Grade.INACCURACY, self.inaccuracy),
        ):
            if loss >= limit - ROUNDING:
                return grade
        return Grade.GOOD


def scaled_thresholds(factor: float) -> Thresholds:
    """Return the default thresholds multiplied by a factor."""
    usual = Thresholds()
    return Thresholds(usual.inaccuracy * factor, usual.mistake * factor, usual.blunder * factor)


PRESETS = {"beginner": scaled_thresholds(1.5), "club": Thresholds(), "expert": scaled_thresholds(0.6)}


def move_accuracy(loss: float) -> float:
    """Return the accuracy of a move in percent from its loss of win probability, 0 to 1 (formula of lichess)."""
    if loss <= 0:
        return 100.0
    return max(0.0, 103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669)


def list_volatilities(probabilities: Sequence[float]) -> list[float]:
    """Return a weight per move: the standard deviation of the win probability in a window of plies around it.

    `probabilities` has one value per position, so one more than the moves; all are for the same side. As in lichess,
    the window is a tenth of the game, 2 to 8 plies, and ends with the position after the move, or later at the start.
    """
    low, high = WINDOW_RANGE
    moves = len(probabilities) - 1
    window = min(max(moves // 10, low), high)
    weights = []
    for move in range(moves):
        end = max(move + 2, window)
        weights.append(
            min(max(pstdev(probabilities[max(0, end - window) : end]), VOLATILITY_RANGE[0]), VOLATILITY_RANGE[1])
        )
    return weights


def player_accuracy(losses: Sequence[float], weights: Sequence[float]) -> float | None:
    """Return the accuracy of a player in percent, or None without a graded move.

    It is the mean of two means of the moves' accuracies: the harmonic mean, which punishes single blunders, and the
    mean weighted by volatility, in which a move in a quiet position counts less (lichess).
    """
    accuracies = [move_accuracy(loss) for loss in losses]
    if not accuracies:
        return None
    harmonic = harmonic_mean([max(accuracy, MIN_ACCURACY) for accuracy in accuracies])
    return (harmonic + fmean(accuracies, weights)) / 2
