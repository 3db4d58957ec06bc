"""Gomoku's alpha-beta search: core's search with a VCF search at the horizon and lazy network evaluation.

A VCF is a victory by continuous fours (kernels/threats.py). Importing this module adds the search to the kernel set
`KERNELS`, and it imports every other kernel module of Gomoku, so that the compiled library is complete.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels import paper_alphabeta, vct
from bots.gomoku.kernels.evaluate import evaluate, lazy_evaluation, linear_evaluation
from bots.gomoku.kernels.moves import generate
from bots.gomoku.kernels.network import cache_slot, cached_evaluation
from bots.gomoku.kernels.patterns import MAKES_FOUR_PLUS
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
    static_score,
)
from core.native.intrinsics import prefetch
from core.search.kernels.alphabeta import make_alphabeta
from core.search.kernels.game_kernels import MAX_PLY, GameKernels
from core.search.kernels.pruning import CompiledParameters
from core.search.scores import INFINITE, WIN

KERNEL_MODULES = (paper_alphabeta, vct)  # imported because their kernels belong to the library too

SAMPLE_MULTIPLIER = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio, for multiplicative hashing


@KERNELS.kernel("void(Gomoku)")
def sample_position(s):
    """Add an evaluated position to the samples for training data, or not (reservoir sampling).

    At any time, all positions evaluated so far are among the samples with the same probability. The choice depends on
    the position's hash instead of a random generator, so that a search is reproducible.
    """
    s.samples_seen += 1
    sample_index = s.samples_seen - 1
    if sample_index >= s.samples_wanted:
        mixed = (s.hash ^ np.uint64(s.samples_seen) * np.uint64(SAMPLE_MULTIPLIER)) * np.uint64(SAMPLE_MULTIPLIER)
        sample_index = np.int64(mixed >> np.uint64(33)) % s.samples_seen
    if sample_index >= s.samples_wanted:
        return
    plies = min(s.stones - s.samples_root, MAX_PLY - 1)
    for index in range(plies):
        s.sampled_moves[sample_index, index] = s.path[s.samples_root + index]
    s.sampled_moves[sample_index, plies] = 0


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def evaluate_within(s, low, high):
    """Return the static evaluation for the search window `low`..`high`.

    With a network: if the lazy evaluation is outside the window by the margin above or below it, it is returned. If it
    is not, the network evaluates the position, which may be sampled for training data.
    """
    prefetch(s.cached_evaluations, cache_slot(s))  # loaded while the lazy evaluation is computed
    rough = lazy_evaluation(s) if s.network != 0 else linear_evaluation(s)
    if rough >= high + s.lazy_margin_above or rough <= low - s.lazy_margin_below:
        return rough
    if s.samples_wanted != 0:
        sample_position(s)
    return cached_evaluation(s) if s.network != 0 else rough


@KERNELS.kernel("i64(Gomoku, i64)")
def lazy_evaluate(s, lazy_bound):
    """Return the static evaluation for a search that only asks whether it is at least `lazy_bound`."""
    return evaluate_within(s, -INFINITE, lazy_bound)


@KERNELS.export("i64(Gomoku, u64[], i64, i64, i64)")
def quiescence(s, tt, alpha, beta, ply):
    """Return the score at the horizon: a VCF if a short search finds one, else the static evaluation.

    The VCF search is left out if the static evaluation is at least `beta`. It tries only fours that also make something
    in another line: plain fours are most of the fours, and few wins need them.
    """
    static = evaluate_within(s, alpha, beta)
    if static >= beta:
        return static
    length = find_vcf(s, tt, s.leaf_vcf_plies, s.leaf_vcf_nodes, MAKES_FOUR_PLUS)
    if length > 0:
        return WIN - ply - length
    return static


@KERNELS.kernel("u64(Gomoku)")
def key(s):
    """Return the position's hash."""
    return s.hash


@KERNELS.kernel("i64(i64)")
def history_slot(move):
    """Return the index of a move in the history table: its cell."""
    return move


# Found by matches against other values (bots/gomoku/search_tests.md)
COMPILED_PARAMETERS = CompiledParameters(
    lmp_exponent=1.7, one_reply_extension=True, rfp_uses_improving=True, table_refines_eval=True
)
search = make_alphabeta(
    KERNELS,
    GOMOKU.name,
    GameKernels(
        apply=apply,
        undo=undo,
        key=key,
        count_node=count_node,
        terminal_score=static_score,
        must_answer_threat=must_answer_threat,
        generate=generate,
        quiescence=quiescence,
        evaluate=evaluate,
        history_slot=history_slot,
        table=table,
        key_after=key_after,
        lazy_evaluate=lazy_evaluate,
    ),
    COMPILED_PARAMETERS,
)
