"""The weights of Kolibrat's evaluation, by board size.

The terms are listed in bots/kolibrat/parameters.py. `weights.json` beside this file is written by `pentad kolibrat
tune`; a size that it lacks uses the weights of the tuned size with the nearest number of squares.
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

# Set by hand, in the order of WEIGHT_NAMES. The player `minimax` uses these by default.
START_WEIGHTS: Weights = (10, 20, 10, 15, 5, 5, 500, 10, 10, 60, 10)


_read_json = cache(read_json_object)


def tuned_weights(board: Board) -> Weights:
    """Return the tuned weights of the size nearest to a board's."""
    squares = board.width * board.height

    def distance(size: str) -> int:
        width, height = map(int, size.split("x"))
        return abs(width * height - squares)

    sizes = _read_json(WEIGHTS_FILE)
    found = sizes[min(sizes, key=distance)]
    return tuple(int(found[name]) for name in WEIGHT_NAMES)


def set_weights(state: Kolibrat, weights: Weights) -> None:
    """Set the weights of a state."""
    state.weights[: len(weights)] = weights
