"""`core.system.lazy`: a postponed module is loaded at its first use and then is a normal module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bots.registry import GAMES
from core.system.lazy import LAZY_MODULES

ROOT = Path(__file__).parents[3]


def run_python(code: str) -> str:
    """Run code in a new process, as isolated as in an executable, and return its output."""
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="dataclasses asks inspect for annotations there")
@pytest.mark.parametrize("game", GAMES)
def test_the_start_of_a_bot_without_a_config_file_loads_no_postponed_module(game: str, tmp_path: Path) -> None:
    """A postponed module that was loaded can be recognised by the modules that it imports."""
    read = f"core.play.bot_cli.read_config(pathlib.Path({str(tmp_path / 'none.toml')!r}), 'hex')"
    code = f"import core.system.lazy, pathlib, bots.{game}.__main__, core.play.bot_cli; {read}; print(*sys.modules)"
    loaded = run_python(code).split()
    assert set(LAZY_MODULES) <= set(loaded)
    assert not {"ast", "dis", "tokenize", "linecache", "tomllib._parser", "textwrap"} & set(loaded)


def test_a_postponed_module_is_complete_at_its_first_use() -> None:
    code = (
        "import core.system.lazy, inspect, tomllib, types; from traceback import format_exc;"
        "print(tomllib.loads('a = 1'), inspect.signature(len), type(inspect) is types.ModuleType, callable(format_exc))"
    )
    assert run_python(code).split("\n")[0] == "{'a': 1} (obj, /) True True"


def test_a_module_that_is_already_loaded_is_not_replaced() -> None:
    assert run_python("import inspect; import core.system.lazy; print(type(inspect).__name__)") == "module\n"


def test_an_unknown_attribute_of_a_postponed_module_is_an_attribute_error() -> None:
    code = "import core.system.lazy, inspect\ntry: inspect.nothing\nexcept AttributeError as error: print(error)"
    assert run_python(code.replace("; ", "\n")) == "module 'inspect' has no attribute 'nothing'\n"
