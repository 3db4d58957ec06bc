"""Static results in Pentago: wins in one move, finished games, and the open threes that rotations make.

A five is a line of five marbles of one side. An open four (or three) is a line of five with four (three) marbles of one
side and none of the other. The bitboard `own` belongs to the side to move, `other` to its opponent.
"""

from __future__ import annotations

from bots.pentago import layout
from bots.pentago.kernels.lanes import first_of, has_any, inline, swap_neighbours, third_of
from bots.pentago.kernels.patterns import KERNELS
from bots.pentago.kernels.rotated_lines import (
    after_rotations,
    five_lines,
    line_lanes,
    merge_words,
    open_fours,
    open_lines,
)
from bots.pentago.layout import QUADRANTS, WHITE_WINS
from core.native.intrinsics import popcount
from core.search.scores import DRAW, NO_SCORE, WIN

WINS = -1  # returned by `count_after_rotations` instead of a count


@inline
def count_after_rotations(own, other, own_lines, other_lines):
    """Return WINS if the side to move wins in this move by a rotation, else its open lines of three summed over all
    rotations.

    `own` and `other` are the boards, `own_lines` and `other_lines` their line lanes; the side has no open four, which
    wins without a rotation. Placing and rotating may be exchanged: the square is the one that the rotation moves to. So
    a rotation wins if after it there is a five or an open four, and no five of the opponent.
    """
    total_threes = 0
    for quadrant in range(QUADRANTS):
        mine = after_rotations(own_lines, own, quadrant)
        theirs = after_rotations(other_lines, other, quadrant)
        unblocked = open_lines(theirs)
        wins = (mine >> 2) & unblocked  # fours and fives
        if has_any(wins):
            fives = five_lines(theirs)
            wins |= swap_neighbours(wins)
            fives |= swap_neighbours(fives)
            if (first_of(wins) != 0 and first_of(fives) == 0) or (third_of(wins) != 0 and third_of(fives) == 0):
                total_threes = WINS
                break
        threes = merge_words((mine >> 1) & mine & unblocked)
        total_threes += popcount(first_of(threes)) + popcount(third_of(threes))
    return total_threes


@KERNELS.kernel("i64(i64, i64)")
def count_rotated_threes(own, other):
    """Return `count_after_rotations` of a board, or WINS if there is an open four, which wins without a rotation."""
    own_lines, other_lines = line_lanes(own), line_lanes(other)
    if has_any(open_fours(own_lines, open_lines(other_lines))):
        return WINS
    return count_after_rotations(own, other, own_lines, other_lines)


@KERNELS.kernel("i64(i64, i64)")
def wins_at_once(own, other):
    """Return 1 if the side with `own` marbles, to move, wins in this move, else 0."""
    return 1 if count_rotated_threes(own, other) == WINS else 0


@KERNELS.export("i64(Pentago)")
def rotated_threes_to_move(s):
    """Return `count_rotated_threes` for the side to move."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    return count_rotated_threes(own, other)


@KERNELS.export("i64(Pentago, i64)")
def terminal_score(s, ply):
    """Return the score of a finished game or of a win in one move, else NO_SCORE."""
    if s.result != 0:
        if s.result == layout.DRAW:
            return DRAW
        winner = 0 if s.result == WHITE_WINS else 1
        return WIN - ply if winner == s.side else ply - WIN
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    s.threats_own, s.threats_other = own, other
    s.rotated_threes = count_rotated_threes(own, other)
    return WIN - ply - 1 if s.rotated_threes == WINS else NO_SCORE


@KERNELS.export("i64(Pentago)")
def must_answer_threat(s):
    """Return 0: no move counts as an answer to a threat.

    Nearly every move of the middle game threatens something, so extending such lines at the horizon would never end.
    """
    return 0
