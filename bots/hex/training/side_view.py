"""Square boards as the side to move sees them: it owns top and bottom.

For white, columns and rows are exchanged, and the colours. Cell (x, y) of a flat board has the index y * size + x.
"""

from __future__ import annotations

EMPTY, OWN, OPPONENT = 0, 1, 2


def to_side_view(side: int, cell: int, size: int) -> int:
    """Convert a cell to a side's view, or back."""
    return cell % size * size + cell // size if side else cell
