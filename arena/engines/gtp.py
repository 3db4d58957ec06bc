"""Create GTP clients from engine specifications; these options have a special meaning:

- `option.startup=COMMAND;COMMAND` is sent at each start;
- `option.time=COMMAND;COMMAND` is sent before each move instead of `time_settings` and `time_left`, with `{seconds}`
  for the move's time (MoHex: `option.time=param_mohex max_time {seconds}`);
- `option.dialect=pentagod` chooses the move notation, for games that have dialects; it is not sent;
- any other option is a parameter: `option.mohex.max_time=5` is sent as `param_mohex max_time 5`, and so is
  `option.max_time=5` if no other group has such a key.
"""

from __future__ import annotations

from dataclasses import replace

from arena.engines.gtp_games import find_gtp_game
from arena.engines.spec import EngineSpec
from arena.errors import UsageError
from core.play.game import Game
from core.play.options import OptionError, OptionSet
from core.play.player import Setup
from protocols.driving.deadlines import DEFAULT_DEADLINES, Deadlines
from protocols.gtp.client import GtpClient
from protocols.gtp.game import GtpGame

START_UP, TIME, DIALECT = "startup", "time", "dialect"


def make_gtp_client(spec: EngineSpec, game: Game, grace_ms: int, deadlines: Deadlines = DEFAULT_DEADLINES) -> GtpClient:
    """Make the client of an engine that plays a game of the registry; raise `UsageError` if it has no GTP."""
    return build_gtp_client(spec, find_gtp_game(game), grace_ms, deadlines)


def build_gtp_client(
    spec: EngineSpec, plug: GtpGame, grace_ms: int, deadlines: Deadlines = DEFAULT_DEADLINES
) -> GtpClient:
    """Make the client for a game's GTP description; raise `UsageError` if the game lacks the dialect."""
    lists = {key: [part.strip() for part in value.split(";")] for key, value in spec.options if key in (START_UP, TIME)}
    dialect = next((value for key, value in spec.options if key == DIALECT), None)
    return GtpClient(
        spec.command,
        plug if dialect is None else with_dialect(plug, dialect),
        cwd=spec.directory or None,
        env=dict(spec.environment),
        start_up=lists.get(START_UP, ()),
        time_commands=lists.get(TIME, ()),
        settings={key: value for key, value in spec.options if key not in (*lists, DIALECT)},
        grace_ms=grace_ms,
        deadlines=deadlines,
    )


def with_dialect(plug: GtpGame, dialect: str) -> GtpGame:
    """Return the game with moves in `dialect`, whatever the setup says; raise `UsageError` if it is unknown."""
    options, apply_options = OptionSet(plug.options), plug.apply_options
    try:
        options.set(DIALECT, dialect)
    except OptionError as error:
        raise UsageError(f"{plug.title}: {error}") from None
    assert apply_options is not None

    def spoken(setup: Setup) -> Setup:
        return apply_options(setup, options)

    return replace(
        plug,
        parse_move=lambda text, setup: plug.parse_move(text, spoken(setup)),
        format_move=lambda move, setup: plug.format_move(move, spoken(setup)),
    )
