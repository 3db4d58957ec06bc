"""Progress messages of a build on standard error, such as `step 1 of 3 done after 40 s, about 40 s left: hive`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

MARK = "pentad: "  # prefix of these messages, which distinguishes them from the output of compilers


def say(text: str) -> None:
    """Print a line for the user on standard error."""
    print(MARK + text, file=sys.stderr, flush=True)


@dataclass
class _Step:
    name: str
    estimate_s: float
    start_s: float | None = None  # None before the step begins
    duration_s: float | None = None  # None before the step ends


class BuildProgress:
    """The steps of a build, of which up to `workers` run in parallel.

    `write` prints a message; `clock` returns the time in seconds. `begin` and `end` are thread-safe.
    """

    def __init__(
        self, workers: int, write: Callable[[str], None] = say, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._workers = workers
        self._write = write
        self._clock = clock
        self._start_s = clock()
        self._steps: dict[str, _Step] = {}
        self._lock = Lock()

    def add(self, name: str, estimate_s: float) -> None:
        """Add a step with an estimate of its duration."""
        self._steps[name] = _Step(name, estimate_s)

    def announce(self) -> None:
        """Print the number of steps and the estimated time; print nothing if there are no steps."""
        if self._steps:
            count = f"{len(self._steps)} steps" if len(self._steps) > 1 else "one step"
            self._write(f"{count}, about {format_duration(self.left_s())}: {', '.join(self._steps)}")

    def begin(self, name: str) -> None:
        """Record the start of a step."""
        with self._lock:
            self._steps[name].start_s = self._clock()

    def end(self, name: str) -> None:
        """Record the end of a step and print the progress."""
        with self._lock:
            now, step = self._clock(), self._steps[name]
            step.duration_s = now - (now if step.start_s is None else step.start_s)
            done_count = sum(step.duration_s is not None for step in self._steps.values())
            left = f", about {format_duration(self.left_s())} left" if done_count < len(self._steps) else ""
            elapsed = format_duration(now - self._start_s)
            self._write(f"step {done_count} of {len(self._steps)} done after {elapsed}{left}: {name}")

    def left_s(self) -> float:
        """Estimate the seconds left from the estimates of the other steps, scaled by how long the finished ones took.

        The steps are shared among the workers; the longest one is a lower bound.
        """
        finished = [step for step in self._steps.values() if step.duration_s is not None]
        estimated_s = sum(step.estimate_s for step in finished)
        scale = sum(step.duration_s or 0.0 for step in finished) / estimated_s if estimated_s else 1.0
        left = [self._step_left_s(step, scale) for step in self._steps.values() if step.duration_s is None]
        return max(sum(left) / self._workers, *left) if left else 0.0

    def _step_left_s(self, step: _Step, scale: float) -> float:
        elapsed_s = 0.0 if step.start_s is None else self._clock() - step.start_s
        return max(0.0, scale * step.estimate_s - elapsed_s)


def format_duration(seconds: float) -> str:
    """Format a duration: `45 s`, `1:05 min`."""
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60}:{whole % 60:02} min"
