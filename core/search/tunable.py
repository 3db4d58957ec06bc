"""The listing of `--tunable`: the hidden options of a player as a file for `pentad tune spsa`.

engine = "player=pentad"
game = "hive"
tc = "N=2000"
iterations = 1000

[parameters]
# reverse futility pruning: evaluation units per ply of depth (default 60)
rfp_margin = {value = 60, min = 0, max = 2000, step = 10, type = "int"}
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from core.play.options import Option, OptionError, OptionSet, Value

TUNING_NODES = 2000  # nodes per move of the games in the listing: some milliseconds
ITERATIONS = 1000


@dataclass(frozen=True)
class TuningTarget:
    """What a tuning run needs to know of a bot besides its options."""

    game: str
    nodes: int = TUNING_NODES  # per move
    option_prefix: str = ""  # before the option names of the executable, such as `player.` in GTP


def format_tunable(target: TuningTarget, player: str, options: OptionSet) -> str:
    """Return the listing for a player with these options; raise OptionError if it has no constants to tune.

    The values are the present ones. Constants without effect under the other options are left out, and options that
    differ from their defaults become options of the engine.
    """
    tunable = [option for option in options.hidden_options() if _has_effect(option, options)]
    if not tunable:
        raise OptionError(f"player {player} has no constants to tune")
    is_executable = bool(getattr(sys, "frozen", False))
    prefix = target.option_prefix if is_executable else ""
    lines = [
        "# Constants of the search, for `pentad tune spsa FILE`. Each is an option that --help leaves out.",
        f"engine = {_format_engine(player, options, prefix, is_executable)}",
        f'game = "{target.game}"',
        f'tc = "N={target.nodes}"  # nodes per move',
        f"iterations = {ITERATIONS}",
        "",
        "[parameters]",
    ]
    for option in tunable:
        lines += [
            f"# {option.help} (default {_format_value(option.default)})",
            _format_parameter(option, options, prefix),
        ]
    return "\n".join(lines)


def _has_effect(option: Option, options: OptionSet) -> bool:
    return option.only_with is None or options[option.only_with[0]] == option.only_with[1]


def _format_engine(player: str, options: OptionSet, prefix: str, is_executable: bool) -> str:
    """Return the engine as a TOML value: this executable, or the player if the bot runs from its source."""
    given = {prefix + name: options[name] for name in options if options[name] != options.get_option(name).default}
    if not is_executable:
        if not given:
            return _format_value(f"player={player}")
        return _format_table({"player": player}, given)
    return _format_table({"cmd": f"{_quote(sys.executable)} --player {player}"}, given)


def _quote(path: str) -> str:
    """Quote a path for a command line, by hand on Windows: executables lack `subprocess`, and paths have no quotes."""
    if sys.platform == "win32":
        return f'"{path}"'
    from shlex import quote

    return quote(path)


def _format_table(engine: dict[str, str], options: dict[str, Value]) -> str:
    fields = [f"{name} = {_format_value(value)}" for name, value in engine.items()]
    if options:
        pairs = ", ".join(f"{_format_key(name)} = {_format_value(value)}" for name, value in options.items())
        fields.append(f"options = {{{pairs}}}")
    return f"{{{', '.join(fields)}}}"


def _format_parameter(option: Option, options: OptionSet, prefix: str) -> str:
    numbers = {"value": options[option.name], "min": option.minimum, "max": option.maximum, "step": option.step}
    fields = ", ".join(f"{key} = {number!r}" for key, number in numbers.items())
    kind = "int" if isinstance(option.default, int) else "float"
    return f'{_format_key(prefix + option.name)} = {{{fields}, type = "{kind}"}}'


def _format_key(name: str) -> str:
    return _format_value(name) if "." in name else name


def _format_value(value: Value) -> str:
    """Return a value as TOML; texts are quoted as in JSON, whose escapes TOML shares."""
    return json.dumps(value, ensure_ascii=False)
