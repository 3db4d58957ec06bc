"""Parses and formats lines of GTP, for both the session and the client. Pure functions.

A command is `[id] name [arguments...]`, such as `3 play black d4`. A response begins with `=3` or, for an error, with
`?3 illegal move`; further lines may follow, and an empty line ends it. Moves and positions are parsed by the game
(`protocols/gtp/game.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.play.options import Option, Value
from core.play.player import IllegalMove, Progress
from core.play.squares import COLUMN_LETTERS, format_square, parse_square
from protocols.text import CommandError, format_score, parse_number, parse_score, quote_argument

INTERRUPT = "interrupt"  # text of the comment line that stops the running command
EMPTY_LINE_SUBSTITUTE = " "  # written for an empty line of a response, which would end it
MAX_SECONDS = 10_000_000  # longer times are cut to this (four months)

_ID = re.compile(r"[0-9]{1,18}")
_RESPONSE = re.compile(r"([=?])([0-9]*)(?:\s+(.*))?")
_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,12})?")
_KOMI = re.compile(r"[+-]?(?:[0-9]{1,12}\.?[0-9]{0,12}|\.[0-9]{1,12})")
_PARAMETER = re.compile(r"\[(bool|string|list(?:/[^\]]*)?)\] +(\S+) ?(.*)")  # see `format_parameter`
_UNPRINTABLE = re.compile(r"[^ -~]")
_TRUE_FALSE = ("0", "1")
_GO_LETTERS = COLUMN_LETTERS.replace("i", "")


@dataclass(frozen=True)
class Request:
    """A parsed command line. `id` is the text that was received, with leading zeros; empty if there was none.

    `name` is empty if the line has only an id.
    """

    name: str
    arguments: tuple[str, ...] = ()
    id: str = ""

    @property
    def rest(self) -> str:
        """Return the arguments as one text, separated by single spaces."""
        return " ".join(self.arguments)


@dataclass(frozen=True)
class Response:
    """A response. `text` holds its lines without `=` or `?` and the id."""

    ok: bool  # False for an error
    text: str
    id: str = ""


def parse_line(line: str) -> Request | None:
    """Parse a command line; return None if it is blank or only a comment."""
    words = line.partition("#")[0].split()
    if not words:
        return None
    request_id = words.pop(0) if _ID.fullmatch(words[0]) else ""
    return Request(words[0] if words else "", tuple(words[1:]), request_id)


def is_interrupt(line: str) -> bool:
    """Return whether a line is the comment `# interrupt`."""
    command, hash_sign, comment = line.partition("#")
    return bool(hash_sign) and not command.strip() and comment.strip().lower() == INTERRUPT


def format_response(response: Response) -> str:
    """Return the response with the empty line that ends it, but without the last line end, which the writer adds.

    An empty line in the text becomes a line with a space. Characters that are not printable ASCII become `?`.
    """
    first, *others = (_clean_line(line) for line in response.text.split("\n"))
    head = f"{'=' if response.ok else '?'}{response.id} {first}".rstrip()
    return "\n".join([head, *(line.rstrip() or EMPTY_LINE_SUBSTITUTE for line in others), ""])


def parse_response(lines: Sequence[str]) -> Response | None:
    """Parse a response without its last, empty line; return None if the first line cannot begin a response."""
    match = _RESPONSE.fullmatch(lines[0].rstrip()) if lines else None
    if not match:
        return None
    return Response(match[1] == "=", "\n".join([match[3] or "", *lines[1:]]).strip(), match[2])


def parse_size(arguments: Sequence[str]) -> tuple[int, int] | None:
    """Parse `N`, `W H` or `W:H` and return (width, height), which may be out of range; None for other arguments."""
    words = arguments[0].split(":") if len(arguments) == 1 else list(arguments)
    numbers = [parse_number(word) for word in words]
    sides = [number for number in numbers if number is not None]
    if len(sides) != len(words) or len(words) not in (1, 2):
        return None
    return sides[0], sides[-1]


def parse_seconds(command: str, text: str) -> int:
    """Parse seconds, with or without decimals, and return milliseconds; raise CommandError for other texts."""
    if not _SECONDS.fullmatch(text):
        raise CommandError(f"{command} seconds must be a number such as 2.5, not {quote_argument(text)}")
    return int(min(float(text), MAX_SECONDS) * 1000)


def check_komi(text: str) -> None:
    """Raise CommandError if the argument of `komi` is not a number."""
    if not _KOMI.fullmatch(text):
        raise CommandError(f"komi must be a number, not {quote_argument(text)}")


def format_seconds(time_ms: int) -> str:
    """Format milliseconds as seconds, with up to three decimals and no trailing zeros."""
    return f"{max(0, time_ms) / 1000:.3f}".rstrip("0").rstrip(".")


def format_search_info(progress: Progress, pv: Sequence[str]) -> str:
    """Return search info as name-value pairs, such as `depth 5 score 12 nodes 900 time 0.2 pv c3 d4`.

    `pv` holds the moves in the controller's notation. The time is in seconds.
    """
    score = format_score(progress)
    numbers = f"depth {progress.depth} score {score} nodes {progress.nodes} time {format_seconds(progress.time_ms)}"
    return f"{numbers} pv {' '.join(pv)}" if pv else numbers


def parse_search_info(text: str) -> Progress:
    """Parse the output of `format_search_info`; fields that are missing or malformed keep their defaults."""
    head, _, pv = text.partition("pv ")
    words = head.split()
    value_by_name = dict(zip(words[::2], words[1::2], strict=False))
    depth, nodes = parse_number(value_by_name.get("depth", "")), parse_number(value_by_name.get("nodes", ""))
    time_ms = int(float(value_by_name["time"]) * 1000) if _SECONDS.fullmatch(value_by_name.get("time", "")) else 0
    score = parse_score(value_by_name.get("score", ""))
    return replace(score, depth=depth or 0, nodes=nodes or 0, time_ms=time_ms, pv=tuple(pv.split()))


def format_parameter(option: Option, value: Value) -> str:
    """Return a parameter line: `[bool] book 1`, `[list/calm/wild] style calm` or `[string] level 10`."""
    if isinstance(value, bool):
        return f"[bool] {option.name} {int(value)}"
    kind = "/".join(["list", *option.choices]) if option.choices else "string"
    return f"[{kind}] {option.name} {value}".rstrip()


def parse_parameter(line: str) -> Option | None:
    """Parse a parameter line and return an Option whose default is the current value; None if it is malformed."""
    match = _PARAMETER.fullmatch(line.strip())
    if not match:
        return None
    kind, name, value = match[1], match[2], match[3].strip()
    if kind == "bool" and value in _TRUE_FALSE:
        return Option(name, value == "1", "bool of the engine")
    choices = tuple(kind.split("/")[1:]) if value in kind.split("/")[1:] else ()
    return Option(name, value, f"{kind.partition('/')[0]} of the engine", choices=choices)


def to_go_square(move: str, height: int) -> str:
    """Convert a square to Go coordinates: no column i, rows from the bottom.

    Return other texts, and squares beyond the last letter, unchanged.
    """
    point = parse_square(move)
    if point is None or point[0] >= len(_GO_LETTERS):
        return move
    return f"{_GO_LETTERS[point[0]].upper()}{height - point[1]}"


def from_go_square(text: str, height: int) -> str:
    """Convert a square from Go coordinates. Return other texts unchanged.

    Raise IllegalMove if the square is in column i or above the board.
    """
    point = parse_square(text)
    if point is None:
        return text
    letter = text[0].lower()
    if letter not in _GO_LETTERS:
        raise IllegalMove(f"{text} is not a square: Go's coordinates skip the letter {letter}")
    if point[1] >= height:
        raise IllegalMove(f"{text} is off the board")
    return format_square(_GO_LETTERS.index(letter), height - point[1] - 1)


def _clean_line(line: str) -> str:
    """Replace tabs by spaces and characters other than printable ASCII by `?`."""
    return _UNPRINTABLE.sub("?", line.replace("\t", " "))
