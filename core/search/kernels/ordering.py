"""Move ordering of the alpha-beta search: hash move, killer moves, history heuristic, and the game's own scores.

The kernels work on the state fields `moves`, `move_scores`, `killers` and `history` of
core/search/kernels/game_kernels.py; alphabeta.py calls them. `s` is the state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.native.kernel import KernelSet

# The bonuses are added to the game's own move ordering scores. Those of killers and of the history are fields of the
# state (core/search/parameters.py). The hash move is always first. A full history entry
# (HISTORY_LIMIT, shifted right by `history_shift`) outweighs a killer.
HASH_MOVE_BONUS = 1 << 28
# Entries approach this value and do not pass it, as long as max_history_bonus * history_bonus_scale is below it
HISTORY_LIMIT = 1 << 14


def make_ordering(kernels: KernelSet, state_name: str, slot_of: Any) -> tuple[Any, Any, Any]:
    """Return the kernels `score_moves`, `pick_next` and `update_history`.

    `slot_of(move)` is the game's `history_slot` kernel. Move ordering score = game's score +
    (history >> history_shift) + bonus of the hash move or of a killer.
    """

    @kernels.kernel(f"void({state_name}, i64, i64, i64)")
    def score_moves(s, ply, count, hash_move):
        """Add the bonuses to the scores of the generated moves."""
        side, first_killer, second_killer = s.side, s.killers[ply, 0], s.killers[ply, 1]
        first_bonus, second_bonus, history_shift = s.killer_bonus_first, s.killer_bonus_second, s.history_shift
        for i in range(count):
            move = s.moves[ply, i]
            score = s.move_scores[ply, i] + (s.history[side, slot_of(move)] >> history_shift)
            if move == hash_move:
                score += HASH_MOVE_BONUS
            elif move == first_killer:
                score += first_bonus
            elif move == second_killer:
                score += second_bonus
            s.move_scores[ply, i] = score

    @kernels.kernel(f"i64({state_name}, i64, i64, i64)")
    def pick_next(s, ply, index, count):
        """Return the move with the highest score among those from `index` on, and swap it to `index`.

        One step of a selection sort: most nodes cut off before all moves are needed in order. Two loops, one for the
        score and one for its index, because LLVM vectorises each of them; it needs unsigned indices for that.
        """
        best_score = s.move_scores[ply, index]
        for i in range(np.uint64(index + 1), np.uint64(count)):
            best_score = max(best_score, s.move_scores[ply, i])
        best_index = np.int32(count)
        for i in range(np.uint64(index), np.uint64(count)):
            best_index = min(best_index, np.int32(i) if s.move_scores[ply, i] == best_score else np.int32(count))
        move = s.moves[ply, best_index]
        s.moves[ply, best_index] = s.moves[ply, index]
        s.move_scores[ply, best_index] = s.move_scores[ply, index]
        s.moves[ply, index] = move
        s.move_scores[ply, index] = best_score
        return np.int64(move)

    @kernels.kernel(f"void({state_name}, i64, i64, i64, i64)")
    def update_history(s, move, depth, ply, cut_index):
        """Store a move that caused a beta cutoff as killer, and update the history.

        `cut_index` is the index of the move in `moves[ply]`: it gets a bonus, the moves searched before it a malus.
        """
        if s.killers[ply, 0] != move:
            s.killers[ply, 1] = s.killers[ply, 0]
            s.killers[ply, 0] = move
        bonus, scale = min(depth * depth, s.max_history_bonus), s.history_bonus_scale
        for i in range(cut_index + 1):
            slot = slot_of(s.moves[ply, i])
            gain = bonus if i == cut_index else -bonus
            decay = s.history[s.side, slot] * bonus // HISTORY_LIMIT  # "history gravity": keeps entries in bounds
            s.history[s.side, slot] += (gain - decay) * scale

    return score_moves, pick_next, update_history
