"""The progress of a study's measurements, shown on a terminal or printed into a file.

In both tests 8 of 25 measurements exist already.
"""

from __future__ import annotations

import io

from rich.console import Console

from arena.study.display import StudyDisplay


def test_without_a_terminal_a_line_is_printed_every_ten_measurements() -> None:
    output = io.StringIO()
    with StudyDisplay(Console(file=output)).watch_chains(8, 25) as advance:
        for _ in range(17):
            advance()
    assert output.getvalue().splitlines() == ["10 of 25 measurements", "20 of 25 measurements"]


def test_a_terminal_shows_a_progress_bar() -> None:
    output = io.StringIO()
    with StudyDisplay(Console(file=output, force_terminal=True, width=80)).watch_chains(8, 25) as advance:
        advance()
    assert "9/25" in output.getvalue()
    assert "of 25 measurements" not in output.getvalue()
