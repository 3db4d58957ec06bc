"""The bots do not need the modules that `build.spec` excludes from the executables."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bots.registry import GAMES
from core.play.game import Game
from tests.test_imports import find_imports

ROOT = Path(__file__).parents[1]


def read_list(name: str) -> list[str]:
    """What the build file gives a name."""
    tree = ast.parse((ROOT / "build.spec").read_text(encoding="utf-8"))
    (value,) = (
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    )
    return list(ast.literal_eval(value))


def read_excluded() -> list[str]:
    """The modules that the build file names."""
    found = read_list("EXCLUDED")
    assert "core.native.kernel" in found
    return found


def list_data() -> set[Path]:
    """The files of the bots that are neither code nor written for people."""
    known = {".py", ".pyi", ".md", ".pyc", ".typed"}
    return {file for file in (ROOT / "bots").rglob("*") if file.is_file() and file.suffix not in known}


def test_executables_and_packages_carry_all_data() -> None:
    """A bot that misses a table starts and answers, until it first looks for it."""
    data, folders = list_data(), [ROOT / "bots" / game for game in GAMES]
    assert {file.parent.name for file in data} == {"hex", "opening", "kolibrat", "tables"}
    assert {file for folder in folders for glob in read_list("DATA") for file in folder.glob(glob)} == data
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    globs = project["tool"]["setuptools"]["package-data"]["bots"]
    assert {file for glob in globs for file in (ROOT / "bots").glob(glob)} == data


@pytest.mark.parametrize("game", GAMES)
def test_bot_reads_no_table_before_it_needs_one(game: str) -> None:
    watch = "sys.addaudithook(lambda event, values: event == 'open' and opened.append(str(values[0])))"
    code = f"import sys; opened = []; {watch}; import bots.{game}.__main__; print(*opened, sep='\\n')"
    command = [sys.executable, "-S", "-c", code]
    opened = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert any("engine" in file for file in opened)
    assert not set(opened) & set(map(str, list_data()))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_build_file_has_no_list_of_games_of_its_own(game: Game) -> None:
    text = (ROOT / "build.spec").read_text(encoding="utf-8")
    assert not re.search(rf"\b({game.name}|{game.executable})\b", text)


@pytest.mark.parametrize("game", GAMES)
def test_executable_carries_nothing_of_rows_and_pages(game: str) -> None:
    """PyInstaller packs what is named anywhere in a module's text, also for types alone."""
    carried, waiting = set(read_excluded()), [f"bots.{game}.__main__"]
    before = set(carried)
    while waiting:
        module = waiting.pop()
        if module not in carried:
            carried.add(module)
            waiting += find_imports(module)
    reached = carried - before
    assert f"bots.{game}.players" in reached
    words = {"registry", "pages", "rules_page", "scene", "arena"}
    assert not [module for module in reached if words & set(module.split(".")) or module.endswith(f"{game}.game")]


@pytest.mark.parametrize("game", GAMES)
def test_bot_starts_without_what_its_executable_lacks(game: str) -> None:
    """One import too many fails only in the executable, minutes later."""
    code = f"import sys; sys.modules.update(dict.fromkeys({read_excluded()!r})); import bots.{game}.__main__"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
