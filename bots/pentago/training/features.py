"""What Pentago's evaluation counts, as columns of a fit: `bots/pentago/weights.py` has a number for each, by knots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bots.pentago import weights
from bots.pentago.kernels.evaluate import PARTS
from bots.pentago.kernels.threats import WINS
from bots.pentago.layout import CENTRES, LINES, QUADRANTS
from bots.pentago.position import PentagoPosition
from core.play.player import Setup

UNITS = 100  # evaluation units to one of log-odds

# The weights with the parts of a quadrant that they are for, and the least and most marbles that count there.
SHAPES = (
    ("EDGES", PARTS[:4], 1, 3),
    ("MIDDLES", PARTS[4:6], 1, 3),
    ("DIAGONALS", PARTS[6:8], 1, 3),
    ("CORNER", PARTS[8:16:2], 1, 1),
    ("EDGE", PARTS[9:16:2], 1, 1),
    ("CENTRE", PARTS[16:], 1, 1),
)
OWN_LINE, THEIR_LINE = (2, 3), (2, 4)  # marbles of an open line that count
LENGTHS = (*((name, most - least + 1) for name, _, least, most in SHAPES), ("OWN", 2), ("THEIRS", 3))
SINGLES = ("TEMPO", "THREAT", "TURNED")


def _mask(bits: Sequence[int], quadrant: int) -> int:
    return sum(1 << (8 * quadrant + bit if bit < 8 else CENTRES + quadrant) for bit in bits)


PART_MASKS = tuple(
    ([_mask(bits, quadrant) for bits, _ in parts for quadrant in range(QUADRANTS)], least, most)
    for _, parts, least, most in SHAPES
)
LINE_MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)


def count_shapes(masks: Sequence[int], own: int, other: int, least: int, most: int) -> list[int]:
    """How many of the masks without an enemy's marble hold `least` to `most` of one's own."""
    counts = [0] * (most + 1)
    for mask in masks:
        if not mask & other and (held := (mask & own).bit_count()) <= most:
            counts[held] += 1
    return counts[least:]


class Counter:
    """Counts the features of boards, with a board of the rules for what needs a look at the turns."""

    def __init__(self) -> None:
        self._position = PentagoPosition(Setup())

    def count(self, own: int, other: int) -> list[int]:
        """In the order of LENGTHS and SINGLES, for the side with `own` marbles, to move, which does not win at once."""
        counts: list[int] = []
        for masks, least, most in PART_MASKS:
            mine, theirs = (count_shapes(masks, *pair, least, most) for pair in ((own, other), (other, own)))
            counts += [first - second for first, second in zip(mine, theirs, strict=True)]
        counts += count_shapes(LINE_MASKS, own, other, *OWN_LINE)
        counts += [-count for count in count_shapes(LINE_MASKS, other, own, *THEIR_LINE)]
        return [*counts, 1, -int(self._turned(other, own) == WINS), self._turned(own, other)]

    def _turned(self, own: int, other: int) -> int:
        library, state = self._position.library, self._position.state
        library.setup(state, own, other, 0)
        return int(library.count_turned(state))


def knot_shares(marbles: int) -> list[float]:
    """How much the weights at each knot count with so many marbles on the board."""
    knots = len(weights.KNOTS)
    return [float(np.interp(marbles, weights.KNOTS, np.eye(knots)[knot])) for knot in range(knots)]


def spread(features: Sequence[int], marbles: int) -> list[float]:
    """The features once for each knot, by its share."""
    return [share * feature for share in knot_shares(marbles) for feature in features]


def format_weights(fitted: Sequence[float]) -> str:
    """Fitted columns as the lines of `bots/pentago/weights.py`."""
    rows = np.round(np.array(fitted).reshape(len(weights.KNOTS), -1)).astype(int).tolist()
    lines, start = [], 0
    for name, length in (*LENGTHS, *((name, 1) for name in SINGLES)):
        parts = [tuple(row[start : start + length]) if length > 1 else row[start] for row in rows]
        lines.append(f"{name} = {tuple(parts)}")
        start += length
    return "\n".join(lines)
