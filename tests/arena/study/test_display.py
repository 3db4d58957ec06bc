"""What a person sees of measurements where there is no terminal, and where there is one."""

from __future__ import annotations

import io

from rich.console import Console

from arena.study.display import StudyDisplay


def test_without_a_terminal_every_ten_measurements_have_a_line() -> None:
    text = io.StringIO()
    with StudyDisplay(Console(file=text)).watch_chains(8, 25) as advance:
        for _ in range(17):
            advance()
    assert text.getvalue().splitlines() == ["10 of 25 measurements", "20 of 25 measurements"]


def test_on_a_terminal_there_is_a_bar() -> None:
    text = io.StringIO()
    with StudyDisplay(Console(file=text, force_terminal=True, width=80)).watch_chains(8, 25) as advance:
        advance()
    assert "9/25" in text.getvalue()
    assert "of 25 measurements" not in text.getvalue()
