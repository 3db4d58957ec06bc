"""The weights of Kolibrat's evaluation: the thesis' eleven parameters (Lindberg, DTU 2007), for each size of board.

`weights.json` beside this file is written by `pentad tune kolibrat`; the sizes that it lacks take those of the tuned
size with the nearest number of squares.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bots.kolibrat.notation import Board
from bots.kolibrat.parameters import WEIGHT_NAMES
from core.system.files import read_json_object

if TYPE_CHECKING:
    from bots.kolibrat.kernels.boundary import Kolibrat

WEIGHTS_FILE = Path(__file__).parent / "weights.json"

Weights = tuple[int, ...]

# What a person would set before any tuning, in the order of WEIGHT_NAMES. `minimax` plays by these.
START_WEIGHTS: Weights = (10, 20, 10, 15, 5, 5, 500, 10, 10, 60, 10)


_read_table = cache(read_json_object)


def tuned_weights(board: Board) -> Weights:
    """The tuned weights of the size nearest to a board's."""
    squares = board.width * board.height

    def distance(size: str) -> int:
        width, height = map(int, size.split("x"))
        return abs(width * height - squares)

    sizes = _read_table(WEIGHTS_FILE)
    found = sizes[min(sizes, key=distance)]
    return tuple(int(found[name]) for name in WEIGHT_NAMES)


def set_weights(state: Kolibrat, weights: Weights) -> None:
    """Let a record evaluate by these weights."""
    state.weights[: len(weights)] = weights
