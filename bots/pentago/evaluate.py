"""Pentago's evaluation: open lines by the number of marbles in them, and the squares that stay good under turns."""

from __future__ import annotations

from bots.pentago import weights
from bots.pentago.layout import CENTRES
from bots.pentago.patterns import FIELDS_LOW, KERNELS, line_count, touched_lines
from bots.pentago.threats import wins_at_once
from core.intrinsics import popcount

OWN_TWO, OWN_THREE, OWN_FOUR = weights.OWN
THEIR_TWO, THEIR_THREE, THEIR_FOUR = weights.THEIRS
CORNERS, EDGES = 0x55555555, 0xAAAAAAAA
CORNER, EDGE, CENTRE, TEMPO, THREAT = weights.CORNER, weights.EDGE, weights.CENTRE, weights.TEMPO, weights.THREAT


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


@KERNELS.kernel("i64(i64)")
def squares_value(board):
    """The part that turns do not change, of one side's marbles."""
    value = CORNER * popcount(board & CORNERS) + EDGE * popcount(board & EDGES)
    return value + CENTRE * popcount(board >> CENTRES)


@KERNELS.kernel("i64(i64, i64)")
def estimate(own, other):
    """The estimate for the side to move."""
    value = lines_value(line_count(own, 0), line_count(own, 1), line_count(other, 0), line_count(other, 1))
    return value + squares_value(own) - squares_value(other) + TEMPO


@KERNELS.export("i64(Pentago)")
def evaluate(s):
    """The estimate of the position in the record, also of what the enemy threatens."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    return estimate(own, other) - THREAT * wins_at_once(other, own)
