"""Text of openings that are agreed on: what answers SWAP2BOARD and the steps of Yixin-Board, without I/O and state.

Yixin-Board reads MESSAGE lines, in which the two numbers of a square stand with a blank between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.play.squares import parse_square
from protocols.gomocup.text import SWAP, Point, format_point

SWAP2_STONE_COUNTS = {0: (3,), 3: (1, 2), 5: (1,)}  # stones on the board: how many a player may add; SWAP except at 0
MAX_OFFERS = 8  # fifth moves in Soosorv-8


@dataclass(frozen=True)
class Reply:
    """The answer to a command, and the stones that it puts on the board."""

    lines: tuple[str, ...]
    stones: tuple[Point, ...] = ()


def parse_squares(squares: Sequence[str], free: Sequence[Point], count: int) -> list[Point]:
    """Return the points of a player's answer; raise ValueError unless they are `count` different free squares."""
    points = [point for point in map(parse_square, squares) if point in free]
    if len(set(points)) != len(squares) or len(squares) != count:
        raise ValueError(f"{count} free squares are wanted, not {' '.join(squares) or 'none'}")
    return [point for point in points if point is not None]


def parse_swap2(answer: Sequence[str], stones: int, free: Sequence[Point]) -> list[Point]:
    """Return the stones that a player's answer to swap2 adds, none for SWAP; raise ValueError if it does not fit."""
    words = [word.upper() for word in answer]
    if words == [SWAP] and stones:
        return []
    try:
        return parse_squares(answer, free, len(answer) if len(answer) in SWAP2_STONE_COUNTS[stones] else 0)
    except ValueError:
        raise ValueError(f"swap2 answer {' '.join(words)} does not fit {stones} stones") from None


def reply_to_swap2board(added: Sequence[Point]) -> Reply:
    """Return the published protocol's answer, `x,y x,y` or SWAP."""
    return Reply((" ".join(map(format_point, added)) or SWAP,), tuple(added))


def reply_to_swap2(stones: int, added: Sequence[Point]) -> Reply:
    """Return the answer to YXSWAP2STEP1, 2 or 3, after 0, 3 or 5 stones.

    A single stone says that we stay white. It is not put on the board, as the GUI asks for that move by BOARD.
    """
    if len(added) > 1:
        return _reply_with_moves("SWAP2", stones + 1, added)
    question = 1 if stones == 3 else 2
    return Reply((f"MESSAGE SWAP2 SWAP{question} {'NO' if added else 'YES'}",))


def reply_with_opening(points: Sequence[Point]) -> Reply:
    """Return the answer to YXSOOSORVSTEP1."""
    return _reply_with_moves("SOOSORV", 1, points)


def reply_with_swap(question: int, swaps: bool) -> Reply:
    """Return the answer to YXSOOSORVSTEP2, whether we take black, or to YXSOOSORVSTEP4, whether we take white."""
    return Reply((f"MESSAGE SOOSORV SWAP{question} {'Y' if swaps else 'N'}",))


def reply_with_fourth(point: Point, offers: int) -> Reply:
    """Return the answer to YXSOOSORVSTEP3."""
    return Reply((f"MESSAGE SOOSORV MOVE4 {_pair(point)} {offers}",), (point,))


def reply_with_fifths(points: Sequence[Point]) -> Reply:
    """Return the answer to YXSOOSORVSTEP5. Offers are no stones yet."""
    moves = (f"MESSAGE SOOSORV MOVE5 {_pair(point)}" for point in points)
    return Reply(("MESSAGE SOOSORV MOVE5 REFRESH", *moves, "MESSAGE SOOSORV MOVE5 DONE"))


def reply_with_choice(point: Point) -> Reply:
    """Return the answer to YXSOOSORVSTEP6."""
    return Reply((f"MESSAGE SOOSORV MOVE5C {_pair(point)}",), (point,))


def _reply_with_moves(opening: str, first: int, points: Sequence[Point]) -> Reply:
    """Stones by their numbers in the game."""
    lines = (f"MESSAGE {opening} MOVE{number} {_pair(point)}" for number, point in enumerate(points, first))
    return Reply(tuple(lines), tuple(points))


def _pair(point: Point) -> str:
    return f"{point[0]} {point[1]}"
