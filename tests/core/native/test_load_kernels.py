"""Loading kernels in an executable: a library that other users can write to is not loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.registry import GAMES
from core.native.library import best_cpu_level
from core.native.link import host_target, library_suffix

ROOT = Path(__file__).parents[3]
# Runs a bot as PyInstaller's boot loader does. Arguments: the folder of the unpacked files, the path of the executable
START = """
import runpy, sys
sys._MEIPASS, sys.executable = sys.argv.pop(1), sys.argv.pop(1)
sys.argv = ["pentad-bot"]
runpy.run_module("bots.{game}", run_name="__main__")
"""


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")
@pytest.mark.parametrize("game", GAMES)
def test_a_library_that_others_can_write_to_is_refused_with_one_line(game: str, tmp_path: Path) -> None:
    program, native = tmp_path / "program", tmp_path / "native"
    program.write_bytes(b"")
    program.chmod(0o755)
    native.mkdir(mode=0o755)
    suffix = library_suffix(host_target())
    code = native / f"{game}-{best_cpu_level(GAMES[game].has_avx512_kernels)}{suffix}"
    code.write_bytes(b"planted")
    code.chmod(0o666)
    (native / f"{game}.json").write_text(f'{{"records": {{}}, "kernels": {{}}, "called": {{}}, "suffix": "{suffix}"}}')
    command = [sys.executable, "-S", "-c", START.format(game=game), str(tmp_path), str(program)]
    done = subprocess.run(
        command, cwd=ROOT, input="quit\nexit\nEND\n", capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"pentad-bot: {code} can be written by other users: code in it is not run\n"
