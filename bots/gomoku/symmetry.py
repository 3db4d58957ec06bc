"""The symmetries of a Gomoku board: eight, or four where it is not square."""

from __future__ import annotations

from collections.abc import Sequence

from bots.gomoku.notation import parse_move
from core.play.player import PASS, Setup
from core.play.squares import format_square, parse_square


def canonical_form(moves: Sequence[str], setup: Setup) -> tuple[str, ...]:
    """The least of an opening's images, as black's and white's stones; on a board that is not square there are four."""
    return min((*sorted(image[::2]), "", *sorted(image[1::2])) for image in list_symmetric_lines(moves, setup))


def list_symmetric_lines(moves: Sequence[str], setup: Setup) -> list[list[str]]:
    """A line of moves under each symmetry of the board, itself first; on a board that is not square there are four."""
    squares = [parse_move(move, setup) for move in moves]
    count = 8 if setup.width == setup.height else 4
    return [[format_square(*_transform(x, y, image, setup)) for x, y in squares] for image in range(count)]


def _transform(x: int, y: int, image: int, setup: Setup) -> tuple[int, int]:
    x = setup.width - 1 - x if image & 1 else x
    y = setup.height - 1 - y if image & 2 else y
    return (y, x) if image & 4 else (x, y)


def near_squares(stones: Sequence[str], squares: Sequence[str], distance: int = 2) -> list[str]:
    """Return the squares within a distance of a stone in both coordinates, in their order."""
    placed = [parse_square(stone) for stone in stones if stone != PASS]
    around = {
        (x + right, y + down)
        for x, y in filter(None, placed)
        for right in range(-distance, distance + 1)
        for down in range(-distance, distance + 1)
    }
    return [square for square in squares if parse_square(square) in around]


def find_equivalent_moves(stones: Sequence[str], moves: Sequence[str]) -> list[str]:
    """Return the moves after which the stones have the same shape as after an earlier one of `moves`.

    A shape is the stones turned, mirrored and shifted in any way, whatever their distance from the edge: players take
    such moves for the same also if the axis does not go through the board's centre.
    """
    placed = [(parse_square(stone), turn % 2) for turn, stone in enumerate(stones) if stone != PASS]
    points = [(x, y, colour) for (x, y), colour in ((square or (0, 0), colour) for square, colour in placed)]
    seen: set[tuple[tuple[int, int, int], ...]] = set()
    repeats = []
    for move in moves:
        x, y = parse_square(move) or (0, 0)
        shape = _shape([*points, (x, y, len(stones) % 2)])
        if shape in seen:
            repeats.append(move)
        seen.add(shape)
    return repeats


def _shape(points: Sequence[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """The least of eight images of coloured points, each moved to the corner."""
    images = []
    for image in range(8):
        turned = [(x * (1 - (image & 2)), y * (1 - (image >> 1 & 2)), colour) for x, y, colour in points]
        turned = [(y, x, colour) for x, y, colour in turned] if image & 1 else turned
        left, top = min(x for x, _, _ in turned), min(y for _, y, _ in turned)
        images.append(tuple(sorted((x - left, y - top, colour) for x, y, colour in turned)))
    return min(images)
