"""Postponed modules: not loaded by an import, loaded at the first use, and normal modules after that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bots.registry import GAMES
from core.system.lazy import LAZY

ROOT = Path(__file__).parents[3]


def run(code: str) -> str:
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="dataclasses asks inspect for annotations there")
@pytest.mark.parametrize("game", GAMES)
def test_start_without_a_config_file_loads_none_of_them(game: str, tmp_path: Path) -> None:
    read = f"core.play.bot_cli.read_config(pathlib.Path({str(tmp_path / 'none.toml')!r}), 'hex')"
    code = f"import core.system.lazy, pathlib, bots.{game}.__main__, core.play.bot_cli; {read}; print(*sys.modules)"
    loaded = run(code).split()
    assert set(LAZY) <= set(loaded)
    assert not {"ast", "dis", "tokenize", "linecache", "tomllib._parser", "textwrap"} & set(loaded)


def test_postponed_module_is_whole_at_its_first_use() -> None:
    code = (
        "import core.system.lazy, inspect, tomllib, types; from traceback import format_exc;"
        "print(tomllib.loads('a = 1'), inspect.signature(len), type(inspect) is types.ModuleType, callable(format_exc))"
    )
    assert run(code).split("\n")[0] == "{'a': 1} (obj, /) True True"


def test_module_that_is_there_already_stays() -> None:
    assert run("import inspect; import core.system.lazy; print(type(inspect).__name__)") == "module\n"


def test_strange_name_of_a_postponed_module_is_missed_as_usual() -> None:
    code = "import core.system.lazy, inspect\ntry: inspect.nothing\nexcept AttributeError as error: print(error)"
    assert run(code.replace("; ", "\n")) == "module 'inspect' has no attribute 'nothing'\n"
