"""Numbering of cells and moves in Pentago's bitboards. Needs no third-party package.

A colour's marbles are one 36-bit word. Quadrants are numbered clockwise: top left 0, top right 1, bottom right 2,
bottom left 3. Byte q holds the eight outer squares ("ring") of quadrant q, clockwise from the corner of the whole
board; bit 32 + q is its centre:

     0  1  2 | 14 15  8        quadrant 0: bits 0-7,   centre 32
     7 32  3 | 13 33  9        quadrant 1: bits 8-15,  centre 33
     6  5  4 | 12 11 10
    ---------+---------
    26 27 28 | 20 21 22        quadrant 3: bits 24-31, centre 35
    25 35 29 | 19 34 23        quadrant 2: bits 16-23, centre 34
    24 31 30 | 18 17 16

A clockwise rotation of a quadrant rotates its byte by two bits. A clockwise rotation of the whole board rotates the low
32 bits by eight and the four centre bits by one.

The code of a move is 1 + 8 * cell + turn. The turn, 0 to 7, is the rotation: 2 * quadrant, + 1 if clockwise. A
placement that wins at once, without a rotation, has the code PLACEMENT + cell. NULL_MOVE passes the turn; only searches
use it.
"""

from __future__ import annotations

SIZE = 6  # columns and rows
CELLS = SIZE * SIZE  # number of cells
QUADRANTS = 4  # number of quadrants
PLACEMENT = 1 + 8 * CELLS  # codes from here on are placements without a rotation
NULL_MOVE = PLACEMENT + CELLS
FIRST_CENTRE = 32  # bit of quadrant 0's centre
# Of the solver; bots/pentago/kernels/retrograde.py explains the terms.
MAX_LOW_SQUARES = 10  # with 12, an index into a tile would not fit 16 bits
BLOCK_SQUARES = 4  # high squares that divide a level into blocks

WHITE_WINS, BLACK_WINS, DRAW = 1, 2, 3  # values of the state's `result`, which is 0 during the game

# Column and row of the top left quadrant's outer squares, clockwise.
_RING = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))


def _rotate_square(x: int, y: int, times: int) -> tuple[int, int]:
    """Return column and row after `times` clockwise quarter turns of the whole board."""
    for _ in range(times):
        x, y = SIZE - 1 - y, x
    return x, y


def _list_squares() -> tuple[tuple[int, int], ...]:
    rings = [_rotate_square(x, y, quadrant) for quadrant in range(QUADRANTS) for x, y in _RING]
    return (*rings, *(_rotate_square(1, 1, quadrant) for quadrant in range(QUADRANTS)))


SQUARES = _list_squares()  # column and row of each cell
CELL_OF = {square: cell for cell, square in enumerate(SQUARES)}  # by (column, row)


def _list_lines() -> tuple[tuple[int, ...], ...]:
    lines = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x in range(SIZE):
            for y in range(SIZE):
                squares = [(x + step * dx, y + step * dy) for step in range(5)]
                if all(square in CELL_OF for square in squares):
                    lines.append(tuple(CELL_OF[square] for square in squares))
    return tuple(sorted(lines, key=_is_centre_or_diagonal))


def _is_centre_or_diagonal(line: tuple[int, ...]) -> bool:
    """Return whether a line runs through quadrant centres or is diagonal."""
    columns, rows = zip(*(SQUARES[cell] for cell in line), strict=True)
    return max(line) >= FIRST_CENTRE or (len(set(columns)) > 1 and len(set(rows)) > 1)


LINES = _list_lines()  # cells of the 32 lines of five; the last 16 run through centres or are diagonal
