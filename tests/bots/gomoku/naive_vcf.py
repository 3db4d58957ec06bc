"""Brute-force search for a victory by continuous fours (VCF): the reference for the kernels' search.

The attacker is to move. If it has a five, no four is needed. Otherwise each of its moves must be legal, threaten a five
and leave the defender without a five; the defender may answer with any legal move after which the attacker has no five.
Usually that is the completing point; under caro also a point that blocks the five; in renju it may be forbidden to
black. The attacker wins with `count` fours if some move wins with `count - 1` fours after every answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bots.gomoku.naive import (
    STEPS,
    Board,
    Point,
    five_points,
    foul,
    fours,
    makes_five,
    move_by,
)

Known = dict[tuple[frozenset[tuple[Point, int]], int], bool]  # (stones, number of fours) -> whether the attacker wins


def shortest_vcf(board: Board, attacker: int, max_fours: int) -> int | None:
    """Return the least number of fours with which `attacker`, to move, wins; None if `max_fours` are not enough."""
    counts = range(max_fours + 1)
    return next((count for count in counts if wins_by_fours(board, attacker, count)), None)


def wins_by_fours(board: Board, attacker: int, count: int, known: Known | None = None) -> bool:
    """Return True if `attacker`, to move, wins with at most `count` fours; `known` caches earlier answers."""
    known = {} if known is None else known
    key = (frozenset(board.stones.items()), count)
    if key not in known:
        known[key] = bool(five_points(board, attacker)) or (
            count > 0 and any(True for _ in winning_fours(board, attacker, count, known))
        )
    return known[key]


def winning_fours(board: Board, attacker: int, count: int, known: Known | None = None) -> Iterator[Point]:
    """Yield the first moves of all wins with at most `count` fours; `attacker` must have no five."""
    for point in four_moves(board, attacker):
        board_after = board.with_stone(point, attacker)
        answers = (board_after.with_stone(answer, 1 - attacker) for answer in answers_to_four(board_after, attacker))
        if all(wins_by_fours(answered, attacker, count - 1, known) for answered in answers):
            yield point


def four_moves(board: Board, attacker: int) -> list[Point]:
    """Return the legal moves that make a four and after which the defender cannot make a five."""
    return [
        point
        for point in board.points()
        if board.is_empty(point)
        and _has_three_near(board, attacker, point)
        and fours(board, attacker, point)
        and foul(board, attacker, point) is None
        and not five_points(board.with_stone(point, attacker), 1 - attacker)
    ]


def answers_to_four(board: Board, attacker: int) -> list[Point]:
    """Return the defender's legal moves after which `attacker`, who threatens a five, has none."""
    fives = five_points(board, attacker)
    answers = []
    for point in board.points():
        if board.is_empty(point) and foul(board, 1 - attacker, point) is None:
            board_after = board.with_stone(point, 1 - attacker)
            if not any(board_after.is_empty(five) and makes_five(board_after, attacker, five) for five in fives):
                answers.append(point)
    return answers


def _has_three_near(board: Board, colour: int, point: Point) -> bool:
    """Return True if some line has three stones within four steps of `point`, as a four there needs."""
    lines = ([move_by(point, step, distance) for distance in range(-4, 5)] for step in STEPS)
    return any(sum(board.stones.get(cell) == colour for cell in line) >= 3 for line in lines)
