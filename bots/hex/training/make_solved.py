"""Makes bots/hex/opening/solved_openings.json: `python -m bots.hex.training.make_solved` (some minutes).

The file has the winner after each first move of black, and white's reply. If white wins, the reply is a proven win.
Otherwise it is the reply that the solver needs most nodes to refute, or empty if virtual connections refute all.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bots.hex.opening.first_moves import SOLVED_FILE
from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hex.symmetry import list_symmetries
from core.play.player import Setup
from core.play.squares import format_square
from core.system.files import write_json_object

SIZES = (5, 6, 7)


def main(path: Path = SOLVED_FILE, sizes: Sequence[int] = SIZES) -> None:
    """Solve the openings of all sizes and write the file."""
    write_json_object(path, {str(size): dict(sorted(solve_openings(size).items())) for size in sizes})


def solve_openings(size: int) -> dict[str, tuple[int, str]]:
    """Return winner (0 black, 1 white) and reply by opening, the first move of black."""
    setup = Setup(size, size, "standard")
    results: dict[str, tuple[int, str]] = {}
    for index in range((size * size + 1) // 2):  # the other cells are these, rotated by 180 degrees
        opening = format_square(index % size, index // size)
        winner, reply = solve_opening(setup, opening)
        results |= {moves[0]: (winner, moves[1]) for moves in list_symmetries((opening, reply), setup)}
    return results


def solve_opening(setup: Setup, opening: str) -> tuple[int, str]:
    """Return the winner and white's reply, the first move of the principal variation or an empty text.

    The solver begins with an empty transposition table, so the node count does not depend on other openings.
    """
    position = HexPosition(setup)
    position.play(opening)
    solution = DfpnSolver(position).solve(position)
    assert solution.winner is not None  # there is no limit
    print(f"{setup.width}: {opening} {solution.nodes} nodes, {solution.time_ms} ms", file=sys.stderr)
    return solution.winner, (*solution.pv, "")[0]


if __name__ == "__main__":
    main()
