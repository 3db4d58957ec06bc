"""Statistics of match results: score, Elo, likelihood of superiority, normalized Elo, likelihood ratio of a test.

Results are counts over a fixed list of values: single games lose, draw or win; a pair (one opening, both colours) has
five values, because the two games of a pair share their opening and are not independent. Nothing here knows engines.
Formulas: M. Van den Bergh, "Comments on normalized Elo" (4.1, 4.2) and "Comparing the approximations for the
generalized log likelihood ratio of a multinomial distribution" (prop. 1.1), both at cantate.be/Fishtest.

If the results are all equal, or so one-sided that score plus error would leave 0..1, the interval comes from
`arena/statistics/bounds.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

GAME_VALUES = (0.0, 0.5, 1.0)  # lost, drawn, won
PAIR_VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean of the two games

CONFIDENCE = 0.95  # two-sided
CONFIDENCE_Z = 1.95996  # of the normal distribution
FEW = 30  # results; below that the variance itself is a guess, and Student's t takes the normal distribution's place
ELO_PER_LOGIT = 400 / math.log(10)
NORMALIZED_SCALE = 800 / math.log(10)  # nElo of one standard deviation of a game's result
EMPTY_CELL = 0.001  # stands for a count of 0 in the likelihoods, as fishtest does
NORMAL, STUDENT, GAFFKE = "normal", "student", "gaffke"
ONE_SIDED_SPLITS = 0.9  # above that share of split pairs the openings decide, not the engines
LEAST_SPLIT_PAIRS = 10  # for that; equal engines split half of theirs, and ten of ten once in a thousand matches


@dataclass(frozen=True)
class Summary:
    """Statistics of one side. A field is None where it is not defined (nothing played, or all results alike)."""

    count: int  # games, or pairs
    score: float | None = None  # 0..1
    elo: float | None = None  # of the score; None where everything was won or lost
    elo_half_width: float | None = None  # half of the 95 % interval; None if that is not symmetric
    elo_low: float | None = None  # the interval's ends; None where it has no end
    elo_high: float | None = None
    interval: str = ""  # NORMAL, STUDENT or GAFFKE: whose interval it is; empty where nothing was played
    normalized_elo: float | None = None
    normalized_half_width: float | None = None  # None where Elo has no error either: it would hold the truth too seldom
    superiority: float | None = None  # likelihood that the true score is above one half


def count_pairs(pairs: Iterable[tuple[float, float]]) -> list[int]:
    """Counts of the five pair results from the scores of both games of each pair."""
    counts = [0] * len(PAIR_VALUES)
    for first, second in pairs:
        counts[PAIR_VALUES.index((first + second) / 2)] += 1
    return counts


def summarize(counts: Sequence[int]) -> Summary:
    """Statistics of counts of games (three) or of pairs (five), worst result first."""
    total = sum(counts)
    if total == 0:
        return Summary(0)
    values, per_unit = _model(counts)
    score, variance = _moments(values, [count / total for count in counts])
    summary = Summary(total, score, elo=elo_from_score(score) if 0 < score < 1 else None)
    if variance == 0:
        return _bound_one_sided(summary, counts, values)
    error, spread = math.sqrt(variance / total), math.sqrt(per_unit * variance)
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
        interval=NORMAL if total >= FEW else STUDENT,
        normalized_half_width=width / spread * NORMALIZED_SCALE,
        superiority=(1 + math.erf((score - 0.5) / error / math.sqrt(2))) / 2,
    )


def _bound_one_sided(summary: Summary, counts: Sequence[int], values: Sequence[float]) -> Summary:
    """The summary with bounds, of which there is none where nothing speaks against any more, as after wins alone."""
    from arena.statistics import bounds  # numpy, which a command line that is wrong need not wait for

    tail = (1 - CONFIDENCE) / 2
    return replace(
        summary,
        elo_low=None if summary.score == 0 else elo_from_score(bounds.bound_below(counts, values, tail)),
        elo_high=None if summary.score == 1 else elo_from_score(bounds.bound_above(counts, values, tail)),
        interval=GAFFKE,
        superiority=bounds.chance_above(counts, values, 0.5),
    )


def elo_from_score(score: float) -> float:
    """Elo difference at which `score` (0..1, both excluded) is expected."""
    return ELO_PER_LOGIT * math.log(score / (1 - score))


def score_of(elo: float) -> float:
    """Expected score at an Elo difference."""
    return 1 / (1 + math.exp(-elo / ELO_PER_LOGIT))


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Likelihood ratios at which a sequential test accepts the lower and the upper hypothesis."""
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def logistic_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Log likelihood ratio of Elo `elo1` against `elo0`."""
    values, _ = _model(counts)
    chances, total = _chances(counts)

    def fit(elo: float) -> list[float]:
        return _tilt(chances, [value - score_of(elo) for value in values])

    return _log_ratio(chances, total, fit(elo0), fit(elo1))


def normalized_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Log likelihood ratio of normalized Elo `elo1` against `elo0`."""
    values, per_unit = _model(counts)
    chances, total = _chances(counts)

    def fit(elo: float) -> list[float]:
        return _fit_normalized(chances, values, elo * math.sqrt(per_unit) / NORMALIZED_SCALE)

    return _log_ratio(chances, total, fit(elo0), fit(elo1))


def preload_scipy() -> None:
    """Load what the statistics need: that takes a second, which must not fall into a game."""
    for module in ("scipy.optimize", "scipy.special"):
        import_module(module)


def _model(counts: Sequence[int]) -> tuple[tuple[float, ...], int]:
    """The values that the counts are of, and the games that each unit holds."""
    models = {len(GAME_VALUES): (GAME_VALUES, 1), len(PAIR_VALUES): (PAIR_VALUES, 2)}
    return models[len(counts)]


def _moments(values: Sequence[float], chances: Sequence[float]) -> tuple[float, float]:
    mean = sum(value * chance for value, chance in zip(values, chances, strict=True))
    return mean, sum(chance * (value - mean) ** 2 for value, chance in zip(values, chances, strict=True))


def _quantile(count: int) -> float:
    """Standard errors to each side that hold the true score with the confidence, from so many results above one."""
    from scipy.special import stdtrit

    return CONFIDENCE_Z if count >= FEW else float(stdtrit(count - 1, (1 + CONFIDENCE) / 2))


def _chances(counts: Sequence[int]) -> tuple[list[float], float]:
    filled = [count or EMPTY_CELL for count in counts]
    total = sum(filled)
    return [count / total for count in filled], total


def _log_ratio(chances: Sequence[float], total: float, null: Sequence[float], other: Sequence[float]) -> float:
    return total * sum(p * math.log(q1 / q0) for p, q0, q1 in zip(chances, null, other, strict=True))


def _tilt(chances: Sequence[float], forces: Sequence[float]) -> list[float]:
    """The likeliest distribution near `chances` under which `forces` have mean 0 (they must have both signs)."""
    from scipy.optimize import brentq

    def mean_force(x: float) -> float:
        return sum(p * f / (1 + x * f) for p, f in zip(chances, forces, strict=True))

    low, high = -1 / max(forces), -1 / min(forces)
    inset = 1e-9 * (high - low)  # the function has poles at both ends
    root = brentq(mean_force, low + inset, high - inset, xtol=1e-14)
    return [p / (1 + root * f) for p, f in zip(chances, forces, strict=True)]


def _fit_normalized(chances: Sequence[float], values: Sequence[float], target: float) -> list[float]:
    """The likeliest distribution with (mean - 1/2) / deviation equal to `target`; ten rounds are plenty."""
    fitted = [1 / len(values)] * len(values)
    for _ in range(50):
        mean, variance = _moments(values, fitted)
        deviation = math.sqrt(variance)
        forces = [a - 0.5 - target * deviation * (1 + ((a - mean) / deviation) ** 2) / 2 for a in values]
        before, fitted = fitted, _tilt(chances, forces)
        if max(abs(old - new) for old, new in zip(before, fitted, strict=True)) < 1e-9:
            break
    return fitted
