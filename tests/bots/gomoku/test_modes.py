"""The kernels search alike under numba and as a native library: same moves, scores and node counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.gomoku.players import PLAYERS
from core.play.player import Limits, Setup, build_player
from core.play.squares import split_squares

ROOT = Path(__file__).parents[3]
POSITIONS = (
    ("freestyle", 15, "h8i9g7i7j8", 7),
    ("renju", 15, "h8i8h9h10i9g9j10k11", 6),
    ("caro", 20, "j10k11j12j11i11k10k12", 6),
)
Found = list[tuple[str, int, int, int]]


def search_positions() -> Found:
    """Return move, score, nodes and PV length of each position, by the kernels that the environment selects."""
    found = []
    for variant, size, moves, depth in POSITIONS:
        player = build_player(PLAYERS, "pentad:hash=4")
        player.new_game(Setup(size, size, variant))
        player.set_position(split_squares(moves) or [])
        decision = player.choose(Limits(depth=depth))
        found.append((decision.move, decision.progress.score, decision.progress.nodes, len(decision.progress.pv)))
    return found


@pytest.fixture(scope="module")
def results_under_numba() -> Found:
    """Return the results of a process that compiles all kernels itself, which takes half a minute."""
    code = f"import json; from {__name__} import search_positions; print(json.dumps(search_positions()))"
    environment = os.environ | {"PENTAD_KERNELS": "njit", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return [(move, score, nodes, length) for move, score, nodes, length in json.loads(done.stdout)]


@pytest.mark.slow  # half a minute of compiling
def test_numba_and_native_search_are_equal(results_under_numba: Found) -> None:
    assert search_positions() == results_under_numba
    assert all(nodes > 1000 for _, _, nodes, _ in results_under_numba)
