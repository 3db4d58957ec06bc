"""Slow reference implementation of Pentago's rules on a dictionary of squares; the kernels are compared with it.

Moves are text: `c3t` places a marble on c3 and makes the rotation `t`. A placement that makes five, such as `e1`, has
no rotation. Columns are a to f, and row 1 is at the top.
"""

from __future__ import annotations

from bots.pentago.notation import TURNS

SIZE = 6
Cells = dict[tuple[int, int], str]  # column and row from 0 -> `w` or `b`; occupied squares only
QUADRANTS = ((0, 0), (3, 0), (3, 3), (0, 3))  # top left squares, in the order of the rotation letters in TURNS
# From a square to the next one of a line: right, down, and both diagonals.
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
ROWS = [[(x + n * dx, y + n * dy) for n in range(5)] for x in range(SIZE) for y in range(SIZE) for dx, dy in STEPS]
LINES = [row for row in ROWS if all(0 <= x < SIZE and 0 <= y < SIZE for x, y in row)]  # the 32 lines of five squares


def parse(text: str) -> tuple[Cells, str]:
    """Return board and side to move of a position such as `2w3/6/6/6/6/6 b`: rows from the top, digits are gaps."""
    rows, side = text.split()
    cells: Cells = {}
    for y, row in enumerate(rows.split("/")):
        x = 0
        for letter in row:
            if letter.isdigit():
                x += int(letter)
            else:
                cells[x, y] = letter
                x += 1
    return cells, side


def has_five(cells: Cells, side: str) -> bool:
    return any(all(cells.get(square) == side for square in line) for line in LINES)


def rotate_quadrant(cells: Cells, letter: str) -> Cells:
    """Return the board after the rotation of a letter; letters alternate between anticlockwise and clockwise."""
    quadrant, clockwise = divmod(TURNS.index(letter), 2)
    left, top = QUADRANTS[quadrant]
    rotated = {}
    for (x, y), side in cells.items():
        column, row = x - left, y - top
        if 0 <= column < 3 and 0 <= row < 3:
            column, row = (2 - row, column) if clockwise else (row, 2 - column)
        rotated[column + left, row + top] = side
    return rotated


def outcome(cells: Cells) -> str:
    """Return the winner, `draw`, or "" while the game goes on."""
    five = [side for side in "wb" if has_five(cells, side)]
    if len(five) == 1:
        return five[0]
    return "draw" if five or len(cells) == SIZE * SIZE else ""


def moves(cells: Cells, side: str) -> dict[str, tuple[Cells, str]]:
    """Return each legal move with the board and the outcome after it."""
    results: dict[str, tuple[Cells, str]] = {}
    if outcome(cells):
        return results
    for x in range(SIZE):
        for y in range(SIZE):
            if (x, y) in cells:
                continue
            placed = {**cells, (x, y): side}
            square = f"{'abcdef'[x]}{y + 1}"
            if has_five(placed, side):
                results[square] = placed, side
                continue
            for letter in TURNS:
                rotated = rotate_quadrant(placed, letter)
                results[square + letter] = rotated, outcome(rotated)
    return results


def value(cells: Cells, side: str) -> int:
    """Return 1, 0 or -1 for the side to move, by exhaustive search."""
    best = -1
    other = "b" if side == "w" else "w"
    for board, result in moves(cells, side).values():
        if result:
            best = max(best, 0 if result == "draw" else 1 if result == side else -1)
        else:
            best = max(best, -value(board, other))
        if best == 1:
            break
    return best
