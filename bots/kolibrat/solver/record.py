"""What solving needs in the record, and its limits, for code that runs without the kernels' sources."""

from __future__ import annotations

from core.native.state_type import StateField

MAX_SQUARES = 25  # of a board that can be solved
MAX_PIECES = 12  # of a side

RETRO_FIELDS = (
    StateField("binomials", "i64", (MAX_SQUARES + 1, MAX_PIECES + 2), "n over k"),
    StateField(
        "class_start", "i64", (MAX_PIECES + 1, MAX_PIECES + 1), "index of the first board by pieces of both sides"
    ),
    StateField("boards", "i64", (), "number of boards"),
    StateField(
        "flat", "i64", (2,), "pieces of the mover and of the other side as one word each, bit row * width + column"
    ),
    StateField("turned", "i64", (2,), "the same mirrored: columns in reverse"),
    StateField("last_due", "i64", (), "greatest distance that a state is to be settled at"),
    StateField("open_moves", "i64", (), "moves of a state that do not score, or into a state without a forced end"),
    StateField("states", "i64", (), "states with a move that a survey has met"),
    StateField("branching", "i64", (), "the sum of their moves"),
    StateField("most_moves", "i64", (), "most moves of one of them"),
)
