"""What the paper's player keeps in Gomoku's record, and the scale of its values."""

from __future__ import annotations

from core.native.record import Field
from core.search.scores import MAX_DISTANCE

FIVE_VALUE = 10_000_000  # a five in the paper's units; a win in n plies is n less
MAX_STATIC_VALUE = FIVE_VALUE - MAX_DISTANCE - 1  # the largest estimate


def paper_fields(lines: int, cells: int) -> tuple[Field, ...]:
    """The fields of kernels/paper_patterns.py and paper.py, for a board of so many lines a direction and cells."""
    return (
        Field("paper_root_side", "i64", (), "side whose move is sought: 0 black, 1 white"),
        Field("paper_beam_width", "i64", (), "moves considered at a node"),
        Field("paper_uses_alphabeta", "i64", (), "1 for alpha-beta with the table, 0 for a full search"),
        Field("paper_gamma_per_mille", "i64", (), "weight of the other side's patterns"),
        Field("paper_value_lines", "i64", (4, lines), "content of the lines that `paper_values` are of"),
        Field("paper_values", "i64", (2, 4, lines), "worth of the patterns in a line, by colour"),
        Field("paper_gain_lines", "i64", (4, lines), "content of the lines that `paper_gains` are of"),
        Field("paper_gains", "i32", (4, cells), "worth that a stone of each colour on an empty cell adds"),
    )
