"""What a game hands in to the principal-variation search: its kernels, those that it may lack, and its fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.kernel import KernelSet
from core.native.record import Field
from core.search.kernels.polling import POLLING_FIELDS
from core.search.kernels.transposition_table import TABLE_FIELDS, TableKernels

MAX_PLY = 128  # of the search tree


@dataclass(frozen=True)
class GameKernels:
    """What a game hands in. All take the state first; `ply` counts from the root.

    A move is a number from 1 to 65535: the table packs it into 16 bits, and 0 stands for none. The record has the
    fields of `alphabeta_fields` and `side`, 0 or 1, which `apply` and `undo` keep; a side may move several times running.

    apply(state, move), undo(state): play and take back; `state.side` is the side to move after either.
    key(state) -> u64: the position's hash, side to move included.
    count_node(state): from core/polling.
    settle(state, ply) -> score: the proven value where it is seen without search, else UNSETTLED.
    is_forced(state) -> 0|1: the side to move must answer a threat; such nodes are never leaves.
    generate(state, ply) -> count: fills `moves[ply]` and `move_scores[ply]` (larger is better), only moves worth considering;
        sets `forced[ply]` to 1 where they are the only defences, which are then not pruned, and reduced the less.
    leaf(state, table, alpha, beta, ply) -> score: the quiet value, fail-soft.
    evaluate(state) -> score: the static estimate.
    may_lead(state, move) -> 0|1: whether the table's move is tried before the others are listed: it must be legal, and
        not the only one that `generate` lists. None where listing is cheap.
    glance(state, enough) -> score: the same, but cheaper and coarser where it surely is above `lazy_bound`; None where
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
    terminal_score: Any
    must_answer_threat: Any
    generate: Any
    quiescence: Any
    evaluate: Any
    history_slot: Any
    table: TableKernels
    null_move: Any = None
    key_after: Any = None
    lazy_evaluate: Any = None
    can_stage_hash_move: Any = None


def alphabeta_fields(max_moves: int, history_slots: int) -> tuple[Field, ...]:
    """The fields that the skeleton needs in a game's record, beside `side`."""
    return (
        *POLLING_FIELDS,
        *TABLE_FIELDS,
        Field("moves", "i32", (MAX_PLY, max_moves), "generated moves by ply"),
        Field("move_scores", "i32", (MAX_PLY, max_moves), "their ordering values"),
        Field("forced", "i32", (MAX_PLY,), "1 where the moves of a ply are forced"),
        Field("hash_move", "i32", (MAX_PLY,), "move that the table holds of a ply's node, 0 for none"),
        Field("static_eval", "i32", (MAX_PLY,), "estimate of a ply's node without search"),
        Field("refined_eval", "i32", (MAX_PLY,), "the same, or the table's score where that bounds the value better"),
        Field("killers", "i32", (MAX_PLY, 2), "quiet moves that last refuted at a ply"),
        Field("history", "i32", (2, history_slots), "how often a side's move was best, by the square of depth"),
        Field("pv", "i32", (MAX_PLY, MAX_PLY), "principal variation found at each ply"),
        Field("pv_length", "i32", (MAX_PLY,), "its length in plies"),
        Field("selective_depth", "i64", (), "deepest ply reached"),
        Field("root_move_count", "i64", (), "number of root moves"),
        Field("root_moves", "i32", (max_moves,), "root moves, best first"),
        Field("root_scores", "i32", (max_moves,), "their last scores; -INFINITE where only bounded"),
        Field("root_nodes", "i64", (max_moves,), "nodes spent on each root move since `prepare_root`"),
        Field("root_moves_searched", "i64", (), "root moves finished in the iteration under way"),
        Field("root_depth", "i64", (), "depth of the iteration under way"),
        Field("full_width", "i64", (), "1 for a search that skips, prunes and reduces nothing: as minimax, but sooner"),
    )


def check_fields(kernels: KernelSet, record: str) -> None:
    """Raise ValueError naming what a game's record lacks; numba would tell it in pages."""
    declared = {field.name for found in kernels.records if found.name == record for field in found.fields}
    missing = {"side", *(field.name for field in alphabeta_fields(1, 1))} - declared
    if missing:
        raise ValueError(f"record {record} lacks {', '.join(sorted(missing))}, which the search needs")


def make_no_skip(kernels: KernelSet, record: str) -> Any:
    """The `null_move` of a game in which nobody may skip."""

    @kernels.kernel(f"i64({record})")
    def no_skip(s):
        return 0

    return no_skip


def make_expect(kernels: KernelSet, record: str, game: GameKernels) -> Any:
    """The kernel that has the table's entry of the position after a move brought near, where the game tells its key."""
    prefetch_entry, key_after = game.table.prefetch_entry, game.key_after

    if key_after is None:

        @kernels.kernel(f"void({record}, u64[], i64)")
        def expect_after(s, table, move):
            pass

    else:

        @kernels.kernel(f"void({record}, u64[], i64)")
        def expect_after(s, table, move):
            prefetch_entry(table, key_after(s, move))

    return expect_after


def make_lazy_evaluate(kernels: KernelSet, record: str, evaluate: Any) -> Any:
    """The `lazy_evaluate` of a game for which nothing is cheaper than its estimate."""

    @kernels.kernel(f"i64({record}, i64)")
    def lazy_evaluate(s, lazy_bound):
        return evaluate(s)

    return lazy_evaluate


def make_early(kernels: KernelSet, record: str, can_stage_hash_move: Any) -> Any:
    """The kernel that gives the table's move of a node where it is tried before the moves are listed, else 0."""
    if can_stage_hash_move is None:

        @kernels.kernel(f"i64({record}, i64)")
        def early_move(s, ply):
            return 0

    else:

        @kernels.kernel(f"i64({record}, i64)")
        def early_move(s, ply):
            move = np.int64(s.hash_move[ply])
            if move == 0 or can_stage_hash_move(s, move) == 0:
                return 0
            s.moves[ply, 0] = move
            return move

    return early_move
