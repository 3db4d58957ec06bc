"""Features of Pentago's evaluation for fitting: one column per weight and knot of bots/pentago/weights.py.

A knot is a number of marbles at which the weights are given; between two knots they are interpolated. The columns of
one knot are FEATURE_COLUMNS, then SCALAR_FEATURES. The features of a board are repeated for each knot, multiplied by
the knot's interpolation weight. Boards are bitboards (bots/pentago/layout.py).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bots.pentago import weights
from bots.pentago.kernels.evaluate import QUADRANT_PARTS
from bots.pentago.kernels.threats import WINS
from bots.pentago.layout import FIRST_CENTRE, LINES, QUADRANTS
from bots.pentago.position import PentagoPosition
from core.play.player import Setup

UNITS_PER_LOGIT = 100  # evaluation units per unit of log-odds of winning

# (name of the weight, its parts of a quadrant, smallest and largest number of own marbles that count).
PART_FEATURES = (
    ("EDGES", QUADRANT_PARTS[:4], 1, 3),
    ("MIDDLES", QUADRANT_PARTS[4:6], 1, 3),
    ("DIAGONALS", QUADRANT_PARTS[6:8], 1, 3),
    ("CORNER", QUADRANT_PARTS[8:16:2], 1, 1),
    ("EDGE", QUADRANT_PARTS[9:16:2], 1, 1),
    ("CENTRE", QUADRANT_PARTS[16:], 1, 1),
)
# Smallest and largest number of marbles of an open line that count. An own four wins at once.
OWN_LINE_COUNTS, OPPONENT_LINE_COUNTS = (2, 3), (2, 4)
FEATURE_COLUMNS = (  # name of a weight, number of its columns
    *((name, max_count - min_count + 1) for name, _, min_count, max_count in PART_FEATURES),
    ("OWN_LINE", 2),
    ("OPPONENT_LINE", 3),
)
SCALAR_FEATURES = ("TEMPO", "THREAT", "ROTATED_THREE")


def _mask(bits: Sequence[int], quadrant: int) -> int:
    """Return the bitboard of some squares of a quadrant: 0 to 7 are its ring, 8 is its centre."""
    return sum(1 << (8 * quadrant + bit if bit < 8 else FIRST_CENTRE + quadrant) for bit in bits)


PART_MASKS = tuple(  # as PART_FEATURES: masks on the board, smallest and largest number
    ([_mask(bits, quadrant) for bits, _ in parts for quadrant in range(QUADRANTS)], min_count, max_count)
    for _, parts, min_count, max_count in PART_FEATURES
)
LINE_MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)


def count_shapes(masks: Sequence[int], own: int, other: int, min_count: int, max_count: int) -> list[int]:
    """Return how many masks hold `min_count`, ..., `max_count` marbles of `own` and none of `other`."""
    counts = [0] * (max_count + 1)
    for mask in masks:
        if not mask & other and (own_count := (mask & own).bit_count()) <= max_count:
            counts[own_count] += 1
    return counts[min_count:]


class FeatureExtractor:
    """Computes the features of boards; it keeps a position for the features that need the kernels."""

    def __init__(self) -> None:
        self._position = PentagoPosition(Setup())

    def extract(self, own: int, other: int) -> list[int]:
        """Return the features for the side to move, which has `own` marbles and must have no win in one move.

        Their order is that of FEATURE_COLUMNS, then SCALAR_FEATURES.
        """
        counts: list[int] = []
        for masks, min_count, max_count in PART_MASKS:
            mine, theirs = (count_shapes(masks, *pair, min_count, max_count) for pair in ((own, other), (other, own)))
            counts += [own_count - opponent_count for own_count, opponent_count in zip(mine, theirs, strict=True)]
        counts += count_shapes(LINE_MASKS, own, other, *OWN_LINE_COUNTS)
        counts += [-count for count in count_shapes(LINE_MASKS, other, own, *OPPONENT_LINE_COUNTS)]
        return [*counts, 1, -int(self._rotated_threes(other, own) == WINS), self._rotated_threes(own, other)]

    def _rotated_threes(self, own: int, other: int) -> int:
        """Return how many open lines of three the side with `own` has after all rotations, or WINS."""
        library, state = self._position.library, self._position.state
        library.setup(state, own, other, 0)
        return int(library.rotated_threes_to_move(state))


def interpolation_weights(marbles: int) -> list[float]:
    """Return the interpolation weight of each knot at a number of marbles. They sum to 1."""
    knots = len(weights.KNOTS)
    return [float(np.interp(marbles, weights.KNOTS, np.eye(knots)[knot])) for knot in range(knots)]


def expand_by_knot(features: Sequence[int], marbles: int) -> list[float]:
    """Return the features once per knot, multiplied by the knot's weight."""
    return [share * feature for share in interpolation_weights(marbles) for feature in features]


def format_weights(fitted: Sequence[float]) -> str:
    """Format fitted columns as lines of bots/pentago/weights.py."""
    rows = np.round(np.array(fitted).reshape(len(weights.KNOTS), -1)).astype(int).tolist()
    lines, start = [], 0
    for name, length in (*FEATURE_COLUMNS, *((name, 1) for name in SCALAR_FEATURES)):
        parts = [tuple(row[start : start + length]) if length > 1 else row[start] for row in rows]
        lines.append(f"{name} = {tuple(parts)}")
        start += length
    return "\n".join(lines)
