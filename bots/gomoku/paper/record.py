"""Fields of Gomoku's state (the structure that the kernels work on) for the player `paper`, and its scale of values.

The player follows a paper from the University of Waterloo; bots/gomoku/paper/player.py describes it.
"""

from __future__ import annotations

from core.native.state_type import StateField
from core.search.scores import MAX_DISTANCE

FIVE_VALUE = 10_000_000  # value of a five, in the units of the paper's table 1; a win in n plies is FIVE_VALUE - n
MAX_STATIC_VALUE = FIVE_VALUE - MAX_DISTANCE - 1  # greatest static value; greater values are wins with a distance


def paper_fields(lines: int, cells: int) -> tuple[StateField, ...]:
    """Return the fields of kernels/paper_alphabeta.py and paper_patterns.py.

    The padded board has `cells` cells and at most `lines` lines (rows, columns or diagonals) per direction. Axes of
    length 4 are directions, in the order of the state's field `lines`; axes of length 2 are colours, black first.
    """
    return (
        StateField("paper_root_side", "i64", (), "side at the root: 0 black, 1 white"),
        StateField("paper_beam_width", "i64", (), "number of best moves searched at each node"),
        StateField("paper_uses_alphabeta", "i64", (), "1 for alpha-beta with a table, 0 for minimax"),
        StateField("paper_gamma_per_mille", "i64", (), "weight of the opponent's patterns, in thousandths"),
        StateField("paper_value_lines", "i64", (4, lines), "line words for which `paper_values` was computed"),
        StateField("paper_values", "i64", (2, 4, lines), "cached value of a colour's patterns in each line"),
        StateField("paper_gain_lines", "i64", (4, lines), "line words for which `paper_gains` was computed"),
        StateField(
            "paper_gains",
            "i32",
            (4, cells),
            "cached sum of what a black and what a white stone on an empty cell would add, by direction",
        ),
    )
