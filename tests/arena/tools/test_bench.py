"""The node totals of `pentad bench` are the signatures of our searches.

A commit that changes a search updates them here and says why. One that only speeds a search up must not change them.
"""

from __future__ import annotations

import pytest

from arena.tools.bench import bench_in_process, bench_proofs
from bots.hex.notation import VARIANTS
from bots.hex.solver.solve import solve_case
from bots.registry import GAMES
from core.play.game import ProofCase
from core.play.player import Setup

# By game: (depth, node total) of shallow searches
SHALLOW_TOTALS = {"gomoku": (7, 20_490), "hive": (7, 177_781), "kolibrat": (12, 45_297), "pentago": (6, 2_013_903)}
# By game: node total at the default depth of `pentad bench`
BENCH_TOTALS = {"gomoku": 95_032, "hex": 16_000, "hive": 754_666, "kolibrat": 45_297, "pentago": 14_397_988}
HEX_PROOF_TOTAL = 26_836  # nodes of the proofs of `pentad bench hex`
HEX_SMALL_PROOFS = {"a2": 106, "c2": 39, "f1": 259}  # nodes by opening move on 6x6
# Depth and chosen moves of Hex with `search=playouts`. The depth determines the number of playouts, so only the moves
# show a change of the search.
HEX_PLAYOUT_MOVES = (6, ("d7", "d6", "d8", "g9", "d4"))


def sum_nodes(game: str, depth: int) -> int:
    """Return the node total of `pentad bench` for the game's strongest player."""
    return sum(row.nodes for row in bench_in_process(GAMES[game], depth))


@pytest.mark.parametrize("game", SHALLOW_TOTALS)
def test_totals_of_shallow_searches(game: str) -> None:
    depth, nodes = SHALLOW_TOTALS[game]
    assert sum_nodes(game, depth) == nodes


def test_moves_after_few_playouts() -> None:
    depth, moves = HEX_PLAYOUT_MOVES
    assert tuple(row.move for row in bench_in_process(GAMES["hex"], depth, "pentad:search=playouts")) == moves


def test_totals_of_small_proofs() -> None:
    cases = [ProofCase(Setup(6, 6, VARIANTS[0]), opening, 100_000) for opening in HEX_SMALL_PROOFS]
    assert {case.line: solve_case(case)[1] for case in cases} == HEX_SMALL_PROOFS


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_totals_at_bench_depth(game: str) -> None:
    assert sum_nodes(game, GAMES[game].bench_depth) == BENCH_TOTALS[game]


@pytest.mark.slow
def test_total_of_proofs() -> None:
    assert sum(row.nodes for row in bench_proofs(GAMES["hex"])) == HEX_PROOF_TOTAL
