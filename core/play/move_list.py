"""Change a position from one list of moves to another with as few undos and moves as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.play.game import Position
from core.play.player import IllegalMove


def common_prefix_length(known: Sequence[str], wanted: Sequence[str]) -> int:
    """Return the number of moves that two move lists have in common at the beginning."""
    differing = (index for index, (old, new) in enumerate(zip(known, wanted, strict=False)) if old != new)
    return next(differing, min(len(known), len(wanted)))


def set_position(position: Position, moves: Sequence[str], play: Callable[[str], None]) -> None:
    """Set a position to the one after `moves` from its start.

    Moves that differ are undone, new ones played by `play(move)`. On IllegalMove the old position is restored.
    """
    before = position.moves
    try:
        _undo_and_play(position, moves, play)
    except IllegalMove:
        _undo_and_play(position, before, play)
        raise


def _undo_and_play(position: Position, moves: Sequence[str], play: Callable[[str], None]) -> None:
    played = position.moves
    common = common_prefix_length(played, moves)
    for _ in played[common:]:
        position.undo()
    for move in moves[common:]:
        play(move)
