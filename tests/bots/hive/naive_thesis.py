"""The naive twin of the thesis' estimate and minimax, over the naive rules."""

from __future__ import annotations

from bots.hive.paper.record import MOBILE, ROUND_QUEEN
from bots.hive.tiles import KIND_LETTERS
from core.search.scores import WIN
from tests.bots.hive.naive import NaiveHive, Point, around, is_one_hive, lift, slides


def count_round_queen(hive: NaiveHive, colour: str) -> int:
    queen = hive.find(colour + "Q")
    return sum(point in hive.stacks for point in around(queen)) if queen else 0


def can_move(hive: NaiveHive, point: Point) -> bool:
    """Whether the top tile of a point can move as the thesis' estimate counts it: a first step is open to it."""
    stack, rest = hive.stacks[point], lift(hive.stacks, point)
    if stack[-1][0] + "Q" not in hive.in_play() or not is_one_hive(rest):
        return False
    skills = hive.skills(stack[-1][1], point)
    return len(stack) > 1 or bool(skills & set("GBL")) or bool(skills and slides(rest, point))


def evaluate(hive: NaiveHive) -> int:
    """Points for the side to move."""
    us, them = hive.colour, "wb"[hive.colour == "w"]
    points = ROUND_QUEEN * (count_round_queen(hive, them) - count_round_queen(hive, us))
    for point, stack in hive.stacks.items():
        if can_move(hive, point):
            weight = MOBILE[KIND_LETTERS.index(stack[-1][1])]
            points += weight if stack[-1][0] == us else -weight
    return points


def minimax(hive: NaiveHive, depth: int, ply: int = 0) -> int:
    """Value for the side to move; a win is worth WIN less its distance from the root."""
    state = hive.state()
    if state == "Draw":
        return 0
    if state in ("WhiteWins", "BlackWins"):
        return WIN - ply if state[0].lower() == hive.colour else ply - WIN
    if depth == 0:
        return evaluate(hive)
    return max(-minimax(hive.after(move), depth - 1, ply + 1) for move in hive.moves())
