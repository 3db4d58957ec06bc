"""State fields and limits of the retrograde solver (bots/kolibrat/kernels/retrograde.py).

They are in a module of their own because executables need the limits without the sources of the kernels. A placement
is an arrangement of both sides' pieces on the board; the mover is the side to move.
"""

from __future__ import annotations

from core.native.state_type import StateField

MAX_SQUARES = 25  # largest board that can be solved
MAX_PIECES = 12  # per side

RETRO_FIELDS = (
    StateField("binomials", "i64", (MAX_SQUARES + 1, MAX_PIECES + 2), "binomial coefficients: n over k"),
    StateField(
        "first_placement", "i64", (MAX_PIECES + 1, MAX_PIECES + 1), "first number, by mover's and opponent's pieces"
    ),
    StateField("placement_count", "i64", (), "number of placements"),
    StateField("masks", "i64", (2,), "pieces of the mover and of the opponent: bit row * width + column"),
    StateField("mirrored", "i64", (2,), "the same with the columns in reverse order"),
    StateField("max_pending_plies", "i64", (), "last pass in which a state may become final"),
    StateField("open_moves", "i64", (), "moves that do not score, or lead to a state without a forced end"),
    StateField("state_count", "i64", (), "`count_moves`: placements with a move"),
    StateField("move_count", "i64", (), "`count_moves`: sum of their moves"),
    StateField("max_moves", "i64", (), "`count_moves`: most moves in one of them"),
)
