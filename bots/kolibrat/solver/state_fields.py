"""State fields and limits of the retrograde solver (bots/kolibrat/kernels/retrograde.py).

They are in a module of their own because executables need the limits without the sources of the kernels.
"""

from __future__ import annotations

from core.native.record import Field

MAX_SQUARES = 25  # largest board that can be solved
MAX_PIECES = 12  # per side

RETRO_FIELDS = (
    Field("binomials", "i64", (MAX_SQUARES + 1, MAX_PIECES + 2), "binomial coefficients: n over k"),
    Field("first_placement", "i64", (MAX_PIECES + 1, MAX_PIECES + 1), "first number, by mover's and opponent's pieces"),
    Field("placement_count", "i64", (), "number of placements"),
    Field("masks", "i64", (2,), "pieces of the mover and of the opponent: bit row * width + column"),
    Field("mirrored", "i64", (2,), "the same with the columns in reverse order"),
    Field("max_pending_plies", "i64", (), "last pass in which a state may become final"),
    Field("open_moves", "i64", (), "moves that do not score, or lead to a state without a forced end"),
    Field("state_count", "i64", (), "`count_moves`: placements with a move"),
    Field("move_count", "i64", (), "`count_moves`: sum of their moves"),
    Field("max_moves", "i64", (), "`count_moves`: most moves in one of them"),
)
