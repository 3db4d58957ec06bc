"""In which order a search tries the moves: the table's move, what refuted lately, then the game's own values."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.native.kernel import KernelSet

# What the search has learned, in the units of the games' own ordering values, which it is added to. All of these were
# set by hand and never tuned. The table's move goes before everything; a full history (HISTORY_LIMIT)
# before a killer.
TABLE_MOVE_ORDER = 1 << 28
KILLER_ORDERS = (300, 200)
HISTORY_LIMIT = 1 << 14
MAX_BONUS = 400  # of one refutation, the square of its depth up to here
BONUS_SCALE = 8


def make_ordering(kernels: KernelSet, record: str, slot_of: Any, history_shift: int) -> tuple[Any, Any, Any]:
    """The kernels `rank_moves`, `pick_move` and `reward` over a record with the fields of the search.

    What the history holds of a move is shifted right by `history_shift` and added to the game's own value.
    """

    @kernels.kernel(f"void({record}, i64, i64, i64)")
    def rank_moves(s, ply, count, hash_move):
        """Add what the search has learned to the game's own ordering."""
        side, first, second = s.side, s.killers[ply, 0], s.killers[ply, 1]
        for i in range(count):
            move = s.moves[ply, i]
            value = s.move_scores[ply, i] + (s.history[side, slot_of(move)] >> history_shift)
            if move == hash_move:
                value += TABLE_MOVE_ORDER
            elif move == first:
                value += KILLER_ORDERS[0]
            elif move == second:
                value += KILLER_ORDERS[1]
            s.move_scores[ply, i] = value

    @kernels.kernel(f"i64({record}, i64, i64, i64)")
    def pick_move(s, ply, index, count):
        """Bring the best of the moves from `index` on to the front and return it.

        First its value is found, then its place, both by vectors, which want places that cannot be negative.
        """
        value = s.move_scores[ply, index]
        for i in range(np.uint64(index + 1), np.uint64(count)):
            value = max(value, s.move_scores[ply, i])
        best = np.int32(count)
        for i in range(np.uint64(index), np.uint64(count)):
            best = min(best, np.int32(i) if s.move_scores[ply, i] == value else np.int32(count))
        move = s.moves[ply, best]
        s.moves[ply, best] = s.moves[ply, index]
        s.move_scores[ply, best] = s.move_scores[ply, index]
        s.moves[ply, index] = move
        s.move_scores[ply, index] = value
        return np.int64(move)

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

    return rank_moves, pick_move, reward
