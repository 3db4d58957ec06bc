"""Progress messages of a build."""

from __future__ import annotations

import pytest

from core.system.build_progress import BuildProgress, format_duration


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_steps_tell_their_number_the_time_and_what_is_left() -> None:
    clock, told = Clock(), list[str]()
    steps = BuildProgress(2, told.append, clock)
    for name, guess in (("hex", 40.0), ("hive", 20.0), ("program", 10.0)):
        steps.add(name, guess)
    steps.announce()
    steps.begin("hex")
    steps.begin("hive")
    clock.now = 40.0
    steps.end("hive")  # twice the guess: so will the others be
    clock.now = 80.0
    steps.end("hex")
    steps.begin("program")
    clock.now = 90.0
    steps.end("program")
    assert told == [
        "3 steps, about 40 s: hex, hive, program",
        "step 1 of 3 done after 40 s, about 40 s left: hive",
        "step 2 of 3 done after 1:20 min, about 20 s left: hex",
        "step 3 of 3 done after 1:30 min: program",
    ]


def test_nothing_to_do_is_not_told() -> None:
    told = list[str]()
    BuildProgress(1, told.append).announce()
    assert not told


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1:00 min"), (605, "10:05 min")])
def test_durations(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text
