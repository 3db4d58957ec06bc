"""Players and solver give the same results with kernels run by numba (PENTAD_KERNELS=njit) and the native library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bots.kolibrat.notation import Board
from bots.kolibrat.players import PLAYERS
from bots.kolibrat.solver.table_file import table_file_name
from core.play.player import Limits, Setup, build_player
from tests.bots.kolibrat.retrograde import solve_board

ROOT = Path(__file__).parents[3]
POSITIONS = (("3/1b1/1r1/3 r 0 0 4 5", 9), ("b3/1bb1/1r2/4/rrr1 b 0 0 6 4", 7), ("5/5/5/5/5/5 r 0 0 6 4", 9))
Found = list[tuple[str, int, int]]


def search_positions() -> Found:
    """Return move, score and nodes of each player and position, then checksums of a solved board and its table."""
    found = []
    for name in ("pentad:hash=4,perfect=no", "minimax"):
        for position, depth in POSITIONS:
            player = build_player(PLAYERS, name)
            player.new_game(Setup(position=position))
            decision = player.choose(Limits(depth=depth))
            found.append((decision.move, decision.progress.score, decision.progress.nodes))
    solver = solve_board(Board(3, 3, 3, 4))
    with TemporaryDirectory() as folder:
        table = Path(folder) / table_file_name(solver.board)
        solver.write(table)
        packed = table.read_bytes()
    codes = bytes(solver.codes)
    return [*found, ("solved", zlib.crc32(codes), len(codes)), ("packed", zlib.crc32(packed), len(packed))]


@pytest.fixture(scope="module")
def found_by_njit() -> Found:
    """Return the results of a process that compiles the kernels with numba, which takes half a minute."""
    code = f"import json; from {__name__} import search_positions; print(json.dumps(search_positions()))"
    environment = os.environ | {"PENTAD_KERNELS": "njit", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return [(move, score, nodes) for move, score, nodes in json.loads(done.stdout)]


@pytest.mark.slow  # half a minute of compiling
def test_numba_and_native_kernels_agree(found_by_njit: Found) -> None:
    assert search_positions() == found_by_njit
    assert sum(nodes > 1000 for _, _, nodes in found_by_njit) == len(found_by_njit)
