"""The node totals of `pentad bench`, the signatures of our searches: here they are changed on purpose or not at all.

A commit that changes one says why. What only makes a search faster, or its code shorter, changes none.
"""

from __future__ import annotations

import pytest

from arena.tools.bench import bench_in_process, bench_proofs
from bots.hex.notation import VARIANTS
from bots.hex.solver.solve import solve_case
from bots.registry import GAMES
from core.play.game import ProofCase
from core.play.player import Setup

QUICK = {"gomoku": (7, 24_583), "hive": (7, 339_359), "kolibrat": (12, 48_233), "pentago": (6, 2_381_040)}
TOTALS = {"gomoku": 165_048, "hex": 16_000, "hive": 1_252_982, "kolibrat": 48_233, "pentago": 21_097_911}
HEX_PROOFS = 26_836
HEX_QUICK_PROOFS = {"a2": 106, "c2": 39, "f1": 259}  # openings of 6x6
# There are as many playouts as were asked for: only the moves tell what they have found.
HEX_MOVES = (6, ("d7", "d6", "d8", "g9", "d4"))


def total(game: str, depth: int) -> int:
    return sum(row.nodes for row in bench_in_process(GAMES[game], depth))


@pytest.mark.parametrize("game", QUICK)
def test_totals_of_shallow_searches(game: str) -> None:
    depth, nodes = QUICK[game]
    assert total(game, depth) == nodes


def test_moves_of_short_runs_of_playouts() -> None:
    depth, moves = HEX_MOVES
    assert tuple(row.move for row in bench_in_process(GAMES["hex"], depth, "pentad:search=playouts")) == moves


def test_totals_of_small_proofs() -> None:
    cases = [ProofCase(Setup(6, 6, VARIANTS[0]), line, 100_000) for line in HEX_QUICK_PROOFS]
    assert {case.line: solve_case(case)[1] for case in cases} == HEX_QUICK_PROOFS


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_totals(game: str) -> None:
    """Those that `pentad bench` prints."""
    assert total(game, GAMES[game].bench_depth) == TOTALS[game]


@pytest.mark.slow
def test_total_of_proofs() -> None:
    assert sum(row.nodes for row in bench_proofs(GAMES["hex"])) == HEX_PROOFS
