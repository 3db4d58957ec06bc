"""Principal variation search (alpha-beta with null windows), generic over the game.

`make_alphabeta` takes a game's kernels (core/search/kernels/game_kernels.py) and compiles a search of its own for that
game. `s` is the game's state; `table` the transposition table, which threads share (lazy SMP).

Contract of `search(s, table, alpha, beta, depth, ply)`: it returns a score for the side to move, fail-soft. Let v be
the value of the position at this depth. A result inside (alpha, beta) is v, a result <= alpha is an upper bound of v,
and a result >= beta is a lower bound. Scores of proven results encode the distance from the root
(core/search/scores.py). Once `s.aborted` is set, every result is meaningless and all callers return at once. The
position in `s` is the same before and after. Since null windows are pruned and table entries reused, v also depends on
the path to the position.

    search(alpha, beta, depth, ply):
      1  if aborted, or if the result needs no search: return that score              begin_node
      2  alpha, beta = mate-distance pruning; if alpha >= beta: return alpha
      3  if depth <= 0 and no threat must be answered: return quiescence()            at_horizon
      4  probe the transposition table; at null-window nodes return its score         probe_node, table_cutoff
      5  static evaluation, refined by the table's score                              table_bounded_eval
         at quiet null-window nodes:
      6    reverse futility pruning: if eval - margin >= beta: return eval            can_prune_rfp
      7    null move: if passing and a reduced search still reach beta: return it     null_move_at
      8  internal iterative reduction: depth -= 1 if there is no hash move
      9  for each move, the hash move first (staged generation):                      generate_rest, pick_next
     10    late move pruning: stop if enough moves were tried                         can_prune_late_move
     11    make the move; extend an only move; reduce late moves (LMR)                move_reduction
           score = null-window search, re-searched if it fails high                   search_child
           unmake the move
     12    raise alpha, update the PV; on a beta cutoff update killers and history    update_pv, update_history
     13  store the best score in the transposition table

`search_root` is a simpler loop over the root moves, with late move reductions, re-searches and the PV only. It moves
each new best move to the front, and sorts the others by the nodes that earlier iterations spent on them, because a move
that was hard to refute may be the next best.

Sources: null windows, Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982); null moves, Beal
(1989). The other techniques are described on chessprogramming.org under the names used here. The constants are fields
of the state, so that options can change them: core/search/parameters.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from core.native.kernel import KernelSet
from core.search.kernels.game_kernels import (
    MAX_PLY,
    GameKernels,
    check_fields,
    make_lazy_evaluate,
    make_no_null_move,
    make_prefetch_child,
    make_staged_hash_move,
)
from core.search.kernels.ordering import make_ordering
from core.search.kernels.pruning import CompiledParameters, make_pruning
from core.search.kernels.transposition_table import EXACT, GENERATIONS, LOWER, UPPER
from core.search.parameters import FACTOR_BITS, FACTOR_ONE
from core.search.scores import DRAW, INFINITE, MAX_EVALUATION, NO_SCORE, WIN

MAX_THREAT_EXTENSION = 8  # plies beyond twice the root depth, for games without `max_threat_plies`
HISTORY_DECAY = 8  # divisor of the history between the searches of a game


@njit(inline="always")
def search_child(search, s, table, alpha, beta, depth, reduction, ply, side, is_first):
    """Search the position after a move of `side` and return its score for that side.

    `depth` is the child's remaining depth before the reduction. Inlined into both `search` and `search_root`, since
    kernels cannot be mutually recursive. `search` is the kernel of that name.
    """
    if s.side == side:  # the same side moves again: nothing is negated
        score = search(s, table, alpha, beta, depth, ply + 1)
    elif is_first:
        score = -search(s, table, -beta, -alpha, depth, ply + 1)
    else:
        score = -search(s, table, -alpha - 1, -alpha, depth - reduction, ply + 1)  # null window, reduced
        if score > alpha and reduction > 0:
            score = -search(s, table, -alpha - 1, -alpha, depth, ply + 1)  # null window, full depth
        if score > alpha and score < beta:
            score = -search(s, table, -beta, -alpha, depth, ply + 1)  # full window
    return score


def make_alphabeta(kernels: KernelSet, state_name: str, game: GameKernels, parameters: CompiledParameters) -> Any:
    """Define the alpha-beta search of a game and return its kernel `search`.

    Exports `prepare_root(state, keep_history) -> count` and
    `search_root(state, table, depth, alpha, beta, pv_index) -> score`.
    """
    check_fields(kernels, state_name)
    probe, store = game.table.probe, game.table.store
    move_of, score_of, evaluation_of = game.table.move_of, game.table.score_of, game.table.evaluation_of
    depth_of, bound_of = game.table.depth_of, game.table.bound_of
    apply, undo, key_of, count_node = game.apply, game.undo, game.key, game.count_node
    terminal_score, must_answer_threat = game.terminal_score, game.must_answer_threat
    generate, quiescence, evaluate = game.generate, game.quiescence, game.evaluate
    lazy_evaluate = game.lazy_evaluate or make_lazy_evaluate(kernels, state_name, evaluate)
    null_move_of = game.null_move or make_no_null_move(kernels, state_name)
    prefetch_child = make_prefetch_child(kernels, state_name, game)
    staged_hash_move = make_staged_hash_move(kernels, state_name, game.can_stage_hash_move)
    score_moves, pick_next, update_history = make_ordering(kernels, state_name, game.history_slot)
    rfp_threshold, can_prune_rfp, can_prune_late_move, lmr_reduction = make_pruning(kernels, state_name, parameters)
    table_refines_eval = parameters.table_refines_eval
    max_moves = next(
        field.shape[1]
        for state_type in kernels.records
        if state_type.name == state_name
        for field in state_type.fields
        if field.name == "moves"
    )
    one_reply_extension = int(parameters.one_reply_extension)

    @kernels.kernel(f"void({state_name}, i64, i64)")
    def update_pv(s, move, ply):
        """Make `move`, followed by the child's PV, the PV of this ply (triangular PV table)."""
        s.pv[ply, ply] = move
        end = max(s.pv_length[ply + 1], ply + 1)
        for i in range(ply + 1, end):
            s.pv[ply, i] = s.pv[ply + 1, i]
        s.pv_length[ply] = end

    @kernels.kernel(f"i64({state_name}, i64, i64, i64, i64)")
    def table_cutoff(s, alpha, beta, depth, ply):
        """Return the score of the table entry found if it decides the window (alpha, beta), else NO_SCORE.

        Entries store depth + max_threat_plies. A full-width search takes only entries of exactly its depth: a deeper
        entry has another horizon and so another value.
        """
        data = s.hit_data
        score, bound, entry_depth = score_of(data, ply), bound_of(data), depth_of(data) - s.max_threat_plies
        if entry_depth < depth or (entry_depth > depth and s.full_width != 0):
            return NO_SCORE
        if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
            return score
        return NO_SCORE

    @kernels.kernel(f"i64({state_name}, i64, i64, i64)")
    def at_horizon(s, depth, in_threat, ply):
        """Return 1 if a node is not searched further. Threats are answered beyond the horizon, up to a limit."""
        if ply >= MAX_PLY - 2:
            return 1
        if depth > 0 or in_threat == 0:
            return 1 if depth <= 0 else 0
        if s.max_threat_plies > 0:
            return 1 if depth <= -s.max_threat_plies else 0
        return 1 if ply > 2 * s.root_depth + MAX_THREAT_EXTENSION else 0

    @kernels.kernel(f"i64({state_name}, i64)")
    def begin_node(s, ply):
        """Start a node with an empty PV. Return its score if no search is needed, else NO_SCORE."""
        s.pv_length[ply] = ply
        if s.aborted != 0:
            return DRAW
        s.selective_depth = max(s.selective_depth, ply)
        return terminal_score(s, ply)

    @kernels.kernel(f"i64({state_name}, i64, i64, i64)")
    def table_bounded_eval(s, static_eval, is_hit, ply):
        """Return the score of the table entry if its bound is tighter than the static evaluation, else the latter."""
        if is_hit == 0 or not table_refines_eval:
            return static_eval
        score, bound = score_of(s.hit_data, ply), bound_of(s.hit_data)
        return score if bound == EXACT or bound == (LOWER if score > static_eval else UPPER) else static_eval

    @kernels.kernel(f"i64({state_name}, u64[], u64, i64, i64, i64, i64, i64)")
    def probe_node(s, table, key, alpha, beta, depth, ply, lazy_bound):
        """Probe the table. Return its score if that cuts off a null-window node, else NO_SCORE.

        Without a cutoff, set `hash_move`, `static_eval` and `refined_eval` of this ply. The evaluation may be rough if
        it is above `lazy_bound`.
        """
        s.hash_move[ply] = 0
        static_eval = NO_SCORE
        is_hit = probe(s, table, key)
        if is_hit != 0:
            known = table_cutoff(s, alpha, beta, depth, ply)
            if known != NO_SCORE and beta - alpha == 1:  # PV nodes are searched, so that the PV is complete
                return known
            s.hash_move[ply] = move_of(s.hit_data)
            static_eval = evaluation_of(s.hit_data)
        if static_eval == NO_SCORE:
            static_eval = lazy_evaluate(s, lazy_bound)
        s.static_eval[ply] = static_eval
        s.refined_eval[ply] = table_bounded_eval(s, static_eval, is_hit, ply)
        return NO_SCORE

    @kernels.kernel(f"i64({state_name}, i64, i64, i64)")
    def null_move_at(s, static_eval, beta, depth):
        """Return the null move if null-move pruning is tried at this node, else 0."""
        return null_move_of(s) if depth >= s.null_move_min_depth and static_eval >= beta else 0

    @kernels.kernel(f"i64({state_name}, i64)")
    def generate_scored(s, ply):
        """Generate the moves of this ply and complete their ordering scores; return the number of moves."""
        count = generate(s, ply)
        score_moves(s, ply, count, s.hash_move[ply])
        return count

    @kernels.kernel(f"i64({state_name}, i64, i64)")
    def generate_rest(s, ply, staged):
        """Call `generate_scored` after the staged hash move was searched, which stays at index 0; return the count."""
        count = generate_scored(s, ply)
        if pick_next(s, ply, 0, count) != staged:  # `generate` did not list it: prepend it
            s.moves[ply, count], s.move_scores[ply, count] = s.moves[ply, 0], s.move_scores[ply, 0]
            s.moves[ply, 0] = staged
            count += 1
        return count

    @kernels.kernel(f"i64({state_name}, i64, i64, i64, i64, i64)")
    def move_reduction(s, depth, index, ply, is_null_window, is_alpha_raised):
        """Return the reduction of the move just made; less if it answers or makes a threat."""
        is_threat = s.forced[ply] != 0 or must_answer_threat(s) != 0
        factor = s.lmr_threat_factor if is_threat else FACTOR_ONE
        return lmr_reduction(s, depth, index, is_null_window, is_alpha_raised, factor)

    @kernels.kernel(f"i64({state_name}, u64[], i64, i64, i64, i64)")
    def search(s, table, alpha, beta, depth, ply):
        """Contract and pseudo-code are at the top of this file."""
        # 1. Results that need no search
        known = begin_node(s, ply)
        if known != NO_SCORE:
            return known
        # 2. Mate-distance pruning: no score here can be better than a win with the next move
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha
        # 3. Horizon
        in_threat = must_answer_threat(s)
        if at_horizon(s, depth, in_threat, ply) != 0:
            return quiescence(s, table, alpha, beta, ply)
        if s.max_threat_plies == 0:
            depth = max(depth, 1)
        # 4. and 5. Transposition table, static evaluation
        is_null_window = beta - alpha == 1
        key = key_of(s)
        may_prune_moves = is_null_window and s.full_width == 0
        may_prune_node = may_prune_moves and in_threat == 0 and abs(beta) < MAX_EVALUATION
        lazy_bound = rfp_threshold(s, beta, depth) if may_prune_node else INFINITE
        if in_threat != 0:
            lazy_bound = -INFINITE  # no pruning at this node uses the evaluation, so any rough value will do
        known = probe_node(s, table, key, alpha, beta, depth, ply, lazy_bound)
        if known != NO_SCORE:
            return known
        static_eval = np.int64(s.static_eval[ply])
        if may_prune_node:
            # 6. Reverse futility pruning
            refined_eval = np.int64(s.refined_eval[ply])
            if can_prune_rfp(s, refined_eval, beta, depth, ply) != 0:
                return refined_eval
            # 7. Null-move pruning
            null_move = null_move_at(s, static_eval, beta, depth)
            if null_move != 0:
                apply(s, null_move)
                count_node(s)
                null_depth = depth - 1 - s.null_move_reduction - (depth * s.null_move_depth_factor >> FACTOR_BITS)
                score = -search(s, table, -beta, 1 - beta, null_depth, ply + 1)
                undo(s)
                if s.aborted != 0:
                    return DRAW
                if score >= beta:
                    return score if score <= MAX_EVALUATION else beta  # a win after a pass is not proven
                s.pv_length[ply] = ply
        # 8. Internal iterative reduction: the cheaper search leaves a hash move for the next one
        if s.hash_move[ply] == 0 and depth >= s.iir_min_depth and s.full_width == 0:
            depth -= 1
        # 9. Moves; with a staged hash move the others are generated only if it does not cut off
        staged = staged_hash_move(s, ply) if s.full_width == 0 else 0
        count = max_moves if staged != 0 else generate_scored(s, ply)
        if count == 0:
            return DRAW
        best, best_move, bound = -INFINITE, 0, UPPER
        side = s.side
        for i in range(max_moves):
            if staged != 0 and i == 1:
                count = generate_rest(s, ply, staged)
            if i >= count:
                break
            # 10. Late move pruning, unless all moves so far lose
            may_prune_move = may_prune_moves and best > -MAX_EVALUATION
            if may_prune_move and can_prune_late_move(s, i, depth, np.int64(s.forced[ply])) != 0:
                break
            move = staged if i == 0 and staged != 0 else pick_next(s, ply, i, count)
            # 11. A move costs a ply. An only move costs none, and gains one with the one reply extension. A staged hash
            # move counts as one of several, since the others are not generated yet.
            next_depth = depth - 1 if count > 1 else depth + (one_reply_extension if depth > 0 else 0)
            if next_depth > 0:
                prefetch_child(s, table, move)
            apply(s, move)
            count_node(s)
            reduction = 0
            if i > 0 and s.side != side:
                reduction = move_reduction(s, depth, i, ply, is_null_window, 1 if bound == EXACT else 0)
            score = search_child(search, s, table, alpha, beta, next_depth, reduction, ply, side, i == 0)
            undo(s)
            if s.aborted != 0:
                return DRAW
            # 12. Best move, PV, beta cutoff
            best = max(best, score)
            if score > alpha:
                best_move, alpha, bound = move, score, EXACT
                update_pv(s, move, ply)
                if score >= beta:
                    bound = LOWER
                    update_history(s, move, depth, ply, i)
                    break
        # 13. Store; depths below the horizon are negative and those of entries are not, hence the offset
        store(s, table, key, best_move, best, static_eval, depth + s.max_threat_plies, bound, ply)
        return best

    @kernels.export(f"i64({state_name}, i64)")
    def prepare_root(s, keep_history):
        """Reset what belongs to one search, generate the root moves, best first, and return their number.

        `keep_history` is 1 to keep a part of the history of earlier searches, 0 to clear it.
        """
        s.nodes, s.next_poll, s.aborted, s.selective_depth = 0, 0, 0, 0
        s.generation = (s.generation + 1) & (GENERATIONS - 1)
        for ply in range(MAX_PLY):
            s.killers[ply, 0] = 0
            s.killers[ply, 1] = 0
        for side in range(2):
            for slot in range(s.history.shape[1]):
                s.history[side, slot] = s.history[side, slot] // HISTORY_DECAY if keep_history != 0 else 0
        s.root_move_count = generate(s, 0)
        for i in range(s.root_move_count):
            s.root_moves[i] = pick_next(s, 0, i, s.root_move_count)
            s.root_scores[i] = -INFINITE
            s.root_nodes[i] = 0
        return s.root_move_count

    @kernels.kernel(f"void({state_name}, i64)")
    def sort_root_moves(s, first):
        """Sort the root moves from index `first` on by the nodes spent on them so far, most first; equal ones stay."""
        for end in range(first + 1, s.root_move_count):
            move, score, nodes = s.root_moves[end], s.root_scores[end], s.root_nodes[end]
            index = end
            while index > first and s.root_nodes[index - 1] < nodes:
                s.root_moves[index] = s.root_moves[index - 1]
                s.root_scores[index] = s.root_scores[index - 1]
                s.root_nodes[index] = s.root_nodes[index - 1]
                index -= 1
            s.root_moves[index], s.root_scores[index], s.root_nodes[index] = move, score, nodes

    @kernels.export(f"i64({state_name}, u64[], i64, i64, i64, i64)")
    def search_root(s, table, depth, alpha, beta, pv_index):
        """Search the root moves from `pv_index` on and return the best score, as `search` does.

        `pv_index` is 0, or n for the n-th further PV of MultiPV: the moves before it are left out. Whenever a move is
        the best so far, it moves to index `pv_index`, and the moves from there to its old index shift back by one. If
        the search is aborted, the first `root_moves_searched` results are valid; the score is that of the best of them.
        """
        s.root_depth = depth
        s.root_moves_searched = 0
        s.static_eval[0] = evaluate(s)
        sort_root_moves(s, pv_index + 1)
        best = -INFINITE
        side = s.side
        for i in range(pv_index, s.root_move_count):
            move = np.int64(s.root_moves[i])
            alpha_before, nodes_before = alpha, s.nodes
            is_first = i == pv_index
            reduction = 0
            if i - pv_index >= s.root_lmr_min_index and s.root_move_count >= s.root_lmr_min_moves:
                reduction = lmr_reduction(s, depth, i - pv_index, 0, 0, FACTOR_ONE)
            s.pv_length[1] = 1
            apply(s, move)
            count_node(s)
            score = search_child(search, s, table, alpha, beta, depth - 1, reduction, 0, side, is_first)
            undo(s)
            s.root_nodes[i] += s.nodes - nodes_before
            if s.aborted != 0:
                return best
            s.root_moves_searched += 1
            is_best = score > alpha_before or is_first
            s.root_scores[i] = score if is_best else -INFINITE  # the others have only an upper bound
            best = max(best, score)
            if is_best:
                update_pv(s, move, 0)
                nodes = s.root_nodes[i]
                for j in range(i, pv_index, -1):
                    s.root_moves[j] = s.root_moves[j - 1]
                    s.root_scores[j] = s.root_scores[j - 1]
                    s.root_nodes[j] = s.root_nodes[j - 1]
                s.root_moves[pv_index] = move
                s.root_scores[pv_index] = score
                s.root_nodes[pv_index] = nodes
                alpha = max(alpha, score)
                if score >= beta:
                    break
        return best

    return search
