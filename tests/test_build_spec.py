"""Tests of `build.spec`: the executables of the bots have all data files, and need no excluded module."""

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
    """Return the list that `build.spec` assigns to a name."""
    tree = ast.parse((ROOT / "build.spec").read_text(encoding="utf-8"))
    (value,) = (
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    )
    return list(ast.literal_eval(value))


def read_excluded() -> list[str]:
    """Return the modules that `build.spec` excludes."""
    excluded = read_list("EXCLUDED")
    assert "core.native.kernel" in excluded
    return excluded


def list_data() -> set[Path]:
    """Return the data files of the bots: all files but code and documents."""
    other_suffixes = {".py", ".pyi", ".md", ".pyc", ".typed"}
    return {file for file in (ROOT / "bots").rglob("*") if file.is_file() and file.suffix not in other_suffixes}


def test_executables_and_packages_have_all_data() -> None:
    """Without a data file a bot starts, and fails when it first needs the file."""
    data, folders = list_data(), [ROOT / "bots" / game for game in GAMES]
    assert {file.parent.name for file in data} == {"hex", "opening", "kolibrat", "tables"}
    assert {file for folder in folders for glob in read_list("DATA") for file in folder.glob(glob)} == data
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    globs = project["tool"]["setuptools"]["package-data"]["bots"]
    assert {file for glob in globs for file in (ROOT / "bots").glob(glob)} == data


@pytest.mark.parametrize("game", GAMES)
def test_bot_reads_no_data_file_when_it_is_imported(game: str) -> None:
    hook = "sys.addaudithook(lambda event, values: event == 'open' and opened.append(str(values[0])))"
    code = f"import sys; opened = []; {hook}; import bots.{game}.__main__; print(*opened, sep='\\n')"
    command = [sys.executable, "-S", "-c", code]  # -S: without the installed packages
    opened = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert any("engine" in file for file in opened)
    assert not set(opened) & set(map(str, list_data()))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_build_spec_names_no_game(game: Game) -> None:
    text = (ROOT / "build.spec").read_text(encoding="utf-8")
    assert not re.search(rf"\b({game.name}|{game.executable})\b", text)


@pytest.mark.parametrize("game", GAMES)
def test_executable_has_no_modules_of_arena_and_web_pages(game: str) -> None:
    """PyInstaller packs every module that is imported anywhere in the text of a module, even only for types."""
    excluded, packed, to_visit = set(read_excluded()), set[str](), [f"bots.{game}.__main__"]
    while to_visit:
        module = to_visit.pop()
        if module not in excluded | packed:
            packed.add(module)
            to_visit += find_imports(module)
    assert f"bots.{game}.players" in packed
    arena_parts = {"registry", "pages", "rules_page", "scene", "arena"}
    assert not [module for module in packed if arena_parts & set(module.split(".")) or module.endswith(f"{game}.game")]


@pytest.mark.parametrize("game", GAMES)
def test_bot_starts_without_the_excluded_modules(game: str) -> None:
    """This test finds an import of an excluded module without a build, which takes several minutes."""
    # A module that is None in sys.modules cannot be imported.
    code = f"import sys; sys.modules.update(dict.fromkeys({read_excluded()!r})); import bots.{game}.__main__"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
