"""Excluded moves: every player leaves them out, and says so if none is left."""

from __future__ import annotations

import pytest

from bots.registry import GAMES
from core.play.player import AllMovesExcluded, Limits, Player, allowed_moves, build_player

PLAYERS = [(name, kind.name) for name, game in sorted(GAMES.items()) for kind in game.players()]
QUICK = Limits(depth=1, nodes=200)


def begin(game: str, kind: str) -> tuple[Player, list[str]]:
    """A player in the middle of a game that has begun, and the legal moves there."""
    row = GAMES[game]
    position = row.new_position(row.default_setup)
    for _ in range(6):
        position.play(position.legal_moves()[-1])
    player = build_player(row.players(), kind)
    player.new_game(row.default_setup)
    player.set_position(position.moves)
    return player, position.legal_moves()


@pytest.mark.parametrize(("game", "kind"), PLAYERS)
def test_to_exclude_all_moves_is_an_error(game: str, kind: str) -> None:
    """An excluded move was played without a word; a lone legal move was, too."""
    player, legal = begin(game, kind)
    with pytest.raises(AllMovesExcluded, match=rf"^the limits exclude every legal move \({len(legal)}\)$"):
        player.choose(Limits(depth=1, nodes=200, excluded_moves=tuple(legal)))
    for move in (legal[0], legal[-1]):
        others = tuple(other for other in legal if other != move)
        assert player.choose(Limits(depth=1, nodes=200, excluded_moves=others)).move == move
    assert player.choose(QUICK).move in legal


def test_a_game_that_is_over_excludes_nothing() -> None:
    assert allowed_moves([], [1]) == []
    assert allowed_moves([1, 2], [1]) == [2]
