"""The view of the side to move on a square board, as the network gets it: this side owns top and bottom.

For black it is the board itself. For white, columns and rows are exchanged, and so are the colours. Cell (x, y) of a
flat board has the index y * size + x.
"""

from __future__ import annotations

EMPTY, OWN, OPPONENT = 0, 1, 2  # contents of a cell in this view


def to_side_view(side: int, cell: int, size: int) -> int:
    """Convert the index of a cell to a side's view, or back; `side` is 0 for black, 1 for white."""
    return cell % size * size + cell // size if side else cell
