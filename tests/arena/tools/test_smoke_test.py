"""The conversation that ends a build: who holds it passes, and what goes wrong is told with the program's words."""

from __future__ import annotations

import os
import sys

import pytest

from arena.errors import CommandFailedError
from arena.tools.smoke_test import smoke_test
from bots.registry import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_our_bots_hold_it(game: str) -> None:
    assert smoke_test([sys.executable, "-m", f"bots.{game}"], GAMES[game].protocol, os.environ) > 0


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (
            "raise OSError('no kernels')",
            r"nothing came after 'START 15'; it ended with status 1; it wrote: [^$]*kernels$",
        ),
        ("import time; time.sleep(60)", r"nothing came after 'START 15'; it goes on; it wrote: $"),
        ("print('ERROR no')", r"'START 15' was answered with 'ERROR no'$"),
        ('print(\'OK\\n7,7\\n7,8\\nname="Pentad", version="1"\', flush=True); exit(3)', r"ended with status 3$"),
    ],
)
def test_what_goes_wrong_is_told(program: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tools.smoke_test.ANSWER_S", 5)
    with pytest.raises(CommandFailedError, match=told):
        smoke_test([sys.executable, "-c", program], "gomocup", os.environ)
