"""Makes bots/hex/opening/swap_values.json: `python -m bots.hex.training.make_swap_values` (about an hour).

On solved boards a first move has its proven value. On others a tree search with the network scores the position after
it; of two first moves that differ by a rotation of 180 degrees only one is searched.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from bots.hex.opening.first_moves import solved_openings
from bots.hex.opening.swap import VALUES_FILE
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square
from core.search.mcts_search import CERTAIN_WIN_SCORE
from core.system.files import write_json_object

SIZES = range(5, 20)
LARGE_SIZE = 14  # from here on, positions take longer and there are more of them
POSITIONS, LARGE_POSITIONS = 1_000, 200  # evaluated by the network in each search, below LARGE_SIZE and from it on
SEED = 1


def evaluate_opening(engine: HexEngine, size: int, x: int, y: int) -> int:
    """Return black's winning chances in percent after a first move."""
    solved = solved_openings(size)
    if solved:
        winner, _ = solved[format_square(x, y)]
        return 100 if winner == 0 else 0
    engine.new_game(Setup(size, size, "standard"))
    engine.position.play(format_square(x, y))
    nodes = POSITIONS if size < LARGE_SIZE else LARGE_POSITIONS
    score = engine.choose(Limits(nodes=nodes)).progress.score  # for white, who is to move
    return round(50 * (1 - max(-CERTAIN_WIN_SCORE, min(score, CERTAIN_WIN_SCORE)) / CERTAIN_WIN_SCORE))


def evaluate_board(engine: HexEngine, size: int) -> list[list[int]]:
    """Return the values of all first moves by rows."""
    cells = [(x, y) for y in range(size) for x in range(size)]
    first_half = [evaluate_opening(engine, size, x, y) for x, y in cells[: (len(cells) + 1) // 2]]
    values = first_half + first_half[: len(cells) // 2][::-1]  # cell i rotated is cell len(cells) - 1 - i
    print(f"size {size} done", file=sys.stderr)
    return [values[row * size : (row + 1) * size] for row in range(size)]


def main(path: Path = VALUES_FILE, sizes: Sequence[int] = SIZES) -> None:
    """Evaluate the boards of all sizes and write the file."""
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("seed", SEED)
    write_json_object(path, {str(size): evaluate_board(engine, size) for size in sizes})


if __name__ == "__main__":
    main()
