"""From one line of moves to another, by as few moves as lie between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.play.game import Position
from core.play.player import IllegalMove


def common_prefix_length(known: Sequence[str], wanted: Sequence[str]) -> int:
    """How many moves two lines begin with alike."""
    unlike = (number for number, (one, other) in enumerate(zip(known, wanted, strict=False)) if one != other)
    return next(unlike, min(len(known), len(wanted)))


def set_position(position: Position, moves: Sequence[str], play: Callable[[str], None]) -> None:
    """Bring a position to the end of a line by taking moves back and by `play`; on IllegalMove its own stands again."""
    before = position.moves
    try:
        _go(position, moves, play)
    except IllegalMove:
        _go(position, before, play)
        raise


def _go(position: Position, moves: Sequence[str], play: Callable[[str], None]) -> None:
    known = position.moves
    common = common_prefix_length(known, moves)
    for _ in known[common:]:
        position.undo()
    for move in moves[common:]:
        play(move)
