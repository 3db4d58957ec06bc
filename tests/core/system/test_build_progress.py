"""Progress messages of a build."""

from __future__ import annotations

import pytest

from core.system.build_progress import BuildProgress, format_duration


class Clock:
    """A clock that the test sets, in seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_messages_have_the_steps_done_the_time_used_and_the_time_left() -> None:
    clock, messages = Clock(), list[str]()
    progress = BuildProgress(2, messages.append, clock)
    for name, estimate_s in (("hex", 40.0), ("hive", 20.0), ("program", 10.0)):
        progress.add(name, estimate_s)
    progress.announce()
    progress.begin("hex")
    progress.begin("hive")
    clock.now = 40.0
    progress.end("hive")  # it took twice its estimate, so the estimates of the others are doubled
    clock.now = 80.0
    progress.end("hex")
    progress.begin("program")
    clock.now = 90.0
    progress.end("program")
    assert messages == [
        "3 steps, about 40 s: hex, hive, program",
        "step 1 of 3 done after 40 s, about 40 s left: hive",
        "step 2 of 3 done after 1:20 min, about 20 s left: hex",
        "step 3 of 3 done after 1:30 min: program",
    ]


def test_a_build_without_steps_prints_nothing() -> None:
    messages = list[str]()
    BuildProgress(1, messages.append).announce()
    assert not messages


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1:00 min"), (605, "10:05 min")])
def test_durations_are_formatted(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text
