"""Kernels compiled by numba give the same moves, scores and node counts as the native libraries.

`PENTAD_KERNELS=njit` selects numba. The numba kernels of each game run in a process of their own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bots.hex.notation import parse_opening
from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hive.notation import parse_game
from bots.kolibrat.notation import Board
from bots.kolibrat.solver.solve import KolibratSolver
from bots.kolibrat.solver.table_file import table_file_name
from bots.pentago.position import PentagoPosition
from bots.pentago.solver import prove
from bots.registry import GAMES
from core.play.player import Limits, Setup
from core.play.squares import split_squares
from tests.bots.hive.real_games import MIDGAMES, WON_IN_ONE
from tests.bots.playing import player_after

ROOT = Path(__file__).parents[2]
Search = tuple[str, Setup, list[str], Limits]  # player, setup, moves, limits
Result = list[str | int]  # of a search: move, score, nodes, length of the principal variation; of a proof: see PROOFS


def make_hive_search(game: str, depth: int) -> Search:
    variant, moves = parse_game(game)
    return "pentad:hash=4", Setup(variant=variant), moves, Limits(depth=depth)


def make_hex_search(size: int, line: str) -> Search:
    setup = Setup(size, size, "standard")
    return "pentad:seed=2,hash=16", setup, parse_opening(line, setup), Limits(nodes=4000)


SEARCHES: dict[str, list[Search]] = {
    "gomoku": [
        ("pentad:hash=4", Setup(size, size, variant), split_squares(moves) or [], Limits(depth=depth))
        for variant, size, moves, depth in (
            ("freestyle", 15, "h8i9g7i7j8", 7),
            ("renju", 15, "h8i8h9h10i9g9j10k11", 6),
            ("caro", 20, "j10k11j12j11i11k10k12", 6),
        )
    ],
    "hex": [make_hex_search(11, "f6e7g5h5d8"), make_hex_search(7, "a1")],
    "hive": [
        *(make_hive_search(game, 5) for game in MIDGAMES[:2]),
        make_hive_search(WON_IN_ONE[0], 2),
        make_hive_search(MIDGAMES[-1], 6),
    ],
    "pentago": [
        ("pentad:hash=4", Setup(), moves.split(), Limits(depth=depth))
        for moves, depth in (("", 5), ("c3t d4v", 6), ("e3v a3t d4x c5z f2u b1s a6y e6w", 6))
    ],
    "kolibrat": [
        (name, Setup(position=position), [], Limits(depth=depth))
        for name in ("pentad:hash=4,perfect=no", "minimax")  # perfect=no: without solved tables
        for position, depth in (
            ("3/1b1/1r1/3 r 0 0 4 5", 9),
            ("b3/1bb1/1r2/4/rrr1 b 0 0 6 4", 7),
            ("5/5/5/5/5/5 r 0 0 6 4", 9),
        )
    ],
}


def prove_hex_openings() -> list[Result]:
    """Return principal variation, winner and nodes of two proofs."""
    results: list[Result] = []
    for size, opening in ((6, "a2"), (7, "b6")):
        position = HexPosition(Setup(size, size, "standard"))
        position.play(opening)
        solution = DfpnSolver(position).solve(position)
        assert solution.winner is not None
        results.append([" ".join(solution.pv), solution.winner, solution.nodes])
    return results


def prove_pentago_position() -> list[Result]:
    """Return value, best moves and nodes of a proof with 23 marbles."""
    position = PentagoPosition(Setup(position="1w1b1w/wbwbwb/1bbb1w/bbww1w/wb1w1b/1w4 b"))
    proof = prove(position.library, position.state, position.legal_numbers(), deadline=0)  # 0: no deadline
    assert proof is not None
    return [[proof.value, *sorted(proof.moves), int(position.state.nodes)]]


def solve_kolibrat_board() -> list[Result]:
    """Return checksum and size of the codes of a solved board and of its table file."""
    solver = KolibratSolver(Board(3, 3, 3, 4))
    for _ in solver.solve():
        pass
    with TemporaryDirectory() as folder:
        table = Path(folder) / table_file_name(solver.board)
        solver.write(table)
        return [[zlib.crc32(content), len(content)] for content in (bytes(solver.codes), table.read_bytes())]


PROOFS: dict[str, Callable[[], list[Result]]] = {
    "hex": prove_hex_openings,
    "pentago": prove_pentago_position,
    "kolibrat": solve_kolibrat_board,
}


def compute_results(game: str) -> list[Result]:
    """Search and prove with the kernels that the environment selects; return the results of SEARCHES, then PROOFS."""
    results: list[Result] = []
    for name, setup, moves, limits in SEARCHES[game]:
        decision = player_after(game, name, moves, setup).choose(limits)
        progress = decision.progress
        results.append([decision.move, progress.score, progress.nodes, len(progress.pv)])
    return results + (PROOFS[game]() if game in PROOFS else [])


@pytest.mark.slow  # half a minute of compiling
@pytest.mark.parametrize("game", GAMES)
def test_numba_and_native_kernels_agree(game: str) -> None:
    code = f"import json; from {__name__} import compute_results; print(json.dumps(compute_results({game!r})))"
    environment = os.environ | {"PENTAD_KERNELS": "njit", "PYTHONPATH": str(ROOT)}
    completed = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    results = compute_results(game)
    assert results == json.loads(completed.stdout)
    # At least two of the searches must take more than 1000 nodes; short ones would compare little.
    assert sum(int(nodes) > 1000 for _, _, nodes, _ in results[: len(SEARCHES[game])]) >= 2
