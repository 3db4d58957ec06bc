"""Makes bots/hex/opening/solved_openings.json: `python -m bots.hex.training.make_solved` (some minutes).

White's reply to a lost opening is a proven win. To a winning opening it is the reply that took most nodes to refute.
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
    """Return winner and reply for each opening of a board."""
    setup = Setup(size, size, "standard")
    found: dict[str, tuple[int, str]] = {}
    for number in range((size * size + 1) // 2):  # the others are these, rotated by 180 degrees
        opening = format_square(number % size, number // size)
        winner, reply = solve_opening(setup, opening)
        found |= {image[0]: (winner, image[1]) for image in list_symmetries((opening, reply), setup)}
    return found


def solve_opening(setup: Setup, opening: str) -> tuple[int, str]:
    """Return the winner and white's reply, solved with an empty transposition table."""
    position = HexPosition(setup)
    position.play(opening)
    solution = DfpnSolver(position).solve(position)
    assert solution.winner is not None  # there is no limit
    print(f"{setup.width}: {opening} {solution.nodes} nodes, {solution.time_ms} ms", file=sys.stderr)
    return solution.winner, (*solution.pv, "")[0]


if __name__ == "__main__":
    main()
