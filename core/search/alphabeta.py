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

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.kernel import KernelSet
from core.native.record import Field
from core.search.ordering import make_ordering
from core.search.polling import POLLING_FIELDS
from core.search.pruning import Pruning, make_pruning
from core.search.scores import DRAW, INFINITE, MAX_EVALUATION, UNSETTLED, WIN
from core.search.table import EXACT, GENERATIONS, LOWER, TABLE_FIELDS, UPPER, TableKernels

MAX_PLY = 128  # of the search tree
NULL_FROM, NULL_REDUCTION = 3, 2  # plies of depth from which a node tries to skip its turn, and that it saves by it
REDUCE_UNKNOWN_FROM = 3  # plies of depth
FORCED_PLIES = 8  # beyond twice the depth of the iteration, where answers to threats end that no number limits


@dataclass(frozen=True)
class GameKernels:
    """What a game hands in. All take the state first; `ply` counts from the root.

    A move is a number from 1 to 65535: the table packs it into 16 bits, and 0 stands for none. The record has the
    fields of `search_fields` and `side`, 0 or 1, which `apply` and `undo` keep; a side may move several times running.

    apply(state, move), undo(state): play and take back; `state.side` is the side to move after either.
    key(state) -> u64: the position's hash, side to move included.
    count_node(state): from core/polling.
    settle(state, ply) -> score: the proven value where it is seen without search, else UNSETTLED.
    is_forced(state) -> 0|1: the side to move must answer a threat; such nodes are never leaves.
    generate(state, ply) -> count: fills `moves[ply]` and `order[ply]` (larger is better), only moves worth considering;
        sets `forced[ply]` to 1 where they are the only defences, which are then not pruned, and reduced the less.
    leaf(state, table, alpha, beta, ply) -> score: the quiet value, fail-soft.
    evaluate(state) -> score: the static estimate.
    may_lead(state, move) -> 0|1: whether the table's move is tried before the others are listed: it must be legal, and
        not the only one that `generate` lists. None where listing is cheap.
    glance(state, enough) -> score: the same, but cheaper and coarser where it surely is above `enough`; None where
        nothing is cheaper.
    slot(move) -> the move's place in the history table.
    table: from core/table.
    key_after(state, move) -> u64: the key after a move where that is known beforehand, else None: the table's entry is
        on its way while the move is made.
    skip(state) -> move: skips the turn, for null moves (Beal 1989); 0 where it must not. None where a game has no such.
    """

    apply: Any
    undo: Any
    key: Any
    count_node: Any
    settle: Any
    is_forced: Any
    generate: Any
    leaf: Any
    evaluate: Any
    slot: Any
    table: TableKernels
    skip: Any = None
    key_after: Any = None
    glance: Any = None
    may_lead: Any = None


def search_fields(max_moves: int, history_slots: int) -> tuple[Field, ...]:
    """The fields that the skeleton needs in a game's record, beside `side`."""
    return (
        *POLLING_FIELDS,
        *TABLE_FIELDS,
        Field("moves", "i32", (MAX_PLY, max_moves), "generated moves by ply"),
        Field("order", "i32", (MAX_PLY, max_moves), "their ordering values"),
        Field("forced", "i32", (MAX_PLY,), "1 where the moves of a ply are forced"),
        Field("table_move", "i32", (MAX_PLY,), "move that the table holds of a ply's node, 0 for none"),
        Field("static_value", "i32", (MAX_PLY,), "estimate of a ply's node without search"),
        Field("estimate", "i32", (MAX_PLY,), "the same, or the table's score where that bounds the value better"),
        Field("killers", "i32", (MAX_PLY, 2), "quiet moves that last refuted at a ply"),
        Field("history", "i32", (2, history_slots), "how often a side's move was best, by the square of depth"),
        Field("pv", "i32", (MAX_PLY, MAX_PLY), "principal variation found at each ply"),
        Field("pv_length", "i32", (MAX_PLY,), "its length in plies"),
        Field("selective_depth", "i64", (), "deepest ply reached"),
        Field("root_count", "i64", (), "number of root moves"),
        Field("root_moves", "i32", (max_moves,), "root moves, best first"),
        Field("root_scores", "i32", (max_moves,), "their last scores; -INFINITE where only bounded"),
        Field("root_done", "i64", (), "root moves finished in the iteration under way"),
        Field("root_depth", "i64", (), "depth of the iteration under way"),
        Field("full_width", "i64", (), "1 for a search that skips, prunes and reduces nothing: as minimax, but sooner"),
    )


def _check_fields(kernels: KernelSet, record: str) -> None:
    """Raise ValueError naming what a game's record lacks; numba would tell it in pages."""
    declared = {field.name for found in kernels.records if found.name == record for field in found.fields}
    missing = {"side", *(field.name for field in search_fields(1, 1))} - declared
    if missing:
        raise ValueError(f"record {record} lacks {', '.join(sorted(missing))}, which the search needs")


def make_no_skip(kernels: KernelSet, record: str) -> Any:
    """The `skip` of a game in which nobody may skip."""

    @kernels.kernel(f"i64({record})")
    def no_skip(s):
        return 0

    return no_skip


def make_expect(kernels: KernelSet, record: str, game: GameKernels) -> Any:
    """The kernel that has the table's entry of the position after a move brought near, where the game tells its key."""
    expect, key_after = game.table.expect, game.key_after

    if key_after is None:

        @kernels.kernel(f"void({record}, u64[], i64)")
        def expect_after(s, table, move):
            pass

    else:

        @kernels.kernel(f"void({record}, u64[], i64)")
        def expect_after(s, table, move):
            expect(table, key_after(s, move))

    return expect_after


def make_glance(kernels: KernelSet, record: str, evaluate: Any) -> Any:
    """The `glance` of a game for which nothing is cheaper than its estimate."""

    @kernels.kernel(f"i64({record}, i64)")
    def glance(s, enough):
        return evaluate(s)

    return glance


def make_early(kernels: KernelSet, record: str, may_lead: Any) -> Any:
    """The kernel that gives the table's move of a node where it is tried before the moves are listed, else 0."""
    if may_lead is None:

        @kernels.kernel(f"i64({record}, i64)")
        def early_move(s, ply):
            return 0

    else:

        @kernels.kernel(f"i64({record}, i64)")
        def early_move(s, ply):
            move = np.int64(s.table_move[ply])
            if move == 0 or may_lead(s, move) == 0:
                return 0
            s.moves[ply, 0] = move
            return move

    return early_move


def make_search(kernels: KernelSet, record: str, game: GameKernels, pruning: Pruning) -> Any:
    """Define the search of a game; exports `search_root(state, table, depth, alpha, beta, first) -> score`."""
    _check_fields(kernels, record)
    probe, store = game.table.probe, game.table.store
    move_of, score_of, evaluation_of = game.table.move_of, game.table.score_of, game.table.evaluation_of
    depth_of, bound_of = game.table.depth_of, game.table.bound_of
    apply, undo, key_of, count_node = game.apply, game.undo, game.key, game.count_node
    settle, is_forced, generate, leaf = game.settle, game.is_forced, game.generate, game.leaf
    evaluate = game.evaluate
    glance = game.glance or make_glance(kernels, record, evaluate)
    skip_of = game.skip or make_no_skip(kernels, record)
    expect_after = make_expect(kernels, record, game)
    early_move = make_early(kernels, record, game.may_lead)
    rank_moves, pick_move, reward = make_ordering(kernels, record, game.slot, pruning.history_shift)
    far_above, is_far_above, is_too_late, late_reduction = make_pruning(kernels, record, pruning)
    threat_share = round(256 * pruning.threat_reduction)
    uses_table_score = pruning.uses_table_score
    max_moves = next(
        field.shape[1]
        for found in kernels.records
        if found.name == record
        for field in found.fields
        if field.name == "moves"
    )
    threat_plies, only_answer_plies = pruning.threat_plies, int(pruning.extends_only_answer)

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
        score, bound, found = score_of(data, ply), bound_of(data), depth_of(data) - threat_plies
        if found < depth or (found > depth and s.full_width != 0):
            return UNSETTLED
        if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
            return score
        return UNSETTLED

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def ends_here(s, depth, in_threat, ply):
        """Whether a node is a leaf. One in which a threat must be answered is none, as far as threats are followed."""
        if ply >= MAX_PLY - 2:
            return 1
        if depth > 0 or in_threat == 0:
            return 1 if depth <= 0 else 0
        if threat_plies > 0:
            return 1 if depth <= -threat_plies else 0
        return 1 if ply > 2 * s.root_depth + FORCED_PLIES else 0

    @kernels.kernel(f"i64({record}, i64)")
    def enter(s, ply):
        """Begin a node without a line; its value where it is known without search or void, else UNSETTLED."""
        s.pv_length[ply] = ply
        if s.aborted != 0:
            return DRAW
        s.selective_depth = max(s.selective_depth, ply)
        return settle(s, ply)

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def refine(s, static, found, ply):
        """The estimate of a node; where the entry that `probe` found bounds the value better, the score of that."""
        if found == 0 or not uses_table_score:
            return static
        score, bound = score_of(s.hit_data, ply), bound_of(s.hit_data)
        return score if bound == EXACT or bound == (LOWER if score > static else UPPER) else static

    @kernels.kernel(f"i64({record}, u64[], u64, i64, i64, i64, i64, i64)")
    def look_up(s, table, key, alpha, beta, depth, ply, enough):
        """The table's score of a node where it decides a null window, else UNSETTLED; leaves its move and estimates,
        which may be coarse above `enough`."""
        s.table_move[ply] = 0
        static = UNSETTLED
        found = probe(s, table, key)
        if found != 0:
            known = known_score(s, alpha, beta, depth, ply)
            if known != UNSETTLED and beta - alpha == 1:
                return known
            s.table_move[ply] = move_of(s.hit_data)
            static = evaluation_of(s.hit_data)
        if static == UNSETTLED:
            static = glance(s, enough)
        s.static_value[ply] = static
        s.estimate[ply] = refine(s, static, found, ply)
        return UNSETTLED

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def skip_at(s, static, beta, depth):
        """The move that skips the turn at a quiet node that may be good enough even so, else 0."""
        return skip_of(s) if depth >= NULL_FROM and static >= beta else 0

    @kernels.kernel(f"i64({record}, i64)")
    def list_moves(s, ply):
        """Fill `moves[ply]` and `order[ply]`, the search's own knowledge in the order; the number of moves."""
        count = generate(s, ply)
        rank_moves(s, ply, count, s.table_move[ply])
        return count

    @kernels.kernel(f"i64({record}, i64, i64)")
    def list_others(s, ply, early):
        """`list_moves` once the move `early` has been tried; it is the first of them."""
        count = list_moves(s, ply)
        if pick_move(s, ply, 0, count) != early:
            s.moves[ply, count], s.order[ply, count] = s.moves[ply, 0], s.order[ply, 0]
            s.moves[ply, 0] = early
            count += 1
        return count

    @kernels.kernel(f"i64({record}, i64, i64, i64, i64)")
    def reduction_of(s, depth, index, ply, null_window):
        """Plies that the move just played is searched less: a share of them where it answers a threat or makes one."""
        reduction = late_reduction(s, depth, index, null_window)
        if s.forced[ply] != 0 or is_forced(s) != 0:
            reduction = reduction * threat_share >> 8
        return max(min(reduction, depth - 1), 0)

    @kernels.kernel(f"i64({record}, u64[], i64, i64, i64, i64)")
    def search(s, table, alpha, beta, depth, ply):
        """The contract stands at the top of this file."""
        ended = enter(s, ply)
        if ended != UNSETTLED:
            return ended
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha
        in_threat = is_forced(s)
        if ends_here(s, depth, in_threat, ply) != 0:
            return leaf(s, table, alpha, beta, ply)
        if threat_plies == 0:
            depth = max(depth, 1)
        null_window = beta - alpha == 1
        key = key_of(s)
        may_prune = null_window and s.full_width == 0
        may_stand = may_prune and in_threat == 0 and abs(beta) < MAX_EVALUATION
        enough = far_above(beta, depth) if may_stand else INFINITE
        if in_threat != 0:
            enough = -INFINITE  # its estimate decides nothing here
        known = look_up(s, table, key, alpha, beta, depth, ply, enough)
        if known != UNSETTLED:
            return known
        static = np.int64(s.static_value[ply])
        if may_stand:
            estimate = np.int64(s.estimate[ply])
            if is_far_above(s, estimate, beta, depth, ply) != 0:
                return estimate
            skip = skip_at(s, static, beta, depth)
            if skip != 0:
                apply(s, skip)
                count_node(s)
                score = -search(s, table, -beta, 1 - beta, depth - 1 - NULL_REDUCTION - depth // 4, ply + 1)
                undo(s)
                if s.aborted != 0:
                    return DRAW
                if score >= beta:
                    return score if score <= MAX_EVALUATION else beta
                s.pv_length[ply] = ply
        if s.table_move[ply] == 0 and depth >= REDUCE_UNKNOWN_FROM and s.full_width == 0:
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
        store(s, table, key, best_move, best, static, depth + threat_plies, bound, ply)  # as depth may be negative
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
            for slot in range(s.history.shape[1]):
                s.history[side, slot] = s.history[side, slot] // 8 if keep_history != 0 else 0
        s.root_count = generate(s, 0)
        for i in range(s.root_count):
            s.root_moves[i] = pick_move(s, 0, i, s.root_count)
            s.root_scores[i] = -INFINITE
        return s.root_count

    @kernels.export(f"i64({record}, u64[], i64, i64, i64, i64)")
    def search_root(s, table, depth, alpha, beta, first):
        """Search the root moves from index `first` on (for a second best line) and bring the best to that index.

        Scores as in `search`. When aborted, the moves finished so far stand: the best of them is at `first`, and
        `root_done` tells how many they are.
        """
        s.root_depth = depth
        s.root_done = 0
        s.static_value[0] = evaluate(s)
        best = -INFINITE
        side = s.side
        for i in range(first, s.root_count):
            move = np.int64(s.root_moves[i])
            before = alpha
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
                if i - first >= 4 and s.root_count >= 8:
                    reduction = late_reduction(s, depth, i - first, 0)
                score = -search(s, table, -alpha - 1, -alpha, depth - 1 - reduction, 1)
                if score > alpha and reduction > 0:
                    score = -search(s, table, -alpha - 1, -alpha, depth - 1, 1)
                if score > alpha and score < beta:
                    score = -search(s, table, -beta, -alpha, depth - 1, 1)
            undo(s)
            if s.aborted != 0:
                return best
            s.root_done += 1
            s.root_scores[i] = score if score > before or i == first else -INFINITE
            if score > best:
                best = score
            if score > before or i == first:
                lead_with(s, move, 0)
                for j in range(i, first, -1):
                    s.root_moves[j] = s.root_moves[j - 1]
                    s.root_scores[j] = s.root_scores[j - 1]
                s.root_moves[first] = move
                s.root_scores[first] = score
                alpha = max(alpha, score)
                if score >= beta:
                    break
        return best

    return search
