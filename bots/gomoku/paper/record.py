"""Fields of Gomoku's state for the player `paper`, and the scale of its values."""

from __future__ import annotations

from core.native.state_type import StateField
from core.search.scores import MAX_DISTANCE

FIVE_VALUE = 10_000_000  # of a five, in the paper's units; a win in n plies is FIVE_VALUE - n
MAX_STATIC_VALUE = FIVE_VALUE - MAX_DISTANCE - 1  # the largest static value; beyond it are wins


def paper_fields(lines: int, cells: int) -> tuple[StateField, ...]:
    """Return the fields of kernels/paper_alphabeta.py and paper_patterns.py, for `lines` lines per direction."""
    return (
        StateField("paper_root_side", "i64", (), "side at the root: 0 black, 1 white"),
        StateField("paper_beam_width", "i64", (), "moves searched at each node"),
        StateField("paper_uses_alphabeta", "i64", (), "1 for alpha-beta with a table, 0 for minimax"),
        StateField("paper_gamma_per_mille", "i64", (), "weight of the other side's patterns, in thousandths"),
        StateField("paper_value_lines", "i64", (4, lines), "line contents for which `paper_values` holds"),
        StateField("paper_values", "i64", (2, 4, lines), "value of the patterns in each line, by colour"),
        StateField("paper_gain_lines", "i64", (4, lines), "line contents for which `paper_gains` holds"),
        StateField(
            "paper_gains", "i32", (4, cells), "value that a stone of each colour on an empty cell adds in each line"
        ),
    )
