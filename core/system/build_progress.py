"""Progress messages of a build on standard error: steps done, time used, estimate of the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

MARK = "pentad: "  # prefix of each line, to tell it from the output of other programs


def say(text: str) -> None:
    """Print a line for the user on standard error."""
    print(MARK + text, file=sys.stderr, flush=True)


@dataclass
class _Step:
    name: str
    guess_s: float
    began_s: float | None = None
    took_s: float | None = None


class BuildProgress:
    """The steps of a build. Up to `at_once` of them run in parallel. `tell` prints a message. Thread-safe."""

    def __init__(self, at_once: int, tell: Callable[[str], None] = say, clock: Callable[[], float] = time.perf_counter):
        self._at_once = at_once
        self._tell = tell
        self._clock = clock
        self._began_s = clock()
        self._steps: dict[str, _Step] = {}
        self._lock = Lock()

    def add(self, name: str, guess_s: float) -> None:
        """Add a step with an estimate of its duration."""
        self._steps[name] = _Step(name, guess_s)

    def announce(self) -> None:
        """Print the number of steps and the estimated time; print nothing if there are no steps."""
        if self._steps:
            count = f"{len(self._steps)} steps" if len(self._steps) > 1 else "one step"
            self._tell(f"{count}, about {format_duration(self.left_s())}: {', '.join(self._steps)}")

    def begin(self, name: str) -> None:
        """Record the start of a step."""
        with self._lock:
            self._steps[name].began_s = self._clock()

    def end(self, name: str) -> None:
        """Record the end of a step and print it."""
        with self._lock:
            now, step = self._clock(), self._steps[name]
            step.took_s = now - (now if step.began_s is None else step.began_s)
            done = sum(step.took_s is not None for step in self._steps.values())
            left = f", about {format_duration(self.left_s())} left" if done < len(self._steps) else ""
            gone = format_duration(now - self._began_s)
            self._tell(f"step {done} of {len(self._steps)} done after {gone}{left}: {name}")

    def left_s(self) -> float:
        """Estimate the seconds left: the estimates of the open steps, scaled by how long the finished ones took."""
        done = [step for step in self._steps.values() if step.took_s is not None]
        guessed = sum(step.guess_s for step in done)
        pace = sum(step.took_s or 0.0 for step in done) / guessed if guessed else 1.0
        left = [self._left_of(step, pace) for step in self._steps.values() if step.took_s is None]
        return max(sum(left) / self._at_once, *left) if left else 0.0

    def _left_of(self, step: _Step, pace: float) -> float:
        gone = 0.0 if step.began_s is None else self._clock() - step.began_s
        return max(0.0, pace * step.guess_s - gone)


def format_duration(seconds: float) -> str:
    """Format a duration: `45 s`, `1:05 min`."""
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60}:{whole % 60:02} min"
