"""Pentago's evaluation: open lines by the number of marbles in them, and what a quadrant holds however it is turned."""

from __future__ import annotations

import numpy as np

from bots.pentago import weights
from bots.pentago.kernels.patterns import FIELDS_LOW, KERNELS, content_of, line_count, touched_lines
from bots.pentago.kernels.threats import wins_at_once
from bots.pentago.layout import QUADRANTS
from core.native.intrinsics import popcount

OWN_TWO, OWN_THREE, OWN_FOUR = weights.OWN
THEIR_TWO, THEIR_THREE, THEIR_FOUR = weights.THEIRS
TEMPO, THREAT = weights.TEMPO, weights.THREAT

# The parts of a quadrant by the bits of its content, and what they are worth by the number of marbles.
PARTS = (
    ((0, 1, 2), weights.EDGES),
    ((2, 3, 4), weights.EDGES),
    ((4, 5, 6), weights.EDGES),
    ((6, 7, 0), weights.EDGES),
    ((1, 8, 5), weights.MIDDLES),
    ((3, 8, 7), weights.MIDDLES),
    ((0, 8, 4), weights.DIAGONALS),
    ((2, 8, 6), weights.DIAGONALS),
    *(((bit, (bit + 2) & 7), (0, weights.SLANT)) for bit in (1, 3, 5, 7)),
    *(((bit,), (weights.EDGE if bit & 1 else weights.CORNER,)) for bit in range(8)),
    ((8,), (weights.CENTRE,)),
)


def _ternary_table() -> np.ndarray:
    """The number that each content of a colour adds to a quadrant's number in base three."""
    return np.array([sum(3**bit for bit in range(9) if content >> bit & 1) for content in range(512)])


def _quadrant_value(own: int, other: int) -> int:
    """Worth of a quadrant to the side with the first content, parts with marbles of both colours left out."""
    value = 0
    for bits, points in PARTS:
        mine, theirs = (sum(content >> bit & 1 for bit in bits) for content in (own, other))
        if mine and not theirs:
            value += points[mine - 1]
        elif theirs and not mine:
            value -= points[theirs - 1]
    return value


def _quadrant_table() -> np.ndarray:
    """Worth of a quadrant by its number in base three: 1 for one's own marble, 2 for an enemy's."""
    table = np.zeros(3**9, dtype=np.int16)
    for own in range(512):
        other = rest = 511 & ~own
        while True:
            table[TERNARY[own] + 2 * TERNARY[other]] = _quadrant_value(own, other)
            if other == 0:
                break
            other = (other - 1) & rest
    return table


TERNARY = _ternary_table()
QUADRANT_TABLE = _quadrant_table()


@KERNELS.kernel("i64(i64, i64, i64, i64)")
def lines_value(own0, own1, other0, other1):
    """The part of the estimate that hangs on how the quadrants are turned, of the line counts of both sides.

    The bits of the counts of both words are laid side by side, so that one bit count does for the two.
    """
    free = (FIELDS_LOW & ~touched_lines(other0)) | ((FIELDS_LOW & ~touched_lines(other1)) << 1)
    pairs = FIELDS_LOW | (FIELDS_LOW << 1)
    b0 = ((own0 & FIELDS_LOW) | ((own1 & FIELDS_LOW) << 1)) & free
    b1 = (((own0 >> 1) & FIELDS_LOW) | (own1 & (FIELDS_LOW << 1))) & free
    b2 = (((own0 >> 2) & FIELDS_LOW) | ((own1 >> 1) & (FIELDS_LOW << 1))) & free
    value = OWN_TWO * popcount(b1 & ~b0) + OWN_THREE * popcount(b1 & b0) + OWN_FOUR * popcount(b2 & ~b0)
    free = pairs & ~(touched_lines(own0) | (touched_lines(own1) << 1))
    b0 = ((other0 & FIELDS_LOW) | ((other1 & FIELDS_LOW) << 1)) & free
    b1 = (((other0 >> 1) & FIELDS_LOW) | (other1 & (FIELDS_LOW << 1))) & free
    b2 = (((other0 >> 2) & FIELDS_LOW) | ((other1 >> 1) & (FIELDS_LOW << 1))) & free
    return value - THEIR_TWO * popcount(b1 & ~b0) - THEIR_THREE * popcount(b1 & b0) - THEIR_FOUR * popcount(b2 & ~b0)


@KERNELS.kernel("i64(i64, i64)")
def quadrants_value(own, other):
    """The part of the estimate that turns do not change."""
    value = 0
    for quadrant in range(QUADRANTS):
        number = TERNARY[content_of(own, quadrant)] + 2 * TERNARY[content_of(other, quadrant)]
        value += np.int64(QUADRANT_TABLE[number])
    return value


@KERNELS.kernel("i64(i64, i64)")
def estimate(own, other):
    """The estimate for the side to move."""
    value = lines_value(line_count(own, 0), line_count(own, 1), line_count(other, 0), line_count(other, 1))
    return value + quadrants_value(own, other) + TEMPO


@KERNELS.export("i64(Pentago)")
def evaluate(s):
    """The estimate of the position in the record, also of what the enemy threatens."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    return estimate(own, other) - THREAT * wins_at_once(other, own)
