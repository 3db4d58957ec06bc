"""The engine chooses the same moves with kernels run by numba (PENTAD_KERNELS=njit) as with the native library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.hive.notation import parse_game
from bots.hive.players import PLAYERS
from core.play.player import Limits, Setup, build_player
from tests.bots.hive.real_games import MIDGAMES, WON_IN_ONE

ROOT = Path(__file__).parents[3]
POSITIONS = (*((game, 5) for game in MIDGAMES[:2]), (WON_IN_ONE[0], 2), (MIDGAMES[-1], 6))
Found = list[tuple[str, int, int, int]]


def search_positions() -> Found:
    """Return move, score, nodes and length of the principal variation for each position.

    The environment variable PENTAD_KERNELS chooses how the kernels run.
    """
    found = []
    for game, depth in POSITIONS:
        variant, moves = parse_game(game)
        player = build_player(PLAYERS, "pentad:hash=4")
        player.new_game(Setup(variant=variant))
        player.set_position(moves)
        decision = player.choose(Limits(depth=depth))
        found.append((decision.move, decision.progress.score, decision.progress.nodes, len(decision.progress.pv)))
    return found


@pytest.fixture(scope="module")
def found_by_njit() -> Found:
    """Return the results of a process that compiles the kernels with numba, which takes half a minute."""
    code = f"import json; from {__name__} import search_positions; print(json.dumps(search_positions()))"
    environment = os.environ | {"PENTAD_KERNELS": "njit", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return [(move, score, nodes, length) for move, score, nodes, length in json.loads(done.stdout)]


@pytest.mark.slow  # half a minute of compiling
def test_numba_and_native_kernels_search_alike(found_by_njit: Found) -> None:
    assert search_positions() == found_by_njit
    assert sum(nodes > 1000 for _, _, nodes, _ in found_by_njit) == 3
