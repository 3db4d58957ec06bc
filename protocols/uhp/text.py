"""UHP text: lines to values and back, without I/O and without state. Both sides of the protocol use it.

What belongs to Hive itself - game types, GameStrings, moves - is the game's business (`bots/hive/notation.py`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from core.play.options import Option, Value
from core.play.player import Limits, Progress
from protocols.text import CommandError, clean_text, format_score, parse_number, parse_score, quote_argument

OK = "ok"  # the whole last line of every response
ERROR, INVALID_MOVE = "err", "invalidmove"  # first words of the lines that tell of a failure
PASS = "pass"
MAX_INTEGER = 2147483647  # viewers read option values as 32-bit numbers

_DURATION = re.compile(r"([0-9]{1,4}):([0-9]{1,2}):([0-9]{1,2})(?:\.([0-9]{1,9}))?")
_MOVE = re.compile(r"pass|[wb][QSBGAMLP][123]?(?: [-/\\]?[wb][QSBGAMLP][123]?[-/\\]?)?", re.IGNORECASE)


def split_command(line: str) -> tuple[str, str]:
    """Command word in lower case and its arguments with single blanks; two empty texts for a blank line."""
    words = line.split()
    return (words[0].lower(), " ".join(words[1:])) if words else ("", "")


def is_move(text: str) -> bool:
    """Whether a text has the form of a MoveString; whether it can be played is the game's question."""
    return _MOVE.fullmatch(text) is not None


def game_state(game: str) -> str:
    """The state field of a GameString, empty where the text is none."""
    fields = game.split(";")
    return fields[1] if len(fields) > 2 else ""


def format_error(error: Exception, word: str = ERROR) -> str:
    """The line that tells of a failure, one line whatever the error's text holds."""
    return f"{word} {clean_text(str(error))}".strip()


def format_info(name: str, version: str, expansions: Sequence[str]) -> list[str]:
    """The response to `info`, which is also the banner."""
    return [clean_text(f"id {name} {version}"), ";".join(expansions)]


def parse_info(lines: Sequence[str]) -> dict[str, str]:
    """`name`, `version` and `capabilities` from a response to `info`; empty where it has no `id` line."""
    for number, line in enumerate(lines):
        word, rest = split_command(line)
        if word == "id":
            name, _, version = rest.rpartition(" ")
            capabilities = lines[number + 1] if number + 1 < len(lines) else ""
            return {"name": name or version, "version": version if name else "", "capabilities": capabilities}
    return {}


def parse_duration_ms(text: str) -> int | None:
    """Milliseconds of `hh:mm:ss`, maybe with a fraction; None for anything else, also for the short forms.

    The reference engine reads `1` as one day, others as a second, so nobody can mean it.
    """
    match = _DURATION.fullmatch(text)
    if not match:
        return None
    hours, minutes, seconds = (int(match[number]) for number in (1, 2, 3))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int((match[4] or "0").ljust(9, "0")) // 1_000_000


def format_duration(duration_ms: int) -> str:
    """`hh:mm:ss`, with a fraction only where there is one."""
    seconds, rest_ms = divmod(max(0, duration_ms), 1000)
    whole = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}.{rest_ms:03}" if rest_ms else whole


def parse_limits(command: str, text: str) -> Limits | None:
    """Limits of `time hh:mm:ss` or `depth N`, None where nothing is given; raise CommandError for anything else."""
    if not text:
        return None
    kind, _, value = text.partition(" ")
    if kind.lower() == "time" and (duration_ms := parse_duration_ms(value)) is not None:
        return Limits(move_time_ms=duration_ms)
    depth = parse_number(value)
    if kind.lower() == "depth" and depth is not None and depth >= 0:
        return Limits(depth=depth) if depth else Limits(move_time_ms=0)
    raise CommandError(f"{command} needs: time hh:mm:ss, or depth N; not {quote_argument(text)}")


def parse_count(command: str, text: str, default: int, low: int) -> int:
    """The whole number that a command takes, `default` where none is given; raise CommandError."""
    number = parse_number(text) if text else default
    if number is None or number < low:
        raise CommandError(f"{command} needs a whole number from {low}, not {quote_argument(text)}")
    return number


def format_thought(move: str, progress: Progress) -> str:
    """An interim choice in the reference engine's form: move;depth;score;pv, the pv separated by semicolons too."""
    return ";".join([move, str(progress.depth), format_score(progress), *progress.pv])


def parse_thought(line: str) -> tuple[str, Progress | None]:
    """Move of a `bestmove` line and, where the engine appended them, depth, score and pv."""
    move, *fields = (field.strip() for field in line.split(";"))
    depth = parse_number(fields[0]) if fields else None
    if depth is None:
        return move, None
    told = parse_score(fields[1] if len(fields) > 1 else "")
    return move, replace(told, depth=depth, pv=tuple(filter(None, fields[2:])))


def format_nodes(nodes: int) -> str:
    """The line that tells how many positions a search has seen, which plain UHP has no word for."""
    return f"nodes {nodes}"


def parse_nodes(line: str) -> int | None:
    """The number of such a line, None for any other line."""
    match = re.fullmatch(r"nodes ([0-9]{1,18})", line.strip())
    return int(match[1]) if match else None


def format_perft(depth: int, nodes: int, time_ms: int) -> list[str]:
    """A depth of a `perft` response: the reference engine's line, and the row of a table, which scripts read."""
    rate = nodes / max(1, time_ms)
    row = f"{depth:>5} {nodes:>15} {f'{time_ms}ms':>11} {rate:>11.1f}"  # as minimax, the library below nokamute
    return [f"perft({depth}) = {nodes} in {time_ms} ms. {int(rate)} KN/s", row]


def format_option(option: Option, value: Value) -> str:
    """The line of an option: name, type, value, default and, where the type has them, limits or choices."""
    fields = [_type_of(option), str(value), str(option.default)]
    if option.choices:
        fields += option.choices
    elif fields[0] in ("int", "double"):
        fields += [_format_limit(option.minimum, -MAX_INTEGER), _format_limit(option.maximum, MAX_INTEGER)]
    return clean_text(";".join([option_name(option), *fields]), length=1000)


def option_name(option: Option) -> str:
    """How the protocol spells the name of an option."""
    return option.name[:1].upper() + option.name[1:]


def _type_of(option: Option) -> str:
    if option.choices:
        return "enum"
    return {bool: "bool", int: "int", float: "double"}.get(type(option.default), "string")


def _format_limit(limit: float | None, otherwise: int) -> str:
    return f"{otherwise if limit is None else limit:.15g}"


def parse_option(line: str) -> tuple[Option, str] | None:
    """Declaration and present value of an option's line; None where the line is no such thing."""
    fields = [field.strip() for field in line.split(";")]
    if len(fields) < 4 or not fields[0]:
        return None
    name, kind, value, default, *rest = fields
    choices = tuple(rest) if kind == "enum" else ()
    limits = rest if kind in ("int", "double") and len(rest) == 2 else []
    try:
        low, high = (_parse_float(limits[0]), _parse_float(limits[1])) if limits else (None, None)
        typed = _parse_value(kind, default)
    except ValueError:
        return None
    return Option(name, typed, f"{kind} of the engine", low, high, choices), value


def _parse_value(kind: str, text: str) -> Value:
    """A value of a listed option; raise ValueError."""
    if kind == "bool" and text.lower() not in ("true", "false"):
        raise ValueError(text)
    if kind == "bool":
        return text.lower() == "true"
    if kind == "int":
        number = parse_number(text)
        if number is None:
            raise ValueError(text)
        return number
    return _parse_float(text) if kind == "double" else text


def _parse_float(text: str) -> float:
    """A number that is one: not infinite, not of thousands of digits; raise ValueError."""
    number = float(text) if len(text) <= 40 and text.isascii() and "_" not in text else float("nan")
    if not math.isfinite(number):
        raise ValueError(text)
    return number
