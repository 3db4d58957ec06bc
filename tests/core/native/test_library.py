"""Arrays for kernels, and the choice of the CPU level."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.registry import GAMES
from core.native import library
from core.native.library import AVX512_LEVEL, best_cpu_level, new_array
from core.native.library_cache import cpu_levels

ROOT = Path(__file__).parents[3]
# Prints the best CPU level in a process that looks like Windows
AS_ON_WINDOWS = """
import ctypes, os, sys, types
sys.modules["platform"] = None  # on Windows it imports `subprocess`, which executables do not contain
import core.native.library
sys.platform = "win32"
os.uname = None
ctypes.windll = types.SimpleNamespace(kernel32=types.SimpleNamespace(IsProcessorFeaturePresent=lambda _: {avx2}))
print(core.native.library.best_cpu_level(True))
"""


@pytest.mark.parametrize("huge_pages", [False, True])
def test_a_new_array_is_zeroed_and_can_be_written(huge_pages: bool) -> None:
    """A transposition table that is not zeroed would return wrong scores."""
    words = new_array("u64", 1 << 19, huge_pages)  # two huge pages
    assert len(words) == 1 << 19
    assert not any(words[:: 1 << 9])
    words[0], words[-1] = 1, 2**64 - 1
    assert (words[0], words[1], words[-1]) == (1, 0, 2**64 - 1)


def test_an_array_may_be_empty_but_not_of_negative_or_impossible_length() -> None:
    """Systems refuse to map 0 bytes; callers would take the error for a lack of memory."""
    assert len(new_array("u64", 0)) == 0
    with pytest.raises(ValueError, match="-1"):
        new_array("u64", -1)
    with pytest.raises(MemoryError, match=f"no memory for {1 << 60} words of type u64"):
        new_array("u64", 1 << 60)


@pytest.mark.parametrize(
    ("architecture", "avx2", "level"),
    [("AMD64", 1, "x86-64-v3"), ("AMD64", 0, "x86-64-v2"), ("ARM64", 0, "generic")],
)
def test_the_cpu_level_on_windows_is_found_without_a_subprocess(architecture: str, avx2: int, level: str) -> None:
    """Regression: all executables used to fail on Windows, because `platform` imports `subprocess`."""
    environment = {"PROCESSOR_ARCHITECTURE": architecture, "PYTHONPATH": str(ROOT)}
    code = AS_ON_WINDOWS.format(avx2=avx2)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == (level, "")


@pytest.mark.parametrize(
    ("with_avx512", "missing_flag", "level"),
    [(True, b"", AVX512_LEVEL), (True, b"avx512_vnni", "x86-64-v3"), (False, b"", "x86-64-v3")],
)
def test_avx512_kernels_are_used_if_the_cpu_has_all_instructions(
    with_avx512: bool, missing_flag: bytes, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a bot would end at an unknown instruction, or find no library for its level."""
    flags = {b"avx2", b"avx512f", b"avx512bw", b"avx512cd", b"avx512dq", b"avx512vl", b"avx512_vnni"}
    monkeypatch.setattr(library, "_list_flags", lambda: flags - {missing_flag})
    monkeypatch.setattr(library, "_machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "linux")
    assert best_cpu_level(with_avx512) == level
    assert level in cpu_levels("x86_64-linux", with_avx512)
    assert AVX512_LEVEL not in cpu_levels("x86_64-windows", with_avx512)


@pytest.mark.parametrize("name", GAMES)
def test_positions_load_the_kernels_that_the_game_is_built_with(name: str) -> None:
    """In an executable, a position that asks for another level would find no library."""
    position: Any = GAMES[name].new_position(GAMES[name].default_setup)
    assert position.has_avx512_kernels == GAMES[name].has_avx512_kernels
