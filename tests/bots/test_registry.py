"""The registry's rows: books that can be read, positions that can be benched, players by name."""

from __future__ import annotations

from itertools import islice

import pytest

from arena.demo import BOOKS, choose_opponent
from arena.openings import read_book
from bots.gomoku.openings import canonical_form
from bots.registry import GAMES
from core.game import Game
from core.player import build_player


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.book], ids=lambda game: game.name)
def test_shipped_book_is_playable_and_distinct(game: Game) -> None:
    """An opening with a fault would end a match before its first game."""
    book = read_book(BOOKS / game.book, game, game.default_setup)
    assert len(book) >= 50
    assert len({canonical_form(list(line), game.default_setup) for line in book.lines}) == len(book)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_rows_fit_together(game: Game) -> None:
    assert game.default_setup.variant == game.variants[0]
    assert choose_opponent(game) != game.players()[0].name
    for line in game.bench_positions:
        position = game.new_position(game.default_setup)
        for move in game.parse_opening(line, game.default_setup):
            position.play(move)
        assert position.outcome() is None
    for kind in game.players():
        build_player(game.players(), kind.name).close()


def test_openings_are_made_to_order() -> None:
    game = GAMES["gomoku"]
    assert game.make_openings
    for moves in islice(game.make_openings(game.default_setup, 3, 2, 1), 3):
        assert len(moves) == 3
