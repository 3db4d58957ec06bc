"""Geometry of a Gomoku board: its symmetries (eight, or four if it is not square) and squares near others.

Squares are texts such as `h8`, coordinates are column and row from 0 at the top left. A line is a sequence of moves,
black's first.
"""

from __future__ import annotations

from collections.abc import Sequence

from bots.gomoku.notation import parse_move
from core.play.player import PASS, Setup
from core.play.squares import format_square, parse_square


def canonical_form(moves: Sequence[str], setup: Setup) -> tuple[str, ...]:
    """Return a form of an opening that is equal for all its symmetric images and for all orders of its stones.

    It is the least of the images, each written as sorted black stones, "", sorted white stones.
    """
    return min((*sorted(line[::2]), "", *sorted(line[1::2])) for line in list_symmetric_lines(moves, setup))


def list_symmetric_lines(moves: Sequence[str], setup: Setup) -> list[list[str]]:
    """Return the images of a line of moves under each symmetry of the board, the line itself first."""
    squares = [parse_move(move, setup) for move in moves]
    count = 8 if setup.width == setup.height else 4
    return [[format_square(*_transform(x, y, symmetry, setup)) for x, y in squares] for symmetry in range(count)]


def _transform(x: int, y: int, symmetry: int, setup: Setup) -> tuple[int, int]:
    """Mirror and transpose a square by the three bits of `symmetry`."""
    x = setup.width - 1 - x if symmetry & 1 else x
    y = setup.height - 1 - y if symmetry & 2 else y
    return (y, x) if symmetry & 4 else (x, y)


def squares_near_centre(setup: Setup, distance: int) -> list[str]:
    """Return the squares at most `distance` columns and rows from the centre; fewer on a small board."""

    def middle_range(length: int) -> range:
        reach = min(distance, (length - 1) // 2)
        return range(length // 2 - reach, length // 2 + reach + 1)

    return [format_square(x, y) for x in middle_range(setup.width) for y in middle_range(setup.height)]


def squares_near(stones: Sequence[str], squares: Sequence[str], distance: int = 2) -> list[str]:
    """Return those of `squares` that differ from some stone by at most `distance` in each coordinate."""
    placed = [parse_square(stone) for stone in stones if stone != PASS]
    near_points = {
        (x + dx, y + dy)
        for x, y in filter(None, placed)
        for dx in range(-distance, distance + 1)
        for dy in range(-distance, distance + 1)
    }
    return [square for square in squares if parse_square(square) in near_points]


def find_equivalent_moves(stones: Sequence[str], moves: Sequence[str]) -> list[str]:
    """Return those of `moves` that lead to the same shape as an earlier one of them, played after `stones`.

    A shape is a set of coloured stones up to rotation, reflection and translation, whatever the distance from the edge:
    players of renju take such moves as equal even if the axis does not go through the board's centre.
    """
    placed = [(parse_square(stone), ply % 2) for ply, stone in enumerate(stones) if stone != PASS]
    points = [(x, y, colour) for (x, y), colour in ((square or (0, 0), colour) for square, colour in placed)]
    seen: set[tuple[tuple[int, int, int], ...]] = set()
    repeats = []
    for move in moves:
        x, y = parse_square(move) or (0, 0)
        shape = _canonical_shape([*points, (x, y, len(stones) % 2)])
        if shape in seen:
            repeats.append(move)
        seen.add(shape)
    return repeats


def _canonical_shape(points: Sequence[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """Return the least of the eight images of coloured points (x, y, colour), each moved to the top left corner."""
    shapes = []
    for symmetry in range(8):  # bit 0 transposes, bits 1 and 2 mirror x and y
        transformed = [(x * (1 - (symmetry & 2)), y * (1 - (symmetry >> 1 & 2)), colour) for x, y, colour in points]
        transformed = [(y, x, colour) for x, y, colour in transformed] if symmetry & 1 else transformed
        left, top = min(x for x, _, _ in transformed), min(y for _, y, _ in transformed)
        shapes.append(tuple(sorted((x - left, y - top, colour) for x, y, colour in transformed)))
    return min(shapes)
