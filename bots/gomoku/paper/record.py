"""What the paper's player keeps in Gomoku's record, and the scale of its values."""

from __future__ import annotations

from core.native.state_type import StateField
from core.search.scores import MAX_DISTANCE

FIVE_VALUE = 10_000_000  # a five in the paper's units; a win in n plies is n less
MAX_VALUE = FIVE_VALUE - MAX_DISTANCE - 1  # the largest estimate


def paper_fields(lines: int, cells: int) -> tuple[StateField, ...]:
    """The fields of kernels/paper_patterns.py and paper.py, for a board of so many lines a direction and cells."""
    return (
        StateField("paper_agent", "i64", (), "side whose move is sought: 0 black, 1 white"),
        StateField("paper_breadth", "i64", (), "moves considered at a node"),
        StateField("paper_prunes", "i64", (), "1 for alpha-beta with the table, 0 for a full search"),
        StateField("paper_gamma_per_mille", "i64", (), "weight of the other side's patterns"),
        StateField("paper_value_words", "i64", (4, lines), "content of the lines that `paper_values` are of"),
        StateField("paper_values", "i64", (2, 4, lines), "worth of the patterns in a line, by colour"),
        StateField("paper_gain_words", "i64", (4, lines), "content of the lines that `paper_gains` are of"),
        StateField("paper_gains", "i32", (4, cells), "worth that a stone of each colour on an empty cell adds"),
    )
