"""Kernels for ARM: the macOS libraries are complete, and the kernels compute under an emulator what they compute here.

The emulator runs Linux programs. Therefore it runs the kernels of the Linux target, whose code LLVM generates from the
same modules.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bots.registry import GAMES
from core.native.aot import compile_objects
from core.native.library import kernel_module_name
from core.native.library_cache import build_libraries
from tests.core.native.test_cross_build import check_macho_imports, read_macho_exports

pytestmark = pytest.mark.arm64

PERFT_DEPTHS = {"gomoku": 2, "hex": 3, "hive": 4, "kolibrat": 6, "pentago": 2}
# A program with the arguments FILE SIZE DEPTH: it reads a kernel state from the file, prints the result of the kernel
# `perft` and writes the state back
CALLER = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int64_t perft(void *record, int64_t depth);

int main(int count, char **words) {
    if (count != 4) return 2;
    long size = atol(words[2]);
    FILE *file = fopen(words[1], "r+b");
    void *record = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!file || !record || fread(record, 1, size, file) != (size_t)size) return 3;
    printf("%lld\\n", (long long)perft(record, atol(words[3])));
    rewind(file);
    return fwrite(record, 1, size, file) == (size_t)size && fclose(file) == 0 ? 0 : 4;
}
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_macos_library_is_complete(game: str, tmp_path: Path) -> None:
    """It exports every kernel, and imports nothing but symbols that every macOS system has."""
    build_libraries(game, {"generic": tmp_path}, "aarch64-macos")
    data = (tmp_path / f"{game}-generic.dylib").read_bytes()
    assert read_macho_exports(data) == set(json.loads((tmp_path / f"{game}.json").read_text())["kernels"])
    check_macho_imports(data)


@pytest.fixture
def emulator() -> str:
    """Return the path of the emulator; skip the test if there is none."""
    path = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if path is None:
        pytest.skip("no qemu-aarch64 on this machine (Debian: apt-get install qemu-user)")
    return path


@pytest.mark.parametrize("game", GAMES)
def test_perft_under_an_emulator_gives_the_same_count_and_state(game: str, emulator: str, tmp_path: Path) -> None:
    compiled, caller, program = tmp_path / "kernels.o", tmp_path / "caller.c", tmp_path / "program"
    caller.write_text(CALLER, encoding="utf-8")
    compile_objects(kernel_module_name(game), "aarch64-linux", {"generic": compiled})
    link = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static", "-o", str(program)]
    subprocess.run([*link, str(caller), str(compiled)], check=True)
    game_object = GAMES[game]
    for opening in game_object.bench_positions:
        position = game_object.new_position(game_object.default_setup)
        for move in game_object.parse_opening(opening, game_object.default_setup) if opening else []:
            position.play(move)
        state = position.state  # type: ignore[attr-defined]
        size, state_file = ctypes.sizeof(state), tmp_path / "state"
        state_file.write_bytes(bytes(state))
        command = [emulator, str(program), str(state_file), str(size), str(PERFT_DEPTHS[game])]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert int(output) == position.perft(PERFT_DEPTHS[game]) > 0
        assert state_file.read_bytes() == bytes(state)
