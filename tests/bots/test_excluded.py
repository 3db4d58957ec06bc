"""Excluded moves: no player chooses them, and excluding every legal move is an error."""

from __future__ import annotations

import pytest

from bots.registry import GAMES
from core.play.player import AllMovesExcluded, Limits, Player, allowed_moves, build_player

PLAYERS = [(name, kind.name) for name, game in sorted(GAMES.items()) for kind in game.players()]
QUICK_LIMITS = Limits(depth=1, nodes=200)


def player_in_midgame(game: str, kind: str) -> tuple[Player, list[str]]:
    """Return a player after six plies of a game, and the legal moves there."""
    row = GAMES[game]
    position = row.new_position(row.default_setup)
    for _ in range(6):
        position.play(position.legal_moves()[-1])
    player = build_player(row.players(), kind)
    player.new_game(row.default_setup)
    player.set_position(position.moves)
    return player, position.legal_moves()


@pytest.mark.parametrize(("game", "kind"), PLAYERS)
def test_excluding_all_moves_is_an_error(game: str, kind: str) -> None:
    """An excluded move used to be played silently, and so was a single legal move."""
    player, legal = player_in_midgame(game, kind)
    with pytest.raises(AllMovesExcluded, match=rf"^the limits exclude every legal move \({len(legal)}\)$"):
        player.choose(Limits(depth=1, nodes=200, excluded_moves=tuple(legal)))
    for move in (legal[0], legal[-1]):
        others = tuple(other for other in legal if other != move)
        assert player.choose(Limits(depth=1, nodes=200, excluded_moves=others)).move == move
    assert player.choose(QUICK_LIMITS).move in legal


def test_excluding_moves_of_a_finished_game_is_no_error() -> None:
    assert allowed_moves([], [1]) == []
    assert allowed_moves([1, 2], [1]) == [2]
