"""What the page's form for a new game offers, and what the command line of `pentad play` asks for."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from arena.console import check_seconds
from arena.errors import UsageError
from arena.options.play import PlayOptions
from arena.terms.arguments import choose_setup
from arena.web.play.opponents import list_opponents
from arena.web.play.state import MOST_MOVE_TIME_MS, NewGameTerms
from arena.web.play.table import PlayTable
from core.play.game import Game
from core.play.player import BadSetup
from core.search.engine_options import MAX_LEVEL


class Choice(msgspec.Struct, frozen=True):
    """An opponent in the form; `level` is the one it has by itself, None where it has none."""

    name: str
    help: str
    level: int | None


class Choices(msgspec.Struct, frozen=True):
    """All that a new game may be played with. `size` is the usual side of the board, 0 where there is one board."""

    game: str
    title: str
    loads: str
    sides: tuple[str, str]
    opponents: tuple[Choice, ...]
    levels: int
    variants: tuple[str, ...]
    size: int


def describe_choices(table: PlayTable) -> Choices:
    """What can be chosen at a table."""
    game = table.game
    return Choices(
        game=game.name,
        title=game.title,
        loads=game.loadable_formats,
        sides=table.board().sides,
        opponents=tuple(Choice(one.name, one.help, one.level) for one in table.opponents.values()),
        levels=MAX_LEVEL,
        variants=game.variants,
        size=game.default_setup.width if _has_sizes(game) else 0,
    )


def make_table(game: Game, request: PlayOptions) -> PlayTable:
    """The table that a command line asks for; raise UsageError."""
    opponents = list_opponents(game, request.engine, request.level)
    choose_setup(game, request.size, request.rule)  # so that its mistakes are told as those of a command line
    check_seconds("--move-time", request.move_time)
    move_time_ms = round(1000 * request.move_time)
    if not 1 <= move_time_ms <= MOST_MOVE_TIME_MS:
        most_s = MOST_MOVE_TIME_MS // 1000
        raise UsageError(f"--move-time must be up to {most_s} s and not 0, not {request.move_time:g}")
    opponent = opponents[0]
    terms = NewGameTerms(opponent.name, request.side, opponent.level, request.size, request.rule, move_time_ms)
    return PlayTable(game, opponents, terms)


def _has_sizes(game: Game) -> bool:
    """Whether there is more than one size of board."""
    setup = game.default_setup
    if not setup.width:
        return False
    try:
        game.check_setup(replace(setup, width=setup.width - 1, height=setup.height - 1))
    except BadSetup:
        return False
    return True
