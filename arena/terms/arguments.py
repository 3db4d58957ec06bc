"""Convert arguments that many commands share (game, board size, rule, opening) into objects."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from arena.errors import UsageError
from arena.terms.installed_games import list_installed, load_installed
from arena.terms.openings import OpeningBook, read_book
from arena.terms.plan import SEED_BITS
from core.play.game import Game, Position
from core.play.player import BadSetup, IllegalMove, Setup


def list_games() -> Mapping[str, Game]:
    """Return the built-in games by name. The import is inside the function because it loads all games."""
    from bots.registry import GAMES

    return GAMES


def find_game(name: str) -> Game:
    """Return a built-in or installed game by its name; raise UsageError, with the known names, if there is none."""
    games = list_games()
    game = games.get(name.lower()) or load_installed(name.lower())
    if game is None:
        raise UsageError(f"unknown game {name!r}; known: {', '.join((*games, *list_installed()))}")
    return game


def choose_setup(game: Game, size: int | None, rule: str | None, opening: str = "") -> Setup:
    """Return the setup of an opening, or else of the game, with size and rule replaced if given; raise UsageError."""
    try:
        setup = game.setup_of_opening(opening) or game.default_setup
    except BadSetup as error:
        raise UsageError(str(error)) from None
    if size is not None:
        if not setup.width:
            raise UsageError(f"{game.title} has one board: --size does not apply")
        setup = replace(setup, width=size, height=size)
    if rule is not None:
        setup = replace(setup, variant=rule)
    try:
        return game.check_setup(setup)
    except BadSetup as error:
        raise UsageError(str(error)) from None


def choose_position(game: Game, setup: Setup, opening: str) -> Position:
    """Return the position after the moves of an opening (empty text: the start position); raise UsageError."""
    try:
        moves = game.parse_opening(opening, setup) if opening else []
        position = game.new_position(setup)
        for move in moves:
            position.play(move)
    except (BadSetup, IllegalMove) as error:
        raise UsageError(str(error)) from None
    return position


def choose_book(path: Path | None, game: Game, setup: Setup) -> OpeningBook:
    """Read an opening file; without a path return an empty book. Raise UsageError."""
    if path is None:
        return OpeningBook()
    try:
        return read_book(path, game, setup)
    except BadSetup as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"openings {path}: {error.strerror}") from None


def choose_seed(seed: int | None) -> int:
    """Return the given seed, or a random one. Log and screen report it, so that any run can be repeated."""
    return random.SystemRandom().getrandbits(SEED_BITS) if seed is None else seed
