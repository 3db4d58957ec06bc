"""Makes `swap_values.py`: `python -m bots.hex.training.make_swap_values > values`, then moved there.

Where first moves are solved, that is their value. Every other one is searched as the second player's position, one of
two that lie turned by half a circle. It takes about ten minutes of one core.
"""

from __future__ import annotations

import sys

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from bots.hex.opening.solved_openings import OPENINGS
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square
from core.search.tree_search import CERTAIN

SIZES = range(5, 14)
PLAYOUTS = 25_000

HEADER = '''"""How good first moves are: made by `bots.hex.training.make_swap_values`, not by hand.

For each board size the rows from the top; the numbers are the first player's winning chances in percent.
"""

from __future__ import annotations

VALUES: dict[int, tuple[str, ...]] = {'''


def value_opening(engine: HexEngine, size: int, x: int, y: int) -> int:
    """Winning chances in percent of black after a first move, 0 or 100 where that is proven."""
    if size in OPENINGS:
        winner, _ = OPENINGS[size][format_square(x, y)]
        return 100 if winner == 0 else 0
    engine.new_game(Setup(size, size, "standard"))
    engine.play(format_square(x, y))
    score = engine.choose(Limits(nodes=PLAYOUTS)).progress.score
    return round(50 * (1 - max(-CERTAIN, min(score, CERTAIN)) / CERTAIN))


def value_board(engine: HexEngine, size: int) -> list[str]:
    """The rows of a board; turned by half a circle it is the same."""
    cells = [(x, y) for y in range(size) for x in range(size)]
    half = [value_opening(engine, size, x, y) for x, y in cells[: (len(cells) + 1) // 2]]
    values = half + half[: len(cells) // 2][::-1]
    return [" ".join(f"{value:2}" for value in values[row * size : (row + 1) * size]) for row in range(size)]


def main() -> None:
    """Print the module."""
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    print(HEADER)
    for size in SIZES:
        print(f"    {size}: (")
        for row in value_board(engine, size):
            print(f'        "{row}",')
        print("    ),", flush=True)
        print(f"size {size} done", file=sys.stderr)
    print("}")


if __name__ == "__main__":
    main()
