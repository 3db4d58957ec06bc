"""Pentago's evaluation: open lines by the marbles in them, those of three also after each turn of the side to move, and
what a quadrant holds however it is turned. Each counts by the number of marbles on the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bots.pentago import weights
from bots.pentago.kernels.lanes import first_of, inline, third_of
from bots.pentago.kernels.patterns import KERNELS, content_of
from bots.pentago.kernels.threats import turned_threes, wins_at_once
from bots.pentago.kernels.ways import lines_of, open_to, pair
from bots.pentago.layout import QUADRANTS
from core.native.intrinsics import popcount
from core.search.scores import INFINITE

COUNTS = weights.KNOTS[-1] + 1  # of marbles that are told apart; more count as the last


def _by_marbles(knots: Sequence[Any]) -> np.ndarray:
    """A row of numbers for each count of marbles, of a number or a tuple at each knot."""
    points, rows = np.array(knots, dtype=float).reshape(len(weights.KNOTS), -1), []
    for marbles in range(COUNTS):
        high = max(1, int(np.searchsorted(weights.KNOTS, marbles)))
        start, end = weights.KNOTS[high - 1 : high + 1]
        change = (points[high] - points[high - 1]) * max(marbles - start, 0) / (end - start)
        rows.append(np.round(points[high - 1] + change))
    return np.array(rows, dtype=np.int64)


LINE_WEIGHTS = np.hstack([_by_marbles(weights.OWN), _by_marbles(weights.THEIRS)])
TEMPO, THREAT, TURNED = (_by_marbles(knots)[:, 0] for knots in (weights.TEMPO, weights.THREAT, weights.TURNED))
OWN_THREE = LINE_WEIGHTS[:, 1].copy()
UNTOUCHED = 4  # of the eight turns leave a line through two quadrants as it is
ORDER_THREE = OWN_THREE + UNTOUCHED * TURNED  # of a line of three where turns are not looked at
# The parts of a quadrant by the bits of its content, and what they are worth by the number of marbles in them.
PARTS = (
    ((0, 1, 2), weights.EDGES),
    ((2, 3, 4), weights.EDGES),
    ((4, 5, 6), weights.EDGES),
    ((6, 7, 0), weights.EDGES),
    ((1, 8, 5), weights.MIDDLES),
    ((3, 8, 7), weights.MIDDLES),
    ((0, 8, 4), weights.DIAGONALS),
    ((2, 8, 6), weights.DIAGONALS),
    *(((bit,), [(x,) for x in (weights.EDGE if bit & 1 else weights.CORNER)]) for bit in range(8)),
    ((8,), [(x,) for x in weights.CENTRE]),
)
PART_POINTS = [_by_marbles(points) for _, points in PARTS]


def _ternary_table() -> np.ndarray:
    """The number that each content of a colour adds to a quadrant's number in base three."""
    return np.array([sum(3**bit for bit in range(9) if content >> bit & 1) for content in range(512)])


def _quadrant_value(own: int, other: int) -> np.ndarray:
    """Worth of a quadrant to the side with the first content by the marbles on the board, mixed parts left out."""
    value = np.zeros(COUNTS, dtype=np.int64)
    for (bits, _), points in zip(PARTS, PART_POINTS, strict=True):
        mine, theirs = (sum(content >> bit & 1 for bit in bits) for content in (own, other))
        if mine and not theirs:
            value += points[:, mine - 1]
        elif theirs and not mine:
            value -= points[:, theirs - 1]
    return value


def _quadrant_table() -> np.ndarray:
    """Worth of a quadrant by the marbles on the board and by its number in base three, where 2 is an enemy's marble."""
    table = np.zeros((COUNTS, 3**9), dtype=np.int16)
    for own in range(512):
        other = rest = 511 & ~own
        while True:
            table[:, TERNARY[own] + 2 * TERNARY[other]] = _quadrant_value(own, other)
            if other == 0:
                break
            other = (other - 1) & rest
    return table


TERNARY = _ternary_table()
QUADRANT_TABLE = _quadrant_table()


@KERNELS.kernel("i64(i64, i64, i64, i64, i64, i64, i64)")
def weigh_lines(twos, threes, their_twos, their_threes, their_fours, marbles, three):
    """The worth of open lines, a bit each."""
    return (
        LINE_WEIGHTS[marbles, 0] * popcount(twos)
        + three * popcount(threes)
        - LINE_WEIGHTS[marbles, 2] * popcount(their_twos)
        - LINE_WEIGHTS[marbles, 3] * popcount(their_threes)
        - LINE_WEIGHTS[marbles, 4] * popcount(their_fours)
    )


@inline
def lines_values(own_lines, other_lines, marbles, three):
    """The part of the estimate that hangs on how the quadrants are turned, after an anticlockwise turn and a clockwise.

    `three` is the weight of a side's own open lines of three. It has no four, with which it would win at once.
    """
    free = open_to(other_lines)
    bit0, bit1 = own_lines & free, (own_lines >> 1) & free
    twos, threes = pair(bit1 & ~bit0), pair(bit1 & bit0)
    free = open_to(own_lines)
    bit0, bit1, bit2 = other_lines & free, (other_lines >> 1) & free, (other_lines >> 2) & free
    their_twos, their_threes, their_fours = pair(bit1 & ~bit0), pair(bit1 & bit0), pair(bit2 & ~bit0)
    return (
        weigh_lines(
            first_of(twos),
            first_of(threes),
            first_of(their_twos),
            first_of(their_threes),
            first_of(their_fours),
            marbles,
            three,
        ),
        weigh_lines(
            third_of(twos),
            third_of(threes),
            third_of(their_twos),
            third_of(their_threes),
            third_of(their_fours),
            marbles,
            three,
        ),
    )


@KERNELS.kernel("i64(i64, i64)")
def marbles_of(own, other):
    """The number of marbles by which weights are chosen."""
    return min(popcount(own | other), COUNTS - 1)


@KERNELS.kernel("i64(i64, i64, i64)")
def quadrant_number(own, other, quadrant):
    """A quadrant's number in base three, where 2 is an enemy's marble."""
    return TERNARY[content_of(own, quadrant)] + 2 * TERNARY[content_of(other, quadrant)]


@KERNELS.kernel("i64(i64, i64, i64)")
def quadrants_value(own, other, marbles):
    """The part of the estimate that turns do not change."""
    value = 0
    for quadrant in range(QUADRANTS):
        value += np.int64(QUADRANT_TABLE[marbles, quadrant_number(own, other, quadrant)])
    return value


@KERNELS.kernel("i64(Pentago, i64)")
def bounded_estimate(s, enough):
    """`evaluate` where that is `enough` or more, else something less than `enough`."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    found = s.round
    if s.round_own != own or s.round_other != other:
        found = turned_threes(own, other)
    marbles = marbles_of(own, other)
    value, _ = lines_values(lines_of(own), lines_of(other), marbles, OWN_THREE[marbles])
    value += quadrants_value(own, other, marbles) + TURNED[marbles] * max(found, 0) + TEMPO[marbles]
    if value >= enough and wins_at_once(other, own) != 0:
        value -= THREAT[marbles]
    return value


@KERNELS.export("i64(Pentago)")
def evaluate(s):
    """The estimate of the position for the side to move; where that wins at once, its turns add nothing."""
    return bounded_estimate(s, -INFINITE)
