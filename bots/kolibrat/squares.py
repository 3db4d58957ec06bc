"""Number codes of Kolibrat's squares and moves, for modules that must not import the kernels.

A square is `row * STRIDE + column + 1`, with row 0 at the bottom (red's home row): a1 is 1, b1 is 2, a2 is 10. A move
is `from << MOVE_SHIFT | to`. An insert comes from HAND; a piece that leaves the board goes to OFF. No move is 0.
"""

from __future__ import annotations

STRIDE = 9  # squares per row in the numbering, on all boards
MAX_SIZE = 9  # columns and rows
MIN_SIZE = 2
MAX_GOAL = 50  # points
MOVE_SHIFT = 7
SQUARE_MASK = (1 << MOVE_SHIFT) - 1
HAND = 0  # as the origin of a move
OFF = STRIDE * STRIDE + 1  # as the target of a move
MOVE_CODES = (OFF << MOVE_SHIFT) + OFF + 1  # number of move codes; greater than every move
MAX_MOVES = 256  # per position; a piece has at most four moves, and only one with an enemy in front of it has four
MAX_PLIES = 1024  # length of the move history in the state: a game, and a search from its last position
RED_WINS, BLACK_WINS = 1, 2  # values of the state's `result`, which is 0 during the game
DRAW_PLIES = 500  # a game of this many plies is a draw
DRAW_REPETITIONS = 3  # a position that occurs this many times is a draw
