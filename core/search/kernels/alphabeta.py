"""Principal-variation search, the skeleton that every game specialises by handing in its own kernels.

Contract of `search(state, table, alpha, beta, depth, ply)`: it returns a score for the side to move, fail-soft. If the
value v of the position at this depth lies in (alpha, beta) the result is v; a result <= alpha is an upper bound of v, a
result >= beta a lower bound. Proven results are distances from the root (core/search/scores.py). Once `state.aborted`
is set every result is void and the caller unwinds. The position in the state is the same before and after. What the
table holds of a position depends on its depth and, as null windows are pruned and reduced, on how the search came to
it.

Method: alpha-beta with null windows (Marsland and Campbell 1982), null moves, table move, killers, history, late-move
reductions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.native.kernel import KernelSet
from core.search.kernels.game_kernels import (
    MAX_PLY,
    GameKernels,
    check_fields,
    make_early,
    make_expect,
    make_lazy_evaluate,
    make_no_skip,
)
from core.search.kernels.ordering import make_ordering
from core.search.kernels.pruning import WHOLE_REDUCTION, SearchParameters, make_pruning
from core.search.kernels.transposition_table import EXACT, GENERATIONS, LOWER, UPPER
from core.search.scores import DRAW, INFINITE, MAX_EVALUATION, NO_SCORE, WIN

NULL_FROM, NULL_REDUCTION = 3, 2  # plies of depth from which a node tries to skip its turn, and that it saves by it
REDUCE_UNKNOWN_FROM = 3  # plies of depth
FORCED_PLIES = 8  # beyond twice the depth of the iteration, where answers to threats end that no number limits


def make_alphabeta(kernels: KernelSet, record: str, game: GameKernels, pruning: SearchParameters) -> Any:
    """Define the search of a game; exports `search_root(state, table, depth, alpha, beta, first) -> score`."""
    check_fields(kernels, record)
    probe, store = game.table.probe, game.table.store
    move_of, score_of, evaluation_of = game.table.move_of, game.table.score_of, game.table.evaluation_of
    depth_of, bound_of = game.table.depth_of, game.table.bound_of
    apply, undo, key_of, count_node = game.apply, game.undo, game.key, game.count_node
    terminal_score, must_answer_threat, generate, quiescence = (
        game.terminal_score,
        game.must_answer_threat,
        game.generate,
        game.quiescence,
    )
    evaluate = game.evaluate
    lazy_evaluate = game.lazy_evaluate or make_lazy_evaluate(kernels, record, evaluate)
    skip_of = game.null_move or make_no_skip(kernels, record)
    expect_after = make_expect(kernels, record, game)
    early_move = make_early(kernels, record, game.can_stage_hash_move)
    rank_moves, pick_move, reward = make_ordering(kernels, record, game.history_slot, pruning.history_shift)
    far_above, is_far_above, is_too_late, late_reduction = make_pruning(kernels, record, pruning)
    threat_share = round(WHOLE_REDUCTION * pruning.lmr_threat_factor)
    table_refines_eval = pruning.table_refines_eval
    max_moves = next(
        field.shape[1]
        for found in kernels.records
        if found.name == record
        for field in found.fields
        if field.name == "moves"
    )
    max_threat_plies, only_answer_plies = pruning.max_threat_plies, int(pruning.one_reply_extension)

    @kernels.kernel(f"void({record}, i64, i64)")
    def lead_with(s, move, ply):
        """Make `move` and the line below it the principal variation of this ply."""
        s.pv[ply, ply] = move
        end = max(s.pv_length[ply + 1], ply + 1)
        for i in range(ply + 1, end):
            s.pv[ply, i] = s.pv[ply + 1, i]
        s.pv_length[ply] = end

    @kernels.kernel(f"i64({record}, i64, i64, i64, i64)")
    def known_score(s, alpha, beta, depth, ply):
        """The score of the entry that `probe` found where it is deep enough to decide this window, else UNSETTLED.

        A deeper entry has other leaves, which a search of full width must not take for its own.
        """
        data = s.hit_data
        score, bound, found = score_of(data, ply), bound_of(data), depth_of(data) - max_threat_plies
        if found < depth or (found > depth and s.full_width != 0):
            return NO_SCORE
        if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
            return score
        return NO_SCORE

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def ends_here(s, depth, in_threat, ply):
        """Whether a node is a leaf. One in which a threat must be answered is none, as far as threats are followed."""
        if ply >= MAX_PLY - 2:
            return 1
        if depth > 0 or in_threat == 0:
            return 1 if depth <= 0 else 0
        if max_threat_plies > 0:
            return 1 if depth <= -max_threat_plies else 0
        return 1 if ply > 2 * s.root_depth + FORCED_PLIES else 0

    @kernels.kernel(f"i64({record}, i64)")
    def enter(s, ply):
        """Begin a node without a line; its value where it is known without search or void, else UNSETTLED."""
        s.pv_length[ply] = ply
        if s.aborted != 0:
            return DRAW
        s.selective_depth = max(s.selective_depth, ply)
        return terminal_score(s, ply)

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def refine(s, static, found, ply):
        """The estimate of a node; where the entry that `probe` found bounds the value better, the score of that."""
        if found == 0 or not table_refines_eval:
            return static
        score, bound = score_of(s.hit_data, ply), bound_of(s.hit_data)
        return score if bound == EXACT or bound == (LOWER if score > static else UPPER) else static

    @kernels.kernel(f"i64({record}, u64[], u64, i64, i64, i64, i64, i64)")
    def look_up(s, table, key, alpha, beta, depth, ply, lazy_bound):
        """The table's score of a node where it decides a null window, else UNSETTLED; leaves its move and estimates,
        which may be coarse above `lazy_bound`."""
        s.hash_move[ply] = 0
        static = NO_SCORE
        found = probe(s, table, key)
        if found != 0:
            known = known_score(s, alpha, beta, depth, ply)
            if known != NO_SCORE and beta - alpha == 1:
                return known
            s.hash_move[ply] = move_of(s.hit_data)
            static = evaluation_of(s.hit_data)
        if static == NO_SCORE:
            static = lazy_evaluate(s, lazy_bound)
        s.static_eval[ply] = static
        s.refined_eval[ply] = refine(s, static, found, ply)
        return NO_SCORE

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def skip_at(s, static, beta, depth):
        """The move that skips the turn at a quiet node that may be good enough even so, else 0."""
        return skip_of(s) if depth >= NULL_FROM and static >= beta else 0

    @kernels.kernel(f"i64({record}, i64)")
    def list_moves(s, ply):
        """Fill `moves[ply]` and `order[ply]`, the search's own knowledge in the order; the number of moves."""
        count = generate(s, ply)
        rank_moves(s, ply, count, s.hash_move[ply])
        return count

    @kernels.kernel(f"i64({record}, i64, i64)")
    def list_others(s, ply, early):
        """`list_moves` once the move `early` has been tried; it is the first of them."""
        count = list_moves(s, ply)
        if pick_move(s, ply, 0, count) != early:
            s.moves[ply, count], s.move_scores[ply, count] = s.moves[ply, 0], s.move_scores[ply, 0]
            s.moves[ply, 0] = early
            count += 1
        return count

    @kernels.kernel(f"i64({record}, i64, i64, i64, i64)")
    def reduction_of(s, depth, index, ply, null_window):
        """Plies that the move just played is searched less: a share of them where it answers a threat or makes one."""
        is_threat = s.forced[ply] != 0 or must_answer_threat(s) != 0
        return late_reduction(s, depth, index, null_window, threat_share if is_threat else WHOLE_REDUCTION)

    @kernels.kernel(f"i64({record}, u64[], i64, i64, i64, i64)")
    def search(s, table, alpha, beta, depth, ply):
        """The contract stands at the top of this file."""
        ended = enter(s, ply)
        if ended != NO_SCORE:
            return ended
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha
        in_threat = must_answer_threat(s)
        if ends_here(s, depth, in_threat, ply) != 0:
            return quiescence(s, table, alpha, beta, ply)
        if max_threat_plies == 0:
            depth = max(depth, 1)
        null_window = beta - alpha == 1
        key = key_of(s)
        may_prune = null_window and s.full_width == 0
        may_stand = may_prune and in_threat == 0 and abs(beta) < MAX_EVALUATION
        lazy_bound = far_above(beta, depth) if may_stand else INFINITE
        if in_threat != 0:
            lazy_bound = -INFINITE  # its estimate decides nothing here
        known = look_up(s, table, key, alpha, beta, depth, ply, lazy_bound)
        if known != NO_SCORE:
            return known
        static = np.int64(s.static_eval[ply])
        if may_stand:
            estimate = np.int64(s.refined_eval[ply])
            if is_far_above(s, estimate, beta, depth, ply) != 0:
                return estimate
            null_move = skip_at(s, static, beta, depth)
            if null_move != 0:
                apply(s, null_move)
                count_node(s)
                score = -search(s, table, -beta, 1 - beta, depth - 1 - NULL_REDUCTION - depth // 4, ply + 1)
                undo(s)
                if s.aborted != 0:
                    return DRAW
                if score >= beta:
                    return score if score <= MAX_EVALUATION else beta
                s.pv_length[ply] = ply
        if s.hash_move[ply] == 0 and depth >= REDUCE_UNKNOWN_FROM and s.full_width == 0:
            depth -= 1  # nothing is known of this node yet: a cheaper search first fills the table
        early = early_move(s, ply) if s.full_width == 0 else 0
        count = max_moves if early != 0 else list_moves(s, ply)
        if count == 0:
            return DRAW
        best, best_move, bound = -INFINITE, 0, UPPER
        side = s.side
        for i in range(max_moves):
            if early != 0 and i == 1:
                count = list_others(s, ply, early)
            if i >= count:
                break
            if may_prune and s.forced[ply] == 0 and best > -MAX_EVALUATION and is_too_late(i, depth) != 0:
                break
            move = early if i == 0 and early != 0 else pick_move(s, ply, i, count)
            next_depth = depth - 1 if count > 1 else depth + (only_answer_plies if depth > 0 else 0)
            if next_depth > 0:
                expect_after(s, table, move)
            apply(s, move)
            count_node(s)
            if s.side == side:
                score = search(s, table, alpha, beta, next_depth, ply + 1)
            elif i == 0:
                score = -search(s, table, -beta, -alpha, next_depth, ply + 1)
            else:
                reduction = reduction_of(s, depth, i, ply, null_window)
                score = -search(s, table, -alpha - 1, -alpha, next_depth - reduction, ply + 1)
                if score > alpha and reduction > 0:
                    score = -search(s, table, -alpha - 1, -alpha, next_depth, ply + 1)
                if score > alpha and score < beta:
                    score = -search(s, table, -beta, -alpha, next_depth, ply + 1)
            undo(s)
            if s.aborted != 0:
                return DRAW
            best = max(best, score)
            if score > alpha:
                best_move, alpha, bound = move, score, EXACT
                lead_with(s, move, ply)
                if score >= beta:
                    bound = LOWER
                    reward(s, move, depth, ply, i)
                    break
        store(s, table, key, best_move, best, static, depth + max_threat_plies, bound, ply)  # as depth may be negative
        return best

    @kernels.export(f"i64({record}, i64)")
    def prepare_root(s, keep_history):
        """Begin a search: reset its counters, list the root moves best first, and return their number."""
        s.nodes, s.next_poll, s.aborted, s.selective_depth = 0, 0, 0, 0
        s.generation = (s.generation + 1) & (GENERATIONS - 1)
        for ply in range(MAX_PLY):
            s.killers[ply, 0] = 0
            s.killers[ply, 1] = 0
        for side in range(2):
            for history_slot in range(s.history.shape[1]):
                s.history[side, history_slot] = s.history[side, history_slot] // 8 if keep_history != 0 else 0
        s.root_move_count = generate(s, 0)
        for i in range(s.root_move_count):
            s.root_moves[i] = pick_move(s, 0, i, s.root_move_count)
            s.root_scores[i] = -INFINITE
            s.root_nodes[i] = 0
        return s.root_move_count

    @kernels.export(f"i64({record}, u64[], i64, i64, i64, i64)")
    def search_root(s, table, depth, alpha, beta, first):
        """Search the root moves from index `first` on (for a second best line) and bring the best to that index.

        Scores as in `search`. When aborted, the moves finished so far stand: the best of them is at `first`, and
        `root_moves_searched` tells how many they are.
        """
        s.root_depth = depth
        s.root_moves_searched = 0
        s.static_eval[0] = evaluate(s)
        best = -INFINITE
        side = s.side
        for i in range(first, s.root_move_count):
            move = np.int64(s.root_moves[i])
            before, nodes_before = alpha, s.nodes
            s.pv_length[1] = 1
            apply(s, move)
            count_node(s)
            score = -INFINITE
            if s.side == side:
                score = search(s, table, alpha, beta, depth - 1, 1)
            elif i == first:
                score = -search(s, table, -beta, -alpha, depth - 1, 1)
            else:
                reduction = 0
                if i - first >= 4 and s.root_move_count >= 8:
                    reduction = late_reduction(s, depth, i - first, 0, WHOLE_REDUCTION)
                score = -search(s, table, -alpha - 1, -alpha, depth - 1 - reduction, 1)
                if score > alpha and reduction > 0:
                    score = -search(s, table, -alpha - 1, -alpha, depth - 1, 1)
                if score > alpha and score < beta:
                    score = -search(s, table, -beta, -alpha, depth - 1, 1)
            undo(s)
            s.root_nodes[i] += s.nodes - nodes_before
            if s.aborted != 0:
                return best
            s.root_moves_searched += 1
            s.root_scores[i] = score if score > before or i == first else -INFINITE
            if score > best:
                best = score
            if score > before or i == first:
                lead_with(s, move, 0)
                nodes = s.root_nodes[i]
                for j in range(i, first, -1):
                    s.root_moves[j] = s.root_moves[j - 1]
                    s.root_scores[j] = s.root_scores[j - 1]
                    s.root_nodes[j] = s.root_nodes[j - 1]
                s.root_moves[first] = move
                s.root_scores[first] = score
                s.root_nodes[first] = nodes
                alpha = max(alpha, score)
                if score >= beta:
                    break
        return best

    return search
