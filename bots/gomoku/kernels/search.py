"""What Gomoku adds to the alpha-beta skeleton: a search for fours at the leaves."""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels import paper_alphabeta, threes
from bots.gomoku.kernels.evaluate import evaluate, weigh_counts
from bots.gomoku.kernels.moves import generate
from bots.gomoku.kernels.network import judge
from bots.gomoku.kernels.patterns import GRADE_FOUR_PLUS
from bots.gomoku.kernels.rules import (
    GOMOKU,
    KERNELS,
    apply,
    count_node,
    key_after,
    table,
    undo,
)
from bots.gomoku.kernels.threats import (
    find_vcf,
    must_answer_threat,
    terminal_score,
)
from core.search.kernels.alphabeta import make_alphabeta
from core.search.kernels.game_kernels import MAX_PLY, GameKernels
from core.search.kernels.pruning import SearchParameters
from core.search.scores import INFINITE, WIN

PARTS = (paper_alphabeta, threes)  # modules whose kernels belong to the library, too

LEAF_VCF_PLIES, LEAF_VCF_NODES = 20, 60
NOTE_MULTIPLIER = 0x9E3779B97F4A7C15
# Beyond a bound by the counts: there the network would say else of one position in a thousand.
SURELY_ABOVE, SURELY_BELOW = 30, 200


@KERNELS.kernel("void(Gomoku)")
def note(s):
    """Note the position, or not: each that is judged has the same chance in the end (reservoir sampling)."""
    s.notes_seen += 1
    place = s.notes_seen - 1
    if place >= s.notes_wanted:
        chance = (s.hash ^ np.uint64(s.notes_seen) * np.uint64(NOTE_MULTIPLIER)) * np.uint64(NOTE_MULTIPLIER)
        place = np.int64(chance >> np.uint64(33)) % s.notes_seen
    if place >= s.notes_wanted:
        return
    plies = min(s.stones - s.notes_from, MAX_PLY - 1)
    for index in range(plies):
        s.notes[place, index] = s.path[s.notes_from + index]
    s.notes[place, plies] = 0


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def estimate(s, low, high):
    """The estimate; where a network judges, that of the counts if it is beyond one of the bounds without a doubt."""
    counted = weigh_counts(s)
    if counted >= high + SURELY_ABOVE or counted <= low - SURELY_BELOW:
        return counted
    if s.notes_wanted != 0:
        note(s)
    return judge(s) if s.network != 0 else counted


@KERNELS.kernel("i64(Gomoku, i64)")
def lazy_evaluate(s, lazy_bound):
    return estimate(s, -INFINITE, lazy_bound)


@KERNELS.export("i64(Gomoku, u64[], i64, i64, i64)")
def quiescence(s, words, alpha, beta, ply):
    """A win by continuous fours where a short search finds one, else the estimate; no search where that fails high.

    Fours that make nothing beside are left out: they are most of the fours, and few wins need them.
    """
    static = estimate(s, alpha, beta)
    if static >= beta:
        return static
    length = find_vcf(s, words, LEAF_VCF_PLIES, LEAF_VCF_NODES, GRADE_FOUR_PLUS)
    if length > 0:
        return WIN - ply - length
    return static


@KERNELS.kernel("u64(Gomoku)")
def key(s):
    return s.hash


@KERNELS.kernel("i64(i64)")
def history_slot(move):
    return move


SEARCH_PARAMETERS = SearchParameters(
    rfp_max_depth=4,
    rfp_margin=85,
    lmp_base=6,
    lmp_factor=1,
    lmp_max_depth=60,
    lmp_exponent=1.7,
    lmr_divisor=1.4,
    lmr_threat_factor=1.0,
    max_threat_plies=2,
    one_reply_extension=True,
    rfp_uses_improving=True,
    table_refines_eval=True,
    history_shift=5,
)
search = make_alphabeta(
    KERNELS,
    GOMOKU.name,
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
        key_after=key_after,
        lazy_evaluate=lazy_evaluate,
    ),
    SEARCH_PARAMETERS,
)
