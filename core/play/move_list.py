"""Change a position from one list of moves to another with as few undos and moves as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.play.game import Position
from core.play.player import IllegalMove


def common_prefix_length(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of moves at the beginning that two move lists have in common."""
    pairs = zip(old, new, strict=False)
    differing = (index for index, (old_move, new_move) in enumerate(pairs) if old_move != new_move)
    return next(differing, min(len(old), len(new)))


def set_position(position: Position, moves: Sequence[str], play: Callable[[str], None]) -> None:
    """Undo and play moves until `moves` are the moves of the position; `play(move)` must play a move on it.

    If a move is illegal, restore the old position and raise IllegalMove.
    """
    old_moves = position.moves
    try:
        _undo_and_play(position, moves, play)
    except IllegalMove:
        _undo_and_play(position, old_moves, play)
        raise


def _undo_and_play(position: Position, moves: Sequence[str], play: Callable[[str], None]) -> None:
    played = position.moves
    common = common_prefix_length(played, moves)
    for _ in played[common:]:
        position.undo()
    for move in moves[common:]:
        play(move)
