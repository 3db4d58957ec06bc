"""Create GTP clients from engine specifications. These options have a special meaning:

- `option.startup=COMMAND;COMMAND` is sent whenever the engine is started;
- `option.time=COMMAND;COMMAND` is sent before each move instead of `time_settings` and `time_left`, with `{seconds}`
  for the move's time (MoHex: `option.time=param_mohex max_time {seconds}`);
- `option.dialect=pentagod` chooses the move notation, for games that have dialects; it is not sent;
- any other option is a parameter: `option.mohex.max_time=5` is sent as `param_mohex max_time 5`, and so is
  `option.max_time=5` if no other group has such a key.
"""

from __future__ import annotations

from dataclasses import replace

from arena.engines.spec import EngineSpec
from arena.errors import UsageError
from core.play.game import Game
from core.play.options import OptionError, OptionSet
from core.play.player import Setup
from protocols.driving.engine_client import ClientSettings
from protocols.gtp.client import GtpClient
from protocols.gtp.game import GtpGame

START_UP, TIME, DIALECT = "startup", "time", "dialect"  # names of the special options


def find_gtp_game(game: Game) -> GtpGame:
    """Return the game's GTP description (notation, commands); raise `UsageError` if it is not played over GTP."""
    if game.gtp is None:
        raise UsageError(f"{game.title} is played over {game.protocol}, not over GTP")
    gtp_game = game.gtp()
    assert isinstance(gtp_game, GtpGame)
    return gtp_game


def make_gtp_client(spec: EngineSpec, game: Game, client_settings: ClientSettings) -> GtpClient:
    """Return the client of an engine that plays `game`; raise `UsageError` if the game is not played over GTP."""
    return build_gtp_client(spec, find_gtp_game(game), client_settings)


def build_gtp_client(spec: EngineSpec, gtp_game: GtpGame, client_settings: ClientSettings) -> GtpClient:
    """Return the client for a game's GTP description; raise `UsageError` if the game lacks the engine's dialect."""
    commands_by_option = {
        key: [command.strip() for command in value.split(";")] for key, value in spec.options if key in (START_UP, TIME)
    }
    dialect = next((value for key, value in spec.options if key == DIALECT), None)
    return GtpClient(
        spec.command,
        gtp_game if dialect is None else with_dialect(gtp_game, dialect),
        start_up=commands_by_option.get(START_UP, ()),
        time_commands=commands_by_option.get(TIME, ()),
        settings={key: value for key, value in spec.options if key not in (*commands_by_option, DIALECT)},
        **client_settings,
    )


def with_dialect(gtp_game: GtpGame, dialect: str) -> GtpGame:
    """Return the game with its moves read and written in `dialect`; raise `UsageError` if the dialect is unknown."""
    options, apply_options = OptionSet(gtp_game.options), gtp_game.apply_options
    try:
        options.set(DIALECT, dialect)
    except OptionError as error:
        raise UsageError(f"{gtp_game.title}: {error}") from None
    assert apply_options is not None  # a game that has the option also applies it

    def set_dialect(setup: Setup) -> Setup:
        return apply_options(setup, options)

    return replace(
        gtp_game,
        parse_move=lambda text, setup: gtp_game.parse_move(text, set_dialect(setup)),
        format_move=lambda move, setup: gtp_game.format_move(move, set_dialect(setup)),
    )
