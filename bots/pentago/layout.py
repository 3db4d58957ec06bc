"""Where the 36 squares lie in a board of bits, and how moves are numbered. No third-party imports.

A colour's marbles are one 36-bit word. Quadrants are numbered clockwise: top left 0, top right 1, bottom right 2,
bottom left 3. Byte q holds the eight outer squares of quadrant q, clockwise from the corner of the whole board; bit
32 + q is its centre. So a clockwise turn of a quadrant rotates its byte by two bits, and a clockwise turn of the whole
board rotates the low 32 bits by eight and the centres by one.

A move is 1 + 8 * cell + turn, turn = 2 * quadrant, + 1 where clockwise; a placement that wins at once, without a turn,
is PLACEMENT + cell. SKIP passes the turn, which only searches do.
"""

from __future__ import annotations

SIZE = 6
CELLS = SIZE * SIZE
QUADRANTS = 4
PLACEMENT = 1 + 8 * CELLS  # and above: a bare square
MOVES = PLACEMENT + CELLS
SKIP = MOVES
CENTRES = 32  # bit of the first quadrant's centre
LOW = 10  # empty squares whose choices the solver keeps together; with 12 a place in a tile would not fit 16 bits
BLOCK_SQUARES = 4  # of the others, that part a level into blocks

WHITE_WINS, BLACK_WINS, DRAW = 1, 2, 3  # results; 0 while the game goes on

_RING = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))  # of the top left quadrant, clockwise


def _turn_square(x: int, y: int, times: int) -> tuple[int, int]:
    for _ in range(times):
        x, y = SIZE - 1 - y, x
    return x, y


def _squares() -> tuple[tuple[int, int], ...]:
    rings = [_turn_square(x, y, quadrant) for quadrant in range(QUADRANTS) for x, y in _RING]
    return (*rings, *(_turn_square(1, 1, quadrant) for quadrant in range(QUADRANTS)))


SQUARES = _squares()  # column and row of each cell
CELL_OF = {square: cell for cell, square in enumerate(SQUARES)}


def _lines() -> tuple[tuple[int, ...], ...]:
    found = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x in range(SIZE):
            for y in range(SIZE):
                squares = [(x + step * dx, y + step * dy) for step in range(5)]
                if all(square in CELL_OF for square in squares):
                    found.append(tuple(CELL_OF[square] for square in squares))
    return tuple(sorted(found, key=_is_special))


def _is_special(line: tuple[int, ...]) -> bool:
    """Whether a line runs through centres or slants."""
    columns, rows = zip(*(SQUARES[cell] for cell in line), strict=True)
    return max(line) >= CENTRES or (len(set(columns)) > 1 and len(set(rows)) > 1)


LINES = _lines()  # the cells of each of the 32 lines of five; the last 16 run through centres or slant
