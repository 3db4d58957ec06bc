"""How an engine of the command line becomes a GTP client.

- `option.startup=COMMAND;COMMAND` is sent at each start;
- `option.time=COMMAND;COMMAND` is sent before each move instead of `time_settings` and `time_left`, with `{seconds}`
  for the move's time (MoHex: `option.time=param_mohex max_time {seconds}`);
- any other option is a parameter: `option.mohex.max_time=5` is told as `param_mohex max_time 5`.
"""

from __future__ import annotations

from arena.engines import EngineSpec
from arena.gtp_games import find_gtp_game
from core.game import Game
from protocols.gtp_client import GtpClient
from protocols.gtp_game import GtpGame

START_UP, TIME = "startup", "time"


def make_gtp_client(spec: EngineSpec, game: Game, grace_ms: int) -> GtpClient:
    """Make the client of an engine that plays a game of the registry; raise UsageError where that has no GTP."""
    return build_gtp_client(spec, find_gtp_game(game), grace_ms)


def build_gtp_client(spec: EngineSpec, plug: GtpGame, grace_ms: int) -> GtpClient:
    """The same for what a game plugs in."""
    lists = {key: [part.strip() for part in value.split(";")] for key, value in spec.options if key in (START_UP, TIME)}
    return GtpClient(
        spec.command,
        plug,
        cwd=spec.directory or None,
        env=dict(spec.environment),
        start_up=lists.get(START_UP, ()),
        time_commands=lists.get(TIME, ()),
        settings={key: value for key, value in spec.options if key not in lists},
        grace_ms=grace_ms,
    )
