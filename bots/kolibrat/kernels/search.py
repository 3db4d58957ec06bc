"""What the alpha-beta search (core/search/kernels/alphabeta.py) needs to know of Kolibrat.

Importing this module defines all kernels of the game, because it imports the other kernel modules. A side may move
several times in a row when the other one is skipped; the search notices it by `side`. There is no null move: passing is
not allowed, and having to move is often a disadvantage (zugzwang). A repeated position is scored as a draw.
"""

from __future__ import annotations

import numpy as np

from bots.kolibrat.kernels import paper, retrograde
from bots.kolibrat.kernels.evaluate import evaluate
from bots.kolibrat.kernels.rules import (
    KERNELS,
    KOLIBRAT,
    apply,
    can_score,
    count_node,
    is_attack,
    key,
    list_moves,
    repetitions,
    table,
    undo,
)
from bots.kolibrat.squares import HAND, MOVE_SHIFT, OFF, SQUARE_MASK, STRIDE
from core.search import scores
from core.search.kernels.alphabeta import make_alphabeta
from core.search.kernels.game_kernels import GameKernels
from core.search.kernels.pruning import CompiledParameters
from core.search.scores import NO_SCORE, WIN

PARTS = (paper, retrograde)  # imported only because their kernels belong to the library, too

__all__ = ["KERNELS", "search"]


@KERNELS.export("i64(Kolibrat, i64)")
def terminal_score(s, ply):
    """Return the score if the game is over, the position is repeated (a draw) or one move can win."""
    if s.result != 0:
        return WIN - ply if s.result == s.side + 1 else ply - WIN
    if ply > 0 and repetitions(s) > 0:
        return scores.DRAW
    if s.points[s.side] + 1 == s.goal and can_score(s, s.side) != 0:
        return WIN - ply - 1
    return NO_SCORE


@KERNELS.export("i64(Kolibrat)")
def must_answer_threat(s):
    """Return 1 if the other side could win with one move if it were to move, else 0."""
    other = 1 - s.side
    return 1 if s.points[other] + 1 == s.goal and can_score(s, other) != 0 else 0


@KERNELS.kernel("i64(Kolibrat, i64)")
def score_move(s, move):
    """Return the ordering score of a move: points first, then attacks, then moves that end further forward.

    Inserts come last, and attacks far forward come after those near home. The values were chosen by hand.
    """
    origin, target = move >> MOVE_SHIFT, move & SQUARE_MASK
    if target == OFF:
        return 400
    row = (target - 1) // STRIDE
    advance = row if s.side == 0 else s.height - 1 - row
    if origin == HAND:
        return 20
    if is_attack(origin, target, s.side) != 0:
        return 200 - 10 * advance
    return 30 + 10 * advance


@KERNELS.kernel("i64(Kolibrat, i64)")
def generate_scored(s, ply):
    """Fill `moves[ply]` and `move_scores[ply]` with the legal moves and their scores; return the number of moves."""
    count = list_moves(s, s.side, ply)
    for index in range(count):
        s.move_scores[ply, index] = score_move(s, np.int64(s.moves[ply, index]))
    s.forced[ply] = must_answer_threat(s)  # 1: smaller reductions at this node, late move pruning by `lmp_threat_base`
    return count


@KERNELS.export("i64(Kolibrat, u64[], i64, i64, i64)")
def quiescence(s, words, alpha, beta, ply):
    """Return the static evaluation; the other arguments are not used.

    There is no quiescence search, because `terminal_score` sees wins in one move.
    """
    return evaluate(s)


@KERNELS.kernel("i64(i64)")
def history_slot(move):
    """Return the index of a move in the history table."""
    return move


search = make_alphabeta(
    KERNELS,
    KOLIBRAT.name,
    GameKernels(
        apply=apply,
        undo=undo,
        key=key,
        count_node=count_node,
        terminal_score=terminal_score,
        must_answer_threat=must_answer_threat,
        generate=generate_scored,
        quiescence=quiescence,
        evaluate=evaluate,
        history_slot=history_slot,
        table=table,
    ),
    CompiledParameters(),
)
