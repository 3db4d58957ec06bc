"""How kernels number squares and moves, for code that runs without the kernels' sources.

A square is `row * STRIDE + column + 1`, row 0 at the bottom. A move is `from << MOVE_SHIFT | to`: an insert comes from
HAND, a piece that leaves the board goes to OFF. No move is 0.
"""

from __future__ import annotations

STRIDE = 9
MAX_SIZE = 9
MIN_SIZE = 2
MAX_GOAL = 50
MOVE_SHIFT = 7
SQUARE_MASK = (1 << MOVE_SHIFT) - 1
HAND = 0
OFF = STRIDE * STRIDE + 1
MOVE_CODES = (OFF << MOVE_SHIFT) + OFF + 1  # all moves are below
MAX_MOVES = 256  # of a position; a piece has at most four
MAX_PLIES = 1024  # of a game and a search on from its end
RED_WINS, BLACK_WINS = 1, 2  # results
DRAW_PLIES = 500  # after which a game is a draw
DRAW_REPETITIONS = 3
