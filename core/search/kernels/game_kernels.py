"""The interface between a game and the alpha-beta search: the kernels a game supplies, and the state fields it needs.

`core/search/kernels/alphabeta.py` is the search itself. A game's `kernels/search.py` fills in `GameKernels` and puts
`alphabeta_fields` into the declaration of its state. In kernels `s` is that state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.kernel import KernelSet
from core.native.state_type import StateField
from core.play.options import Option
from core.search.kernels.polling import POLLING_FIELDS
from core.search.kernels.transposition_table import TABLE_FIELDS, TableKernels
from core.search.parameters import ALPHABETA_PARAMETERS, ASPIRATION_PREFIX

MAX_PLY = 128  # length of the arrays indexed by ply; no line of the search gets longer


@dataclass(frozen=True, kw_only=True)
class GameKernels:
    """Kernels that a game supplies to the alpha-beta search.

    Every kernel takes the state first. `ply` counts from the root. A move is an integer from 1 to 65535, because the
    transposition table stores it in 16 bits; 0 means no move. `state.side` is the side to move, 0 or 1. A side may move
    several times in a row (Kolibrat). Scores are explained in core/search/scores.py.

    Required:

    apply(state, move), undo(state): make and unmake a move; both update `state.side`.
    key(state) -> u64: hash of the position, including the side to move.
    count_node(state): the kernel of core/search/kernels/polling.py.
    terminal_score(state, ply) -> score: a proven score that needs no search: at least if the game is over or can be won
        with one move, and a draw for a repeated position; otherwise NO_SCORE.
    must_answer_threat(state) -> 0|1: 1 if the side to move loses unless it answers a threat, much as a king in check.
        Such a node is not evaluated statically: the search goes on below the horizon.
    generate(state, ply) -> count: fill `moves[ply]` and `move_scores[ply]` (larger is searched earlier). Moves that are
        not worth searching may be left out. Set `forced[ply]` to 1 if all moves listed are defences against a threat;
        null-window nodes up to depth `lmp_threat_max_depth` then search the first `lmp_threat_base` of them only.
    quiescence(state, table, alpha, beta, ply) -> score: the score at the horizon, fail-soft.
    evaluate(state) -> score: the static evaluation.
    history_slot(move) -> index of the move in the history table.
    table: the kernels of core/search/kernels/transposition_table.py.

    Optional (None if the game has no such kernel):

    null_move(state) -> move: a move that passes the turn, for null-move pruning; 0 if passing is unsafe here.
    key_after(state, move) -> u64: the key after a move, computed before it is made. It allows the child's table entry
        to be prefetched.
    lazy_evaluate(state, lazy_bound) -> score: as `evaluate`, but any rough value will do if it is surely above
        `lazy_bound`.
    can_stage_hash_move(state, move) -> 0|1: 1 if the hash move may be searched before the others are generated: it is
        legal, and `generate` would list other moves besides it.
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


def parameter_fields(parameters: Sequence[Option]) -> tuple[StateField, ...]:
    """Return a state field for each search parameter that kernels read; its initial value is the default."""
    numbers = [(each, each.default) for each in parameters if not each.name.startswith(ASPIRATION_PREFIX)]
    return tuple(
        StateField(each.name, "i64" if isinstance(default, int) else "f64", (), each.help, default)
        for each, default in numbers
        if isinstance(default, int | float)
    )


def alphabeta_fields(
    max_moves: int, history_slots: int, parameters: Sequence[Option] = ALPHABETA_PARAMETERS
) -> tuple[StateField, ...]:
    """Return the state fields that the search needs, except `side`, which each game declares.

    `max_moves` bounds the moves of one position, `history_slots` the values of `history_slot`. `parameters` are the
    constants of the search in this game: `ALPHABETA_PARAMETERS` with the game's defaults, and those of the game alone.
    """
    return (
        *POLLING_FIELDS,
        *parameter_fields(parameters),
        *TABLE_FIELDS,
        StateField("moves", "i32", (MAX_PLY, max_moves), "generated moves, by ply from the root and index"),
        StateField(
            "move_scores", "i32", (MAX_PLY, max_moves), "ordering scores of `moves`; larger is searched earlier"
        ),
        StateField("forced", "i32", (MAX_PLY,), "by ply: 1 if all generated moves answer a threat"),
        StateField("hash_move", "i32", (MAX_PLY,), "by ply: move of the node's table entry, 0 for none"),
        StateField("static_eval", "i32", (MAX_PLY,), "by ply: static evaluation of the node"),
        StateField(
            "refined_eval",
            "i32",
            (MAX_PLY,),
            "by ply: static evaluation, or the table's score if its bound is tighter",
        ),
        StateField("killers", "i32", (MAX_PLY, 2), "by ply: the two moves that last caused a beta cutoff"),
        StateField("history", "i32", (2, history_slots), "history heuristic, by side and history slot"),
        StateField("pv", "i32", (MAX_PLY, MAX_PLY), "triangular PV table: row `ply` holds moves from column `ply` on"),
        StateField("pv_length", "i32", (MAX_PLY,), "by ply: end (exclusive) of the moves in that row of `pv`"),
        StateField("selective_depth", "i64", (), "greatest ply reached"),
        StateField("root_move_count", "i64", (), "number of root moves"),
        StateField("root_moves", "i32", (max_moves,), "root moves, best first"),
        StateField(
            "root_scores", "i32", (max_moves,), "last scores of `root_moves`; -INFINITE if only an upper bound is known"
        ),
        StateField("root_nodes", "i64", (max_moves,), "nodes spent on each root move since `prepare_root`"),
        StateField("root_moves_searched", "i64", (), "root moves finished in the current iteration"),
        StateField("root_depth", "i64", (), "depth of the current iteration"),
        StateField(
            "full_width", "i64", (), "1 turns off all pruning and reductions; the result is then that of minimax"
        ),
    )


def check_fields(kernels: KernelSet, state_name: str) -> None:
    """Raise ValueError with the names of the fields that a game's state lacks; numba's own message is unreadable."""
    matching = [state_type for state_type in kernels.records if state_type.name == state_name]
    declared = {field.name for state_type in matching for field in state_type.fields}
    missing = {"side", *(field.name for field in alphabeta_fields(1, 1))} - declared
    if missing:
        raise ValueError(f"state {state_name} lacks {', '.join(sorted(missing))}, which the search needs")


def make_no_null_move(kernels: KernelSet, state_name: str) -> Any:
    """Return the `null_move` kernel of a game without null moves."""

    @kernels.kernel(f"i64({state_name})")
    def no_null_move(s):
        return 0

    return no_null_move


def make_prefetch_child(kernels: KernelSet, state_name: str, game: GameKernels) -> Any:
    """Return the kernel that prefetches the table entry of the position after a move; without `key_after` a no-op."""
    prefetch_entry, key_after = game.table.prefetch_entry, game.key_after

    if key_after is None:

        @kernels.kernel(f"void({state_name}, u64[], i64)")
        def prefetch_child(s, table, move):
            pass

    else:

        @kernels.kernel(f"void({state_name}, u64[], i64)")
        def prefetch_child(s, table, move):
            prefetch_entry(table, key_after(s, move))

    return prefetch_child


def make_lazy_evaluate(kernels: KernelSet, state_name: str, evaluate: Any) -> Any:
    """Return the `lazy_evaluate` kernel of a game that has no cheaper evaluation: it is `evaluate`."""

    @kernels.kernel(f"i64({state_name}, i64)")
    def lazy_evaluate(s, lazy_bound):
        return evaluate(s)

    return lazy_evaluate


def make_staged_hash_move(kernels: KernelSet, state_name: str, can_stage_hash_move: Any) -> Any:
    """Return the kernel `staged_hash_move(state, ply)`: the hash move if it may be searched before generation, else 0.

    It is left in `moves[ply, 0]`, where `update_history` looks for it.
    """
    if can_stage_hash_move is None:

        @kernels.kernel(f"i64({state_name}, i64)")
        def staged_hash_move(s, ply):
            return 0

    else:

        @kernels.kernel(f"i64({state_name}, i64)")
        def staged_hash_move(s, ply):
            move = np.int64(s.hash_move[ply])
            if move == 0 or can_stage_hash_move(s, move) == 0:
                return 0
            s.moves[ply, 0] = move
            return move

    return staged_hash_move
