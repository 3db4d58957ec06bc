"""Programs of games with GTP commands of their own (`gtp_commands.py`) list these commands."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAMES_WITH_COMMANDS = sorted(path.parent.name for path in ROOT.glob("bots/*/gtp_commands.py"))


@pytest.mark.parametrize("game", GAMES_WITH_COMMANDS)
def test_program_lists_the_commands_of_its_game(game: str) -> None:
    completed = subprocess.run(
        [sys.executable, "-m", f"bots.{game}"],
        cwd=ROOT,
        input="list_commands\n",
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    commands = import_module(f"bots.{game}.gtp_commands").make_commands(None)
    assert commands
    assert {command.usage.split()[0] for command in commands} <= set(completed.stdout.split())


def test_hex_and_kolibrat_have_their_own_commands() -> None:
    """With an empty list, the test above would check nothing."""
    assert GAMES_WITH_COMMANDS == ["hex", "kolibrat"]
