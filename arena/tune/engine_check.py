"""Check before the first game that the engine takes its parameters, by setting each to its start value and its bounds.

UHP and GTP engines answer each command, and players are asked directly. Gomocup's INFO has no answer: our own engine
names values that it refuses in a message with its next move, and so tells which options it knows. Other engines may
ignore an option without a word, which is reported as a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.errors import CommandFailedError, UsageError
from arena.referee.participant import set_parameter
from arena.terms.tuning import TunedParameter
from arena.tune.config import TuneConfig
from core.play.options import OptionError
from core.play.player import BadSetup, IllegalMove, Limits, Player, Setup
from protocols.driving.process import EngineError
from protocols.gomocup.client import GomocupClient

PROBE_VALUE = "?"  # no number, so that our own engine refuses it
PROBE_MOVE_MS = 10
OUR_GOMOCUP_NAME = "pentad"  # in the answer to ABOUT, in lower case
OUR_WARNINGS = ("must be", "out of range")
REFUSALS = ("ERROR", "UNKNOWN")  # first words of the lines with which a Gomocup engine refuses a command


def check_tuned_engine(config: TuneConfig) -> list[str]:
    """Return warnings about parameters that cannot be checked; raise UsageError for a parameter that is refused.

    Raise CommandFailedError if the engine cannot start.
    """
    try:
        player = config.match.make_player(config.match.engines[0])
        try:
            if isinstance(player, GomocupClient):
                return list(_check_gomocup(config, player))
            player.new_game(config.match.setup)
            for parameter in config.parameters:
                _check_parameter(config, player, parameter)
        finally:
            player.close()
    except (EngineError, BadSetup, IllegalMove) as error:
        raise CommandFailedError(f"{config.engine} could not start: {error}") from None
    return []


def _check_parameter(config: TuneConfig, player: Player, parameter: TunedParameter) -> None:
    for value in (parameter.min, parameter.max, parameter.value):
        text = parameter.format(value)
        try:
            set_parameter(player, parameter.name, text)
        except OptionError as error:
            raise UsageError(f"{config.engine} refuses parameter {parameter.name}={text}: {error}") from None


def _check_gomocup(config: TuneConfig, client: GomocupClient) -> Iterator[str]:
    """Yield warnings about unknown parameters of an engine that answers nothing to INFO; raise UsageError if it can."""
    for parameter in config.parameters:
        _check_parameter(config, client, parameter)  # options of the client itself, such as `threads`
    for index in range(3):
        values = {
            parameter.name: parameter.format((parameter.min, parameter.max, parameter.value)[index])
            for parameter in config.parameters
        }
        lines = _messages_after(client, config.match.setup, values)
        is_ours = client.about.get("name", "").lower().startswith(OUR_GOMOCUP_NAME)
        for name, value in values.items():
            answer = _find_answer(lines, name, is_ours=is_ours)
            if answer:
                raise UsageError(f"{config.engine} refuses parameter {name}={value}: {answer}")
    undeclared = [parameter.name for parameter in config.parameters if parameter.name not in client.options]
    if not undeclared:
        return
    if not is_ours:
        yield (
            f"{config.engine} does not say whether it knows {', '.join(undeclared)}: in the Gomocup protocol an engine"
            " ignores INFO keys that it does not know"
        )
        return
    lines = _messages_after(client, config.match.setup, dict.fromkeys(undeclared, PROBE_VALUE))
    for name in undeclared:
        if not _find_answer(lines, name, is_ours=True):
            raise UsageError(f"{config.engine} refuses parameter {name}: it has no option of this name")


def _messages_after(client: GomocupClient, setup: Setup, values: dict[str, str]) -> list[str]:
    """Return the lines that an engine prints in a game with these parameters, up to its first move."""
    for name, value in values.items():
        client.set_parameter(name, value)
    client.new_game(setup)
    lines = list(client.messages)
    client.choose(Limits(move_time_ms=PROBE_MOVE_MS, nodes=1))
    return [*lines, *client.messages]


def _find_answer(lines: list[str], name: str, *, is_ours: bool) -> str:
    """Return the line that refuses a value of an option, empty if there is none.

    Lines of our own engine may also be warnings, in one of its phrases.
    """
    for line in lines:
        words = line.replace("=", " ").lower().split()
        is_refusal = words[:1] != [] and words[0].upper() in REFUSALS
        if name.lower() in words and (is_refusal or (is_ours and any(phrase in line for phrase in OUR_WARNINGS))):
            return line
    return ""
