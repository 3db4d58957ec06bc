"""A slow, simple implementation of the evaluation and the minimax search of Pettersson's thesis on Hive.

The kernels in bots/hive/kernels/paper.py are compared with it.
"""

from __future__ import annotations

from bots.hive.paper.state_fields import MOBILITY_POINTS, QUEEN_NEIGHBOUR_POINTS
from bots.hive.tiles import KIND_LETTERS
from core.search.scores import WIN
from tests.bots.hive.naive import Coordinates, NaiveHive, is_one_hive, neighbours_of, remove_top, slide_targets


def count_queen_neighbours(hive: NaiveHive, colour: str) -> int:
    queen = hive.find(colour + "Q")
    return sum(coordinates in hive.stacks for coordinates in neighbours_of(queen)) if queen else 0


def can_move(hive: NaiveHive, coordinates: Coordinates) -> bool:
    """Return whether the top tile of a cell counts as able to move.

    Its queen must be in play, and the tile must not be pinned. Tiles on stacks and tiles that move like a grasshopper,
    beetle or ladybug need nothing else; the others need a cell to slide to.
    """
    stack, rest = hive.stacks[coordinates], remove_top(hive.stacks, coordinates)
    if stack[-1][0] + "Q" not in hive.in_play() or not is_one_hive(rest):
        return False
    kinds = hive.movement_kinds(stack[-1][1], coordinates)
    return len(stack) > 1 or bool(kinds & set("GBL")) or bool(kinds and slide_targets(rest, coordinates))


def evaluate(hive: NaiveHive) -> int:
    """Return the evaluation for the side to move."""
    us, them = hive.colour, "wb"[hive.colour == "w"]
    score = QUEEN_NEIGHBOUR_POINTS * (count_queen_neighbours(hive, them) - count_queen_neighbours(hive, us))
    for coordinates, stack in hive.stacks.items():
        if can_move(hive, coordinates):
            weight = MOBILITY_POINTS[KIND_LETTERS.index(stack[-1][1])]
            score += weight if stack[-1][0] == us else -weight
    return score


def minimax(hive: NaiveHive, depth: int, ply: int = 0) -> int:
    """Return the minimax value for the side to move; a win scores WIN minus its distance from the root."""
    state = hive.state()
    if state == "Draw":
        return 0
    if state in ("WhiteWins", "BlackWins"):
        return WIN - ply if state[0].lower() == hive.colour else ply - WIN
    if depth == 0:
        return evaluate(hive)
    return max(-minimax(hive.after(move), depth - 1, ply + 1) for move in hive.moves())
