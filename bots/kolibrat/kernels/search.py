"""What Kolibrat adds to the search skeleton. Importing this module defines all kernels of the game.

A side may move several times running; the skeleton sees it by `side`. Nobody may pass, and to have to move is often a
burden here, so there are no null moves. A position that comes again on the way counts as a draw.
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
from core.search.kernels.pruning import SearchParameters
from core.search.scores import NO_SCORE, WIN

PARTS = (paper, retrograde)  # modules whose kernels belong to the library, too

__all__ = ["KERNELS", "search"]


@KERNELS.export("i64(Kolibrat, i64)")
def terminal_score(s, ply):
    """The end of the game, a repetition, or a point at hand that wins."""
    if s.result != 0:
        return WIN - ply if s.result == s.side + 1 else ply - WIN
    if ply > 0 and repetitions(s) > 0:
        return scores.DRAW
    if s.points[s.side] + 1 == s.goal and can_score(s, s.side) != 0:
        return WIN - ply - 1
    return NO_SCORE


@KERNELS.export("i64(Kolibrat)")
def must_answer_threat(s):
    """1 where the other side could win by a point at once if it were to move."""
    other = 1 - s.side
    return 1 if s.points[other] + 1 == s.goal and can_score(s, other) != 0 else 0


@KERNELS.kernel("i64(Kolibrat, i64)")
def order_value(s, move):
    """How promising a move looks before it is tried: points, attacks, jumps, then steps by how far they have come."""
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
def generate(s, ply):
    """All legal moves with their ordering values."""
    count = list_moves(s, s.side, ply)
    for index in range(count):
        s.move_scores[ply, index] = order_value(s, np.int64(s.moves[ply, index]))
    s.forced[ply] = must_answer_threat(s)
    return count


@KERNELS.export("i64(Kolibrat, u64[], i64, i64, i64)")
def quiescence(s, words, alpha, beta, ply):
    """The estimate; what can be won in a move `terminal_score` has seen."""
    return evaluate(s)


@KERNELS.kernel("i64(i64)")
def history_slot(move):
    return move


SEARCH_PARAMETERS = SearchParameters(
    rfp_max_depth=3,
    rfp_margin=400,
    lmp_base=10,
    lmp_factor=4,
    lmp_max_depth=3,
    lmr_divisor=2.0,
)
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
        generate=generate,
        quiescence=quiescence,
        evaluate=evaluate,
        history_slot=history_slot,
        table=table,
    ),
    SEARCH_PARAMETERS,
)
