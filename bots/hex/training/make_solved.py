"""Makes bots/hex/opening/solved_openings.py: `python -m bots.hex.training.make_solved > solved.py`, some minutes.

White's reply to a lost opening is one that is proven to win. To a won opening it is the one that took most work to
refute.
"""

from __future__ import annotations

import sys

from bots.hex.position import HexPosition
from bots.hex.solver.solve import ProofSearch
from bots.hex.symmetry import list_images
from core.play.player import Setup
from core.play.squares import format_square

SIZES = (5, 6, 7)
HEAD = '''"""Who wins after each first move, and white's reply: made by bots/hex/training/make_solved.py, not by hand.

For each size and opening 0 where black wins and 1 where white does, then the reply: white's winning one, or the one
that is hardest to refute, empty where virtual connections refute all at once.
"""

from __future__ import annotations

OPENINGS: dict[int, dict[str, tuple[int, str]]] = {'''


def main() -> None:
    """Print the module."""
    print(HEAD)
    for size in SIZES:
        print(f"    {size}: {{")
        for opening, (winner, reply) in sorted(solve_openings(size).items()):
            print(f'        "{opening}": ({winner}, "{reply}"),')
        print("    },", flush=True)
    print("}")


def solve_openings(size: int) -> dict[str, tuple[int, str]]:
    """Winner and reply by opening of a board."""
    setup = Setup(size, size, "standard")
    found: dict[str, tuple[int, str]] = {}
    for number in range((size * size + 1) // 2):  # the others are these turned by half a circle
        opening = format_square(number % size, number // size)
        winner, reply = solve_opening(setup, opening)
        found |= {image[0]: (winner, image[1]) for image in list_images((opening, reply), setup)}
    return found


def solve_opening(setup: Setup, opening: str) -> tuple[int, str]:
    """Winner and white's reply, by a solver that knows nothing yet."""
    position = HexPosition(setup)
    position.play(opening)
    solution = ProofSearch(position).solve(position)
    assert solution.winner is not None  # there is no limit
    print(f"{setup.width}: {opening} {solution.nodes} nodes, {solution.time_ms} ms", file=sys.stderr)
    return solution.winner, (*solution.line, "")[0]


if __name__ == "__main__":
    main()
