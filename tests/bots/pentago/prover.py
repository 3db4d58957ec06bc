"""A plain prover of wins within some plies, compiled but apart from the kernels: boards, lines and turns are its own.

A colour's marbles are nine bits a quadrant, row by row: top left, top right, bottom right, bottom left. It looks at all
moves of both sides; only those that refuted last are tried first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from tests.bots.pentago import naive

CELLS = 36
FULL = (1 << CELLS) - 1
MAX_PLIES = 40


def bit_of(x: int, y: int) -> int:
    quadrant = naive.QUADRANTS.index((x // 3 * 3, y // 3 * 3))
    return 1 << 9 * quadrant + 3 * (y % 3) + x % 3


def list_lines() -> list[int]:
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    rows = [[(x + n * dx, y + n * dy) for n in range(5)] for x in range(6) for y in range(6) for dx, dy in steps]
    return [sum(bit_of(*square) for square in row) for row in rows if all(0 <= min(s) <= max(s) < 6 for s in row)]


def list_turned() -> list[list[int]]:
    """Each content of a quadrant turned anticlockwise and clockwise."""
    found: list[list[int]] = [[], []]
    for content in range(512):
        squares = [divmod(place, 3) for place in range(9) if content >> place & 1]
        found[0].append(sum(1 << 3 * (2 - column) + row for row, column in squares))
        found[1].append(sum(1 << 3 * column + 2 - row for row, column in squares))
    return found


BITS = {(x, y): bit_of(x, y) for x in range(6) for y in range(6)}
LINES = np.array(list_lines(), dtype=np.int64)
ROTATED_THREE = np.array(list_turned(), dtype=np.int64)


F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function when it is first called."""
    return cast("F", njit(function))


@compiled
def turn(board: int, way: int) -> int:
    shift = 9 * (way >> 1)
    content = (board >> shift) & 511
    turned: int = ROTATED_THREE[way & 1, content]
    return (board ^ (content << shift)) | (turned << shift)


@compiled
def five(board: int) -> bool:
    for line in LINES:  # noqa: SIM110 - numba knows no `any`
        if board & line == line:
            return True
    return False


@compiled
def one_short(own: int, other: int) -> bool:
    """Whether a marble more makes five."""
    for line in LINES:
        rest = line & ~own
        if rest & (rest - 1) == 0 and rest & other == 0:
            return True
    return False


@compiled
def wins_now(own: int, other: int) -> bool:
    """Whether the side to move wins by this move. Its marble may as well be placed after the turn."""
    if one_short(own, other):
        return True
    for way in range(8):
        mine, theirs = turn(own, way), turn(other, way)
        if one_short(mine, theirs) and not five(theirs):
            return True
    return False


@compiled
def holds(own: int, other: int, reply: int) -> int:
    """0 where a reply that does not win loses at once, 1 where it draws, 2 where the game goes on."""
    mine, theirs = turn(own | 1 << (reply >> 3), reply & 7), turn(other, reply & 7)
    if five(theirs):
        return 1 if five(mine) else 0
    return 1 if mine | theirs == FULL else 2


@compiled
def wins(own: int, other: int, plies: int, hints: Any) -> bool:
    """Of a game that goes on; `plies` is odd."""
    if wins_now(own, other):
        return True
    if plies < 3:
        return False
    for number in range(-1, 8 * CELLS):
        move = hints[plies] if number < 0 else number
        if (own | other) >> (move >> 3) & 1 != 0:
            continue
        mine, theirs = turn(own | 1 << (move >> 3), move & 7), turn(other, move & 7)
        if mine | theirs == FULL or five(theirs) or wins_now(theirs, mine):
            continue
        held = False
        for answer in range(-1, 8 * CELLS):
            reply = hints[plies - 1] if answer < 0 else answer
            if (mine | theirs) >> (reply >> 3) & 1 != 0:
                continue
            state = holds(theirs, mine, reply)
            if state == 2:
                enemy, us = turn(theirs | 1 << (reply >> 3), reply & 7), turn(mine, reply & 7)
                state = 0 if wins(us, enemy, plies - 2, hints) else 1
            if state == 1:
                held = True
                hints[plies - 1] = reply
                break
        if not held:
            hints[plies] = move
            return True
    return False


@compiled
def loses(own: int, other: int, plies: int, hints: Any) -> bool:
    """Of a game that goes on; `plies` is even."""
    if wins_now(own, other):
        return False
    for reply in range(8 * CELLS):
        if (own | other) >> (reply >> 3) & 1 != 0:
            continue
        state = holds(own, other, reply)
        if state == 1:
            return False
        if state == 2:
            mine, theirs = turn(own | 1 << (reply >> 3), reply & 7), turn(other, reply & 7)
            if not wins(theirs, mine, plies - 1, hints):
                return False
    return True


def read_boards(text: str) -> tuple[int, int]:
    """The marbles of the side to move, and the other side's."""
    cells, side = naive.parse(text)
    own, other = (
        sum(BITS[square] for square, owner in cells.items() if (owner == side) == mine) for mine in (True, False)
    )
    return own, other


def has_five(text: str) -> bool:
    """Whether somebody has five."""
    return any(board & line == line for board in read_boards(text) for line in LINES.tolist())


def is_true(text: str, plies: int) -> bool:
    """Whether the side to move can force a win within so many plies (> 0), or the other side can (< 0)."""
    own, other = read_boards(text)
    hints = np.zeros(MAX_PLIES, dtype=np.int64)
    return bool(wins(own, other, plies, hints) if plies > 0 else loses(own, other, -plies, hints))
