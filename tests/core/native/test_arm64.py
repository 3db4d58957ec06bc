"""Kernels for ARM: each macOS library is whole, and the code does under an emulator what it does here.

The emulator runs Linux programs, so the code is that of the Linux target, which LLVM makes from the same modules.
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

DEPTHS = {"gomoku": 2, "hex": 3, "hive": 4, "kolibrat": 6, "pentago": 2}
# Calls the kernel `perft` on the record in a file, prints its result and writes the record back.
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
def test_macos_library_is_whole(game: str, tmp_path: Path) -> None:
    """It has every kernel, and asks for nothing that macOS does not give to every program."""
    build_libraries(game, {"generic": tmp_path}, "aarch64-macos")
    data = (tmp_path / f"{game}-generic.dylib").read_bytes()
    assert read_macho_exports(data) == set(json.loads((tmp_path / f"{game}.json").read_text())["kernels"])
    check_macho_imports(data)


@pytest.fixture
def emulator() -> str:
    found = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if found is None:
        pytest.skip("no qemu-aarch64 on this machine (Debian: apt-get install qemu-user)")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_code_counts_the_same_games_under_an_emulator(game: str, emulator: str, tmp_path: Path) -> None:
    """And leaves the same bytes in the record, so that it has played and undone the same moves."""
    compiled, caller, program = tmp_path / "kernels.o", tmp_path / "caller.c", tmp_path / "program"
    caller.write_text(CALLER, encoding="utf-8")
    compile_objects(kernel_module_name(game), "aarch64-linux", {"generic": compiled})
    link = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static", "-o", str(program)]
    subprocess.run([*link, str(caller), str(compiled)], check=True)
    row = GAMES[game]
    for line in row.bench_positions:
        position = row.new_position(row.default_setup)
        for move in row.parse_opening(line, row.default_setup) if line else []:
            position.play(move)
        state = position.state  # type: ignore[attr-defined]
        size, record = ctypes.sizeof(state), tmp_path / "record"
        record.write_bytes(bytes(state))
        command = [emulator, str(program), str(record), str(size), str(DEPTHS[game])]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert int(told) == position.perft(DEPTHS[game]) > 0
        assert record.read_bytes() == bytes(state)
