"""The choices of the page's form for a new game, and the first session from the options of `pentad play`."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from arena.console import check_seconds
from arena.engines.gomocup_zip import make_target
from arena.errors import UsageError
from arena.options.play import PlayOptions
from arena.terms.arguments import choose_setup
from arena.web.play.opponents import list_opponents
from arena.web.play.session import PlaySession
from arena.web.play.state import MAX_MOVE_TIME_MS, NewGameSettings
from core.play.game import Game
from core.play.player import BadSetup
from core.search.engine_options import MAX_LEVEL


class OpponentChoice(msgspec.Struct, frozen=True):
    """An opponent in the form."""

    name: str
    help: str
    level: int | None  # default level; None if the opponent has no levels


class NewGameChoices(msgspec.Struct, frozen=True):
    """The choices of the form: the answer to `GET api/choices`."""

    game: str  # name, such as `hex`
    title: str  # of the game, for people
    loadable_formats: str  # for the help text of the load button
    sides: tuple[str, str]  # names of the first and the second side
    opponents: tuple[OpponentChoice, ...]
    max_level: int
    variants: tuple[str, ...]  # the default first
    size: int  # default width and height of the board, cells; 0 if the game has only one size


def describe_choices(session: PlaySession) -> NewGameChoices:
    """Return the choices for a new game of a session."""
    game = session.game
    return NewGameChoices(
        game=game.name,
        title=game.title,
        loadable_formats=game.loadable_formats,
        sides=session.board().sides,
        opponents=tuple(OpponentChoice(one.name, one.help, one.level) for one in session.opponents.values()),
        max_level=MAX_LEVEL,
        variants=game.variants,
        size=game.default_setup.width if _has_sizes(game) else 0,
    )


def make_session(game: Game, options: PlayOptions) -> PlaySession:
    """Return a session whose first game has the options of the command line; raise UsageError."""
    setup = choose_setup(game, options.size, options.rule)
    opponents = list_opponents(game, options.engine, options.level, make_target(setup, wine=options.wine))
    check_seconds("--move-time", options.move_time)
    move_time_ms = round(1000 * options.move_time)
    if not 1 <= move_time_ms <= MAX_MOVE_TIME_MS:
        max_s = MAX_MOVE_TIME_MS // 1000
        raise UsageError(f"--move-time must be 0.001..{max_s} s, not {options.move_time:g}")
    opponent = opponents[0]
    settings = NewGameSettings(opponent.name, options.side, opponent.level, options.size, options.rule, move_time_ms)
    return PlaySession(game, opponents, settings)


def _has_sizes(game: Game) -> bool:
    """Return whether the board size can be chosen: whether a size one below the default is allowed, too."""
    setup = game.default_setup
    if not setup.width:
        return False
    try:
        game.check_setup(replace(setup, width=setup.width - 1, height=setup.height - 1))
    except BadSetup:
        return False
    return True
