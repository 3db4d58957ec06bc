"""Pentago's static evaluation, tapered by the number of marbles on the board ("phase").

    lines      open lines of five by the marbles in them, as line counts (kernels/patterns.py)
    quadrants  what each quadrant holds, independent of its rotation: one look-up in a table of 3^9 contents
    threats    open threes after each rotation (ROTATED_THREE), and whether the opponent would win at once (THREAT)

An open line has no marble of the other side. A bitboard `own` belongs to the side to move, `other` to its opponent. The
weights are in bots/pentago/weights.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bots.pentago import weights
from bots.pentago.kernels.lanes import first_of, inline, third_of
from bots.pentago.kernels.patterns import KERNELS, quadrant_content
from bots.pentago.kernels.rotated_lines import line_lanes, merge_words, open_lines
from bots.pentago.kernels.threats import count_rotated_threes, wins_at_once
from bots.pentago.layout import QUADRANTS
from core.native.intrinsics import popcount
from core.search.scores import INFINITE

PHASES = weights.KNOTS[-1] + 1  # number of phases: 0, 1, ... marbles; the last one is also for all larger numbers


def _interpolate_weights(knots: Sequence[Any]) -> np.ndarray:
    """Return the weights at each phase, shape (PHASES, weights), from their values at the knots."""
    points, rows = np.array(knots, dtype=float).reshape(len(weights.KNOTS), -1), []
    for marbles in range(PHASES):
        high = max(1, int(np.searchsorted(weights.KNOTS, marbles)))
        start, end = weights.KNOTS[high - 1 : high + 1]
        change = (points[high] - points[high - 1]) * max(marbles - start, 0) / (end - start)
        rows.append(np.round(points[high - 1] + change))
    return np.array(rows, dtype=np.int64)


# By phase: own lines of two and three, then the opponent's lines of two, three and four.
LINE_WEIGHTS = np.hstack([_interpolate_weights(weights.OWN_LINE), _interpolate_weights(weights.OPPONENT_LINE)])
TEMPO, THREAT, ROTATED_THREE = (
    _interpolate_weights(knots)[:, 0] for knots in (weights.TEMPO, weights.THREAT, weights.ROTATED_THREE)
)
OWN_THREE = LINE_WEIGHTS[:, 1].copy()
UNAFFECTED_ROTATIONS = 4  # number of the eight rotations that do not change a line through two quadrants
# Weight of an open three in move ordering, where rotations are not looked at.
ORDERING_THREE = OWN_THREE + UNAFFECTED_ROTATIONS * ROTATED_THREE
# Parts of a quadrant: the bits of its content, and the weights by number of marbles, at each knot.
QUADRANT_PARTS = (
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
PART_WEIGHTS = [_interpolate_weights(points) for _, points in QUADRANT_PARTS]  # by phase and number of marbles - 1


def _ternary_table() -> np.ndarray:
    """Return what each 9-bit content of one colour adds to a quadrant's ternary index."""
    return np.array([sum(3**bit for bit in range(9) if content >> bit & 1) for content in range(512)])


def _quadrant_scores(own: int, other: int) -> np.ndarray:
    """Return a quadrant's score at each phase for the side with content `own`; parts with both colours count 0."""
    value = np.zeros(PHASES, dtype=np.int64)
    for (bits, _), part_weights in zip(QUADRANT_PARTS, PART_WEIGHTS, strict=True):
        mine, theirs = (sum(content >> bit & 1 for bit in bits) for content in (own, other))
        if mine and not theirs:
            value += part_weights[:, mine - 1]
        elif theirs and not mine:
            value -= part_weights[:, theirs - 1]
    return value


def _quadrant_table() -> np.ndarray:
    """Return a quadrant's scores by phase and ternary index, in which digit 1 is an own and 2 an opponent's marble."""
    table = np.zeros((PHASES, 3**9), dtype=np.int16)
    for own in range(512):
        other = rest = 511 & ~own
        while True:  # all subsets of the free squares, in descending order
            table[:, TERNARY[own] + 2 * TERNARY[other]] = _quadrant_scores(own, other)
            if other == 0:
                break
            other = (other - 1) & rest
    return table


TERNARY = _ternary_table()  # by 9-bit content
QUADRANT_TABLE = _quadrant_table()


@KERNELS.kernel("i64(i64, i64, i64, i64, i64, i64, i64)")
def open_lines_score(twos, threes, their_twos, their_threes, their_fours, phase, three_weight):
    """Return the score of open lines, which are given as bit sets; `three_weight` is the weight of an own three."""
    return (
        LINE_WEIGHTS[phase, 0] * popcount(twos)
        + three_weight * popcount(threes)
        - LINE_WEIGHTS[phase, 2] * popcount(their_twos)
        - LINE_WEIGHTS[phase, 3] * popcount(their_threes)
        - LINE_WEIGHTS[phase, 4] * popcount(their_fours)
    )


@inline
def rotated_lines_scores(own_lines, other_lines, phase, three_weight):
    """Return the score of all lines in the first and in the second half of the lanes (kernels/rotated_lines.py).

    The side to move must have no open four, with which it would win at once.
    """
    free = open_lines(other_lines)
    bit0, bit1 = own_lines & free, (own_lines >> 1) & free
    twos, threes = merge_words(bit1 & ~bit0), merge_words(bit1 & bit0)
    free = open_lines(own_lines)
    bit0, bit1, bit2 = other_lines & free, (other_lines >> 1) & free, (other_lines >> 2) & free
    their_twos, their_threes, their_fours = (
        merge_words(bit1 & ~bit0),
        merge_words(bit1 & bit0),
        merge_words(bit2 & ~bit0),
    )
    return (
        open_lines_score(
            first_of(twos),
            first_of(threes),
            first_of(their_twos),
            first_of(their_threes),
            first_of(their_fours),
            phase,
            three_weight,
        ),
        open_lines_score(
            third_of(twos),
            third_of(threes),
            third_of(their_twos),
            third_of(their_threes),
            third_of(their_fours),
            phase,
            three_weight,
        ),
    )


@KERNELS.kernel("i64(i64, i64)")
def phase_of(own, other):
    """Return the phase of a board: its number of marbles, at most PHASES - 1."""
    return min(popcount(own | other), PHASES - 1)


@KERNELS.kernel("i64(i64, i64, i64)")
def ternary_index(own, other, quadrant):
    """Return a quadrant's ternary index: digit 0 empty, 1 own, 2 opponent's marble."""
    return TERNARY[quadrant_content(own, quadrant)] + 2 * TERNARY[quadrant_content(other, quadrant)]


@KERNELS.kernel("i64(i64, i64, i64)")
def quadrants_score(own, other, phase):
    """Return the part of the evaluation that rotations do not change."""
    value = 0
    for quadrant in range(QUADRANTS):
        value += np.int64(QUADRANT_TABLE[phase, ternary_index(own, other, quadrant)])
    return value


@KERNELS.kernel("i64(Pentago, i64)")
def lazy_evaluation(s, lazy_bound):
    """Return the static evaluation if it is at least `lazy_bound`, else some value below `lazy_bound`.

    The opponent's threat to win at once can only lower the evaluation, so it is looked at last.
    """
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    threes = s.rotated_threes
    if s.threats_own != own or s.threats_other != other:
        threes = count_rotated_threes(own, other)
    phase = phase_of(own, other)
    value, _ = rotated_lines_scores(line_lanes(own), line_lanes(other), phase, OWN_THREE[phase])
    value += quadrants_score(own, other, phase) + ROTATED_THREE[phase] * max(threes, 0) + TEMPO[phase]
    if value >= lazy_bound and wins_at_once(other, own) != 0:
        value -= THREAT[phase]
    return value


@KERNELS.export("i64(Pentago)")
def evaluate(s):
    """Return the static evaluation for the side to move; if it wins at once, its rotated threes count 0."""
    return lazy_evaluation(s, -INFINITE)
