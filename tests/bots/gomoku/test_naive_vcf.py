"""The brute-force search for a victory by continuous fours (VCF), on drawn positions and those of `vcf.txt`.

make_vcf.py has written that file: variant, moves, and the least number of fours before the five, or `-` without a VCF.
"""

from __future__ import annotations

import pytest

from bots.gomoku.notation import CARO, EXACT, RENJU
from core.play.player import Setup
from core.play.squares import split_squares
from tests.bots.gomoku.boards import read_rows
from tests.bots.gomoku.naive import BLACK, WHITE, NaiveGomoku, parse_board
from tests.bots.gomoku.naive_vcf import answers_to_four, shortest_vcf, winning_fours, wins_by_fours

RECORDED = read_rows("vcf.txt")


@pytest.mark.parametrize(("variant", "moves", "fours"), RECORDED)
def test_recorded_positions(variant: str, moves: str, fours: str) -> None:
    position = NaiveGomoku(Setup(15, 15, variant))
    for move in split_squares(moves) or []:
        position.play(move)
    assert position.outcome() is None
    board, colour = position.grid, position.to_move
    if fours == "-":
        assert not wins_by_fours(board, colour, 15 * 15)
    else:
        assert shortest_vcf(board, colour, int(fours)) == int(fours)


def test_the_file_has_thirty_positions_of_all_kinds() -> None:
    assert len({moves for _, moves, _ in RECORDED}) == 30
    assert {fours for variant, _, fours in RECORDED if variant == "freestyle"} == set("-12345")
    assert {variant for variant, _, _ in RECORDED} == {"freestyle", "standard", "renju", "caro"}


def test_a_five_at_hand_needs_no_four() -> None:
    board, _ = parse_board(["OXXXX....", *["........."] * 4], 0)
    assert shortest_vcf(board, BLACK, 0) == 0
    assert shortest_vcf(board, WHITE, 5) is None


def test_a_straight_four_wins_and_a_closed_one_does_not() -> None:
    closed, _ = parse_board([".........", ".........", ".OXXX....", ".........", "........."], 0)
    assert shortest_vcf(closed, BLACK, 3) is None
    straight, _ = parse_board([".........", ".........", "..XXX....", ".........", "........."], 0)
    assert shortest_vcf(straight, BLACK, 3) == 1
    assert list(winning_fours(straight, BLACK, 1)) == [(1, 2), (5, 2)]


def test_a_five_of_the_defender_refutes_every_four_that_does_not_stop_it() -> None:
    """White threatens a five on f4, so black's open three is useless unless a four of it is on f4."""
    rows = [".........", "..XXX....", ".........", "XOOOO....", *["........."] * 5]
    board, _ = parse_board(rows, 0)
    assert shortest_vcf(board, BLACK, 5) is None
    rows[4:7] = [".....X..."] * 3
    board, _ = parse_board(rows, 0)
    assert list(winning_fours(board, BLACK, 1)) == [(5, 3)]


def test_an_answer_may_be_forbidden_for_black() -> None:
    """White's four can only be stopped on g3, where black would make six in a column."""
    column = "......X.."
    rows = [column, column, ".XOOO....", column, column, column, "........."]
    renju, _ = parse_board(rows, RENJU)
    assert answers_to_four(renju.with_stone((5, 2), WHITE), WHITE) == []
    assert list(winning_fours(renju, WHITE, 1)) == [(5, 2)]
    standard, _ = parse_board(rows, EXACT)
    assert answers_to_four(standard.with_stone((5, 2), WHITE), WHITE) == [(6, 2)]
    assert list(winning_fours(standard, WHITE, 1)) == []


def test_a_caro_four_can_be_stopped_beyond_its_end() -> None:
    rows = [".........", ".........", "OXXXX....", ".........", "........."]
    for rule, answers in ((0, [(5, 2)]), (CARO, [(5, 2), (6, 2)]), (CARO | EXACT, [(5, 2), (6, 2)])):
        board, _ = parse_board(rows, rule)
        assert answers_to_four(board, BLACK) == answers
