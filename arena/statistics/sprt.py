"""SPRT (sequential probability ratio test) of two Elo hypotheses, over pairs of games in schedule order.

A pair is two games from one opening with colours swapped. It is counted only after all pairs that are earlier in the
schedule. Pairs of short games end first, so counting pairs as they end would favour the kind of result that ends games
early.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arena.statistics import elo as stats

LOGISTIC, NORMALIZED = "logistic", "normalized"
RATIOS = {LOGISTIC: stats.logistic_ratio, NORMALIZED: stats.normalized_ratio}  # log likelihood ratios, by Elo model
MAX_ELO = {LOGISTIC: 1000, NORMALIZED: 200}  # of a hypothesis, by model; from 230 nElo on the fit may have no root
H0, H1, INCONCLUSIVE = "H0", "H1", "inconclusive"


class Sprt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hypotheses of a test, Elo `elo0` (H0) and `elo1` (H1) of the first engine, and its error probabilities."""

    elo0: float
    elo1: float
    model: str = NORMALIZED  # of Elo: LOGISTIC or NORMALIZED
    alpha: float = 0.05  # probability of accepting elo1 if elo0 is true
    beta: float = 0.05  # probability of accepting elo0 if elo1 is true

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios at which elo0 and elo1 are accepted."""
        return stats.wald_bounds(self.alpha, self.beta)

    @property
    def unit(self) -> str:
        """The unit of `elo0` and `elo1`."""
        return "nElo" if self.model == NORMALIZED else "Elo"

    def llr(self, pair_counts: tuple[int, ...]) -> float:
        """Return the log likelihood ratio; `pair_counts` are the counts of the five pair results, worst first."""
        return RATIOS[self.model](pair_counts, self.elo0, self.elo1)

    def __str__(self) -> str:
        lower, upper = self.bounds
        hypotheses = f"{self.elo0:g} against {self.elo1:g} {self.unit} ({self.model})"
        return f"{hypotheses}, bounds {lower:.2f} and {upper:.2f} (alpha {self.alpha:g}, beta {self.beta:g})"


def parse_sprt(text: str, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """Parse `elo0,elo1` or `elo0,elo1,model`; raise `ValueError` for other text, and as `check_sprt` does."""
    low, _, rest = text.partition(",")
    high, _, model = rest.partition(",")
    try:
        test = Sprt(float(low), float(high), model.strip() or NORMALIZED, alpha, beta)
    except ValueError:
        raise ValueError(
            f"a test must be ELO0,ELO1 or ELO0,ELO1,MODEL, such as 0,10,{NORMALIZED}, not {text!r}"
        ) from None
    check_sprt(test)
    return test


def check_sprt(test: Sprt) -> None:
    """Raise `ValueError` if a test cannot be computed."""
    if test.model not in RATIOS:
        raise ValueError(f"the model must be {LOGISTIC} or {NORMALIZED}, not {test.model!r}")
    limit = MAX_ELO[test.model]
    if not -limit <= test.elo0 < test.elo1 <= limit:
        hypotheses = f"{test.elo0:g},{test.elo1:g}"
        raise ValueError(f"elo0 must be below elo1, both within ±{limit} {test.unit}, not {hypotheses}")
    if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise ValueError(f"alpha and beta must be between 0 and 0.5, not {test.alpha:g} and {test.beta:g}")


class SprtState:
    """State of a running test: the pairs counted so far and the verdict, which is final once reached."""

    def __init__(self, test: Sprt) -> None:
        self.test = test
        self.counts = [0] * len(stats.PAIR_VALUES)  # of the pair results, worst first
        self.llr_history: list[float] = []  # log likelihood ratio after each pair
        self.accepted = ""  # H0 or H1; empty while undecided
        self.pairs_used = 0  # number of pairs counted so far
        self._scores_by_pair: dict[int, tuple[float, float]] = {}  # pairs that wait for an earlier one

    @property
    def llr(self) -> float:
        """The log likelihood ratio so far."""
        return self.llr_history[-1] if self.llr_history else 0.0

    def add_pair(self, number: int, scores: tuple[float, float]) -> str:
        """Add the first engine's scores (1, 0.5 or 0) in both games of a pair, and return the verdict so far.

        Pair numbers count from 1 in schedule order; each pair must be added once, in any order.
        """
        self._scores_by_pair[number] = scores
        while not self.accepted and self.pairs_used + 1 in self._scores_by_pair:
            self.pairs_used += 1
            mean_score = sum(self._scores_by_pair.pop(self.pairs_used)) / 2
            self.counts[stats.PAIR_VALUES.index(mean_score)] += 1
            self.llr_history.append(self.test.llr(tuple(self.counts)))
            lower, upper = self.test.bounds
            self.accepted = H0 if self.llr <= lower else H1 if self.llr >= upper else ""
        return self.accepted


def run_sprt(test: Sprt, scores: Mapping[int, tuple[float, float]]) -> SprtState:
    """Run a test over the scores of pairs, keyed by pair number, and return its state."""
    sprt_state = SprtState(test)
    for number, pair_scores in sorted(scores.items()):
        sprt_state.add_pair(number, pair_scores)
    return sprt_state


def format_sprt(sprt_state: SprtState, *, ended: bool) -> str:
    """Format the test in one line; `ended` means that no more pairs will come."""
    test = sprt_state.test
    accepted = {H0: test.elo0, H1: test.elo1}.get(sprt_state.accepted)
    if accepted is not None:
        state = f"{sprt_state.accepted} accepted ({accepted:g} {test.unit})"
    else:
        state = INCONCLUSIVE if ended else "undecided"
    return f"SPRT {test}: LLR {sprt_state.llr:.2f} after {sprt_state.pairs_used} pairs: {state}"
