"""Parses and formats lines of the Universal Hive Protocol (UHP), for both the session and the client. Pure functions.

GameTypeStrings, GameStrings and MoveStrings are parsed by the game (`bots/hive/notation.py`).
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
MAX_INTEGER = 2147483647  # viewers read option values as 32-bit integers

_DURATION = re.compile(r"([0-9]{1,4}):([0-9]{1,2}):([0-9]{1,2})(?:\.([0-9]{1,9}))?")
_MOVE = re.compile(r"pass|[wb][QSBGAMLP][123]?(?: [-/\\]?[wb][QSBGAMLP][123]?[-/\\]?)?", re.IGNORECASE)


def split_command(line: str) -> tuple[str, str]:
    """Return the command word in lower case and its arguments with single spaces; two empty strings if blank."""
    words = line.split()
    return (words[0].lower(), " ".join(words[1:])) if words else ("", "")


def is_move(text: str) -> bool:
    """Return whether a text has the form of a MoveString, such as `wA1 -bQ`; the move may still be illegal."""
    return _MOVE.fullmatch(text) is not None


def game_state(game: str) -> str:
    """Return the state in a GameString: `InProgress` in `Base;InProgress;Black[1]`; empty if it has under 3 fields."""
    fields = game.split(";")
    return fields[1] if len(fields) > 2 else ""


def format_error(error: Exception, word: str = ERROR) -> str:
    """Return an error line such as `err the game is over`; a message of several lines becomes one line."""
    return f"{word} {clean_text(str(error))}".strip()


def format_info(name: str, version: str, expansions: Sequence[str]) -> list[str]:
    """Return the response to `info`, which is also the banner: `id Pentad 1.0`, then `Mosquito;Ladybug;Pillbug`."""
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
    """Parse `hh:mm:ss` or `hh:mm:ss.fraction` and return milliseconds; None for other texts.

    Short forms are refused because they are ambiguous: Mzinga reads `1` as one day, other engines as one second.
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
    """Parse `time hh:mm:ss` or `depth N`; return None for an empty text, and raise CommandError for other texts.

    `depth 0` asks for a move at once: it becomes a move time of 0.
    """
    if not text:
        return None
    kind, _, value = text.partition(" ")
    if kind.lower() == "time" and (duration_ms := parse_duration_ms(value)) is not None:
        return Limits(move_time_ms=duration_ms)
    depth = parse_number(value)
    if kind.lower() == "depth" and depth is not None and depth >= 0:
        return Limits(depth=depth) if depth else Limits(move_time_ms=0)
    raise CommandError(f"{command} needs: time hh:mm:ss, or depth N; not {quote_argument(text)}")


def parse_count(command: str, text: str, default: int, minimum: int) -> int:
    """Parse the number of a command; an empty text means `default`.

    Raise CommandError if it is below `minimum` or not an integer.
    """
    number = parse_number(text) if text else default
    if number is None or number < minimum:
        raise CommandError(f"{command} number must be a whole number from {minimum}, not {quote_argument(text)}")
    return number


def format_search_info(move: str, progress: Progress) -> str:
    """Return a line of search info in Mzinga's format: `move;depth;score` and the moves of the PV after semicolons."""
    return ";".join([move, str(progress.depth), format_score(progress), *progress.pv])


def parse_search_info(line: str) -> tuple[str, Progress | None]:
    """Parse a line `wA1`, or with search info `wA1;4;-15;wA1;bA1`; return the move and the search info or None."""
    move, *fields = (field.strip() for field in line.split(";"))
    depth = parse_number(fields[0]) if fields else None
    if depth is None:
        return move, None
    score = parse_score(fields[1] if len(fields) > 1 else "")
    return move, replace(score, depth=depth, pv=tuple(filter(None, fields[2:])))


def format_nodes(nodes: int) -> str:
    """Return the line `nodes N` with the node count of a search, by which our engines extend UHP."""
    return f"nodes {nodes}"


def parse_nodes(line: str) -> int | None:
    """Parse a line `nodes N`; return None for other lines."""
    match = re.fullmatch(r"nodes ([0-9]{1,18})", line.strip())
    return int(match[1]) if match else None


def format_perft(depth: int, nodes: int, time_ms: int) -> list[str]:
    """Return the two lines of a `perft` response for one depth: one in Mzinga's format, one in nokamute's."""
    nodes_per_ms = nodes / max(1, time_ms)
    nokamute_row = f"{depth:>5} {nodes:>15} {f'{time_ms}ms':>11} {nodes_per_ms:>11.1f}"
    return [f"perft({depth}) = {nodes} in {time_ms} ms. {int(nodes_per_ms)} KN/s", nokamute_row]


def format_option(option: Option, value: Value) -> str:
    """Return an option's line: `Level;int;3;10;1;10` (name, type, value, default, then bounds or choices if any)."""
    fields = [_type_name(option), str(value), str(option.default)]
    if option.choices:
        fields += option.choices
    elif fields[0] in ("int", "double"):
        fields += [_format_limit(option.minimum, -MAX_INTEGER), _format_limit(option.maximum, MAX_INTEGER)]
    return clean_text(";".join([option_name(option), *fields]), length=1000)


def option_name(option: Option) -> str:
    """Return the option's name with a capital letter, as usual in UHP."""
    return option.name[:1].upper() + option.name[1:]


def _type_name(option: Option) -> str:
    if option.choices:
        return "enum"
    return {bool: "bool", int: "int", float: "double"}.get(type(option.default), "string")


def _format_limit(limit: float | None, default: int) -> str:
    return f"{default if limit is None else limit:.15g}"


def parse_option(line: str) -> tuple[Option, str] | None:
    """Parse an option's line and return the option and its current value; None if the line is malformed."""
    fields = [field.strip() for field in line.split(";")]
    if len(fields) < 4 or not fields[0]:
        return None
    name, kind, value, default, *rest = fields
    choices = tuple(rest) if kind == "enum" else ()
    limits = rest if kind in ("int", "double") and len(rest) == 2 else []
    try:
        minimum, maximum = (_parse_float(limits[0]), _parse_float(limits[1])) if limits else (None, None)
        default_value = _parse_value(kind, default)
    except ValueError:
        return None
    return Option(name, default_value, f"{kind} of the engine", minimum, maximum, choices), value


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
