"""Geometry of the drawings of Hex and Hive: a grid of hexagons with corners at top and bottom, in drawing units."""

from __future__ import annotations

from core.play.scene import CELL

RADIUS = CELL * 0.62  # from the centre of a hexagon to a corner
COLUMN_STEP = RADIUS * 1.7320508  # sqrt(3) radii: distance between the centres of two cells in a row
ROW_STEP = RADIUS * 1.5  # vertical distance between two rows


def hex_centre(column: int, row: int) -> tuple[float, float]:
    """Return x and y of a cell's centre; each row begins half a cell further right than the one above it."""
    return round(COLUMN_STEP * (column + row / 2), 2), round(ROW_STEP * row, 2)


def hexagon(x: float, y: float, radius: float) -> tuple[float, ...]:
    """Return the corners of a hexagon with a corner at the top as x, y pairs, clockwise from that corner."""
    half_width = radius * 0.8660254  # sqrt(3) / 2
    right = ((half_width, -radius / 2), (half_width, radius / 2))
    left = ((-half_width, radius / 2), (-half_width, -radius / 2))
    corners = ((0, -radius), *right, (0, radius), *left)
    return tuple(round(value, 2) for dx, dy in corners for value in (x + dx, y + dy))
