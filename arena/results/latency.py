"""Time-limit overruns of engines by the runner's clock, and the runner's own overhead per move."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

BOUNDS_MS = (0, 10, 50, 250)  # upper edges of the histogram of overruns
OWN_STEP_US = 10  # resolution of the stored overhead


@dataclass(frozen=True)
class Latency:
    """Timing of one engine. A field is None if nothing was measured.

    `counts` are of answers that had a limit, by how far they came beyond it: up to each of BOUNDS_MS, then more.
    `own_ms` and `own_p99_ms` are median and 99th percentile of what a move took besides the engine's thinking: the
    rules, the log, the other lines of the protocol. `untold_ms` and `max_untold_ms` are median and most of what an
    answer took beyond the time that the engine itself reported: its way through pipes and scheduler, and of a brain all
    that came after its last MESSAGE, so a depth that was not finished counts, too.
    """

    counts: tuple[int, ...] = (0,) * (len(BOUNDS_MS) + 1)
    max_over_ms: int | None = None
    own_ms: float | None = None
    own_p99_ms: float | None = None
    untold_ms: int | None = None
    max_untold_ms: int | None = None


@dataclass
class LatencyCount:
    """Accumulates the timings of one engine for a `Latency`."""

    over_ms: Counter[int] = field(default_factory=Counter)
    own_steps: Counter[int] = field(default_factory=Counter)
    untold_ms: Counter[int] = field(default_factory=Counter)

    def add(self, over_ms: Iterable[int | None], overhead_us: Iterable[int], untold_ms: Iterable[int] = ()) -> None:
        """Count answers by their time beyond the limit, None without one, the runner's own time for moves, and what
        answers took beyond the time that the engine reported."""
        self.over_ms.update(over for over in over_ms if over is not None)
        self.own_steps.update(round(own / OWN_STEP_US) for own in overhead_us if own)
        self.untold_ms.update(untold_ms)

    def latency(self) -> Latency:
        """Return the summary of all timings counted so far."""
        counts = [0] * (len(BOUNDS_MS) + 1)
        own, own_p99 = (_quantile(self.own_steps, share) for share in (0.5, 0.99))
        for over, count in self.over_ms.items():
            counts[bisect_left(BOUNDS_MS, over)] += count
        return Latency(
            counts=tuple(counts),
            max_over_ms=max(self.over_ms, default=None),
            own_ms=None if own is None else own * OWN_STEP_US / 1000,
            own_p99_ms=None if own_p99 is None else own_p99 * OWN_STEP_US / 1000,
            untold_ms=_quantile(self.untold_ms, 0.5),
            max_untold_ms=max(self.untold_ms, default=None),
        )


def _quantile(counts: Counter[int], share: float) -> int | None:
    """Return the `share` quantile (0..1) of the counted values; None if there are none."""
    wanted = share * counts.total()
    for value in sorted(counts):
        wanted -= counts[value]
        if wanted <= 0:
            return value
    return None
