"""Writes `tests/data/gomoku/vcf.txt`, the positions with which tests compare searches for a VCF.

Call: `python -m tests.bots.gomoku.make_vcf > tests/data/gomoku/vcf.txt`. It takes minutes.

The file lists positions with the length of their shortest VCF (victory by continuous fours). Positions are random
stones in the middle of the board. No side has a five or can make one with the next move, and no move is a foul, so that
they are legal under every rule. A position is kept only if there are one to MAX_FIRST_MOVES fours to try, if it has no
VCF or one of at most MAX_FOURS fours, and, under another rule than freestyle, if the rule changes the answer.
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
REGION = [(x, y) for x in range(3, 12) for y in range(3, 12)]  # points that may have a stone
MIN_PLIES, MAX_PLIES = 16, 24  # number of stones
MAX_FOURS = 5  # in the longest recorded VCF
MAX_FIRST_MOVES = 6  # fours that may begin a VCF; with more, brute force takes too long
NO_VCF = "-"  # there is no VCF
ANY_VCF = "+"  # there is a VCF, of any length

HEADER = """\
# Victory by continuous fours for the side to move on 15x15: variant, moves so far, least number of fours before the
# five (- where there is no such victory of any length). Written by tests/bots/gomoku/make_vcf.py.
"""

Kind = tuple[str, int, str]  # variant, side to move, and number of fours, ANY_VCF or NO_VCF

# Number of positions of each kind.
REQUESTED: Counter[Kind] = Counter(
    {("freestyle", side, str(fours)): 1 for side in (BLACK, WHITE) for fours in range(1, MAX_FOURS)}
    | {("freestyle", BLACK, "3"): 2, ("freestyle", WHITE, "4"): 2, ("freestyle", WHITE, "5"): 2}
    | {(variant, side, ANY_VCF): 1 for variant in ("standard", "caro") for side in (BLACK, WHITE)}
    | {("renju", side, ANY_VCF): 2 for side in (BLACK, WHITE)}
    | {("freestyle", side, NO_VCF): 2 for side in (BLACK, WHITE)}
    | {(variant, side, NO_VCF): 1 for variant in ("standard", "caro") for side in (BLACK, WHITE)}
    | {("renju", BLACK, NO_VCF): 2}
)


def main() -> None:
    rng = random.Random(SEED)
    missing = REQUESTED.copy()
    print(HEADER, end="", flush=True)
    while missing:
        moves = [format_square(x, y) for x, y in rng.sample(REGION, rng.randint(MIN_PLIES, MAX_PLIES))]
        position = quiet_position(moves)
        found = classify(position.grid, position.to_move, missing) if position else None
        if found:
            kind, answer = found
            missing -= Counter({kind: 1})
            print(kind[0], join_squares(moves), answer, flush=True)


def quiet_position(moves: list[str]) -> NaiveGomoku | None:
    """Return the position after `moves`; None if a move is a foul, or a side has a five or can make one at once."""
    position = NaiveGomoku(Setup(SIZE, SIZE, "renju"))
    try:
        for move in moves:
            position.play(move)
    except IllegalMove:
        return None
    board = with_variant(position.grid, "freestyle")
    reaches_five = any(makes_five(board, colour, point) for point, colour in board.stones.items())
    return None if reaches_five or five_points(board, BLACK) or five_points(board, WHITE) else position


def classify(board: Board, colour: int, missing: Counter[Kind]) -> tuple[Kind, str] | None:
    """Return a kind that is still missing and fits the position, with the answer, or None.

    Freestyle is tried last, because the other kinds are rarer.
    """
    freestyle = answer_for(with_variant(board, "freestyle"), colour)
    for variant in sorted({kind[0] for kind in missing if kind[1] == colour} - {"freestyle"}):
        answer = answer_for(with_variant(board, variant), colour)
        kind = (variant, colour, NO_VCF if answer == NO_VCF else ANY_VCF)
        if answer and answer != freestyle and kind in missing:
            return kind, answer
    kind = ("freestyle", colour, freestyle or "")
    return (kind, freestyle) if freestyle and kind in missing else None


def answer_for(board: Board, colour: int) -> str | None:
    """Return the least number of fours of a VCF as text, or NO_VCF.

    Return None if the position has no fours to try, too many of them, or only a longer VCF than MAX_FOURS.
    """
    if not 0 < len(four_moves(board, colour)) <= MAX_FIRST_MOVES:
        return None
    count = shortest_vcf(board, colour, MAX_FOURS)
    if count is not None:
        return str(count)
    return None if wins_by_fours(board, colour, SIZE * SIZE) else NO_VCF


def with_variant(board: Board, variant: str) -> Board:
    """Return the same stones under another rule."""
    return Board(board.width, board.height, parse_variant(variant), board.stones)


if __name__ == "__main__":
    main()
