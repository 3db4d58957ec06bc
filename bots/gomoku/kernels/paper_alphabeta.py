"""The Waterloo paper's player as kernels: alpha-beta over the best points, and the kill search.

Contract of `negamax(state, table, alpha, beta, depth, ply)`: a value for the side to move, fail-soft as in
core/search/kernels/alphabeta.py, on the paper's own scale: FIVE_VALUE - n is a win in n plies from the root, beyond
+-MAX_VALUE stand only such results, all else is the difference of pattern scores as the side at the root sees it.
Values depend on that side, breadth and gamma, so the table must be empty when any of them changes. Once `aborted` is
set results are void. Without `paper_prunes` every window is the whole scale and the table is left alone: that is the
minimax of before.

Contract of `kill(state, table, plies, ply)`: the length of a forced win of `paper_agent` in plies, or 0 where none of
at most `plies` was found. The winning side plays only fours and open threes; the other side only answers them, or
makes fours of its own. The line is left in `pv[ply]`.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.paper_patterns import paper_score, refresh_gains, value_at
from bots.gomoku.kernels.patterns import (
    GRADE_FIVE,
    GRADE_FORBIDDEN_THREES,
    GRADE_FOUR,
    GRADE_OPEN_FOUR,
    GRADE_OPEN_THREE,
)
from bots.gomoku.kernels.rules import KERNELS, MAX_STONES, PAD, STRIDE, apply, count_node, forbidden, table, undo
from bots.gomoku.kernels.threats import (
    first_cell,
    mark_five_defences,
    mark_grade,
    mark_open_four_defences,
    must_answer_threat,
    terminal_score,
)
from bots.gomoku.notation import RENJU
from bots.gomoku.paper.record import FIVE_VALUE, MAX_VALUE
from core.native.intrinsics import trailing_zeros
from core.search.kernels.game_kernels import MAX_PLY
from core.search.kernels.transposition_table import EXACT, LOWER, UPPER
from core.search.scores import NO_SCORE, WIN

probe, store = table.probe, table.store
score_of, evaluation_of, depth_of, bound_of = table.score_of, table.evaluation_of, table.depth_of, table.bound_of

KILL_SALT = np.uint64(0x2545F4914F6CDD1D)  # keeps entries of the kill search apart from those of the other
SHORTEST_KILL = 5  # plies of a win that is not seen at once: open three, answer, open four, answer, five
LOW_BITS = 14  # a value takes 25 bits, the table's score 16: these low ones stand in its evaluation


@KERNELS.kernel("i64(Gomoku, i64)")
def distance_to_centre(s, cell):
    """Square of twice the distance."""
    dx = 2 * ((cell & 31) - PAD) - s.width + 1
    dy = 2 * ((cell >> 5) - PAD) - s.height + 1
    return dx * dx + dy * dy


@KERNELS.kernel("i64(Gomoku, i64, i64, i64, i64, i64)")
def insert_move(s, ply, count, most, cell, value):
    """Put a cell into a ply's moves, best first, of which at most `most` are kept; return how many there are then.

    Equal values are ordered by the distance to the centre, and by rows where that is equal too.
    """
    distance = distance_to_centre(s, cell)
    place = count
    while place > 0:
        other = np.int64(s.move_scores[ply, place - 1])
        if other > value or (other == value and distance_to_centre(s, np.int64(s.moves[ply, place - 1])) <= distance):
            break
        if place < most:
            s.moves[ply, place] = s.moves[ply, place - 1]
            s.move_scores[ply, place] = s.move_scores[ply, place - 1]
        place -= 1
    if place < most:
        s.moves[ply, place] = cell
        s.move_scores[ply, place] = value
    return min(count + 1, most)


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def list_points(s, ply, most):
    """Fill a ply's moves with the legal cells of highest V, best first, and return their number."""
    refresh_gains(s)
    restricted = s.rule & RENJU != 0 and s.side == 0
    count = 0
    for row in range(PAD, PAD + s.height):
        bits = s.board_rows[row] & ~s.occupied_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if not restricted or forbidden(s, cell) == 0:
                count = insert_move(s, ply, count, most, cell, value_at(s, cell))
    return count


@KERNELS.kernel("void(Gomoku, i64, i64)")
def lead_with(s, move, ply):
    """Make `move` and the line below it the principal variation of this ply."""
    s.pv[ply, ply] = move
    end = max(np.int64(s.pv_length[ply + 1]), ply + 1)
    for i in range(ply + 1, end):
        s.pv[ply, i] = s.pv[ply + 1, i]
    s.pv_length[ply] = end


@KERNELS.kernel("i64(Gomoku)")
def value_for_mover(s):
    """V(agent) - gamma V(opponent), seen by the side to move."""
    agent = s.paper_agent
    value = paper_score(s, agent) - paper_score(s, 1 - agent) * s.paper_gamma_per_mille // 1000
    value = max(-MAX_VALUE, min(MAX_VALUE, value))
    return value if s.side == agent else -value


@KERNELS.kernel("i64(u64, i64)")
def value_of(data, ply):
    """The value in a table entry; wins are stored as distances from their own node."""
    value = (score_of(data, 0) << LOW_BITS) + evaluation_of(data)
    if value > MAX_VALUE:
        return value - ply
    return value + ply if value < -MAX_VALUE else value


@KERNELS.kernel("void(Gomoku, u64[], i64, i64, i64, i64)")
def store_value(s, words, value, depth, bound, ply):
    """Store a value of the present position."""
    if value > MAX_VALUE:
        value += ply
    elif value < -MAX_VALUE:
        value -= ply
    store(s, words, s.hash, 0, value >> LOW_BITS, value & ((1 << LOW_BITS) - 1), depth, bound, 0)


@KERNELS.kernel("i64(Gomoku, i64)")
def bound_for(s, alpha):
    """The upper bound of a child's window, below a node that has `alpha`."""
    return -alpha if s.paper_prunes != 0 else FIVE_VALUE


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64, i64, i64)")
def negamax(s, words, alpha, beta, depth, ply):
    """The paper's alpha-beta, or minimax; its contract stands at the top of this file."""
    s.pv_length[ply] = ply
    if s.aborted != 0:
        return 0
    if s.winner != 0:
        return ply - FIVE_VALUE
    if s.stones == s.width * s.height:
        return 0
    if depth == 0 or ply >= MAX_PLY - 2:
        return value_for_mover(s)
    if s.paper_prunes != 0 and probe(s, words, s.hash) != 0 and depth_of(s.hit_data) >= depth:
        value, bound = value_of(s.hit_data, ply), bound_of(s.hit_data)
        if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
            return value
    count = list_points(s, ply, s.paper_breadth)
    if count == 0:
        return 0
    best, bound = -FIVE_VALUE, UPPER
    for i in range(count):
        move = np.int64(s.moves[ply, i])
        apply(s, move)
        count_node(s)
        value = -negamax(s, words, -beta, bound_for(s, alpha), depth - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return 0
        best = max(best, value)
        if value > alpha:
            alpha, bound = value, EXACT
            lead_with(s, move, ply)
            if value >= beta:
                bound = LOWER
                break
    if s.paper_prunes != 0:
        store_value(s, words, best, depth, bound, ply)
    return best


@KERNELS.kernel("void(Gomoku)")
def clear_marks(s):
    for row in range(STRIDE):
        s.marked_rows[row] = 0


@KERNELS.kernel("i64(Gomoku, i64)")
def list_marked(s, ply):
    """Fill a ply's moves with the marked cells that renju does not forbid, the strongest for either side first."""
    us, them = s.side, 1 - s.side
    restricted = s.rule & RENJU != 0 and us == 0
    count = 0
    for row in range(PAD, PAD + s.height):
        bits = s.marked_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if not restricted or forbidden(s, cell) == 0:
                value = 16 * np.int64(s.grades[us, cell]) + np.int64(s.grades[them, cell])
                count = insert_move(s, ply, count, MAX_STONES, cell, value)
    return count


@KERNELS.kernel("i64(Gomoku, i64)")
def list_attacks(s, ply):
    """The cells that make a four or an open three, or, against a four, those that stop it."""
    us, them = s.side, 1 - s.side
    clear_marks(s)
    if s.grade_count[them, GRADE_FIVE] > 0:
        mark_five_defences(s, them)
    else:
        mark_grade(s, us, GRADE_FORBIDDEN_THREES)  # those that renju allows after all
        for grade in range(GRADE_OPEN_THREE, GRADE_OPEN_FOUR):
            mark_grade(s, us, grade)
    return list_marked(s, ply)


@KERNELS.kernel("i64(Gomoku, i64)")
def list_defences(s, ply):
    """The cells that stop a four or an open three, in the latter case also fours of one's own."""
    us, them = s.side, 1 - s.side
    clear_marks(s)
    if s.grade_count[them, GRADE_FIVE] > 0:
        mark_five_defences(s, them)
    else:
        mark_open_four_defences(s, them)
        for grade in range(GRADE_FOUR, GRADE_OPEN_FOUR):
            mark_grade(s, us, grade)
    return list_marked(s, ply)


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def settled_kill(s, settled, ply):
    """Return the length of a win that `terminal_score` sees: a five or open four, or two fives against them."""
    us = s.side
    if us != s.paper_agent:
        return max(settled + WIN, 0) if settled < 0 else 0
    if settled <= 0:
        return 0
    grade = GRADE_FIVE if s.grade_count[us, GRADE_FIVE] > 0 else GRADE_OPEN_FOUR
    lead_with(s, first_cell(s, us, grade), ply)
    return WIN - settled


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64)")
def kill(s, words, plies, ply):
    """The kill search of as many plies; its contract stands at the top of this file."""
    s.pv_length[ply] = ply
    s.pv_length[ply + 1] = ply + 1
    if s.aborted != 0:
        return 0
    settled = terminal_score(s, 0)
    if settled != NO_SCORE:
        return settled_kill(s, settled, ply)
    attacking = s.side == s.paper_agent
    if plies < SHORTEST_KILL - (0 if attacking else 1) or ply >= MAX_PLY - 3:
        return 0
    if not attacking and must_answer_threat(s) == 0:
        return 0
    key = s.hash ^ KILL_SALT
    if probe(s, words, key) != 0 and (depth_of(s.hit_data) >= plies or score_of(s.hit_data, 0) > 0):
        return score_of(s.hit_data, 0)
    count = list_attacks(s, ply) if attacking else list_defences(s, ply)
    length = 0
    for i in range(count):
        move = np.int64(s.moves[ply, i])
        apply(s, move)
        count_node(s)
        rest = kill(s, words, plies - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return 0
        if rest > 0 and rest + 1 > length:
            length = rest + 1
            lead_with(s, move, ply)
        if attacking and length > 0:
            break
        if not attacking and rest == 0:
            length = 0
            break
    store(s, words, key, 0, length, 0, plies, EXACT, 0)
    return length


@KERNELS.export("i64(Gomoku)")
def paper_rank(s):
    """Fill `root_moves` with the legal cells by V, best first, `root_scores` with V, and return their number."""
    s.root_move_count = list_points(s, 0, MAX_STONES)
    for i in range(s.root_move_count):
        s.root_moves[i] = s.moves[0, i]
        s.root_scores[i] = s.move_scores[0, i]
    return s.root_move_count


@KERNELS.export("i64(Gomoku, u64[], i64)")
def paper_kill(s, words, most_plies):
    """The length of a kill of `paper_agent`, who is to move, its line in `pv[0]`; 0 for none. Short ones come first."""
    for plies in range(SHORTEST_KILL, most_plies + 1, 2):
        length = kill(s, words, plies, 0)
        if length > 0 or s.aborted != 0:
            return length
    return 0


@KERNELS.export("i64(Gomoku, u64[], i64)")
def paper_search(s, words, depth):
    """The value of the best of the `root_moves`, its line in `pv[0]`.

    When aborted, that of the moves finished so far; `root_moves_searched` tells how many they are.
    """
    best = -FIVE_VALUE
    s.root_moves_searched = 0
    for i in range(s.root_move_count):
        move = np.int64(s.root_moves[i])
        apply(s, move)
        count_node(s)
        value = -negamax(s, words, -FIVE_VALUE, bound_for(s, best), depth - 1, 1)
        undo(s)
        if s.aborted != 0:
            return best
        s.root_moves_searched += 1
        if value > best or i == 0:
            best = value
            lead_with(s, move, 0)
    return best
