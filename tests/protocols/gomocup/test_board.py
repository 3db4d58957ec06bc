"""The stones of BOARD and YXBOARD become a list of moves: each keeps its side, black is first, and we are to move."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.gomocup.board import ManagerBoard
from protocols.gomocup.text import OPPONENT, OWN, PASSED, Point, order_stones
from protocols.text import CommandError

points = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), unique=True, max_size=60)


@given(points, st.data(), st.booleans())
def test_every_stone_keeps_its_side_and_we_are_to_move(
    squares: list[Point], data: st.DataObject, we_move: bool
) -> None:
    """A stone at an index of wrong parity would belong to the other side.

    Regression: 28 stones against 1 used to be refused.
    """
    stones = [(point, data.draw(st.sampled_from((OWN, OPPONENT)))) for point in squares]
    moves = order_stones(stones, we_move=we_move)
    our_parity = len(moves) % 2
    codes = {point: OWN if turn % 2 == our_parity else OPPONENT for turn, point in enumerate(moves) if point != PASSED}
    assert codes == dict(stones)
    assert (PASSED, PASSED) not in itertools.pairwise(moves)


@pytest.mark.parametrize(
    ("codes", "we_move", "we_are_black"),
    [
        ("12", True, True),  # order of play: the colours alternate
        ("212", True, False),
        ("21", False, False),  # order of play, then a pass of the opponent
        ("21", True, True),  # not an order of play, because we would move twice; the numbers are equal
        ("1122", True, True),
        ("2211", True, True),
        ("122", True, False),  # the side with more stones
        ("222", True, False),
        ("111", True, True),
        ("1121", False, True),
        ("1", False, True),
        ("2", True, False),
        ("", True, True),
    ],
)
def test_black_is_the_first_in_order_of_play_else_the_side_with_more_stones(
    codes: str, we_move: bool, we_are_black: bool
) -> None:
    """This matters in renju, where only black has forbidden squares. Code 1 is our stone, code 2 the opponent's."""
    moves = order_stones([((x, 0), int(code)) for x, code in enumerate(codes)], we_move=we_move)
    black = OWN if we_are_black else OPPONENT
    black_columns = {x for x, code in enumerate(codes) if int(code) == black}
    assert {point[0] for point in moves[::2] if point != PASSED} == black_columns
    assert len(moves) % 2 == (0 if we_are_black else 1)  # we are to move


def test_opponents_move_replaces_an_inserted_pass() -> None:
    """The pass was only inserted to give us the move. After it, the opponent's stone would count as ours."""
    board = ManagerBoard(15, 15, [(7, 7), PASSED])
    board.add_opponent((8, 8))
    assert board.squares() == ["h8", "i9"]
    board.add_opponent((9, 9))
    assert board.squares() == ["h8", "i9", "j10"]


def test_take_back_removes_passes() -> None:
    board = ManagerBoard(15, 15, [(7, 7), PASSED, (8, 8), PASSED])
    with pytest.raises(CommandError):
        board.take_back((7, 7))
    assert board.squares() == ["h8", "pass", "i9", "pass"]
    board.take_back((8, 8))
    assert board.squares() == ["h8", "pass"]
    board.take_back((7, 7))
    assert board.squares() == []
    with pytest.raises(CommandError):
        board.take_back((7, 7))


def test_first_free_square_is_next_to_the_last_stone() -> None:
    board = ManagerBoard(5, 5, [(4, 4), PASSED])
    assert board.free_points()[0] == (3, 3)
    assert len(board.free_points()) == 24


def test_free_squares_are_counted_without_listing_them() -> None:
    """Regression: each move listed and sorted all free squares three times, which took longer than a short search."""
    board = ManagerBoard(5, 4, [(4, 3), PASSED, (0, 0)], frozenset({(2, 2), (0, 3)}))
    points = [(x, y) for x in range(-1, 6) for y in range(-1, 5)]
    assert [point for point in points if board.is_free(point)] == sorted(board.free_points())
    assert board.free_count == len(board.free_points()) == 16
