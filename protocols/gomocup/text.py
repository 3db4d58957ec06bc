"""Gomocup text: lines to values and back, without I/O and without state. Both sides of the protocol use it.

A point is (column, row), both from 0, as on the wire; players know it by its square name (`core.play.squares`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.play.player import Progress
from core.play.squares import parse_square
from protocols.text import CommandError, clean_text, format_score, parse_score, quote_argument

Point = tuple[int, int]

OWN, OPPONENT, WALL = 1, 2, 3  # third field of a BOARD line
PASSED: Point = (-1, -1)  # in a line of play: a turn without a stone
CONTINUOUS, RENJU = 2, 4  # bits of the rule number
YIXIN_RENJU = 2  # the number of GUIs that speak of one rule at a time
SWAP = "SWAP"  # the answer to SWAP2BOARD that takes the other colour
UNLIMITED_MS = 2147483647  # time_left of a game without a clock

_POINT = re.compile(r"([+-]?[0-9]{1,4})\s*,\s*([+-]?[0-9]{1,4})")
_STONE = re.compile(r"([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})")
_ABOUT_FIELD = re.compile(r'\b(\w+)\s*=\s*"([^"]*)"')  # from the beginning of a word: a line of letters takes no time


@dataclass(frozen=True)
class About:
    """What the ABOUT line says of a program."""

    name: str = "Pentad"
    version: str = "0.1.0"
    author: str = "Pentad maintainers"
    country: str = "-"


def split_command(line: str) -> tuple[str, str]:
    """Command word in upper case and the rest of the line; two empty texts for a blank line."""
    word, _, rest = line.strip().partition(" ")
    return word.upper(), rest.strip()


def parse_point(text: str) -> Point | None:
    """The two numbers of `x,y`, which may lie outside any board, or None where the text is something else."""
    match = _POINT.fullmatch(text.strip())
    return (int(match[1]), int(match[2])) if match else None


def format_point(point: Point) -> str:
    """The wire form of a point: `x,y` without a blank."""
    return f"{point[0]},{point[1]}"


def parse_stone(text: str) -> tuple[Point, int]:
    """Point and field of a BOARD line; raise CommandError."""
    match = _STONE.fullmatch(text.strip())
    if not match or not OWN <= int(match[3]) <= WALL:
        raise CommandError(f"BOARD wants lines x,y,field with field 1, 2 or 3, not {quote_argument(text)}")
    return (int(match[1]), int(match[2])), int(match[3])


def check_point(command: str, point: Point | None, text: str, width: int, height: int) -> Point:
    """Return the point of a command where it lies on the board; raise CommandError."""
    if point is None:
        raise CommandError(f"{command} wants coordinates x,y, not {quote_argument(text)}")
    if not (0 <= point[0] < width and 0 <= point[1] < height):
        raise CommandError(
            f"coordinates outside the board: {command} wants x,y on {width}x{height}, not {format_point(point)}"
        )
    return point


def colour_walls(stones: Sequence[tuple[Point, int]], *, we_move: bool) -> list[tuple[Point, int]]:
    """Make walls stones of the colour that lacks them, as many as `order_stones` wants.

    The stones of a five that a continuous game goes on after come as walls, and their colour is not told.
    """
    counts = Counter(field for _, field in stones)
    surplus = counts[OWN] - counts[OPPONENT]
    colour, lacking = (OWN, -1 - surplus) if surplus < 0 else (OPPONENT, surplus - (0 if we_move else 1))
    walls = [point for point, field in stones if field == WALL]
    coloured = set(walls[: max(lacking, 0)])
    return [(point, colour if point in coloured else field) for point, field in stones]


def order_stones(stones: Sequence[tuple[Point, int]], *, we_move: bool) -> list[Point]:
    """Return a line of play that leads to own and opponent's stones, black first, with own stones to move after it.

    The first stone is black's if the colours alternate: renju and openings depend on that order. Otherwise black is the
    side with more stones, and own stones if there are equal numbers. After BOARD, when `we_move`, an order that ends
    with an own stone is no order of play. Turns that no stone was played in are PASSED.
    """
    coloured = [(point, field) for point, field in stones if field != WALL]
    fields = [field for _, field in coloured]
    is_order = all(one != two for one, two in itertools.pairwise(fields))
    if is_order and fields and (fields[-1] == OPPONENT or not we_move):
        own_is_black, line = fields[0] == OWN, [point for point, _ in coloured]
    else:
        own_is_black = fields.count(OWN) >= fields.count(OPPONENT)
        line = _interleave(coloured, OWN if own_is_black else OPPONENT)
    is_own_turn = (len(line) % 2 == 0) == own_is_black
    return line if is_own_turn else [*line, PASSED]


def _interleave(stones: Sequence[tuple[Point, int]], black: int) -> list[Point]:
    """Black's and white's stones in turn; the side that runs out of them passes."""
    first = [point for point, field in stones if field == black]
    second = [point for point, field in stones if field != black]
    turns = itertools.chain.from_iterable(itertools.zip_longest(first, second, fillvalue=PASSED))
    line = list(turns)
    return line[:-1] if line[-1:] == [PASSED] else line


def format_about(about: About) -> str:
    """The answer to ABOUT."""
    fields = (f'{key}="{value}"' for key, value in vars(about).items())
    return clean_text(", ".join(fields))


def parse_about(line: str) -> dict[str, str]:
    """The fields of an ABOUT answer by lower-case name; empty where the line has none."""
    return {key.lower(): value for key, value in _ABOUT_FIELD.findall(line)}


def format_forbidden(points: Iterable[Point]) -> str:
    """The answer to YXSHOWFORBID: two digits each for column and row, closed by a dot."""
    return "FORBID " + "".join(f"{x:02}{y:02}" for x, y in points) + "."


def format_count(count: int) -> str:
    """A node count for people: 950, 52K, 14M."""
    if count >= 10_000_000:
        return f"{count // 1_000_000}M"
    if count >= 10_000:
        return f"{count // 1000}K"
    return str(count)


def format_squares(squares: Iterable[str]) -> str:
    """Squares as engines print them: `H7 G8`."""
    return " ".join(square.upper() for square in squares)


def format_progress(progress: Progress, lines: int = 1) -> str:
    """A thinking line in the form of the Yixin family; with several best lines wanted, the numbered n-best form."""
    depth = f"{progress.depth}-{max(progress.depth, progress.selective_depth)}"
    score, pv = format_score(progress), format_squares(progress.pv)
    if lines > 1:
        return f"MESSAGE ({progress.pv_index}) {score} | {depth} | {pv}"
    speed, nodes = format_count(progress.nodes * 1000 // max(1, progress.time_ms)), format_count(progress.nodes)
    parts = [f"Speed {speed}", f"Depth {depth}", f"Eval {score}", f"Node {nodes}", f"Time {progress.time_ms}ms", pv]
    return "MESSAGE " + " | ".join(filter(None, parts))


def format_detail(progress: Progress, lines: int) -> list[str]:
    """The INFO form of a report, for managers that asked for it with show_detail."""
    return [
        f"INFO PV {progress.pv_index - 1}",
        f"INFO NUMPV {lines}",
        f"INFO DEPTH {progress.depth}",
        f"INFO SELDEPTH {max(progress.depth, progress.selective_depth)}",
        f"INFO NODES {progress.nodes}",
        f"INFO EVAL {format_score(progress)}",
        f"INFO BESTLINE {format_squares(progress.pv)}",
        "INFO PV DONE",
    ]


_FIELDS = (
    ("depth", re.compile(r"\b(?:depth|d)[ =:]+([0-9]{1,4})(?:-([0-9]{1,4}))?", re.IGNORECASE)),
    ("score", re.compile(r"\b(?:eval|ev|score)[ =:]+([+-]?M?[0-9]{1,9}|win|loss|draw)", re.IGNORECASE)),
    ("nodes", re.compile(r"\b(?:nodes?|n)[ =:]+([0-9]{1,15}(?:\.[0-9]{1,3})?)([KMG]?)\b", re.IGNORECASE)),
    ("time", re.compile(r"\b(?:time|tm)[ =:]+([0-9]{1,12})", re.IGNORECASE)),
)
_UNITS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def parse_progress(text: str) -> Progress | None:
    """Read depth, score, nodes, time and PV from a MESSAGE text where it shows them; None where it has no depth."""
    found = {name: pattern.search(text) for name, pattern in _FIELDS}
    depth, score, nodes, time = (found[name] for name in ("depth", "score", "nodes", "time"))
    if depth is None:
        return None
    return replace(
        parse_score(score[1].lower().replace("m", "M") if score else ""),
        depth=int(depth[1]),
        selective_depth=int(depth[2] or depth[1]),
        nodes=int(float(nodes[1]) * _UNITS[nodes[2].upper()]) if nodes else 0,
        time_ms=int(time[1]) if time else 0,
        pv=_parse_pv(text),
    )


def _parse_pv(text: str) -> tuple[str, ...]:
    """The square names that end a thinking line."""
    squares: list[str] = []
    for word in reversed(text.split()):
        if parse_square(word) is None:
            break
        squares.append(word.lower())
    return tuple(reversed(squares))
