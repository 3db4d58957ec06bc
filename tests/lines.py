"""Helpers of tests that play moves one by one on a player's position."""

from __future__ import annotations

from core.play.board_player import BoardPlayerBase
from core.play.player import Player


def play_on(player: Player, *moves: str) -> None:
    """Hand a player with a board its line with more moves."""
    assert isinstance(player, BoardPlayerBase)
    player.set_position([*player.position.moves, *moves])


def take_back(player: Player) -> None:
    """Hand it its line without the last move."""
    assert isinstance(player, BoardPlayerBase)
    player.set_position(player.position.moves[:-1])
