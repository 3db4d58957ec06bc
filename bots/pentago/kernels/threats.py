"""What is seen of Pentago without search: wins in one move, ends of the game, and that an answer is forced."""

from __future__ import annotations

from bots.pentago import layout
from bots.pentago.kernels.lanes import first_of, has_any, make_lanes, read_lanes, swap_neighbours, third_of
from bots.pentago.kernels.patterns import (
    FIELDS_LOW,
    KERNELS,
    TURN_WORDS,
    content_of,
    line_count,
    touched_lines,
)
from bots.pentago.layout import QUADRANTS, WHITE_WINS
from core.native.intrinsics import popcount
from core.search.scores import DRAW, UNSETTLED, WIN

WINS = -1  # of `look_round`


@KERNELS.kernel("i64(i64, i64)")
def fours(own, other):
    """The lowest bit of the fields of lines with four of one's own and no enemy."""
    return (own >> 2) & ~own & FIELDS_LOW & ~touched_lines(other)


@KERNELS.kernel("i64(i64, i64, i64, i64, i64, i64)")
def look_round(own, other, own0, own1, other0, other1):
    """What the side with `own` marbles, to move, has by a turn: WINS where it wins in this move, else its open lines
    of three after each of the eight turns together.

    The last four are the line counts. A marble may as well be placed after the turn, where its square comes to lie; so
    a turn wins if after it there is a five or a four to fill up, and no five of the enemy's.
    """
    if (fours(own0, other0) | fours(own1, other1)) != 0:
        return WINS
    own_lines, other_lines = make_lanes(own0, own1, own0, own1), make_lanes(other0, other1, other0, other1)
    total = 0
    for quadrant in range(QUADRANTS):
        mine, theirs = content_of(own, quadrant), content_of(other, quadrant)
        own_after = own_lines + read_lanes(TURN_WORDS, 4 * (512 * quadrant + mine))
        other_after = other_lines + read_lanes(TURN_WORDS, 4 * (512 * quadrant + theirs))
        open_lines = ~(other_after | (other_after >> 1) | (other_after >> 2)) & FIELDS_LOW
        wins = (own_after >> 2) & open_lines  # a line of five is open
        if has_any(wins):
            fives = other_after & (other_after >> 2) & FIELDS_LOW
            wins |= swap_neighbours(wins)
            fives |= swap_neighbours(fives)
            if (first_of(wins) != 0 and first_of(fives) == 0) or (third_of(wins) != 0 and third_of(fives) == 0):
                return WINS
        threes = (own_after >> 1) & own_after & open_lines
        threes |= swap_neighbours(threes) << 1
        total += popcount(first_of(threes)) + popcount(third_of(threes))
    return total


@KERNELS.kernel("i64(i64, i64)")
def wins_at_once(own, other):
    """1 where the side with `own` marbles, to move, wins in this move: by placing, or by placing and turning."""
    own0, own1 = line_count(own, 0), line_count(own, 1)
    other0, other1 = line_count(other, 0), line_count(other, 1)
    return 1 if look_round(own, other, own0, own1, other0, other1) == WINS else 0


@KERNELS.export("i64(Pentago)")
def count_turned(s):
    """`look_round` for the side to move."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    return look_round(own, other, line_count(own, 0), line_count(own, 1), line_count(other, 0), line_count(other, 1))


@KERNELS.export("i64(Pentago, i64)")
def settle(s, ply):
    """The end of the game, or a win in one move."""
    if s.result != 0:
        if s.result == layout.DRAW:
            return DRAW
        winner = 0 if s.result == WHITE_WINS else 1
        return WIN - ply if winner == s.side else ply - WIN
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    s.round_own, s.round_other = own, other
    s.round = look_round(own, other, line_count(own, 0), line_count(own, 1), line_count(other, 0), line_count(other, 1))
    return WIN - ply - 1 if s.round == WINS else UNSETTLED


@KERNELS.export("i64(Pentago)")
def is_forced(s):
    """0: nearly every move in the middle game threatens something, so that going on at leaves would never end."""
    return 0
