"""Parse and format UHP lines. Pure functions, used by both the engine side and the client.

Game types, GameStrings and moves are parsed by the game (`bots/hive/notation.py`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from core.play.options import Option, Value
from core.play.player import Limits, Progress
from protocols.text import CommandError, clean_text, format_score, parse_number, parse_score, quote_argument

OK = "ok"  # last line of every response
ERROR, INVALID_MOVE = "err", "invalidmove"  # first words of error lines
PASS = "pass"
MAX_INTEGER = 2147483647  # viewers read option values as 32-bit numbers

_DURATION = re.compile(r"([0-9]{1,4}):([0-9]{1,2}):([0-9]{1,2})(?:\.([0-9]{1,9}))?")
_MOVE = re.compile(r"pass|[wb][QSBGAMLP][123]?(?: [-/\\]?[wb][QSBGAMLP][123]?[-/\\]?)?", re.IGNORECASE)


def split_command(line: str) -> tuple[str, str]:
    """Return the command word in lower case and its arguments, single-spaced; two empty strings for a blank line."""
    words = line.split()
    return (words[0].lower(), " ".join(words[1:])) if words else ("", "")


def is_move(text: str) -> bool:
    """True if a text has the form of a MoveString, such as `wA1 -bQ`; the move may still be illegal."""
    return _MOVE.fullmatch(text) is not None


def game_state(game: str) -> str:
    """Return the state field of a GameString, such as `InProgress`; empty if the text is not a GameString."""
    fields = game.split(";")
    return fields[1] if len(fields) > 2 else ""


def format_error(error: Exception, word: str = ERROR) -> str:
    """Format an error as one line, even if its message has several."""
    return f"{word} {clean_text(str(error))}".strip()


def format_info(name: str, version: str, expansions: Sequence[str]) -> list[str]:
    """Return the response to `info`, which an engine also prints at its start."""
    return [clean_text(f"id {name} {version}"), ";".join(expansions)]


def parse_info(lines: Sequence[str]) -> dict[str, str]:
    """Return `name`, `version` and `capabilities` from a response to `info`; empty if it has no `id` line."""
    for number, line in enumerate(lines):
        word, rest = split_command(line)
        if word == "id":
            name, _, version = rest.rpartition(" ")
            capabilities = lines[number + 1] if number + 1 < len(lines) else ""
            return {"name": name or version, "version": version if name else "", "capabilities": capabilities}
    return {}


def parse_duration_ms(text: str) -> int | None:
    """Parse `hh:mm:ss` or `hh:mm:ss.fraction` to milliseconds; None for anything else.

    Short forms are refused as ambiguous: Mzinga reads `1` as one day, other engines as a second.
    """
    match = _DURATION.fullmatch(text)
    if not match:
        return None
    hours, minutes, seconds = (int(match[number]) for number in (1, 2, 3))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int((match[4] or "0").ljust(9, "0")) // 1_000_000


def format_duration(duration_ms: int) -> str:
    """Format milliseconds as `hh:mm:ss`, with a fraction only if there is one."""
    seconds, rest_ms = divmod(max(0, duration_ms), 1000)
    whole = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}.{rest_ms:03}" if rest_ms else whole


def parse_limits(command: str, text: str) -> Limits | None:
    """Parse `time hh:mm:ss` or `depth N`; None for an empty text; raise CommandError for anything else."""
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
    """Parse the number argument of a command; `default` if there is none; raise CommandError below `low`."""
    number = parse_number(text) if text else default
    if number is None or number < low:
        raise CommandError(f"{command} number must be a whole number from {low}, not {quote_argument(text)}")
    return number


def format_search_info(move: str, progress: Progress) -> str:
    """Format a search info line as Mzinga does, `move;depth;score;pv`, with semicolons between the moves of the PV."""
    return ";".join([move, str(progress.depth), format_score(progress), *progress.pv])


def parse_search_info(line: str) -> tuple[str, Progress | None]:
    """Return the move of a `bestmove` line and, if the engine appended them, depth, score and PV; else None."""
    move, *fields = (field.strip() for field in line.split(";"))
    depth = parse_number(fields[0]) if fields else None
    if depth is None:
        return move, None
    told = parse_score(fields[1] if len(fields) > 1 else "")
    return move, replace(told, depth=depth, pv=tuple(filter(None, fields[2:])))


def format_nodes(nodes: int) -> str:
    """Format the node count of a search: an extension of UHP."""
    return f"nodes {nodes}"


def parse_nodes(line: str) -> int | None:
    """Parse a line `nodes N`; None for any other line."""
    match = re.fullmatch(r"nodes ([0-9]{1,18})", line.strip())
    return int(match[1]) if match else None


def format_perft(depth: int, nodes: int, time_ms: int) -> list[str]:
    """Format one depth of a `perft` response: a line as Mzinga prints it, and a table row for scripts."""
    rate = nodes / max(1, time_ms)
    row = f"{depth:>5} {nodes:>15} {f'{time_ms}ms':>11} {rate:>11.1f}"  # as minimax, the library below nokamute
    return [f"perft({depth}) = {nodes} in {time_ms} ms. {int(rate)} KN/s", row]


def format_option(option: Option, value: Value) -> str:
    """Format an option: `name;type;value;default`, then its bounds or choices if it has any."""
    fields = [_type_of(option), str(value), str(option.default)]
    if option.choices:
        fields += option.choices
    elif fields[0] in ("int", "double"):
        fields += [_format_limit(option.minimum, -MAX_INTEGER), _format_limit(option.maximum, MAX_INTEGER)]
    return clean_text(";".join([option_name(option), *fields]), length=1000)


def option_name(option: Option) -> str:
    """Return the option's name as UHP spells it, with a capital letter."""
    return option.name[:1].upper() + option.name[1:]


def _type_of(option: Option) -> str:
    if option.choices:
        return "enum"
    return {bool: "bool", int: "int", float: "double"}.get(type(option.default), "string")


def _format_limit(limit: float | None, otherwise: int) -> str:
    return f"{otherwise if limit is None else limit:.15g}"


def parse_option(line: str) -> tuple[Option, str] | None:
    """Parse an option line to its declaration and current value; None if it is malformed."""
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
    """Parse the value of an option of this type; raise ValueError."""
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
    """Parse a finite number of at most 40 characters; raise ValueError."""
    number = float(text) if len(text) <= 40 and text.isascii() and "_" not in text else float("nan")
    if not math.isfinite(number):
        raise ValueError(text)
    return number
