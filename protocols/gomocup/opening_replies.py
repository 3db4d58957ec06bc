"""Checks a player's swap2 and Soosorv-8 answers and formats them as answers of the protocol. Pure functions.

SWAP2BOARD is answered by `7,7 8,7 9,9` or `SWAP`. The GUI Yixin-Board has other commands for the steps of an opening
(YXSWAP2STEP1 and so on), which are answered by lines such as `MESSAGE SWAP2 MOVE1 7 7`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.play.squares import parse_square
from protocols.gomocup.text import SWAP, Point, format_point

# Stones on the board -> allowed numbers of added stones. SWAP is also allowed with 3 or 5.
SWAP2_STONE_COUNTS = {0: (3,), 3: (1, 2), 5: (1,)}
MAX_OFFERS = 8  # greatest number of fifth moves that white may demand in Soosorv-8


@dataclass(frozen=True)
class Reply:
    """The lines that answer a command, and the stones that the answer adds to the board."""

    lines: tuple[str, ...]
    stones: tuple[Point, ...] = ()


def parse_squares(squares: Sequence[str], free: Sequence[Point], count: int) -> list[Point]:
    """Convert square names to points; raise ValueError unless they are `count` different free squares."""
    points = [point for point in map(parse_square, squares) if point in free]
    if len(set(points)) != len(squares) or len(squares) != count:
        raise ValueError(f"answer must be {count} free square(s), not {' '.join(squares) or 'none'}")
    return [point for point in points if point is not None]


def parse_swap2(answer: Sequence[str], stone_count: int, free: Sequence[Point]) -> list[Point]:
    """Return the stones that a player's swap2 answer adds to a board with `stone_count` stones; none for SWAP.

    Raise ValueError if the answer is not allowed with so many stones, or names a square twice or one that is not free.
    """
    words = [word.upper() for word in answer]
    if words == [SWAP] and stone_count:
        return []
    try:
        return parse_squares(answer, free, len(answer) if len(answer) in SWAP2_STONE_COUNTS[stone_count] else 0)
    except ValueError:
        raise ValueError(
            f"swap2 answer {' '.join(words)} is not allowed on this board of {stone_count} stones"
        ) from None


def reply_to_swap2board(added: Sequence[Point]) -> Reply:
    """Return the answer to SWAP2BOARD, for example `7,7 8,7` or `SWAP`."""
    return Reply((" ".join(map(format_point, added)) or SWAP,), tuple(added))


def reply_to_swap2(stone_count: int, added: Sequence[Point]) -> Reply:
    """Return the answer to YXSWAP2STEP1, 2 or 3, which come with 0, 3 or 5 stones on the board.

    A single added stone means that we stay white. It is not put on the board, because the GUI requests it by BOARD.
    """
    if len(added) > 1:
        return _reply_with_moves("SWAP2", stone_count + 1, added)
    question = 1 if stone_count == 3 else 2  # SWAP1 after three stones, SWAP2 after five
    return Reply((f"MESSAGE SWAP2 SWAP{question} {'NO' if added else 'YES'}",))


def reply_with_opening(points: Sequence[Point]) -> Reply:
    """Return the answer to YXSOOSORVSTEP1: the three stones of an opening."""
    return _reply_with_moves("SOOSORV", 1, points)


def reply_with_swap(question: int, swaps: bool) -> Reply:
    """Return the answer to YXSOOSORVSTEP2 (question 1: do we take black?) or YXSOOSORVSTEP4 (question 2: white?)."""
    return Reply((f"MESSAGE SOOSORV SWAP{question} {'Y' if swaps else 'N'}",))


def reply_with_fourth(point: Point, offer_count: int) -> Reply:
    """Return the answer to YXSOOSORVSTEP3: the fourth move, and the number of fifth moves that black must offer."""
    return Reply((f"MESSAGE SOOSORV MOVE4 {_format_pair(point)} {offer_count}",), (point,))


def reply_with_fifths(points: Sequence[Point]) -> Reply:
    """Return the answer to YXSOOSORVSTEP5: the fifth moves that we offer. They are not put on the board."""
    moves = (f"MESSAGE SOOSORV MOVE5 {_format_pair(point)}" for point in points)
    return Reply(("MESSAGE SOOSORV MOVE5 REFRESH", *moves, "MESSAGE SOOSORV MOVE5 DONE"))


def reply_with_choice(point: Point) -> Reply:
    """Return the answer to YXSOOSORVSTEP6: the fifth move that we choose."""
    return Reply((f"MESSAGE SOOSORV MOVE5C {_format_pair(point)}",), (point,))


def _reply_with_moves(opening: str, first_number: int, points: Sequence[Point]) -> Reply:
    """Return one line per stone, numbered from `first_number`; `opening` is SWAP2 or SOOSORV."""
    lines = (
        f"MESSAGE {opening} MOVE{number} {_format_pair(point)}" for number, point in enumerate(points, first_number)
    )
    return Reply(tuple(lines), tuple(points))


def _format_pair(point: Point) -> str:
    return f"{point[0]} {point[1]}"
