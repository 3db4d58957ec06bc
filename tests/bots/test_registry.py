"""The game registry: shipped opening books, bench positions and players of every game can be used."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from arena.terms.openings import read_book
from arena.tools.bench import list_cases
from arena.tools.demo import BOOKS, choose_opponent
from bots.gomoku.symmetry import canonical_form
from bots.hex.openings import canonical_form as canonical_hex
from bots.hex.position import HexPosition
from bots.hive.openings import canonical_form as canonical_hive
from bots.hive.position import HivePosition
from bots.kolibrat.openings import canonical_form as canonical_kolibrat
from bots.kolibrat.position import KolibratPosition
from bots.pentago.openings import canonical_form as canonical_pentago
from bots.pentago.position import PentagoPosition
from bots.registry import GAMES
from core.play.game import Game
from core.play.player import Setup, build_player
from core.play.rules_page import Section
from core.play.scene import Painter
from protocols.gtp.game import GtpGame

ROOT = Path(__file__).parents[2]

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
    words = path.read_text(encoding="utf-8").splitlines()[0].split()
    assert words[:4] == ["#", "pentad", "openings", game.name]
    options = dict(zip(words[5::2], words[6::2], strict=True))
    assert int(words[4]) == len(book) or ("--test" in options and int(words[4]) > len(book))
    assert {len(line) for line in book.lines} == {int(options["--moves"])}
    assert options["--rule"] == setup.variant
    assert options.get("--size", "0") == str(setup.width)


def setup_of_book(path: Path) -> tuple[Game, Setup]:
    """Return the game and the setup that a shipped book is for."""
    books = {game.book: (game, game.default_setup) for game in GAMES.values()} | BOOKS_OF_OTHER_SETUPS
    return books[path.name]


def canonical_form_of(line: tuple[str, ...], game: Game, setup: Setup) -> object:
    """Return the canonical form of an opening, the same for all symmetric ones."""
    if game.name == "gomoku":
        return canonical_form(list(line), setup)
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


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_entries_are_consistent(game: Game) -> None:
    assert game.default_setup.variant == game.variants[0]
    assert choose_opponent(game) != game.players()[0].name
    proven = [(case.setup, case.line) for case in game.bench_proofs]
    assert (game.prove is None) == (not proven)
    for setup, line in [*list_cases(game), *proven]:
        position = game.new_position(setup)
        for move in game.parse_opening(line, setup) if line else []:
            position.play(move)
        assert position.outcome() is None
    for kind in game.players():
        build_player(game.players(), kind.name).close()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_modules_named_in_an_entry_exist(game: Game) -> None:
    """They are loaded only when they are needed, so a wrong name would go unnoticed."""
    assert game.painter
    assert isinstance(game.painter(), Painter)
    assert all(isinstance(section, Section) for section in game.rules_page())
    assert game.rules_page()
    assert (game.sgf is not None) == ("sgf" in game.records)
    assert (game.gtp is not None) == (game.protocol == "gtp")
    assert game.gtp is None or isinstance(game.gtp(), GtpGame)


def test_an_entry_without_a_required_part_is_refused() -> None:
    """Otherwise the error would appear only at the end of the first game."""
    with pytest.raises(ValueError, match="the Game object of Hex needs a value for gtp"):
        replace(GAMES["hex"], gtp=None)
    with pytest.raises(ValueError, match="the Game object of Hex needs a value for sgf"):
        replace(GAMES["hex"], sgf=None)


def test_importing_the_registry_loads_no_heavy_modules() -> None:
    """The Windows build imports it without any packages installed, and so does every command that names a game."""
    code = (
        "import sys, bots.registry; print(sorted(name for name in sys.modules if name.partition('.')[0] in"
        "('arena', 'numba', 'llvmlite', 'numpy', 'scipy', 'msgspec', 'psutil', 'rich')"
        "or (name.endswith(('.gtp', '.search')) or '.pages' in name) and name.startswith('bots.')))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.make_openings], ids=lambda game: game.name)
def test_openings_are_generated_with_the_requested_length(game: Game) -> None:
    assert game.make_openings
    for moves in islice(game.make_openings(game.default_setup, 3, 2, 1), 3):
        assert len(moves) == 3
