"""Check before the first game that an engine takes its parameters: both bounds, the start, and the first pair's values.

UHP and GTP engines answer each command, and players are asked directly. Gomocup's INFO has no answer; the client finds
the lines by which an engine refuses a value nevertheless (protocols/gomocup/client.py). Our own engine prints such a
line for unknown names, too. Other engines may ignore a parameter in silence, which is reported as a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arena.errors import CommandFailedError, UsageError
from arena.referee.participant import set_parameter
from arena.tune.config import TuneConfig
from arena.tune.pairs import format_values
from arena.tune.spsa import Spsa
from core.play.options import ParameterRefusedError
from core.play.player import BadSetup, IllegalMove, Limits, Player
from protocols.driving.process import EngineError
from protocols.gomocup.client import GomocupClient
from protocols.gomocup.text import has_word

PROBE_VALUE = "?"  # no number, so that our own engine refuses it
PROBE_MOVE_MS = 10
MAX_STDERR_LINES = 3  # in the warnings
OUR_GOMOCUP_NAME = "pentad"  # in the answer to ABOUT, in lower case


def check_tuned_engine(config: TuneConfig) -> list[str]:
    """Return warnings about parameters that cannot be checked; raise UsageError for a parameter that is refused.

    Raise CommandFailedError if the engine cannot start.
    """
    try:
        player = config.match.make_player(config.match.engines[0])
        try:
            for values in _make_probes(config):
                _try_values(config, player, values)
            return list(_find_unknown(config, player)) if isinstance(player, GomocupClient) else []
        finally:
            player.close()
    except ParameterRefusedError as error:
        raise UsageError(f"{config.engine} {error}") from None
    except (EngineError, BadSetup, IllegalMove) as error:
        raise CommandFailedError(f"{config.engine} could not start: {error}") from None


def _make_probes(config: TuneConfig) -> list[dict[str, str]]:
    """Return values to try: both bounds, the start, and those of the first pair, which have all digits of a float."""
    parameters = config.parameters
    bounds = [[parameter.min for parameter in parameters], [parameter.max for parameter in parameters]]
    first_pair = Spsa(parameters, config, config.match.seed).perturbed_values(1)
    start = [parameter.value for parameter in parameters]
    return [format_values(parameters, values) for values in (*bounds, *first_pair, start)]


def _try_values(config: TuneConfig, player: Player, values: Mapping[str, str]) -> None:
    """Set the parameters; raise ParameterRefusedError or EngineError. A Gomocup engine also has to make a move."""
    for name, value in values.items():
        set_parameter(player, name, value)
    player.new_game(config.match.setup)
    if not isinstance(player, GomocupClient):
        return
    try:
        player.choose(Limits(move_time_ms=PROBE_MOVE_MS, nodes=1))
    except EngineError as error:
        sent = ", ".join(f"{name}={value}" for name, value in values.items())
        raise CommandFailedError(f"{config.engine} does not move with {sent}: {error}") from None


def _find_unknown(config: TuneConfig, client: GomocupClient) -> Iterator[str]:
    """Yield a warning if an engine does not say which parameters it knows; raise ParameterRefusedError if it does."""
    undeclared = [parameter.name for parameter in config.parameters if parameter.name not in client.options]
    if not undeclared:
        return
    if not client.about.get("name", "").lower().startswith(OUR_GOMOCUP_NAME):
        yield (
            f"{config.engine} does not say whether it takes {', '.join(undeclared)}: in the Gomocup protocol an engine"
            " may ignore an INFO key, or a value, in silence"
        )
        errors = [
            line for line in client.take_stderr().splitlines() if any(has_word(line, name) for name in undeclared)
        ]
        yield from (f"{config.engine} wrote to standard error: {line}" for line in errors[-MAX_STDERR_LINES:])
        return
    for name in undeclared:
        try:
            _try_values(config, client, {name: PROBE_VALUE})
        except ParameterRefusedError:
            continue
        raise UsageError(f"{config.engine} refuses parameter {name}: it has no option of this name")
