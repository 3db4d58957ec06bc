"""Drawings of positions for the web pages: a game computes shapes and coordinates, the page draws them as SVG.

A `DrawnBoard` is what stays the same during a game: background, clickable cells, names of the sides. A `Scene` is one
position on it. The page reports clicks by id: the id of a cell of the board, of a piece of the scene, or of a piece in
a hand. Lengths are in drawing units; a cell is about `CELL` units wide, and y grows downwards. The structs are sent to
the page as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from core.play.player import Setup

CELL = 40.0  # drawing units
LAST, FROM, TURN, FORBIDDEN, DECISIVE = "last", "from", "turn", "forbidden", "decisive"  # values of `Mark.kind`


class Shape(msgspec.Struct, frozen=True, array_like=True):
    """An SVG shape of the background."""

    kind: str  # polygon, polyline, rect, circle or text
    style: str  # CSS class
    numbers: tuple[float, ...]  # poly*: x, y pairs; rect: x, y, width, height, radius; circle: x, y, radius; text: x, y
    text: str = ""  # if `kind` is text


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """A clickable cell."""

    x: float  # of the centre
    y: float
    width: float = 0.0  # 0: the cell has the shape `DrawnBoard.cell`
    height: float = 0.0
    arrow: float | None = None  # direction of an arrow drawn in the cell, degrees clockwise from right; None: no arrow


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """A piece on the board."""

    side: int  # FIRST or SECOND
    look: str  # `stone`, `piece`, or the name of a Hive tile; the page has a drawing for each
    x: float
    y: float
    label: str = ""  # such as a move number; the page shows labels on request
    level: int = 0  # height in a stack, 0 on the ground; lower pieces are drawn first


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """A highlight on the board.

    LAST and FROM mark the target and the origin of the last move, FORBIDDEN a cell that may not be played, DECISIVE the
    pieces that ended the game (a stone of the winning row or chain, a surrounded queen), TURN a rotated quadrant
    (Pentago).
    """

    kind: str
    x: float
    y: float
    extent: float = 0.0  # TURN: half the side of the quadrant
    angle: float = 0.0  # TURN: degrees clockwise


class InHand(msgspec.Struct, frozen=True, array_like=True):
    """Equal pieces that a side has not placed yet."""

    id: str  # reported by a click on them
    look: str  # as in `Piece`
    count: int


class DrawnBoard(msgspec.Struct, frozen=True):
    """The part of the drawing that all scenes of a game share."""

    game: str
    sides: tuple[str, str]  # names of the first and the second side
    box: tuple[float, float, float, float]  # visible area: x, y, width, height
    cell: str  # shape of the cells: round, square or hex
    shapes: tuple[Shape, ...] = ()  # background
    cells: dict[str, Cell] = {}  # by id
    goal: int = 0  # points that win the game; 0 if the game has no points
    numbered: bool = False  # True if the pieces have labels, such as move numbers
    grows: bool = False  # True if the visible area grows to include all pieces
    how: str = ""  # help text that says which clicks make a move
    ghost: bool = False  # True if the cell under the pointer shows a stone of the side to move
    skips: bool = False  # True if a side without moves is skipped; the page then says so


class Scene(msgspec.Struct, frozen=True):
    """One position."""

    pieces: dict[str, Piece]  # by id
    marks: tuple[Mark, ...] = ()
    cells: dict[str, Cell] = {}  # by id; clickable in this position only
    hands: tuple[tuple[InHand, ...], tuple[InHand, ...]] = ((), ())  # of the first and the second side
    points: tuple[int, int] = (0, 0)
    swapped: bool = False  # True after the sides were swapped (swap rule)


@dataclass(frozen=True)
class Painter:
    """Functions that draw a game. The argument `Any` is the game's position."""

    make_board: Callable[[Setup], DrawnBoard]
    make_scene: Callable[[Any], Scene]
    list_clicks: Callable[[Any], Mapping[str, Sequence[str]]]  # for each legal move the ids to click, in order


def add_column_letters(shapes: list[Shape], xs: Sequence[tuple[str, float]], ys: Sequence[float]) -> None:
    """Add a row of column letters at each y; `xs` are pairs of letter and x."""
    for y in ys:
        shapes.extend(Shape("text", "coordinate", (x, y), letter) for letter, x in xs)
