"""Statistics of match results: score, Elo, likelihood of superiority, normalized Elo, likelihood ratio of a test.

Results are counts over a fixed list of values: a single game is lost, drawn or won; a pair (one opening, both colours)
has five values, because the two games of a pair share their opening and are not independent.
Formulas: M. Van den Bergh, "Comments on normalized Elo" (4.1, 4.2) and "Comparing the approximations for the
generalized log likelihood ratio of a multinomial distribution" (prop. 1.1), both at cantate.be/Fishtest.

If the results are all equal, or so one-sided that a symmetric interval around the score would leave 0..1, the interval
comes from `arena/statistics/bounds.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module

GAME_VALUES = (0.0, 0.5, 1.0)  # lost, drawn, won
PAIR_VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean of the two games

CONFIDENCE = 0.95  # of the two-sided intervals
CONFIDENCE_Z = 1.95996  # half the width of the interval in standard errors, by the normal distribution
MIN_NORMAL_COUNT = 30  # results; with fewer the variance is uncertain, so Student's t replaces the normal distribution
ELO_PER_LOGIT = 400 / math.log(10)
NORMALIZED_SCALE = 800 / math.log(10)  # nElo of one standard deviation of a game's result
EMPTY_CELL = 0.001  # replaces a count of 0 in the likelihood ratios, as in fishtest
NORMAL, STUDENT, GAFFKE = "normal", "student", "gaffke"
ONE_SIDED_SPLITS = 0.9  # with a larger share of split pairs the openings decide the games, not the engines
# pairs that must be complete before ONE_SIDED_SPLITS applies; equal engines split about half of them, and ten of ten
# about once in a thousand matches
MIN_SPLIT_PAIRS = 10
MAX_ASYMMETRY = 0.1  # distance of a 95 % interval's middle from the Elo, as a share of half its length, to write ±


@dataclass(frozen=True)
class Summary:
    """Statistics of one engine's results. A field is None if it is not defined, as when nothing was played."""

    count: int  # games, or pairs
    score: float | None = None  # 0..1
    elo: float | None = None  # of the score; None if all games were won or all were lost
    elo_half_width: float | None = None  # half of the 95 % interval of the score, in Elo; None if one-sided (GAFFKE)
    elo_low: float | None = None  # ends of the 95 % interval; None if it is open
    elo_high: float | None = None
    interval: str = ""  # method of the interval: NORMAL, STUDENT or GAFFKE; empty if nothing was played
    normalized_elo: float | None = None
    normalized_half_width: float | None = None  # of the 95 % interval; None if elo_half_width is None
    superiority: float | None = None  # likelihood that the true score is above one half

    @property
    def is_symmetric(self) -> bool:
        """True if `elo_half_width` describes the interval: both its ends are nearly as far from `elo`."""
        if self.elo is None or self.elo_half_width is None or self.elo_low is None or self.elo_high is None:
            return False
        centre = (self.elo_low + self.elo_high) / 2
        return abs(centre - self.elo) <= MAX_ASYMMETRY * self.elo_half_width


def summarize(counts: Sequence[int]) -> Summary:
    """Return the statistics of the counts of game results (three) or of pair results (five), worst result first."""
    total = sum(counts)
    if total == 0:
        return Summary(0)
    values, games_per_result = _result_values(counts)
    score, variance = _moments(values, [count / total for count in counts])
    summary = Summary(total, score, elo=elo_from_score(score) if 0 < score < 1 else None)
    if variance == 0:
        return _bound_one_sided(summary, counts, values)
    error = math.sqrt(variance / total)  # standard error of the score
    spread = math.sqrt(games_per_result * variance)  # standard deviation of one game's result
    width = _quantile(total) * error
    summary = replace(summary, normalized_elo=(score - 0.5) / spread * NORMALIZED_SCALE)
    if not width < score < 1 - width:
        return _bound_one_sided(summary, counts, values)
    low, high = elo_from_score(score - width), elo_from_score(score + width)
    return replace(
        summary,
        elo_half_width=(high - low) / 2,
        elo_low=low,
        elo_high=high,
        interval=NORMAL if total >= MIN_NORMAL_COUNT else STUDENT,
        normalized_half_width=width / spread * NORMALIZED_SCALE,
        superiority=(1 + math.erf((score - 0.5) / error / math.sqrt(2))) / 2,
    )


def _bound_one_sided(summary: Summary, counts: Sequence[int], values: Sequence[float]) -> Summary:
    """Return the summary with Gaffke's bounds: no upper one after wins only, no lower one after losses only."""
    from arena.statistics import bounds  # here, because numpy is slow to import and wrong command lines need no bounds

    tail = (1 - CONFIDENCE) / 2
    return replace(
        summary,
        elo_low=None if summary.score == 0 else elo_from_score(bounds.bound_below(counts, values, tail)),
        elo_high=None if summary.score == 1 else elo_from_score(bounds.bound_above(counts, values, tail)),
        interval=GAFFKE,
        superiority=bounds.probability_above(counts, values, 0.5),
    )


def elo_from_score(score: float) -> float:
    """Return the Elo difference at which `score` (0 < score < 1) is expected."""
    return ELO_PER_LOGIT * math.log(score / (1 - score))


def score_from_elo(elo: float) -> float:
    """Return the expected score (0..1) at an Elo difference."""
    return 1 / (1 + math.exp(-elo / ELO_PER_LOGIT))


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the log likelihood ratios at which a sequential test accepts the lower and the upper hypothesis.

    `alpha` and `beta` are the probabilities of wrongly accepting the upper and the lower one.
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def logistic_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the log likelihood ratio of Elo `elo1` against `elo0`, for counts as in `summarize`."""
    values, _ = _result_values(counts)
    probabilities, total = _probabilities(counts)

    def fit(elo: float) -> list[float]:
        return _fit_mean_zero(probabilities, [value - score_from_elo(elo) for value in values])

    return _log_ratio(probabilities, total, fit(elo0), fit(elo1))


def normalized_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the log likelihood ratio of normalized Elo `elo1` against `elo0`, for counts as in `summarize`."""
    values, games_per_result = _result_values(counts)
    probabilities, total = _probabilities(counts)

    def fit(elo: float) -> list[float]:
        return _fit_normalized(probabilities, values, elo * math.sqrt(games_per_result) / NORMALIZED_SCALE)

    return _log_ratio(probabilities, total, fit(elo0), fit(elo1))


def preload_scipy() -> None:
    """Import the scipy modules of the statistics in advance: later it would delay running games by about a second."""
    for module in ("scipy.optimize", "scipy.special"):
        import_module(module)


def _result_values(counts: Sequence[int]) -> tuple[tuple[float, ...], int]:
    """Return the values of the results that are counted, and the number of games per result (1, or 2 in a pair)."""
    return (PAIR_VALUES, 2) if len(counts) == len(PAIR_VALUES) else (GAME_VALUES, 1)


def _moments(values: Sequence[float], probabilities: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the variance of a distribution."""
    mean = sum(value * probability for value, probability in zip(values, probabilities, strict=True))
    return mean, sum(
        probability * (value - mean) ** 2 for value, probability in zip(values, probabilities, strict=True)
    )


def _quantile(count: int) -> float:
    """Return half the width of the confidence interval in standard errors, for `count` > 1 results."""
    from scipy.special import stdtrit

    return CONFIDENCE_Z if count >= MIN_NORMAL_COUNT else float(stdtrit(count - 1, (1 + CONFIDENCE) / 2))


def _probabilities(counts: Sequence[int]) -> tuple[list[float], float]:
    """Return the shares of the results and their total, after counts of 0 are replaced by EMPTY_CELL."""
    filled = [count or EMPTY_CELL for count in counts]
    total = sum(filled)
    return [count / total for count in filled], total


def _log_ratio(
    probabilities: Sequence[float], total: float, fitted0: Sequence[float], fitted1: Sequence[float]
) -> float:
    """Return the log likelihood ratio of the distribution `fitted1` against `fitted0` for the observed shares."""
    return total * sum(p * math.log(q1 / q0) for p, q0, q1 in zip(probabilities, fitted0, fitted1, strict=True))


def _fit_mean_zero(probabilities: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return the maximum-likelihood distribution under which `values`, which must have both signs, have mean 0.

    `probabilities` are the observed shares of the values.
    """
    from scipy.optimize import brentq

    def mean_value(x: float) -> float:
        """Return the mean under the distribution p / (1 + x * value)."""
        return sum(p * value / (1 + x * value) for p, value in zip(probabilities, values, strict=True))

    low, high = -1 / max(values), -1 / min(values)
    inset = 1e-9 * (high - low)  # the function has poles at both ends
    root = brentq(mean_value, low + inset, high - inset, xtol=1e-14)
    return [p / (1 + root * value) for p, value in zip(probabilities, values, strict=True)]


def _fit_normalized(probabilities: Sequence[float], values: Sequence[float], target: float) -> list[float]:
    """Return the maximum-likelihood distribution with (mean - 1/2) / standard deviation equal to `target`.

    The condition is not linear in the distribution. It is replaced by its linear form around the last fit, repeatedly.
    """
    fitted = [1 / len(values)] * len(values)
    for _ in range(50):  # about ten iterations are enough
        mean, variance = _moments(values, fitted)
        deviation = math.sqrt(variance)
        linear_form = [a - 0.5 - target * deviation * (1 + ((a - mean) / deviation) ** 2) / 2 for a in values]
        previous_fit, fitted = fitted, _fit_mean_zero(probabilities, linear_form)
        if max(abs(old - new) for old, new in zip(previous_fit, fitted, strict=True)) < 1e-9:
            break
    return fitted
