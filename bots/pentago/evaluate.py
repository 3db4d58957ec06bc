"""Pentago's evaluation: open lines by the number of marbles in them, and the squares that stay good under turns."""

from __future__ import annotations

import numpy as np

from bots.pentago import weights
from bots.pentago.layout import CENTRES
from bots.pentago.patterns import FIELDS_LOW, KERNELS, line_count, touched_lines
from core.intrinsics import popcount

OWN, THEIRS = np.array(weights.OWN), np.array(weights.THEIRS)
CORNERS, EDGES = 0x55555555, 0xAAAAAAAA
CORNER, EDGE, CENTRE, TEMPO = weights.CORNER, weights.EDGE, weights.CENTRE, weights.TEMPO


@KERNELS.kernel("i64(i64, i64, i64)")
def open_value(count, free, kind):
    """Worth of the lines of a word that are free of the enemy, to the side to move (kind 0, 1) or the other (2, 3)."""
    b0, b1, b2 = count & free, (count >> 1) & free, (count >> 2) & free
    twos, threes, fours = b1 & ~b0, b1 & b0, b2 & ~b0
    if kind < 2:
        return OWN[kind, 0] * popcount(twos) + OWN[kind, 1] * popcount(threes) + OWN[kind, 2] * popcount(fours)
    kind -= 2
    return THEIRS[kind, 0] * popcount(twos) + THEIRS[kind, 1] * popcount(threes) + THEIRS[kind, 2] * popcount(fours)


@KERNELS.kernel("i64(i64, i64, i64, i64)")
def lines_value(own0, own1, other0, other1):
    """The part of the estimate that hangs on how the quadrants are turned, of the line counts of both sides."""
    free0, free1 = FIELDS_LOW & ~touched_lines(other0), FIELDS_LOW & ~touched_lines(other1)
    value = open_value(own0, free0, 0) + open_value(own1, free1, 1)
    free0, free1 = FIELDS_LOW & ~touched_lines(own0), FIELDS_LOW & ~touched_lines(own1)
    return value - open_value(other0, free0, 2) - open_value(other1, free1, 3)


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
    """The estimate of the position in the record."""
    return estimate(s.white, s.black) if s.side == 0 else estimate(s.black, s.white)
