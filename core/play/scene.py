"""What pages draw of a position. Rules and geometry stay in Python; the pages only draw, and report clicks.

A `DrawnBoard` is what does not change in a game: backdrop, cells that can be clicked, names of the sides. A `Scene` is
one position on it. Lengths are in units of which a cell has about `CELL`; y grows downwards. Every id that a click can
name is a cell of the board, a piece of the scene, or a piece in a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from core.play.player import Setup

CELL = 40.0
LAST, FROM, TURN, FORBIDDEN, DECISIVE = "last", "from", "turn", "forbidden", "decisive"  # kinds of marks


class Shape(msgspec.Struct, frozen=True, array_like=True):
    """A part of the backdrop: `kind` is polygon, polyline, rect, circle or text, `style` a class of the style sheet.

    `numbers` are x, y pairs; x, y, width, height, corner radius; x, y, radius; or x, y.
    """

    kind: str
    style: str
    numbers: tuple[float, ...]
    text: str = ""


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """A place that can be clicked. Without width and height it has the board's cell shape.

    `arrow` is the direction of an arrow drawn in it, degrees clockwise from pointing right; None for no arrow.
    """

    x: float
    y: float
    width: float = 0.0
    height: float = 0.0
    arrow: float | None = None


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """A piece on the board. `look` is stone, piece, or the name of a Hive tile; `label` is shown on request.

    `level` is 0 on the ground; pieces are drawn in order of their levels.
    """

    side: int
    look: str
    x: float
    y: float
    label: str = ""
    level: int = 0


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """Something to notice at a place. A `turn` has half the side of its quadrant and degrees clockwise.

    What is `decisive` ended the game by the rules: a stone of the winning row or chain, a surrounded queen.
    """

    kind: str
    x: float
    y: float
    extent: float = 0.0
    angle: float = 0.0


class InHand(msgspec.Struct, frozen=True, array_like=True):
    """Equal pieces that a side has not played yet; `id` is what a click on them names."""

    id: str
    look: str
    count: int


class DrawnBoard(msgspec.Struct, frozen=True):
    """What all scenes of a game share. `grows` lets the box grow to whatever lies outside it.

    With `ghost` a stone of the side to move is shown where the pointer is; with `skips` the page says that a side had
    no move and the same one moves again.
    """

    game: str
    sides: tuple[str, str]
    box: tuple[float, float, float, float]  # x, y, width, height
    cell: str  # round, square or hex
    shapes: tuple[Shape, ...] = ()
    cells: dict[str, Cell] = {}
    goal: int = 0  # points that win, 0 where there are none
    numbered: bool = False  # whether pieces have labels
    grows: bool = False
    how: str = ""  # which clicks make a move
    ghost: bool = False
    skips: bool = False


class Scene(msgspec.Struct, frozen=True):
    """One position. `cells` are those that exist only here; `hands` are the first and the second side's."""

    pieces: dict[str, Piece]
    marks: tuple[Mark, ...] = ()
    cells: dict[str, Cell] = {}
    hands: tuple[tuple[InHand, ...], tuple[InHand, ...]] = ((), ())
    points: tuple[int, int] = (0, 0)
    swapped: bool = False


@dataclass(frozen=True)
class Painter:
    """How a game is drawn: its board, a position, and the clicks that mean each legal move."""

    make_board: Callable[[Setup], DrawnBoard]
    make_scene: Callable[[Any], Scene]  # of the game's position
    list_clicks: Callable[[Any], Mapping[str, Sequence[str]]]  # move to ids, in the order of the clicks


def add_column_letters(shapes: list[Shape], xs: Sequence[tuple[str, float]], ys: Sequence[float]) -> None:
    """Add column letters, each at its x, in one row for every y."""
    for y in ys:
        shapes.extend(Shape("text", "coordinate", (x, y), letter) for letter, x in xs)


def hexagon(x: float, y: float, radius: float) -> tuple[float, ...]:
    """Corners of a hexagon that stands on a corner, clockwise from the top, as x, y pairs."""
    half = radius * 0.8660254
    corners = ((0, -radius), (half, -radius / 2), (half, radius / 2), (0, radius), (-half, radius / 2))
    return tuple(round(value, 2) for dx, dy in (*corners, (-half, -radius / 2)) for value in (x + dx, y + dy))
