"""The smoke test of `pentad build` accepts our bots, and reports what a broken program did."""

from __future__ import annotations

import sys

import pytest

from arena.errors import CommandFailedError
from arena.tools.smoke_test import smoke_test
from bots.registry import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_our_bots_pass(game: str) -> None:
    assert smoke_test([sys.executable, "-m", f"bots.{game}"], GAMES[game].protocol) > 0


@pytest.mark.parametrize(
    ("program", "error"),
    [
        (
            "raise OSError('no kernels')",
            r"no answer after 'START 15'; it exited with status 1; standard error: [^$]*kernels$",
        ),
        ("import time; time.sleep(60)", r"no answer after 'START 15'; it is still running; standard error: $"),
        ("print('ERROR no')", r"'START 15' was answered with 'ERROR no'$"),
        ('print(\'OK\\n7,7\\n7,8\\nname="Pentad", version="1"\', flush=True); exit(3)', r"exited with status 3$"),
    ],
)
def test_broken_program_is_reported(program: str, error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`program` is Python code that runs in place of a Gomoku bot."""
    monkeypatch.setattr("arena.tools.smoke_test.ANSWER_S", 5)
    with pytest.raises(CommandFailedError, match=error):
        smoke_test([sys.executable, "-c", program], "gomocup")
