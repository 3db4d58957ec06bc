"""Helpers that make or take back single moves on the position of a player."""

from __future__ import annotations

from core.play.board_player import BoardPlayerBase
from core.play.player import Player


def play_on(player: Player, *moves: str) -> None:
    """Extend the game of a player that has a board by moves."""
    assert isinstance(player, BoardPlayerBase)
    player.set_position([*player.position.moves, *moves])


def take_back(player: Player) -> None:
    """Remove the last move from the game of a player that has a board."""
    assert isinstance(player, BoardPlayerBase)
    player.set_position(player.position.moves[:-1])
