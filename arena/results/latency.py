"""Time-limit overruns of engines by the runner's clock, and the runner's own overhead per move.

The runner is the process that plays the games: it drives the engines and measures their times.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

BOUNDS_MS = (0, 10, 50, 250)  # upper edges (inclusive) of the bins of the overruns; one more bin is for larger ones
OVERHEAD_STEP_US = 10  # resolution of the counted overhead


@dataclass(frozen=True)
class Latency:
    """Timing of one engine. A field is None if nothing was measured.

    `counts` is a histogram of the answers that had a time limit, by their time beyond it; BOUNDS_MS has its bins. The
    overhead of a move is the runner's time for it besides waiting for the answer: the rules, the log, the other lines
    of the protocol. The unreported time of an answer is the measured time minus the time that the engine reported. It
    is spent in pipes and the scheduler, and by a Gomocup brain after its last MESSAGE, such as on an unfinished depth.
    """

    counts: tuple[int, ...] = (0,) * (len(BOUNDS_MS) + 1)
    max_over_ms: int | None = None
    overhead_ms: float | None = None  # median
    overhead_p99_ms: float | None = None  # 99th percentile
    unreported_ms: int | None = None  # median
    max_unreported_ms: int | None = None


@dataclass
class LatencyCount:
    """Accumulates the timings of one engine for a `Latency`. Each counter has numbers of moves by value."""

    over_ms: Counter[int] = field(default_factory=Counter)
    overhead_steps: Counter[int] = field(default_factory=Counter)  # in steps of OVERHEAD_STEP_US
    unreported_ms: Counter[int] = field(default_factory=Counter)

    def add(self, over_ms: Iterable[int | None], overhead_us: Iterable[int], unreported_ms: Iterable[int] = ()) -> None:
        """Add the timings of moves: time beyond the limit (None without a limit), overhead and unreported time.

        An overhead of 0 stands for an unknown one and is not counted.
        """
        self.over_ms.update(over for over in over_ms if over is not None)
        self.overhead_steps.update(round(overhead / OVERHEAD_STEP_US) for overhead in overhead_us if overhead)
        self.unreported_ms.update(unreported_ms)

    def latency(self) -> Latency:
        """Return the summary of all timings counted so far."""
        counts = [0] * (len(BOUNDS_MS) + 1)
        overhead, overhead_p99 = (_quantile(self.overhead_steps, share) for share in (0.5, 0.99))
        for over, count in self.over_ms.items():
            counts[bisect_left(BOUNDS_MS, over)] += count
        return Latency(
            counts=tuple(counts),
            max_over_ms=max(self.over_ms, default=None),
            overhead_ms=None if overhead is None else overhead * OVERHEAD_STEP_US / 1000,
            overhead_p99_ms=None if overhead_p99 is None else overhead_p99 * OVERHEAD_STEP_US / 1000,
            unreported_ms=_quantile(self.unreported_ms, 0.5),
            max_unreported_ms=max(self.unreported_ms, default=None),
        )


def _quantile(counts: Counter[int], share: float) -> int | None:
    """Return the `share` quantile (0..1) of the counted values; None if there are none."""
    remaining = share * counts.total()
    for value in sorted(counts):
        remaining -= counts[value]
        if remaining <= 0:
            return value
    return None
