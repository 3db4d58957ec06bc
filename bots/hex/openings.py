"""Balanced openings of Hex for opening books. Two openings are the same if one is the other rotated by 180 degrees."""

from __future__ import annotations

from collections.abc import Iterator

from bots.hex.players import PLAYERS
from bots.hex.position import HexPosition
from core.play import openings
from core.play.player import Setup, build_player
from core.play.squares import format_square

VARIANT = "standard"  # without the swap, which would undo the opening

Form = tuple[tuple[int, int], ...]  # a position as sorted pairs of cell code and colour


def balanced_openings(setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, no two of which are equal or rotations of each other (core/play/openings.py).

    `depth` limits the search that judges the balance; core/search/mcts_search.py converts it to a number of playouts.
    """
    player = build_player(PLAYERS, f"{PLAYERS[0].name}:seed={seed}")  # the strongest player
    position = HexPosition(Setup(setup.width, setup.height, VARIANT))
    return openings.balanced_openings(player, position, plies, depth, seed, canonical_form, is_usable=lambda _: True)


def canonical_form(position: HexPosition) -> Form:
    """Return the smaller of the board and its rotation by 180 degrees.

    The mirror image exchanges the sides and the turn, so it counts as another opening.
    """
    setup = position.setup
    # A rotation by 180 degrees turns cell n into (first cell + last cell) - n.
    corner_sum = position.parse("a1") + position.parse(format_square(setup.width - 1, setup.height - 1))
    stones = [(position.parse(cell), colour) for colour, cell in position.stones()]
    return min(tuple(sorted(stones)), tuple(sorted((corner_sum - cell, colour) for cell, colour in stones)))
