"""The registry's rows: books that can be read, positions that can be benched, players by name."""

from __future__ import annotations

from itertools import islice

import pytest

from arena.demo import BOOKS, choose_opponent
from arena.openings import read_book
from bots.gomoku.openings import canonical_form
from bots.hive.openings import canonical_form as canonical_hive
from bots.hive.position import HivePosition
from bots.registry import GAMES
from core.game import Game
from core.player import Setup, build_player


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.book], ids=lambda game: game.name)
def test_shipped_book_is_playable_and_distinct(game: Game) -> None:
    """An opening with a fault would end a match before its first game."""
    book = read_book(BOOKS / game.book, game, game.default_setup)
    assert len(book) >= 30
    assert len({form_of(line, game) for line in book.lines}) == len(book)


def form_of(line: tuple[str, ...], game: Game) -> object:
    """What the images of an opening have in common."""
    if game.name == "gomoku":
        return canonical_form(list(line), game.default_setup)
    return canonical_hive(HivePosition.from_game(game.format_opening(line, game.default_setup)))


def test_every_shipped_book_belongs_to_a_game() -> None:
    """Hive has a book for the game without expansions too."""
    books = {game.book: (game, game.default_setup) for game in GAMES.values()}
    books["hive-base.txt"] = (GAMES["hive"], Setup(variant="Base"))
    for path in BOOKS.glob("*.txt"):
        assert len(read_book(path, *books[path.name])) >= 30


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


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.make_openings], ids=lambda game: game.name)
def test_openings_are_made_to_order(game: Game) -> None:
    assert game.make_openings
    for moves in islice(game.make_openings(game.default_setup, 3, 2, 1), 3):
        assert len(moves) == 3
