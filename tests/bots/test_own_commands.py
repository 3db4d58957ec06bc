"""Programs of games with their own GTP commands list them: the entry point passes them to the session."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent.name for path in ROOT.glob("bots/*/gtp_commands.py"))


@pytest.mark.parametrize("game", GAMES)
def test_program_lists_the_commands_of_its_game(game: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"bots.{game}"],
        cwd=ROOT,
        input="list_commands\n",
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    own = import_module(f"bots.{game}.gtp_commands").make_commands(None)
    assert own
    assert {command.usage.split()[0] for command in own} <= set(done.stdout.split())


def test_hex_and_kolibrat_have_their_own_commands() -> None:
    assert GAMES == ["hex", "kolibrat"]
