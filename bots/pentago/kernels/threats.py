"""What is seen of Pentago without search: wins in one move, ends of the game, and that an answer is forced."""

from __future__ import annotations

from bots.pentago import layout
from bots.pentago.kernels.lanes import first_of, has_any, inline, swap_neighbours, third_of
from bots.pentago.kernels.patterns import KERNELS
from bots.pentago.kernels.ways import after_turns, fours, full, lines_of, open_to, pair
from bots.pentago.layout import QUADRANTS, WHITE_WINS
from core.native.intrinsics import popcount
from core.search.scores import DRAW, NO_SCORE, WIN

WINS = -1  # of `look_round`


@inline
def look_round(own, other, own_lines, other_lines):
    """What the side with `own` marbles, to move, has by a turn: WINS where it wins in this move, else its open lines
    of three after each of the eight turns together. It has no four to fill up without a turn.

    The last two are the line counts for either way. A marble may as well be placed after the turn, where its square
    comes to lie; so a turn wins if after it there is a five or a four to fill up, and no five of the enemy's.
    """
    found = 0
    for quadrant in range(QUADRANTS):
        mine = after_turns(own_lines, own, quadrant)
        theirs = after_turns(other_lines, other, quadrant)
        free = open_to(theirs)
        wins = (mine >> 2) & free  # a line of five is free
        if has_any(wins):
            fives = full(theirs)
            wins |= swap_neighbours(wins)
            fives |= swap_neighbours(fives)
            if (first_of(wins) != 0 and first_of(fives) == 0) or (third_of(wins) != 0 and third_of(fives) == 0):
                found = WINS
                break
        threes = pair((mine >> 1) & mine & free)
        found += popcount(first_of(threes)) + popcount(third_of(threes))
    return found


@KERNELS.kernel("i64(i64, i64)")
def turned_threes(own, other):
    """What `look_round` finds of a board, and WINS too where there is a four to fill up without a turn."""
    own_lines, other_lines = lines_of(own), lines_of(other)
    if has_any(fours(own_lines, open_to(other_lines))):
        return WINS
    return look_round(own, other, own_lines, other_lines)


@KERNELS.kernel("i64(i64, i64)")
def wins_at_once(own, other):
    """1 where the side with `own` marbles, to move, wins in this move: by placing, or by placing and turning."""
    return 1 if turned_threes(own, other) == WINS else 0


@KERNELS.export("i64(Pentago)")
def count_turned(s):
    """`turned_threes` for the side to move."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    return turned_threes(own, other)


@KERNELS.export("i64(Pentago, i64)")
def terminal_score(s, ply):
    """The end of the game, or a win in one move."""
    if s.result != 0:
        if s.result == layout.DRAW:
            return DRAW
        winner = 0 if s.result == WHITE_WINS else 1
        return WIN - ply if winner == s.side else ply - WIN
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    s.round_own, s.round_other = own, other
    s.round = turned_threes(own, other)
    return WIN - ply - 1 if s.round == WINS else NO_SCORE


@KERNELS.export("i64(Pentago)")
def must_answer_threat(s):
    """0: nearly every move in the middle game threatens something, so that going on at leaves would never end."""
    return 0
