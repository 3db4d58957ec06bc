"""Proves wins and losses in Pentago within a number of plies, by exhaustive search with its own boards and rotations.

It is compiled by numba, but independent of the kernels. A colour's marbles are nine bits per quadrant, row by row: top
left, top right, bottom right, bottom left. A move is 8 * the bit of its marble + its rotation; bit 0 of a rotation is 1
for clockwise, the others are the quadrant. All moves of both sides are tried. `hints` has, for each number of remaining
plies, the last move that won or refuted a win, which is tried first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from tests.bots.pentago import naive

CELLS = 36
FULL = (1 << CELLS) - 1  # the bits of a full board
MAX_PLIES = 40  # length of `hints`


def bit_of(x: int, y: int) -> int:
    quadrant = naive.QUADRANTS.index((x // 3 * 3, y // 3 * 3))
    return 1 << 9 * quadrant + 3 * (y % 3) + x % 3


def list_rotated() -> list[list[int]]:
    """Return two lists, for anticlockwise and clockwise, of the rotated bits of each content of a quadrant."""
    rotated: list[list[int]] = [[], []]
    for content in range(512):
        squares = [divmod(bit, 3) for bit in range(9) if content >> bit & 1]
        rotated[0].append(sum(1 << 3 * (2 - column) + row for row, column in squares))
        rotated[1].append(sum(1 << 3 * column + 2 - row for row, column in squares))
    return rotated


# Bit of each square, bits of each line of five, and `list_rotated` as arrays.
BITS = {(x, y): bit_of(x, y) for x in range(6) for y in range(6)}
LINES = np.array([sum(bit_of(*square) for square in line) for line in naive.LINES], dtype=np.int64)
ROTATED = np.array(list_rotated(), dtype=np.int64)


F = TypeVar("F", bound=Callable[..., Any])


def compile_lazily(function: F) -> F:
    """Compile a function when it is first called."""
    return cast("F", njit(function))


@compile_lazily
def rotate(board: int, turn: int) -> int:
    """Return a board after a rotation."""
    shift = 9 * (turn >> 1)
    content = (board >> shift) & 511
    turned: int = ROTATED[turn & 1, content]
    return (board ^ (content << shift)) | (turned << shift)


@compile_lazily
def has_five_marbles(board: int) -> bool:
    """Return True if a board has a five."""
    for line in LINES:  # noqa: SIM110 - numba knows no `any`
        if board & line == line:
            return True
    return False


@compile_lazily
def can_complete_five(own: int, other: int) -> bool:
    """Return True if one more marble makes a five."""
    for line in LINES:
        rest = line & ~own
        if rest & (rest - 1) == 0 and rest & other == 0:
            return True
    return False


@compile_lazily
def wins_now(own: int, other: int) -> bool:
    """Return True if the side to move wins with its next move.

    A marble that is placed after the rotation leads to the same boards as one that is placed before it.
    """
    if can_complete_five(own, other):
        return True
    for turn in range(8):
        mine, theirs = rotate(own, turn), rotate(other, turn)
        if can_complete_five(mine, theirs) and not has_five_marbles(theirs):
            return True
    return False


@compile_lazily
def reply_result(own: int, other: int, reply: int) -> int:
    """Return 0 if a reply that does not win loses at once, 1 if it draws, 2 if the game goes on."""
    mine, theirs = rotate(own | 1 << (reply >> 3), reply & 7), rotate(other, reply & 7)
    if has_five_marbles(theirs):
        return 1 if has_five_marbles(mine) else 0
    return 1 if mine | theirs == FULL else 2


@compile_lazily
def wins(own: int, other: int, plies: int, hints: Any) -> bool:
    """Return True if the side to move can force a win within `plies`, which is odd."""
    if wins_now(own, other):
        return True
    if plies < 3:
        return False
    for number in range(-1, 8 * CELLS):
        move = hints[plies] if number < 0 else number
        if (own | other) >> (move >> 3) & 1 != 0:
            continue
        mine, theirs = rotate(own | 1 << (move >> 3), move & 7), rotate(other, move & 7)
        if mine | theirs == FULL or has_five_marbles(theirs) or wins_now(theirs, mine):
            continue
        is_refuted = False
        for answer in range(-1, 8 * CELLS):
            reply = hints[plies - 1] if answer < 0 else answer
            if (mine | theirs) >> (reply >> 3) & 1 != 0:
                continue
            result = reply_result(theirs, mine, reply)
            if result == 2:
                opponent, us = rotate(theirs | 1 << (reply >> 3), reply & 7), rotate(mine, reply & 7)
                result = 0 if wins(us, opponent, plies - 2, hints) else 1
            if result == 1:
                is_refuted = True
                hints[plies - 1] = reply
                break
        if not is_refuted:
            hints[plies] = move
            return True
    return False


@compile_lazily
def loses(own: int, other: int, plies: int, hints: Any) -> bool:
    """Return True if the other side can force a win within `plies`, which is even."""
    if wins_now(own, other):
        return False
    for reply in range(8 * CELLS):
        if (own | other) >> (reply >> 3) & 1 != 0:
            continue
        result = reply_result(own, other, reply)
        if result == 1:
            return False
        if result == 2:
            mine, theirs = rotate(own | 1 << (reply >> 3), reply & 7), rotate(other, reply & 7)
            if not wins(theirs, mine, plies - 1, hints):
                return False
    return True


def read_boards(text: str) -> tuple[int, int]:
    """Return the marbles of the side to move and of the other side."""
    cells, side = naive.parse(text)
    own, other = (
        sum(BITS[square] for square, owner in cells.items() if (owner == side) == mine) for mine in (True, False)
    )
    return own, other


def has_five(text: str) -> bool:
    """Return True if somebody has a five."""
    return any(board & line == line for board in read_boards(text) for line in LINES.tolist())


def is_forced(text: str, plies: int) -> bool:
    """Return True if the side to move can force a win within `plies` plies (> 0), or the other side within -`plies`."""
    own, other = read_boards(text)
    hints = np.zeros(MAX_PLIES, dtype=np.int64)
    return bool(wins(own, other, plies, hints) if plies > 0 else loses(own, other, -plies, hints))
