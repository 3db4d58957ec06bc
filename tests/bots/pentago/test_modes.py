"""The kernels search and solve alike under numba and as a native library: same moves, scores and node counts."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from bots.pentago.players import PLAYERS
from bots.pentago.position import PentagoPosition
from bots.pentago.solver import prove
from core.native.jit import wrap_kernels
from core.native.load_kernels import load_kernels
from core.play.player import Limits, Setup, build_player

ROOT = Path(__file__).parents[3]
OPENINGS = (("", 5), ("c3t d4v", 6), ("e3v a3t d4x c5z f2u b1s a6y e6w", 6))
LATE = "1w1b1w/wbwbwb/1bbb1w/bbww1w/wb1w1b/1w4 b"  # 23 marbles
Found = list[list[int | str]]


def search_positions() -> Found:
    """Return move, score, nodes and PV length of each opening, and a proof, by the environment's kernels."""
    found: Found = []
    for moves, depth in OPENINGS:
        player = build_player(PLAYERS, "pentad:hash=4")
        player.new_game(Setup())
        player.set_position(moves.split())
        decision = player.choose(Limits(depth=depth))
        found.append([decision.move, decision.progress.score, decision.progress.nodes, len(decision.progress.pv)])
    position = PentagoPosition(Setup(position=LATE))
    proof = prove(position.library, position.state, position.legal_numbers(), 0)
    assert proof is not None
    found.append([proof.value, *sorted(proof.moves), int(position.state.nodes)])
    return found


def test_numba_and_native_rules_are_equal() -> None:
    """The whole states are compared in random games; compiling only the rules takes seconds."""
    kernels = import_module("bots.pentago.kernels.rules").KERNELS
    libraries = load_kernels("pentago", False), wrap_kernels(kernels)
    states = [library.new("Pentago") for library in libraries]
    for seed in range(3):
        rng, plies = random.Random(seed), 0
        for library, state in zip(libraries, states, strict=True):
            library.setup(state, 0, 0, 0)
        while not states[0].result:
            numbers = [
                (library.perft(state, 1), library.key(state), library.list_legal(state))
                for library, state in zip(libraries, states, strict=True)
            ]
            move = rng.choice(states[0].list[: numbers[0][-1]])
            for library, state in zip(libraries, states, strict=True):
                library.apply(state, move)
            plies += 1
            assert numbers[0] == numbers[1]
            assert bytes(states[0]) == bytes(states[1])
        for _ in range(plies):
            for library, state in zip(libraries, states, strict=True):
                library.undo(state)
            assert bytes(states[0]) == bytes(states[1])


@pytest.mark.slow  # twenty seconds of compiling
def test_numba_and_native_search_are_equal() -> None:
    """One process compiles all kernels itself, which takes half a minute."""
    code = f"import json; from {__name__} import search_positions; print(json.dumps(search_positions()))"
    environment = os.environ | {"PENTAD_KERNELS": "njit", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    found = search_positions()
    assert found == json.loads(done.stdout)
    assert all(int(row[2]) > 1000 for row in found[:-1])
