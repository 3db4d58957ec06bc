"""Tests of the live display of a tuning."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from arena.tune.display import TuningDisplay
from arena.tune.run import run_tuning
from tests.arena.tune.skilled import configure, make_simulated_worker


def play(out: Path, *, is_terminal: bool, iterations: int) -> str:
    """Return what the display prints during a tuning."""
    output = io.StringIO()
    console = Console(
        file=output, force_terminal=is_terminal, width=120, height=30, no_color=True, legacy_windows=False
    )
    with TuningDisplay(console) as display:
        run_tuning(configure(out, iterations=iterations), display, (), make_simulated_worker)
        if is_terminal:
            console.print(display._render())
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.getvalue())  # without control sequences


def test_terminal_shows_parameters_speed_and_remaining_time(tmp_path: Path) -> None:
    lines = play(tmp_path, is_terminal=True, iterations=30).splitlines()
    heading = next(line for line in lines if "perturbation" in line)
    assert heading.split() == ["parameter", "start", "now", "range", "perturbation", "steps", "course"]
    rows = [line.split() for line in lines if "0..100" in line]
    assert rows[-1][:2] == ["skill", "50"]
    assert "180 games, " in "".join(lines)
    assert any("games a minute" in line for line in lines)
    assert any("30/30" in line for line in lines)


def test_other_output_gets_twenty_lines(tmp_path: Path) -> None:
    """A log file must not get a line per iteration of a long tuning, and a short one must not be silent."""
    lines = play(tmp_path / "long", is_terminal=False, iterations=60).splitlines()
    assert len(lines) == 20
    assert lines[0].startswith("iteration 3 of 60, 18 games, ")
    assert lines[-1].startswith("iteration 60 of 60, 360 games, ")
    assert ": skill=" in lines[-1]
    assert len(play(tmp_path / "short", is_terminal=False, iterations=3).splitlines()) == 3
