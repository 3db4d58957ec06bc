"""The naive pattern score and move value (naive_paper.py) against a published table and sums by hand.

The table is table 1 of the paper from the University of Waterloo that the player `paper` follows.
"""

from __future__ import annotations

import pytest

from tests.bots.gomoku.naive import BLACK, WHITE, Board, parse_board
from tests.bots.gomoku.naive_paper import FIVE, pattern_score, point_value

# A row and the value of black's patterns in it. On the board it is in the middle of nine rows, so that each of its
# stones is also alone in a column and on two diagonals: see `value_across`.
ROWS = [
    ("...X.....", 10),
    ("..OX.....", 1),
    ("..OXO....", 0),
    ("..XX.....", 100),
    (".OXX.....", 10),
    ("..X.X....", 10 + 10),  # no split two in the table
    ("..X..X...", 10 + 10),
    ("..XXX....", 1_000),
    (".OXXX....", 100),
    (".OXXXO...", 0),
    ("..X.XX...", 1_000),
    (".OX.XX...", 100),
    ("..X.XXO..", 100),
    (".OX.XXO..", 0),
    ("..XXXX...", 100_000),
    (".OXXXX...", 1_200),
    (".OXXXXO..", 0),
    ("..XX.XX..", 100_000),
    (".OXX.XX..", 1_100),
    (".OXX.XXO.", 100_000),
    ("..X.XXX..", 100_000),
    ("..XXX.XX.", 100_000),  # five stones with a gap count as a split four
    (".OXXX.XX.", 1_100),
    ("..XX.X.X.", 1_000 + 10),  # the last stone is alone: a gap of one, but two stones only
    (".XX.X.XX.", 1_000 + 1_000),  # the middle stone belongs to two split threes
    (".XXXXX...", FIVE),
    (".OXXXXXO.", FIVE),
    (".XXXXXX..", FIVE),
    (".XXXXX.X.", FIVE + 10),  # a five takes no part in a split
]


def in_the_middle(row: str) -> Board:
    """Return a board with `row` as the middle one of nine rows, the others empty."""
    blank = "." * len(row)
    return parse_board([*[blank] * 4, row, *[blank] * 4], rule=0)[0]


def value_across(board: Board) -> int:
    """Return the value of black's patterns in columns and diagonals: each black stone is alone in three of them."""
    return sum(10 * 3 for colour in board.stones.values() if colour == BLACK)


@pytest.mark.parametrize(("row", "value"), ROWS)
def test_table_1(row: str, value: int) -> None:
    board = in_the_middle(row)
    assert pattern_score(board, BLACK) == value + value_across(board)
    mirrored = in_the_middle(row[::-1])
    assert pattern_score(mirrored, BLACK) == value + value_across(mirrored)
    swapped = Board(9, 9, 0, {(y, x): 1 - colour for (x, y), colour in board.stones.items()})
    assert pattern_score(swapped, WHITE) == value + value_across(board)


def test_edges_are_not_open() -> None:
    board, _ = parse_board(["X....", ".....", ".....", ".....", "..XXX"], rule=0)
    corner_above = 1 + 1 + 1 + 0  # row, column, long diagonal, and the other diagonal that is a single cell
    row = 100
    columns = 1 + 1 + 1
    diagonals = (1 + 1) + (1 + 1) + (0 + 1)  # the last stone stands in the corner
    assert pattern_score(board, BLACK) == corner_above + row + columns + diagonals


def test_diagonals_of_all_directions() -> None:
    for rows in (["X....", ".X...", "..X..", ".....", "....."], ["....X", "...X.", "..X..", ".....", "....."]):
        board, _ = parse_board(rows, rule=0)
        diagonal = 100
        edge_corner = 1 + 1  # row and column of the corner stone, whose other diagonal is a single cell
        second = 10 + 10 + 10
        middle = 10 + 10 + 10
        assert pattern_score(board, BLACK) == diagonal + edge_corner + second + middle


def test_an_empty_board_has_no_patterns_and_its_centre_counts_for_both_sides() -> None:
    board = Board(9, 9, 0, {})
    assert (pattern_score(board, BLACK), point_value(board, 4, 4, BLACK)) == (0, 40 + 40)
    assert point_value(board, 0, 0, WHITE) == 3 + 3


def test_point_value_adds_attack_and_defence() -> None:
    board = in_the_middle("..XXX....")
    attack = (100_000 - 1_000) + 30
    defence = 1 + 30  # a white stone next to the three, with black at one end
    assert point_value(board, 5, 4, BLACK) == point_value(board, 5, 4, WHITE) == attack + defence
    assert point_value(board, 6, 4, BLACK) == (100_000 - 1_000) + 30 + 10 + 30  # a split four is worth as much


def test_a_five_outweighs_everything() -> None:
    board = in_the_middle(".OXXXX...")
    assert point_value(board, 6, 4, WHITE) == (FIVE - 1_200 + 30) + (1 + 30)


def test_a_stone_may_take_away_more_than_it_adds() -> None:
    """A quirk of the table: a split four counts far less with one open end than with none or two."""
    board = in_the_middle("O.XX.XX.O")
    joined = in_the_middle("OXXX.XX.O")
    assert pattern_score(board, BLACK) == 100_000 + value_across(board)
    assert pattern_score(joined, BLACK) == 1_100 + value_across(joined)
    assert point_value(board, 1, 4, BLACK) == (1_100 - 100_000 + 30) + (-1 + 30)


def test_only_free_points_have_a_value() -> None:
    with pytest.raises(ValueError, match=r"expected a free point, not \(2, 4\)"):
        point_value(in_the_middle("..XXX...."), 2, 4, BLACK)
