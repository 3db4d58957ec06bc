"""Helpers for tests of all games: a player at a position, and whole games between two players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bots.registry import GAMES
from core.play.game import Position
from core.play.player import Limits, Player, Setup, build_player
from tests.lines import play_on

PLAYERS = [(game.name, kind.name) for game in GAMES.values() for kind in game.players()]  # (game, player)

# By game: moves after which no opening book is used and the game is far from decided.
QUIET_LINES = {
    "gomoku": ("h8", "i9", "g7", "i8"),
    "hex": ("e5", "f4"),
    "hive": ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"),
    "pentago": ("c3t",),
    "kolibrat": (),
}


def player_after(game: str, name: str, moves: Sequence[str] = (), setup: Setup | None = None) -> Any:
    """Return a player after some moves; `setup` is the game's default if not given.

    `name` may contain options: `pentad:hash=4` is the game's engine with a transposition table of 4 MiB.
    """
    player = build_player(GAMES[game].players(), name)
    player.new_game(setup or GAMES[game].default_setup)
    player.set_position(moves)
    return player


def expect_search_without_book(player: Player, limits: Limits, book: Path) -> None:
    """Check that a player whose book is damaged searches each move, and names the file once."""
    decisions = [player.choose(limits) for _ in range(2)]
    assert all(decision.note != "book" and decision.progress.nodes > 0 for decision in decisions)
    (warning,) = player.take_warnings()
    assert warning.startswith("cannot use the book of first replies: ")
    assert str(book) in warning


def play_to_end(players: Sequence[Player], position: Position, limits: Limits, max_plies: int = 1000) -> Position:
    """Let two players, both at `position`, play on until the game ends or has `max_plies` plies; return `position`.

    The position raises IllegalMove for a move that the rules do not allow.
    """
    while position.outcome() is None and len(position.moves) < max_plies:
        move = players[position.to_move].choose(limits).move
        position.play(move)
        for player in set(players):  # one player may play both sides
            play_on(player, move)
    return position


def play_game(game: str, names: Sequence[str], setup: Setup, limits: Limits, max_plies: int = 1000) -> Position:
    """Play a game between two named players, the first side first; return its last position."""
    players = [player_after(game, name, setup=setup) for name in names]
    return play_to_end(players, GAMES[game].new_position(setup), limits, max_plies)


def winner_of(position: Position) -> int | None:
    """Return the side that has won a finished game, or None after a draw."""
    outcome = position.outcome()
    assert outcome is not None
    return outcome.winner
