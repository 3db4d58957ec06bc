"""Parses and formats lines of the Gomocup protocol, for both the session and the client. Pure functions.

A point is (column, row), zero-based, as the protocol sends it: `7,7`. Players use square names: `h8`.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.play.player import Progress
from core.play.squares import parse_square
from core.version import VERSION
from protocols.text import CommandError, clean_text, format_score, parse_number, parse_score, quote_argument

Point = tuple[int, int]

# The code after x,y in a line of BOARD. The protocol uses 3 for a stone of a completed five, or for a forbidden square.
OWN, OPPONENT, WALL = 1, 2, 3
PASSED: Point = (-1, -1)  # in a list of moves: a turn without a stone
RULE_BIT_CONTINUOUS, RULE_BIT_RENJU = 2, 4  # bits of `INFO rule`
MAX_RULE = 15  # the sum of the bits: 1 exactly five, 2 continuous, 4 renju, 8 caro
YIXIN_RULE_RENJU = 2  # renju in the `INFO rule` of Yixin's GUIs, which number the rules instead of combining bits
SWAP = "SWAP"  # the answer to SWAP2BOARD that takes the other colour
UNLIMITED_MS = 2147483647  # the `time_left` that means no game clock
REFUSALS = ("ERROR", "UNKNOWN")  # keywords of the lines by which an engine refuses a command
WARNING_PHRASES = ("must be", "out of range")  # in messages of our own engine about INFO values

_POINT = re.compile(r"([+-]?[0-9]{1,4})\s*,\s*([+-]?[0-9]{1,4})")
_STONE = re.compile(r"([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})")
_ABOUT_FIELD = re.compile(r'\b(\w+)\s*=\s*"([^"]*)"')  # \b avoids quadratic time on long words


@dataclass(frozen=True)
class About:
    """The fields of the answer to ABOUT; `format_about` shows the format."""

    name: str = "Pentad"
    version: str = VERSION
    author: str = "Pentad maintainers"
    country: str = "-"


def split_keyword(line: str) -> tuple[str, str]:
    """Return the keyword (first word) in upper case and the rest of the line; two empty strings for a blank line."""
    keyword, _, rest = line.strip().partition(" ")
    return keyword.upper(), rest.strip()


def parse_point(text: str) -> Point | None:
    """Parse `x,y`; return None if the text has another form. The point may be outside the board."""
    match = _POINT.fullmatch(text.strip())
    return (int(match[1]), int(match[2])) if match else None


def format_point(point: Point) -> str:
    """Return a point as `x,y`."""
    return f"{point[0]},{point[1]}"


def parse_board_line(text: str) -> tuple[Point, int]:
    """Parse a line of BOARD, such as `7,7,1`; return its point and code, or raise CommandError."""
    match = _STONE.fullmatch(text.strip())
    if not match or not OWN <= int(match[3]) <= WALL:
        raise CommandError(f"BOARD lines must be x,y,code with code 1, 2 or 3, not {quote_argument(text)}")
    return (int(match[1]), int(match[2])), int(match[3])


def check_point(command: str, point: Point | None, text: str, width: int, height: int) -> Point:
    """Return the point if it is on the board, else raise CommandError.

    If `point` is None, because the text of the command was malformed, the error quotes that `text`.
    """
    if point is None:
        raise CommandError(f"{command} coordinates must be x,y, not {quote_argument(text)}")
    if not (0 <= point[0] < width and 0 <= point[1] < height):
        raise CommandError(
            f"coordinates outside the board: {command} square must be on {width}x{height}, not {format_point(point)}"
        )
    return point


def assign_walls(stones: Sequence[tuple[Point, int]], *, we_move: bool) -> list[tuple[Point, int]]:
    """Replace walls by stones of the side that has too few for alternating turns, at most as many as it lacks.

    In a continuous game, which goes on after a five, the manager sends the stones of a completed five as walls, so that
    their colour is lost. With `we_move` the next turn must be ours, as after BOARD.
    """
    counts = Counter(code for _, code in stones)
    own_minus_opponent = counts[OWN] - counts[OPPONENT]
    colour, missing = (
        (OWN, -1 - own_minus_opponent)
        if own_minus_opponent < 0
        else (OPPONENT, own_minus_opponent - (0 if we_move else 1))
    )
    walls = [point for point, code in stones if code == WALL]
    coloured = set(walls[: max(missing, 0)])
    return [(point, colour if point in coloured else code) for point, code in stones]


def order_stones(stones: Sequence[tuple[Point, int]], *, we_move: bool) -> list[Point]:
    """Return the stones as a list of moves, black's first, after which we are to move; walls are left out.

    If the colours alternate, the order is kept and the first stone is black's, because renju and the openings depend
    on the order. With `we_move` (after BOARD) this holds only if the last stone is the opponent's. Otherwise black is
    the side with more stones, or we if the numbers are equal. PASSED is inserted for each missing turn.
    """
    coloured = [(point, code) for point, code in stones if code != WALL]
    codes = [code for _, code in coloured]
    alternates = all(one != two for one, two in itertools.pairwise(codes))
    if alternates and codes and (codes[-1] == OPPONENT or not we_move):
        own_is_black, moves = codes[0] == OWN, [point for point, _ in coloured]
    else:
        own_is_black = codes.count(OWN) >= codes.count(OPPONENT)
        moves = _interleave(coloured, OWN if own_is_black else OPPONENT)
    is_own_turn = (len(moves) % 2 == 0) == own_is_black
    return moves if is_own_turn else [*moves, PASSED]


def _interleave(stones: Sequence[tuple[Point, int]], black: int) -> list[Point]:
    """Return black's and white's stones in turn; the side that runs out of stones passes."""
    black_stones = [point for point, code in stones if code == black]
    white_stones = [point for point, code in stones if code != black]
    pairs = itertools.zip_longest(black_stones, white_stones, fillvalue=PASSED)
    turns = list(itertools.chain.from_iterable(pairs))
    return turns[:-1] if turns[-1:] == [PASSED] else turns


def format_about(about: About) -> str:
    """Return the answer to ABOUT: `name="Pentad", version="1.0", author="...", country="-"`."""
    fields = (f'{key}="{value}"' for key, value in vars(about).items())
    return clean_text(", ".join(fields))


def parse_about(line: str) -> dict[str, str]:
    """Return the fields of an ABOUT answer by lower-case name; empty if the line has none."""
    return {key.lower(): value for key, value in _ABOUT_FIELD.findall(line)}


def has_about_fields(text: str) -> bool:
    """Return whether the line has fields such as `name="x"`, and is no message, which may quote something, too."""
    return split_keyword(text)[0] not in (*REFUSALS, "MESSAGE", "DEBUG") and bool(parse_about(text))


def find_refusal(lines: Iterable[str], name: str, value: str, *, must_be_named: bool = False) -> str:
    """Return the first line by which an engine refuses a value of an INFO key; empty if there is none.

    Such a line begins with ERROR or UNKNOWN, or is a message with the key, the value and a phrase of our own engine.
    """
    for line in lines:
        keyword, is_named = split_keyword(line)[0], has_word(line, name)
        if keyword in REFUSALS and (is_named or not must_be_named):
            return line
        if keyword == "MESSAGE" and is_named and has_word(line, value) and any(map(line.__contains__, WARNING_PHRASES)):
            return line
    return ""


def has_word(line: str, word: str) -> bool:
    """Return whether a line has a word, which may be in quotes or next to a punctuation mark."""
    return re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-]|\.\w)", line, re.IGNORECASE) is not None


def format_forbidden(points: Iterable[Point]) -> str:
    """Return the answer to YXSHOWFORBID: two digits each for column and row, then a dot, as in `FORBID 0708.`"""
    return "FORBID " + "".join(f"{x:02}{y:02}" for x, y in points) + "."


def format_node_count(count: int) -> str:
    """Return a node count for people: 950, 52K, 14M."""
    if count >= 10_000_000:
        return f"{count // 1_000_000}M"
    if count >= 10_000:
        return f"{count // 1000}K"
    return str(count)


def format_squares(squares: Iterable[str]) -> str:
    """Return square names as the engines of the Yixin family print them: `H7 G8`."""
    return " ".join(square.upper() for square in squares)


def format_progress(progress: Progress, multi_pv: int = 1) -> str:
    """Return a search report as a MESSAGE in Yixin's format; with MultiPV, in its numbered form.

    Examples: `MESSAGE Speed 296K | Depth 19-35 | Eval 42 | Node 270K | Time 912ms | H7 G8` and, with MultiPV,
    `MESSAGE (2) 42 | 19-35 | H7 G8`.
    """
    depth = f"{progress.depth}-{max(progress.depth, progress.selective_depth)}"
    score, pv = format_score(progress), format_squares(progress.pv)
    if multi_pv > 1:
        return f"MESSAGE ({progress.pv_index}) {score} | {depth} | {pv}"
    speed, nodes = (
        format_node_count(progress.nodes * 1000 // max(1, progress.time_ms)),
        format_node_count(progress.nodes),
    )
    parts = [f"Speed {speed}", f"Depth {depth}", f"Eval {score}", f"Node {nodes}", f"Time {progress.time_ms}ms", pv]
    return "MESSAGE " + " | ".join(filter(None, parts))


def format_detail(progress: Progress, multi_pv: int) -> list[str]:
    """Return the INFO lines of a search report, for managers that asked for them by `INFO show_detail`."""
    return [
        f"INFO PV {progress.pv_index - 1}",
        f"INFO NUMPV {multi_pv}",
        f"INFO DEPTH {progress.depth}",
        f"INFO SELDEPTH {max(progress.depth, progress.selective_depth)}",
        f"INFO NODES {progress.nodes}",
        f"INFO EVAL {format_score(progress)}",
        f"INFO BESTLINE {format_squares(progress.pv)}",
        "INFO PV DONE",
    ]


_PROGRESS_PATTERNS = (  # (name of the value, pattern with the value as a group), for engines of several authors
    ("depth", re.compile(r"\b(?:depth|d)[ =:]+([0-9]{1,4})(?:-([0-9]{1,4}))?", re.IGNORECASE)),
    ("score", re.compile(r"\b(?:eval|ev|score)[ =:]+([+-]?M?[0-9]{1,9}|win|loss|draw)", re.IGNORECASE)),
    ("nodes", re.compile(r"\b(?:nodes?|n)[ =:]+([0-9]{1,15}(?:\.[0-9]{1,3})?)([KMG]?)\b", re.IGNORECASE)),
    ("time", re.compile(r"\b(?:time|tm)[ =:]+([0-9]{1,12})", re.IGNORECASE)),
)
_SUFFIX_FACTORS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def parse_progress(text: str) -> Progress | None:
    """Parse an engine's MESSAGE about its search; return None if it names no depth.

    The format of `format_progress` is understood, and others such as `MESSAGE depth 14-27 ev -233 n 52.5M tm 173 pv
    H7`. Missing values keep their defaults.
    """
    matches = {name: pattern.search(text) for name, pattern in _PROGRESS_PATTERNS}
    depth, score, nodes, time = (matches[name] for name in ("depth", "score", "nodes", "time"))
    if depth is None:
        return None
    return replace(
        parse_score(score[1].lower().replace("m", "M") if score else ""),
        depth=int(depth[1]),
        selective_depth=int(depth[2] or depth[1]),
        nodes=int(float(nodes[1]) * _SUFFIX_FACTORS[nodes[2].upper()]) if nodes else 0,
        time_ms=int(time[1]) if time else 0,
        pv=_parse_pv(text),
    )


def _parse_pv(text: str) -> tuple[str, ...]:
    """Return the square names at the end of a MESSAGE, in lower case."""
    squares: list[str] = []
    for word in reversed(text.split()):
        if parse_square(word) is None:
            break
        squares.append(word.lower())
    return tuple(reversed(squares))


def parse_sides(usage: str, text: str, count: int) -> list[int]:
    """Parse `count` side lengths, such as `15,20`; raise CommandError for other texts. Lengths may be too large.

    `usage` is the expected form of the command, for the error message.
    """
    numbers = [parse_number(part.strip()) for part in text.split(",")]
    lengths = [number for number in numbers if number is not None]
    if len(numbers) != count or len(lengths) != count:
        raise CommandError(f"board size must be given as {usage}, not {quote_argument(text)}")
    return lengths
