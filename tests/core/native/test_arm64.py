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
from typing import Any

import pytest

from bots.hex.network import load_network
from bots.hex.position import HexPosition
from bots.registry import GAMES
from core.native.aot import compile_objects
from core.native.library import kernel_module_name, new_array
from core.native.library_cache import build_libraries
from core.play.player import Setup
from tests.core.native.test_cross_build import check_macho_imports, read_macho_exports

pytestmark = pytest.mark.arm64

PERFT_DEPTHS = {"gomoku": 2, "hex": 3, "hive": 4, "kolibrat": 6, "pentago": 2}
# A program with the arguments FILE SIZE DEPTH: it reads a kernel state from the file, calls a kernel, prints its result
# and writes the state back
CALLER = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int64_t KERNEL(void *record, int64_t depth);

int main(int count, char **words) {
    if (count != 4) return 2;
    long size = atol(words[2]);
    FILE *file = fopen(words[1], "r+b");
    void *record = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!file || !record || fread(record, 1, size, file) != (size_t)size) return 3;
    printf("%lld\\n", (long long)KERNEL(record, atol(words[3])));
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


def build_program(game: str, kernel: str, folder: Path) -> Path:
    """Return a program for ARM that calls a kernel of a game (CALLER). A kernel may ignore the second argument."""
    compiled, caller, program = folder / "kernels.o", folder / "caller.c", folder / "program"
    caller.write_text(CALLER, encoding="utf-8")
    compile_objects(kernel_module_name(game), "aarch64-linux", {"generic": compiled})
    link = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static", f"-DKERNEL={kernel}"]
    subprocess.run([*link, "-o", str(program), str(caller), str(compiled)], check=True)
    return program


def run_program(emulator: str, program: Path, state: Any, depth: int) -> tuple[str, bytes]:
    """Run such a program on a state; return what it prints, and the contents of the state afterwards."""
    state_file = program.with_name("state")
    state_file.write_bytes(bytes(state))
    command = [emulator, str(program), str(state_file), str(ctypes.sizeof(state)), str(depth)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return output, state_file.read_bytes()


@pytest.mark.parametrize("game", GAMES)
def test_perft_under_an_emulator_gives_the_same_count_and_state(game: str, emulator: str, tmp_path: Path) -> None:
    program = build_program(game, "perft", tmp_path)
    game_object = GAMES[game]
    for opening in game_object.bench_positions:
        position = game_object.new_position(game_object.default_setup)
        for move in game_object.parse_opening(opening, game_object.default_setup) if opening else []:
            position.play(move)
        state = position.state  # type: ignore[attr-defined]
        output, contents = run_program(emulator, program, state, PERFT_DEPTHS[game])
        assert int(output) == position.perft(PERFT_DEPTHS[game]) > 0
        assert contents == bytes(state)


def test_hex_network_under_an_emulator_gives_the_same_state(emulator: str, tmp_path: Path) -> None:
    """Its convolutions have instructions of their own on ARM (core/native/byte_dots.py)."""
    program = build_program("hex", "network_forward", tmp_path)
    position = HexPosition(Setup(11, 11, "standard"))
    position.replay(["f6", "e7", "g5", "h5"])
    state: Any = position.library.new("HexPlayout")
    load_network(state)
    state.win_reward = 1024
    position.library.set_root(position.state, state)
    position.library.init_tree(state, new_array("i32", 1 << 16))
    _, contents = run_program(emulator, program, state, 0)
    position.library.network_forward(state)
    assert contents == bytes(state)
    assert len(set(state.policy_logits)) > 100
