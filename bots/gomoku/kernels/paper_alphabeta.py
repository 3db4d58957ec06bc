"""Search kernels of the player `paper`: alpha-beta over the best moves, and a search for forced wins (VCT).

The player follows a paper on a Gomoku program from the University of Waterloo, from which this project grew. The paper
calls the second one "kill search": it finds a victory by continuous threats, that is, fours and open threes. The best
moves are those of highest V(x, y) (kernels/paper_patterns.py). Values have a scale of their own, seen from the side to
move:

    -FIVE_VALUE + n        -MAX_STATIC_VALUE ... 0 ... MAX_STATIC_VALUE        FIVE_VALUE - n
    loss in n plies              static evaluation (pattern scores)              win in n plies

`negamax(state, tt, alpha, beta, depth, ply)` is fail-soft: a result <= alpha is an upper bound, one >= beta a lower
bound. Results depend on the side at the root, the beam width and gamma, so the table must be empty when one of them
changes. With `paper_uses_alphabeta` = 0 every window is the whole scale and the table is unused: plain minimax.

`vct(state, tt, plies, ply)` returns the length in plies of a forced win of `paper_root_side`, or 0 if none of at most
`plies` was found. That side plays only fours and open threes; the other side answers them or makes fours of its own.
The line is left in `pv[ply]`. Once `aborted` is set, the results of both kernels must not be used.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.paper_patterns import move_value, paper_score, refresh_gains
from bots.gomoku.kernels.patterns import (
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_OPEN_FOUR,
    MAKES_OPEN_THREE,
    MAYBE_FOUL,
)
from bots.gomoku.kernels.rules import KERNELS, MAX_STONES, PAD, STRIDE, apply, count_node, is_forbidden, table, undo
from bots.gomoku.kernels.threats import (
    first_cell,
    mark_five_defences,
    mark_grade,
    mark_open_four_defences,
    must_answer_threat,
    terminal_score,
)
from bots.gomoku.notation import RENJU
from bots.gomoku.paper.record import FIVE_VALUE, MAX_STATIC_VALUE
from core.native.intrinsics import trailing_zeros
from core.search.kernels.game_kernels import MAX_PLY
from core.search.kernels.transposition_table import EXACT, LOWER, UPPER
from core.search.scores import NO_SCORE, WIN

probe, store = table.probe, table.store
score_of, evaluation_of, depth_of, bound_of = table.score_of, table.evaluation_of, table.depth_of, table.bound_of

VCT_SALT = np.uint64(0x2545F4914F6CDD1D)  # xored with the hash: entries of the VCT search never match negamax's
MIN_VCT_PLIES = 5  # the shortest win not known statically: open three, answer, open four, answer, five
VALUE_LOW_BITS = 14  # a value has 25 bits, a table score 16: the low bits are stored in the entry's evaluation


@KERNELS.kernel("i64(Gomoku, i64)")
def distance_to_centre(s, cell):
    """Return the square of twice the distance of a cell from the board's centre."""
    dx = 2 * ((cell & 31) - PAD) - s.width + 1
    dy = 2 * ((cell >> 5) - PAD) - s.height + 1
    return dx * dx + dy * dy


@KERNELS.kernel("i64(Gomoku, i64, i64, i64, i64, i64)")
def insert_move(s, ply, count, max_moves, cell, value):
    """Insert a cell into the `count` moves of `moves[ply]`, and return their new number.

    The moves are sorted by value, highest first; equal ones by distance to the centre, then by rows. At most
    `max_moves` are kept.
    """
    distance = distance_to_centre(s, cell)
    index = count
    while index > 0:
        other = np.int64(s.move_scores[ply, index - 1])
        if other > value or (other == value and distance_to_centre(s, np.int64(s.moves[ply, index - 1])) <= distance):
            break
        if index < max_moves:
            s.moves[ply, index] = s.moves[ply, index - 1]
            s.move_scores[ply, index] = s.move_scores[ply, index - 1]
        index -= 1
    if index < max_moves:
        s.moves[ply, index] = cell
        s.move_scores[ply, index] = value
    return min(count + 1, max_moves)


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def list_best_moves(s, ply, max_moves):
    """Fill `moves[ply]` with the `max_moves` legal cells of highest V(x, y), best first; return their number."""
    refresh_gains(s)
    has_forbidden_moves = s.rule & RENJU != 0 and s.side == 0
    count = 0
    for row in range(PAD, PAD + s.height):
        bits = s.board_rows[row] & ~s.occupied_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if not has_forbidden_moves or is_forbidden(s, cell) == 0:
                count = insert_move(s, ply, count, max_moves, cell, move_value(s, cell))
    return count


@KERNELS.kernel("void(Gomoku, i64, i64)")
def update_pv(s, move, ply):
    """Make `move` and the principal variation of the next ply the principal variation of this ply."""
    s.pv[ply, ply] = move
    end = max(np.int64(s.pv_length[ply + 1]), ply + 1)
    for i in range(ply + 1, end):
        s.pv[ply, i] = s.pv[ply + 1, i]
    s.pv_length[ply] = end


@KERNELS.kernel("i64(Gomoku)")
def evaluate_for_mover(s):
    """Return the score of the root side minus gamma times that of the other side, for the side to move.

    The score of a side is the sum of its patterns.
    """
    root_side = s.paper_root_side
    value = paper_score(s, root_side) - paper_score(s, 1 - root_side) * s.paper_gamma_per_mille // 1000
    value = max(-MAX_STATIC_VALUE, min(MAX_STATIC_VALUE, value))
    return value if s.side == root_side else -value


@KERNELS.kernel("i64(u64, i64)")
def table_value(data, ply):
    """Return the value in a table entry at `ply`.

    The distance of a stored win or loss counts from the entry's node, as in chess engines.
    """
    value = (score_of(data, 0) << VALUE_LOW_BITS) + evaluation_of(data)
    if value > MAX_STATIC_VALUE:
        return value - ply
    return value + ply if value < -MAX_STATIC_VALUE else value


@KERNELS.kernel("void(Gomoku, u64[], i64, i64, i64, i64)")
def store_value(s, tt, value, depth, bound, ply):
    """Store a value of the present position."""
    if value > MAX_STATIC_VALUE:
        value += ply
    elif value < -MAX_STATIC_VALUE:
        value -= ply
    store(s, tt, s.hash, 0, value >> VALUE_LOW_BITS, value & ((1 << VALUE_LOW_BITS) - 1), depth, bound, 0)


@KERNELS.kernel("i64(Gomoku, i64)")
def child_beta(s, alpha):
    """Return the beta with which a child of a node with `alpha` is searched: -alpha, or the maximum for minimax."""
    return -alpha if s.paper_uses_alphabeta != 0 else FIVE_VALUE


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64, i64, i64)")
def negamax(s, tt, alpha, beta, depth, ply):
    """Return the value of the position by alpha-beta or minimax; the top of this file explains it."""
    s.pv_length[ply] = ply
    if s.aborted != 0:
        return 0
    # 1. End of the game, horizon.
    if s.winner != 0:
        return ply - FIVE_VALUE
    if s.stones == s.width * s.height:
        return 0
    if depth == 0 or ply >= MAX_PLY - 2:
        return evaluate_for_mover(s)
    # 2. Transposition table.
    if s.paper_uses_alphabeta != 0 and probe(s, tt, s.hash) != 0 and depth_of(s.hit_data) >= depth:
        value, bound = table_value(s.hit_data, ply), bound_of(s.hit_data)
        if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
            return value
    # 3. The best moves by V(x, y).
    count = list_best_moves(s, ply, s.paper_beam_width)
    if count == 0:
        return 0
    best, bound = -FIVE_VALUE, UPPER
    for i in range(count):
        move = np.int64(s.moves[ply, i])
        apply(s, move)
        count_node(s)
        value = -negamax(s, tt, -beta, child_beta(s, alpha), depth - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return 0
        best = max(best, value)
        if value > alpha:
            alpha, bound = value, EXACT
            update_pv(s, move, ply)
            if value >= beta:
                bound = LOWER
                break
    if s.paper_uses_alphabeta != 0:
        store_value(s, tt, best, depth, bound, ply)
    return best


@KERNELS.kernel("void(Gomoku)")
def clear_marks(s):
    """Unmark all cells."""
    for row in range(STRIDE):
        s.marked_rows[row] = 0


@KERNELS.kernel("i64(Gomoku, i64)")
def list_marked(s, ply):
    """Fill `moves[ply]` with the legal marked cells, sorted by our grade, then the opponent's; return their number."""
    us, them = s.side, 1 - s.side
    has_forbidden_moves = s.rule & RENJU != 0 and us == 0
    count = 0
    for row in range(PAD, PAD + s.height):
        bits = s.marked_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if not has_forbidden_moves or is_forbidden(s, cell) == 0:
                value = 16 * np.int64(s.grades[us, cell]) + np.int64(s.grades[them, cell])
                count = insert_move(s, ply, count, MAX_STONES, cell, value)
    return count


@KERNELS.kernel("i64(Gomoku, i64)")
def list_attacks(s, ply):
    """Fill `moves[ply]` with the attacker's moves, and return their number.

    They make a four or an open three or, if the opponent has a four, stop it.
    """
    us, them = s.side, 1 - s.side
    clear_marks(s)
    if s.grade_count[them, MAKES_FIVE] > 0:
        mark_five_defences(s, them)
    else:
        mark_grade(s, us, MAYBE_FOUL)  # legal if the threes are not real
        for grade in range(MAKES_OPEN_THREE, MAKES_OPEN_FOUR):
            mark_grade(s, us, grade)
    return list_marked(s, ply)


@KERNELS.kernel("i64(Gomoku, i64)")
def list_defences(s, ply):
    """Fill `moves[ply]` with the defender's moves, and return their number.

    They stop a four or, if there is none, stop an open three or make a four of the defender's own.
    """
    us, them = s.side, 1 - s.side
    clear_marks(s)
    if s.grade_count[them, MAKES_FIVE] > 0:
        mark_five_defences(s, them)
    else:
        mark_open_four_defences(s, them)
        for grade in range(MAKES_FOUR, MAKES_OPEN_FOUR):
            mark_grade(s, us, grade)
    return list_marked(s, ply)


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def immediate_vct(s, static_score, ply):
    """Return the length of the root side's win in a position whose score `terminal_score` knows; 0 if it is no win.

    If the root side is to move, it wins by making a five or an open four. If the other side is to move, the root side
    wins if its five cannot be stopped.
    """
    us = s.side
    if us != s.paper_root_side:
        return max(static_score + WIN, 0) if static_score < 0 else 0
    if static_score <= 0:
        return 0
    grade = MAKES_FIVE if s.grade_count[us, MAKES_FIVE] > 0 else MAKES_OPEN_FOUR
    update_pv(s, first_cell(s, us, grade), ply)
    return WIN - static_score


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64)")
def vct(s, tt, plies, ply):
    """Return the length of a VCT of at most `plies` plies; the top of this file explains it."""
    s.pv_length[ply] = ply
    s.pv_length[ply + 1] = ply + 1
    if s.aborted != 0:
        return 0
    static_score = terminal_score(s, 0)
    if static_score != NO_SCORE:
        return immediate_vct(s, static_score, ply)
    attacking = s.side == s.paper_root_side
    if plies < MIN_VCT_PLIES - (0 if attacking else 1) or ply >= MAX_PLY - 3:
        return 0
    if not attacking and must_answer_threat(s) == 0:
        return 0
    key = s.hash ^ VCT_SALT
    if probe(s, tt, key) != 0 and (depth_of(s.hit_data) >= plies or score_of(s.hit_data, 0) > 0):
        return score_of(s.hit_data, 0)
    count = list_attacks(s, ply) if attacking else list_defences(s, ply)
    length = 0
    for i in range(count):
        move = np.int64(s.moves[ply, i])
        apply(s, move)
        count_node(s)
        rest_length = vct(s, tt, plies - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return 0
        if rest_length > 0 and rest_length + 1 > length:
            length = rest_length + 1
            update_pv(s, move, ply)
        if attacking and length > 0:
            break
        if not attacking and rest_length == 0:
            length = 0
            break
    store(s, tt, key, 0, length, 0, plies, EXACT, 0)
    return length


@KERNELS.export("i64(Gomoku)")
def paper_rank(s):
    """Fill `root_moves` with the legal cells by V(x, y), best first, and `root_scores` with V; return their number."""
    s.root_move_count = list_best_moves(s, 0, MAX_STONES)
    for i in range(s.root_move_count):
        s.root_moves[i] = s.moves[0, i]
        s.root_scores[i] = s.move_scores[0, i]
    return s.root_move_count


@KERNELS.export("i64(Gomoku, u64[], i64)")
def paper_find_vct(s, tt, max_plies):
    """Return the length of a VCT of `paper_root_side`, which is to move, or 0; its line is left in `pv[0]`.

    Iterative deepening by two plies finds the shortest win first.
    """
    for plies in range(MIN_VCT_PLIES, max_plies + 1, 2):
        length = vct(s, tt, plies, 0)
        if length > 0 or s.aborted != 0:
            return length
    return 0


@KERNELS.export("i64(Gomoku, u64[], i64)")
def paper_search(s, tt, depth):
    """Return the value of the best of the `root_moves`; its line is left in `pv[0]`.

    After an abort it is the best of the `root_moves_searched` moves that were finished.
    """
    best = -FIVE_VALUE
    s.root_moves_searched = 0
    for i in range(s.root_move_count):
        move = np.int64(s.root_moves[i])
        apply(s, move)
        count_node(s)
        value = -negamax(s, tt, -FIVE_VALUE, child_beta(s, best), depth - 1, 1)
        undo(s)
        if s.aborted != 0:
            return best
        s.root_moves_searched += 1
        if value > best or i == 0:
            best = value
            update_pv(s, move, 0)
    return best
