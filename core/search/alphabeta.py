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

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.kernel import KernelSet
from core.native.record import Field
from core.search.polling import POLLING_FIELDS
from core.search.scores import DRAW, INFINITE, MAX_EVALUATION, UNSETTLED, WIN
from core.search.table import EXACT, GENERATIONS, LOWER, TABLE_FIELDS, UPPER, TableKernels

MAX_PLY = 128  # of the search tree
NULL_FROM, NULL_REDUCTION = 3, 2  # plies of depth from which a node tries to skip its turn, and that it saves by it
REDUCE_UNKNOWN_FROM = 3  # plies of depth
FORCED_PLIES = 8  # beyond twice the depth of the iteration, to which answers to threats are followed
# What the search has learned, in the units of the games' own ordering values, which it is added to. All of these were
# set by hand and never tuned. The table's move goes before everything; a full history (HISTORY_LIMIT, so 2048 here)
# before a killer.
TABLE_MOVE_ORDER = 1 << 28
KILLER_ORDERS = (300, 200)
HISTORY_LIMIT = 1 << 14
HISTORY_SHIFT = 3
MAX_BONUS = 400  # of one refutation, the square of its depth up to here
BONUS_SCALE = 8


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
        sets `forced[ply]` to 1 where they are the only defences, which are then neither pruned nor reduced.
    leaf(state, table, alpha, beta, ply) -> score: the quiet value, fail-soft.
    evaluate(state) -> score: the static estimate.
    slot(move) -> the move's place in the history table.
    table: from core/table.
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


@dataclass(frozen=True)
class Pruning:
    """The numbers that fit a game. Margins are in its evaluation units, a ply of depth each."""

    futility_depth: int  # up to here a node far above beta is not searched
    futility_margin: int
    late_moves_base: int  # beyond base + factor * depth^2 moves a null-window node looks no further
    late_moves_factor: int
    late_moves_depth: int
    reduction_divisor: float  # of ln(depth) ln(index): larger reduces less


def search_fields(max_moves: int, history_slots: int) -> tuple[Field, ...]:
    """The fields that the skeleton needs in a game's record, beside `side`."""
    return (
        *POLLING_FIELDS,
        *TABLE_FIELDS,
        Field("moves", "i32", (MAX_PLY, max_moves), "generated moves by ply"),
        Field("order", "i32", (MAX_PLY, max_moves), "their ordering values"),
        Field("forced", "i32", (MAX_PLY,), "1 where the moves of a ply are forced"),
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


def _reductions(divisor: float) -> Any:
    table = np.zeros((64, 64), dtype=np.int64)
    for depth in range(1, 64):
        for index in range(1, 64):
            table[depth, index] = int(0.5 + math.log(depth) * math.log(index) / divisor)
    return table


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


def make_search(kernels: KernelSet, record: str, game: GameKernels, pruning: Pruning) -> Any:
    """Define the search of a game; exports `search_root(state, table, depth, alpha, beta, first) -> score`."""
    _check_fields(kernels, record)
    probe, store = game.table.probe, game.table.store
    move_of, score_of, evaluation_of = game.table.move_of, game.table.score_of, game.table.evaluation_of
    depth_of, bound_of = game.table.depth_of, game.table.bound_of
    apply, undo, key_of, count_node = game.apply, game.undo, game.key, game.count_node
    settle, is_forced, generate, leaf = game.settle, game.is_forced, game.generate, game.leaf
    evaluate, slot_of = game.evaluate, game.slot
    skip_of = game.skip or make_no_skip(kernels, record)
    reductions = _reductions(pruning.reduction_divisor)
    futility_depth, futility_margin = pruning.futility_depth, pruning.futility_margin
    late_base, late_factor, late_depth = pruning.late_moves_base, pruning.late_moves_factor, pruning.late_moves_depth

    @kernels.kernel(f"void({record}, i64, i64, i64)")
    def rank_moves(s, ply, count, hash_move):
        """Add what the search has learned to the game's own ordering."""
        for i in range(count):
            move = s.moves[ply, i]
            if move == hash_move:
                s.order[ply, i] += TABLE_MOVE_ORDER
            elif move == s.killers[ply, 0]:
                s.order[ply, i] += KILLER_ORDERS[0]
            elif move == s.killers[ply, 1]:
                s.order[ply, i] += KILLER_ORDERS[1]
            s.order[ply, i] += s.history[s.side, slot_of(move)] >> HISTORY_SHIFT

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def pick_move(s, ply, index, count):
        """Bring the best of the moves from `index` on to the front and return it."""
        best = index
        for i in range(index + 1, count):
            if s.order[ply, i] > s.order[ply, best]:
                best = i
        move = s.moves[ply, best]
        value = s.order[ply, best]
        s.moves[ply, best] = s.moves[ply, index]
        s.order[ply, best] = s.order[ply, index]
        s.moves[ply, index] = move
        s.order[ply, index] = value
        return np.int64(move)

    @kernels.kernel(f"void({record}, i64, i64)")
    def lead_with(s, move, ply):
        """Make `move` and the line below it the principal variation of this ply."""
        s.pv[ply, ply] = move
        end = max(s.pv_length[ply + 1], ply + 1)
        for i in range(ply + 1, end):
            s.pv[ply, i] = s.pv[ply + 1, i]
        s.pv_length[ply] = end

    @kernels.kernel(f"void({record}, i64, i64, i64, i64)")
    def reward(s, move, depth, ply, tried):
        """Remember a refutation, and that the moves tried before it did not refute."""
        if s.killers[ply, 0] != move:
            s.killers[ply, 1] = s.killers[ply, 0]
            s.killers[ply, 0] = move
        bonus = min(depth * depth, MAX_BONUS)
        for i in range(tried + 1):
            slot = slot_of(s.moves[ply, i])
            gain = bonus if i == tried else -bonus
            fading = s.history[s.side, slot] * bonus // HISTORY_LIMIT
            s.history[s.side, slot] += (gain - fading) * BONUS_SCALE

    @kernels.kernel(f"i64({record}, i64, i64, i64, i64)")
    def known_score(s, alpha, beta, depth, ply):
        """The score of the entry that `probe` found where it is deep enough to decide this window, else UNSETTLED.

        A deeper entry has other leaves, which a search of full width must not take for its own.
        """
        data = s.hit_data
        score, bound, found = score_of(data, ply), bound_of(data), depth_of(data)
        if found < depth or (found > depth and s.full_width != 0):
            return UNSETTLED
        if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
            return score
        return UNSETTLED

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def late_reduction(s, depth, index, null_window):
        """Plies that a move so late in the order is searched less; one less in the principal variation."""
        if index < 2 or depth < 2 or s.full_width != 0:
            return 0
        reduction = reductions[min(depth, 63), min(index, 63)]
        return reduction if null_window != 0 else max(reduction - 1, 0)

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def ends_here(s, depth, in_threat, ply):
        """Whether a node is a leaf. One in which a threat must be answered is none, as far as there is room."""
        if ply >= MAX_PLY - 2:
            return 1
        return 1 if depth <= 0 and (in_threat == 0 or ply > 2 * s.root_depth + FORCED_PLIES) else 0

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def is_far_above(s, static, beta, depth):
        """Whether a quiet node of little depth is so good already that its moves need not be looked at (futility)."""
        return 1 if depth <= futility_depth and static - futility_margin * depth >= beta else 0

    @kernels.kernel(f"i64({record}, i64, i64)")
    def is_too_late(s, index, depth):
        """Whether a null-window node looks at no move so late in the order."""
        return 1 if depth <= late_depth and index >= late_base + late_factor * depth * depth else 0

    @kernels.kernel(f"i64({record}, u64[], i64, i64, i64, i64)")
    def search(s, table, alpha, beta, depth, ply):
        """The contract stands at the top of this file."""
        s.pv_length[ply] = ply
        if s.aborted != 0:
            return DRAW
        s.selective_depth = max(s.selective_depth, ply)
        settled = settle(s, ply)
        if settled != UNSETTLED:
            return settled
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha
        in_threat = is_forced(s)
        if ends_here(s, depth, in_threat, ply) != 0:
            return leaf(s, table, alpha, beta, ply)
        depth = max(depth, 1)
        null_window = beta - alpha == 1
        key = key_of(s)
        hash_move = 0
        static = UNSETTLED
        if probe(s, table, key) != 0:
            known = known_score(s, alpha, beta, depth, ply)
            if known != UNSETTLED and null_window:
                return known
            hash_move = move_of(s.hit_data)
            static = evaluation_of(s.hit_data)
        if static == UNSETTLED:
            static = evaluate(s)
        may_prune = null_window and s.full_width == 0
        is_quiet = may_prune and in_threat == 0 and abs(beta) < MAX_EVALUATION
        if is_quiet and is_far_above(s, static, beta, depth) != 0:
            return static
        if is_quiet and depth >= NULL_FROM and static >= beta:
            skip = skip_of(s)
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
        if hash_move == 0 and depth >= REDUCE_UNKNOWN_FROM and s.full_width == 0:
            depth -= 1  # nothing is known of this node yet: a cheaper search first fills the table
        count = generate(s, ply)
        if count == 0:
            return DRAW
        forced = s.forced[ply] != 0
        rank_moves(s, ply, count, hash_move)
        best, best_move, bound = -INFINITE, 0, UPPER
        side = s.side
        for i in range(count):
            if may_prune and not forced and best > -MAX_EVALUATION and is_too_late(s, i, depth) != 0:
                break
            move = pick_move(s, ply, i, count)
            extension = 1 if count == 1 else 0
            next_depth = depth - 1 + extension
            apply(s, move)
            count_node(s)
            same_side = s.side == side
            reduction = 0
            if not forced and is_forced(s) == 0:
                reduction = min(late_reduction(s, depth, i, null_window), next_depth)
            score = -INFINITE
            if same_side:
                score = search(s, table, alpha, beta, next_depth, ply + 1)
            elif i == 0:
                score = -search(s, table, -beta, -alpha, next_depth, ply + 1)
            else:
                score = -search(s, table, -alpha - 1, -alpha, next_depth - reduction, ply + 1)
                if score > alpha and reduction > 0:
                    score = -search(s, table, -alpha - 1, -alpha, next_depth, ply + 1)
                if score > alpha and score < beta:
                    score = -search(s, table, -beta, -alpha, next_depth, ply + 1)
            undo(s)
            if s.aborted != 0:
                return DRAW
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    alpha = score
                    bound = EXACT
                    lead_with(s, move, ply)
                    if score >= beta:
                        bound = LOWER
                        reward(s, move, depth, ply, i)
                        break
        store(s, table, key, best_move, best, static, depth, bound, ply)
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
