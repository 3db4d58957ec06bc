"""Shipped opening books, and openings that engines make: legal moves, no two openings alike under symmetry.

A canonical form is the same for all symmetric positions.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from arena.terms.openings import read_book
from arena.tools.demo import BOOKS
from bots.gomoku.symmetry import canonical_form as canonical_gomoku
from bots.hex.openings import canonical_form as canonical_hex
from bots.hex.position import HexPosition
from bots.hive.opening.symmetry import canonical_form as canonical_hive
from bots.hive.position import HivePosition
from bots.kolibrat.openings import canonical_form as canonical_kolibrat
from bots.kolibrat.position import KolibratPosition
from bots.pentago.openings import canonical_form as canonical_pentago
from bots.pentago.position import PentagoPosition
from bots.registry import GAMES
from core.play.game import Game
from core.play.player import Limits, Setup
from tests.bots.playing import player_after

BOOKS_OF_OTHER_SETUPS = {  # books for variants or board sizes that are not their game's default
    "hex-7.txt": (GAMES["hex"], Setup(7, 7, "standard")),
    "hive-base.txt": (GAMES["hive"], Setup(variant="Base")),
    "kolibrat-5x6-6-4.txt": (GAMES["kolibrat"], Setup(variant="5x6-6-4")),
}


@pytest.mark.parametrize("path", sorted(BOOKS.glob("*.txt")), ids=lambda path: path.name)
def test_openings_of_a_shipped_book_are_legal_and_distinct(path: Path) -> None:
    """An illegal opening would stop a match before its first game."""
    game, setup = setup_of_book(path)
    book = read_book(path, game, setup)
    assert len(book) >= 30
    assert len({canonical_form_of(line, game, setup) for line in book.lines}) == len(book)


@pytest.mark.parametrize("path", sorted(BOOKS.glob("*.txt")), ids=lambda path: path.name)
def test_shipped_book_begins_with_the_command_that_made_it(path: Path) -> None:
    """A book that cannot be reproduced, or was edited by hand, might not be balanced."""
    game, setup = setup_of_book(path)
    book = read_book(path, game, setup)
    # Example: # pentad openings hex 30 --size 7 --rule standard --moves 2 --depth 6 --seed 1
    words = path.read_text(encoding="utf-8").splitlines()[0].split()
    assert words[:4] == ["#", "pentad", "openings", game.name]
    options = dict(zip(words[5::2], words[6::2], strict=True))
    # A book that was tested by games contains only the openings that passed.
    assert int(words[4]) == len(book) or ("--test" in options and int(words[4]) > len(book))
    assert {len(line) for line in book.lines} == {int(options["--moves"])}
    assert options["--rule"] == setup.variant
    assert options.get("--size", "0") == str(setup.width)


@pytest.mark.parametrize("path", sorted(BOOKS.glob("*.txt")), ids=lambda path: path.name)
def test_default_length_and_depth_of_openings_are_those_of_the_shipped_book(path: Path) -> None:
    """`pentad openings GAME COUNT` makes openings like those in arena/books."""
    game, _ = setup_of_book(path)
    words = path.read_text(encoding="utf-8").splitlines()[0].split()
    options = dict(zip(words[5::2], words[6::2], strict=True))
    assert options["--moves"] == str(game.opening_plies)
    if "--test" not in options:  # Gomoku's book was searched deeper
        assert options["--depth"] == str(game.opening_depth)


def setup_of_book(path: Path) -> tuple[Game, Setup]:
    """Return the game and the setup that a shipped book is for."""
    books = {game.book: (game, game.default_setup) for game in GAMES.values()} | BOOKS_OF_OTHER_SETUPS
    return books[path.name]


def canonical_form_of(line: tuple[str, ...], game: Game, setup: Setup) -> object:
    """Return the canonical form of the position after an opening."""
    if game.name == "gomoku":
        return canonical_gomoku(list(line), setup)
    if game.name == "hive":
        return canonical_hive(HivePosition.from_game(game.format_opening(line, setup)))
    position = game.new_position(setup)
    for move in line:
        position.play(move)
    if isinstance(position, HexPosition):
        return canonical_hex(position)
    if isinstance(position, PentagoPosition):
        return canonical_pentago(position)
    assert isinstance(position, KolibratPosition)
    return canonical_kolibrat(position)


def test_every_registered_book_exists() -> None:
    assert {game.book for game in GAMES.values() if game.book} <= {path.name for path in BOOKS.glob("*.txt")}


@pytest.mark.parametrize(
    ("name", "setup", "plies", "depth"),
    [
        ("gomoku", Setup(15, 15, "renju"), 4, 2),
        ("hex", Setup(7, 7, "swap"), 2, 1),
        ("hive", Setup(variant="Base+MLP"), 8, 1),
        ("pentago", GAMES["pentago"].default_setup, 4, 2),
        ("kolibrat", Setup(variant="3x4-4-2"), 8, 3),
    ],
)
def test_made_openings_are_distinct_undecided_and_repeatable(name: str, setup: Setup, plies: int, depth: int) -> None:
    """No opening contains a swap, and after each there are at least two legal moves.

    A position with a single move is not searched, so its score would look balanced.
    """
    game = GAMES[name]
    assert game.make_openings
    seed = 1
    openings = list(islice(game.make_openings(setup, plies, depth, seed), 4))
    assert openings == list(islice(game.make_openings(setup, plies, depth, seed), 4))
    assert len({canonical_form_of(tuple(moves), game, setup) for moves in openings}) == len(openings) == 4
    for moves in openings:
        player = player_after(name, "pentad:hash=4", moves, setup)
        assert len(moves) == plies
        assert "swap-pieces" not in moves
        assert len(player.position.legal_moves()) > 1
        assert player.position.outcome() is None
        # Not in Hex: on 7x7 the engine may prove the winner of a balanced opening, too.
        assert name == "hex" or player.choose(Limits(depth=depth)).progress.win_in is None


@pytest.mark.parametrize(
    ("name", "setup", "plies", "max_openings"),
    [
        ("hive", Setup(variant="Base"), 2, 4),  # sixteen canonical forms
        ("pentago", GAMES["pentago"].default_setup, 1, 6),
        ("kolibrat", Setup(variant="3x4-4-5"), 1, 1),  # two canonical forms, of which one is balanced
    ],
)
def test_the_generator_stops_when_there_are_no_more_openings(
    name: str, setup: Setup, plies: int, max_openings: int
) -> None:
    """There are at most `max_openings` openings: few positions are balanced."""
    make_openings = GAMES[name].make_openings
    assert make_openings
    depth, seed = 1, 1
    assert 1 <= len(list(make_openings(setup, plies, depth, seed))) <= max_openings
