"""Kernels compiled by numba in the process and the native library give the same moves, scores and node counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.hex.notation import parse_opening
from bots.hex.players import PLAYERS
from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from core.play.player import Limits, Setup, build_player

ROOT = Path(__file__).parents[3]
SEARCHED = (("pentad:seed=2,hash=16", 11, "f6e7g5h5d8", 4000), ("pentad:seed=2,hash=16", 7, "a1", 4000))
PROVEN = ((6, "a2"), (7, "b6"))
Found = list[tuple[str, int, int]]


def search_positions() -> Found:
    """Return move, score and nodes of each search, and variation, winner and nodes of each proof."""
    found = []
    for name, size, line, nodes in SEARCHED:
        setup = Setup(size, size, "standard")
        player = build_player(PLAYERS, name)
        player.new_game(setup)
        player.set_position(parse_opening(line, setup))
        decision = player.choose(Limits(nodes=nodes))
        found.append((decision.move, decision.progress.score, decision.progress.nodes))
    for size, opening in PROVEN:
        position = HexPosition(Setup(size, size, "standard"))
        position.play(opening)
        solution = DfpnSolver(position).solve(position)
        assert solution.winner is not None
        found.append((" ".join(solution.pv), solution.winner, solution.nodes))
    return found


@pytest.mark.slow
def test_both_ways_of_running_search_alike() -> None:
    """It takes a minute, because the other process compiles all kernels."""
    code = f"import json; from {__name__} import search_positions; print(json.dumps(search_positions()))"
    environment = os.environ | {"PENTAD_KERNELS": "njit", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    by_njit = [tuple(row) for row in json.loads(done.stdout)]
    assert search_positions() == by_njit
    assert all(nodes > 100 for _, _, nodes in by_njit)
