"""The weights of Kolibrat's evaluation, by board size.

The terms are listed in bots/kolibrat/parameters.py. `weights.json` beside this file is written by `pentad kolibrat
tune`: an object with the weights by name for each board size, such as `3x4` (columns x rows). A size that it lacks uses
the weights of the size in the file with the nearest number of squares.
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

Weights = tuple[int, ...]  # in the order of WEIGHT_NAMES

# Set by hand. The player `greedy` uses these, and `minimax` by default.
START_WEIGHTS: Weights = (10, 20, 10, 15, 5, 5, 500, 10, 10, 60, 10)

_read_json = cache(read_json_object)  # reads each file once


def tuned_weights(board: Board) -> Weights:
    """Return the tuned weights of the size whose number of squares is nearest to the board's."""
    squares = board.width * board.height

    def distance(size: str) -> int:
        width, height = map(int, size.split("x"))
        return abs(width * height - squares)

    weights_by_size = _read_json(WEIGHTS_FILE)
    nearest = weights_by_size[min(weights_by_size, key=distance)]
    return tuple(int(nearest[name]) for name in WEIGHT_NAMES)


def set_weights(state: Kolibrat, weights: Weights) -> None:
    """Set the weights of a state."""
    state.weights[: len(weights)] = weights
