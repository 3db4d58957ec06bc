"""The search of the agent in Aron Lindberg's bachelor's thesis "A.I. in board games" (DTU, 2007).

It is a full-width alpha-beta search with sorted moves and a transposition table, and without any other pruning.

`minimax_search(s, words, alpha, beta, depth, ply)` returns the fail-soft value for the side to move. A side may move
several times in a row, so the value is negated only if the side changes. `words` is the memory of the transposition
table. Repeated positions are not detected. After `s.aborted` is set the returned values are meaningless.
"""

from __future__ import annotations

import numpy as np

from bots.kolibrat.kernels.evaluate import evaluate
from bots.kolibrat.kernels.rules import KERNELS, apply, count_node, key, list_moves, table, undo
from bots.kolibrat.squares import OFF, SQUARE_MASK, STRIDE
from core.search.kernels.game_kernels import MAX_PLY
from core.search.kernels.transposition_table import EXACT, GENERATIONS, LOWER, UPPER
from core.search.scores import DRAW, INFINITE, NO_SCORE, WIN

probe, store = table.probe, table.store
move_of, score_of, depth_of, bound_of = table.move_of, table.score_of, table.depth_of, table.bound_of


@KERNELS.kernel("void(Kolibrat, i64, i64, i64)")
def sort_moves(s, ply, count, first):
    """Sort the moves of a ply by insertion sort: `first`, then points, then moves that end further forward.

    `first` is the table's move, 0 for none.
    """
    for index in range(count):
        move = np.int64(s.moves[ply, index])
        target = move & SQUARE_MASK
        row = s.height if target == OFF else (target - 1) // STRIDE
        value = row if s.side == 0 or target == OFF else s.height - 1 - row
        if move == first:
            value = 1000
        insert_at = index
        while insert_at > 0 and s.move_scores[ply, insert_at - 1] < value:
            s.move_scores[ply, insert_at] = s.move_scores[ply, insert_at - 1]
            s.moves[ply, insert_at] = s.moves[ply, insert_at - 1]
            insert_at -= 1
        s.move_scores[ply, insert_at] = value
        s.moves[ply, insert_at] = move


@KERNELS.kernel("i64(u64, i64, i64, i64, i64)")
def cutoff_score(entry, alpha, beta, depth, ply):
    """Return the score of a table entry of exactly this depth if it causes a cutoff, else NO_SCORE.

    Deeper entries are not used, so that the result is that of a search without a table.
    """
    score, bound = score_of(entry, ply), bound_of(entry)
    if depth_of(entry) == depth and (
        bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)
    ):
        return score
    return NO_SCORE


@KERNELS.kernel("i64(Kolibrat, u64[], i64, i64, i64, i64)")
def minimax_search(s, words, alpha, beta, depth, ply):
    """Return the alpha-beta value of a node; see the top of this file."""
    if s.aborted != 0:
        return DRAW
    if s.result != 0:
        return WIN - ply if s.result == s.side + 1 else ply - WIN
    if depth == 0 or ply >= MAX_PLY - 2:
        return evaluate(s)
    side, node_key, hash_move = s.side, key(s), 0
    if probe(s, words, node_key) != 0:
        known = cutoff_score(s.hit_data, alpha, beta, depth, ply)
        if known != NO_SCORE:
            return known
        hash_move = move_of(s.hit_data)
    count = list_moves(s, side, ply)
    sort_moves(s, ply, count, hash_move)
    best, best_move, bound = -INFINITE, 0, UPPER
    for index in range(count):
        move = np.int64(s.moves[ply, index])
        apply(s, move)
        count_node(s)
        score = -INFINITE
        if s.side == side:
            score = minimax_search(s, words, alpha, beta, depth - 1, ply + 1)
        else:
            score = -minimax_search(s, words, -beta, -alpha, depth - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return DRAW
        if score > best:
            best, best_move = score, move
        if score > alpha:
            alpha, bound = score, EXACT
        if score >= beta:
            bound = LOWER
            break
    store(s, words, node_key, best_move, best, 0, depth, bound, ply)
    return best


@KERNELS.export("i64(Kolibrat, u64[], i64)")
def minimax_root(s, words, depth):
    """Search `root_moves` to a depth, move the best one to `root_moves[0]` and return its value.

    `root_scores` gets the values of the moves in their order before the call; all but those of new best moves are upper
    bounds. If the search is aborted, `root_moves` is not changed.
    """
    s.generation = (s.generation + 1) & (GENERATIONS - 1)
    side, best, chosen = s.side, -INFINITE, 0
    for index in range(s.root_move_count):
        apply(s, np.int64(s.root_moves[index]))
        count_node(s)
        score = -INFINITE
        if s.side == side:
            score = minimax_search(s, words, best, INFINITE, depth - 1, 1)
        else:
            score = -minimax_search(s, words, -INFINITE, -best, depth - 1, 1)
        undo(s)
        if s.aborted != 0:
            return DRAW
        s.root_scores[index] = score
        if score > best:
            best, chosen = score, index
    move = s.root_moves[chosen]
    for index in range(chosen, 0, -1):
        s.root_moves[index] = s.root_moves[index - 1]
    s.root_moves[0] = move
    return best
