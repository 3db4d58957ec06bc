"""What `build.spec` leaves out of the executables, which the bots must not miss there."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bots.registry import GAMES
from core.play.game import Game

ROOT = Path(__file__).parents[1]


def read_excluded() -> list[str]:
    """The modules that the build file names."""
    tree = ast.parse((ROOT / "build.spec").read_text(encoding="utf-8"))
    (value,) = (
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "EXCLUDED"
    )
    found = ast.literal_eval(value)
    assert "core.native.kernel" in found
    return list(found)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_build_file_has_no_list_of_games_of_its_own(game: Game) -> None:
    text = (ROOT / "build.spec").read_text(encoding="utf-8")
    assert not re.search(rf"\b({game.name}|{game.executable})\b", text)


@pytest.mark.parametrize("game", GAMES)
def test_bot_needs_no_row(game: str) -> None:
    """What stands there is for the arena and the pages: in an executable it would be weight."""
    code = f"import sys, bots.{game}.__main__; print(*sys.modules)"
    command = [sys.executable, "-S", "-c", code]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    rows = {"bots.registry", f"bots.{game}.game", f"bots.{game}.painter", f"bots.{game}.rules_page"}
    assert f"bots.{game}.players" in loaded
    assert not rows & set(loaded)


@pytest.mark.parametrize("game", GAMES)
def test_bot_starts_without_what_its_executable_lacks(game: str) -> None:
    """One import too many fails only in the executable, minutes later."""
    code = f"import sys; sys.modules.update(dict.fromkeys({read_excluded()!r})); import bots.{game}.__main__"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
