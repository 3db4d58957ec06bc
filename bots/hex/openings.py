"""What openings of Hex are: one form for a board and its half turn, and no swap."""

from __future__ import annotations

from collections.abc import Iterator

from bots.hex.players import PLAYERS
from bots.hex.position import HexPosition
from core.play import openings
from core.play.player import Setup, build_player
from core.play.squares import format_square

VARIANT = "standard"  # a swap would undo the opening

Form = tuple[tuple[int, int], ...]


def balanced_openings(setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, no two alike under a half turn (core/play/openings.py).

    `depth` stands for as many playouts as in the tree search.
    """
    player = build_player(PLAYERS, f"{PLAYERS[0].name}:seed={seed}")
    position = HexPosition(Setup(setup.width, setup.height, VARIANT))
    return openings.balanced_openings(player, position, plies, depth, seed, canonical_form, lambda _: True)


def canonical_form(position: HexPosition) -> Form:
    """The lesser of the board and its half turn, as the places and colours of its stones.

    The mirror image exchanges the sides, and so the turn as well: it is another opening.
    """
    setup = position.setup
    corners = position.parse("a1") + position.parse(format_square(setup.width - 1, setup.height - 1))
    stones = [(position.parse(cell), colour) for colour, cell in position.stones()]
    return min(tuple(sorted(stones)), tuple(sorted((corners - cell, colour) for cell, colour in stones)))
