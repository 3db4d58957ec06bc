"""Writes `tests/data/gomoku/vcf.txt`: `python -m tests.bots.gomoku.make_vcf > tests/data/gomoku/vcf.txt` (minutes).

Positions are stones strewn over the middle of the board without a five, also on the next move, and without a foul on
the way, so that they are legal under every rule. One under another rule than freestyle is kept only where the rule
changes the answer, one without a victory only where fours are at hand.
"""

from __future__ import annotations

import random
from collections import Counter

from bots.gomoku.notation import join_squares, parse_variant
from core.play.player import IllegalMove, Setup
from core.play.squares import format_square
from tests.bots.gomoku.naive import BLACK, WHITE, Board, NaiveGomoku, five_points, makes_five
from tests.bots.gomoku.naive_vcf import four_moves, shortest_vcf, wins_by_fours

SEED = 20261120
SIZE = 15
REGION = [(x, y) for x in range(3, 12) for y in range(3, 12)]
LEAST_PLIES, MOST_PLIES = 16, 24
MOST_FOURS = 5
MOST_FIRST_MOVES = 6  # more, or more stones, hold trees of fours that brute force does not get through
NONE = "-"  # no victory by fours
SOME = "+"  # one of whatever length

HEADER = """\
# Victory by continuous fours for the side to move on 15x15: variant, moves so far, least number of fours before the
# five (- where there is no such victory of any length). Written by tests/bots/gomoku/make_vcf.py.
"""

Kind = tuple[str, int, str]  # variant, side to move, number of fours or SOME or NONE

WANTED: Counter[Kind] = Counter(
    {("freestyle", side, str(fours)): 1 for side in (BLACK, WHITE) for fours in range(1, MOST_FOURS)}
    | {("freestyle", BLACK, "3"): 2, ("freestyle", WHITE, "4"): 2, ("freestyle", WHITE, "5"): 2}
    | {(variant, side, SOME): 1 for variant in ("standard", "caro") for side in (BLACK, WHITE)}
    | {("renju", side, SOME): 2 for side in (BLACK, WHITE)}
    | {("freestyle", side, NONE): 2 for side in (BLACK, WHITE)}
    | {(variant, side, NONE): 1 for variant in ("standard", "caro") for side in (BLACK, WHITE)}
    | {("renju", BLACK, NONE): 2}
)


def main() -> None:
    rng = random.Random(SEED)
    missing = WANTED.copy()
    print(HEADER, end="", flush=True)
    while missing:
        moves = [format_square(x, y) for x, y in rng.sample(REGION, rng.randint(LEAST_PLIES, MOST_PLIES))]
        position = quiet_position(moves)
        found = find_kind(position.grid, position.to_move, missing) if position else None
        if found:
            kind, answer = found
            missing -= Counter({kind: 1})
            print(kind[0], join_squares(moves), answer, flush=True)


def quiet_position(moves: list[str]) -> NaiveGomoku | None:
    """The position after `moves`, or None where one is a foul or somebody has five in a row or gets it next."""
    position = NaiveGomoku(Setup(SIZE, SIZE, "renju"))
    try:
        for move in moves:
            position.play(move)
    except IllegalMove:
        return None
    board = with_variant(position.grid, "freestyle")
    reaches_five = any(makes_five(board, colour, point) for point, colour in board.stones.items())
    return None if reaches_five or five_points(board, BLACK) or five_points(board, WHITE) else position


def find_kind(board: Board, colour: int, missing: Counter[Kind]) -> tuple[Kind, str] | None:
    """A kind still wanted that this position belongs to, rarer rules first, with the answer."""
    freestyle = answer_for(with_variant(board, "freestyle"), colour)
    for variant in sorted({kind[0] for kind in missing if kind[1] == colour} - {"freestyle"}):
        answer = answer_for(with_variant(board, variant), colour)
        kind = (variant, colour, NONE if answer == NONE else SOME)
        if answer and answer != freestyle and kind in missing:
            return kind, answer
    kind = ("freestyle", colour, freestyle or "")
    return (kind, freestyle) if freestyle and kind in missing else None


def answer_for(board: Board, colour: int) -> str | None:
    """The number of fours, NONE where no number is enough, or None for a position of no interest."""
    if not 0 < len(four_moves(board, colour)) <= MOST_FIRST_MOVES:
        return None
    count = shortest_vcf(board, colour, MOST_FOURS)
    if count is not None:
        return str(count)
    return None if wins_by_fours(board, colour, SIZE * SIZE) else NONE


def with_variant(board: Board, variant: str) -> Board:
    """The same stones under another rule."""
    return Board(board.width, board.height, parse_variant(variant), board.stones)


if __name__ == "__main__":
    main()
