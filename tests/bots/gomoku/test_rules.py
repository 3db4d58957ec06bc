"""The rules kernels against the naive rules (naive.py), in random games and on drawn boards.

`fast` is a position of the kernels, `slow` a naive one. A crowded game is random, with moves near earlier stones.
"""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.gomoku.kernels.patterns import DOUBLE_FOUR, FIVE, FOUR, MAKES_FIVE, OVERLINE
from bots.gomoku.notation import EXACT, RENJU, VARIANTS
from bots.gomoku.position import GomokuPosition, format_cell
from core.play.game import SECOND, Outcome
from core.play.player import PASS, IllegalMove, Setup
from core.play.squares import split_squares
from tests.bots.gomoku.boards import (
    board_of,
    cell_of,
    choose_crowded,
    empty_position,
    play_crowded,
    point_of,
    position_with,
)
from tests.bots.gomoku.naive import (
    BLACK,
    STEPS,
    Board,
    NaiveGomoku,
    Point,
    is_forbidden,
    move_by,
    parse_board,
    row_through,
    wins_along,
)
from tests.bots.gomoku.test_naive import FORBIDDEN
from tests.bots.snapshots import find_changes, snapshot

RULES = (*VARIANTS, "rule-5")
# Rules 12 and 13 (renju with caro) have no official definition of a three. The kernels and the naive rules differ: for
# the kernels a four that a single stone stops is not straight, the naive rules only look at its two ends.
ALL_RULES = (*RULES, "rule-12", "rule-13")
CELL_FIELDS = {"patterns", "grades"}  # fields that keep their old values for a filled cell

sizes = st.integers(5, 22)
setups = st.builds(Setup, sizes, sizes, st.sampled_from(RULES))
all_setups = st.builds(Setup, sizes, sizes, st.sampled_from(ALL_RULES))


@settings(max_examples=30, deadline=None)
@given(setups, st.integers(0, 1 << 32))
def test_games_equal_naive_games(setup: Setup, seed: int) -> None:
    """Sides and outcomes are compared after every move, legal and forbidden moves at two random plies."""
    fast, slow, rng = empty_position(setup), NaiveGomoku(setup), random.Random(seed)
    checked_plies = rng.sample(range(8, 60), 2)
    for ply in range(60):
        if fast.outcome() is not None:
            break
        if ply in checked_plies:
            assert fast.legal_moves() == slow.legal_moves()
            assert fast.perft(1) == len(fast.legal_moves())
            assert set(fast.forbidden()) == {
                format_cell(cell_of(point))
                for point in slow.grid.points()
                if slow.grid.is_empty(point) and is_forbidden(slow.grid, point)
            }
        move = choose_crowded(fast, rng)
        fast.play(move)
        slow.play(move)
        assert fast.to_move == slow.to_move
        assert fast.outcome() == slow.outcome()
    if slow.outcome():
        assert fast.legal_moves() == slow.legal_moves() == []
        assert fast.perft(2) == 0
    assert fast.moves == slow.moves


@pytest.mark.parametrize("variant", RULES)
def test_a_game_is_decided_by_the_rows_that_win_through_its_last_stone(variant: str) -> None:
    """`decided_by` names the stones of the winning rows, and none before the end."""
    wins = 0
    for seed in range(12):
        position = play_crowded(Setup(15, 15, variant), seed, 120)
        grid, colour, last = board_of(position), 1 - position.to_move, point_of(position.played_cells[-1])
        rows = [row_through(grid, colour, last, step) for step in STEPS if wins_along(grid, colour, last, step)]
        assert set(position.decided_by()) == {format_cell(cell_of(point)) for row in rows for point in row}
        wins += bool(rows)
        position.undo()
        assert position.decided_by() == []
    assert wins


@pytest.mark.parametrize(
    ("variant", "stones", "decisive"),
    [
        ("freestyle", "a1a15b1b15c1c15e1e15f1f15d1", "a1 b1 c1 d1 e1 f1"),  # six
        ("freestyle", "a1a15b1b15c1c15d1d15e2f15e3h15e4i15e5j15e1", "a1 b1 c1 d1 e1 e2 e3 e4 e5"),  # two fives
        # A five in the column, and a six in the row, which does not count.
        ("standard", "a1a15b1b15c1c15e1e15f1g15d2h15d3i15d4k15d5l15d1", "d1 d2 d3 d4 d5"),
    ],
)
def test_all_winning_rows_are_named_in_full(variant: str, stones: str, decisive: str) -> None:
    position = empty_position(Setup(15, 15, variant))
    for move in split_squares(stones) or []:
        position.play(move)
    assert sorted(position.decided_by()) == decisive.split()


@settings(max_examples=100, deadline=None)
@given(all_setups, st.integers(0, 1 << 32), st.integers(0, 60))
def test_state_does_not_depend_on_the_order_of_stones(setup: Setup, seed: int, plies: int) -> None:
    """The incrementally updated state equals that of the same stones placed in another order."""
    # Two states that no test searches in: a search leaves its own fields changed.
    position = play_crowded(setup, seed, plies, instance=2)
    other, rng = empty_position(setup, 3), random.Random(seed)
    colours = [position.played_cells[0::2], position.played_cells[1::2]]
    for stones in colours:
        rng.shuffle(stones)
    for ply in range(len(position.played_cells)):
        other.library.apply(other.state, colours[ply % 2][ply // 2])
    differing = find_changes(snapshot(position.state), snapshot(other.state))
    assert differing <= CELL_FIELDS | {"path", "change_ends", "winner"}  # a row may have been a five on the way
    for cell in (cell_of((x, y)) for x in range(setup.width) for y in range(setup.height)):
        if position.state.cells[cell] == 0:
            assert patterns_at(position, cell) == patterns_at(other, cell)


def patterns_at(position: GomokuPosition, cell: int) -> list[int]:
    """Return patterns and grades of an empty cell."""
    state = position.state
    return [state.patterns[cell], state.grades[0][cell], state.grades[1][cell]]


@settings(max_examples=60, deadline=None)
@given(all_setups, st.integers(0, 1 << 32), st.integers(8, 60))
def test_fives_and_fours_follow_the_definitions(setup: Setup, seed: int, plies: int) -> None:
    """Fives, overlines and fours of any kind are compared, for each empty cell, colour and direction."""
    position = play_crowded(setup, seed, plies)
    if position.state.winner:
        position.undo()
    board = board_of(position)
    for point in filter(board.is_empty, board.points()):
        cell = cell_of(point)
        for colour in range(2):
            wins = False
            for direction, step in enumerate(STEPS):
                pattern = position.state.patterns[cell] >> 16 * colour + 4 * direction & 15
                expected = expected_pattern(board, colour, point, direction)
                assert (expected or FOUR) in (pattern, FOUR), (point, colour, step, pattern)
                assert (FOUR <= pattern <= DOUBLE_FOUR) == (expected == FOUR), (point, colour, step, pattern)
                wins |= pattern == FIVE
            assert (position.state.grades[colour][cell] == MAKES_FIVE) == wins


def expected_pattern(board: Board, colour: int, point: Point, direction: int) -> int:
    """Return FIVE, OVERLINE, FOUR for a four of any kind, or 0 for less: what a stone makes along one direction."""
    step = STEPS[direction]
    if wins_along(board, colour, point, step):
        return FIVE
    if len(row_through(board, colour, point, step)) > 5:
        return OVERLINE
    board_after = board.with_stone(point, colour)
    for distance in range(-4, 5):
        completing = move_by(point, step, distance)
        wins = board_after.is_empty(completing) and wins_along(board_after, colour, completing, step)
        if wins and point in row_through(board_after, colour, completing, step):
            return FOUR
    return 0


@settings(max_examples=40, deadline=None)
@given(st.sampled_from((RENJU, RENJU | EXACT)), st.integers(5, 15), st.integers(5, 15), st.integers(0, 1 << 32))
def test_fouls_equal_naive_fouls(rule: int, width: int, height: int, seed: int) -> None:
    """There are many black stones, in a heap or along lines, so that threes and fours cross, and a few white ones."""
    rng = random.Random(seed)
    board = Board(width, height, rule, rng.choice((random_heap, random_lines))(width, height, rng))
    expected = {format_cell(cell_of(p)) for p in board.points() if board.is_empty(p) and is_forbidden(board, p)}
    assert set(position_with(board).forbidden()) == expected, board.stones


def random_heap(width: int, height: int, rng: random.Random) -> dict[Point, int]:
    """Return stones around the middle."""
    stones: dict[Point, int] = {}
    for colour, count in ((BLACK, rng.randint(5, 16)), (1 - BLACK, rng.randint(0, 8))):
        for _ in range(count):
            x, y = (min(max(round(rng.gauss(length / 2, 2)), 0), length - 1) for length in (width, height))
            stones.setdefault((x, y), colour)
    return stones


def random_lines(width: int, height: int, rng: random.Random) -> dict[Point, int]:
    """Return stones along lines through neighbouring points: several threes are on the same line."""
    stones: dict[Point, int] = {}
    middle = rng.randrange(width), rng.randrange(height)
    for step in STEPS * 2:
        through = middle[0] + rng.randint(-1, 1), middle[1] + rng.randint(-1, 1)
        for distance in range(-8, 9):
            x, y = move_by(through, step, distance)
            if 0 <= x < width and 0 <= y < height and rng.random() < 0.3:
                stones.setdefault((x, y), BLACK if rng.random() < 0.9 else 1 - BLACK)
    return stones


@pytest.mark.parametrize(("title", "rows"), FORBIDDEN, ids=[title for title, _ in FORBIDDEN])
@pytest.mark.parametrize("rule", [RENJU, RENJU | EXACT])
def test_forbidden_points_are_those_of_the_drawing(title: str, rows: list[str], rule: int) -> None:
    board, marks = parse_board(rows, rule)
    position = position_with(board)
    forbidden = {format_cell(cell_of(point)) for point, mark in marks.items() if mark == "f"}
    for side in (BLACK, 1 - BLACK):
        position.state.side = side
        state_before = snapshot(position.state)
        assert set(position.forbidden()) == forbidden, title
        assert snapshot(position.state) == state_before
        free = {format_cell(cell_of(point)) for point in board.points() if board.is_empty(point)}
        assert set(position.legal_moves()) == (free - forbidden if side == BLACK else free)


@pytest.mark.parametrize(("title", "rows"), FORBIDDEN, ids=[title for title, _ in FORBIDDEN])
def test_another_three_on_the_line_is_not_that_of_the_stone(title: str, rows: list[str]) -> None:
    """Regression: a straight four of other stones further along the line used to make a three count as real.

    The drawn stones are moved by (5, 5) on a larger board. Three more black stones are put on a line of a marked point.
    """
    drawn, marks = parse_board(rows, RENJU)
    shifted = {move_by(point, (1, 1), 5): colour for point, colour in drawn.stones.items()}
    board = Board(22, 22, RENJU, shifted)
    for marked_point, step, first in product(marks, STEPS, (-7, -6, 4, 5)):
        point = move_by(marked_point, (1, 1), 5)
        three = [move_by(point, step, distance) for distance in range(first, first + 3)]
        if all(board.is_empty(other) for other in three):
            crowded = Board(22, 22, RENJU, shifted | dict.fromkeys(three, BLACK))
            is_named = format_cell(cell_of(point)) in position_with(crowded).forbidden()
            assert is_named == is_forbidden(crowded, point), (title, marked_point, three)


@pytest.mark.parametrize("variant", RULES)
@pytest.mark.parametrize(("width", "height"), [(5, 5), (6, 5), (5, 9)])
def test_perft_equals_the_naive_count(variant: str, width: int, height: int) -> None:
    """From the empty board, and near the end of a crowded game, where fives and fouls matter."""
    for plies in (0, width * height - 8):
        played = play_crowded(Setup(width, height, variant), plies, plies)
        slow = NaiveGomoku(played.setup)
        for move in played.moves:
            slow.play(move)
        for depth in range(3):
            assert played.perft(depth) == slow.perft(depth)


def test_perft_of_large_boards() -> None:
    for width, height in ((15, 15), (22, 22), (20, 7)):
        cells = width * height
        for variant in RULES:
            assert empty_position(Setup(width, height, variant)).perft(3) == cells * (cells - 1) * (cells - 2)


def test_black_with_fouls_only_draws() -> None:
    """The last free point would make black's top row seven long, so no legal move is left."""
    moves = "d3e2g1a5d5d4b5e3a3b3a1f5g2g3e4e5e1a2b2c3f3c2c4b4d2f2b1g4g5f4c1a4f1c5"
    fast, slow = empty_position(Setup(7, 5, "renju")), NaiveGomoku(Setup(7, 5, "renju"))
    for move in split_squares(moves) or []:
        fast.play(move)
        slow.play(move)
    assert fast.outcome() == slow.outcome()
    assert fast.legal_moves() == []
    with pytest.raises(IllegalMove, match="d1 is illegal"):
        fast.play("d1")


def test_a_decided_game_forbids_nothing_and_stays_decided() -> None:
    """Regression: the test of double threes plays and undoes stones, which used to remove the winner."""
    position = empty_position(Setup(15, 15, "renju"))
    for move in split_squares("b2a11d1a12j8a13k8a14i9c5i10m15l1a15") or []:
        position.play(move)
    state_before = snapshot(position.state)
    assert position.forbidden() == []
    assert position.outcome() == Outcome(SECOND, "five")
    assert snapshot(position.state) == state_before


def test_a_pass_changes_side_and_hash_only() -> None:
    position = play_crowded(Setup(15, 15, "standard"), 3, 12)
    state_before = snapshot(position.state)
    position.library.pass_turn(position.state)
    assert find_changes(state_before, snapshot(position.state)) == {"side", "hash"}
    position.library.pass_turn(position.state)
    assert snapshot(position.state) == state_before


@given(st.sampled_from(("freestyle", "renju")), st.lists(st.integers(0, 80), max_size=40))
def test_passes_are_undone_without_a_trace(variant: str, choices: list[int]) -> None:
    """Every third move is a pass; after undoing all, the state is the initial one."""
    position = empty_position(Setup(9, 9, variant))
    state_before = snapshot(position.state)
    line = []
    for number, choice in enumerate(choices):
        move = PASS if number % 3 == 2 else format_cell(cell_of((choice % 9, choice // 9)))
        if move in position.moves and move != PASS:
            continue
        position.place(move)
        line.append(move)
    assert position.moves == line
    assert position.state.stones == len([move for move in line if move != PASS])
    assert position.to_move == len(line) % 2
    for _ in line:
        position.undo()
    assert not find_changes(state_before, snapshot(position.state))


def test_pass_is_no_move_of_the_rules() -> None:
    """A pass may set up a position, but is not a legal move of a game."""
    position = empty_position(Setup(9, 9, "freestyle"))
    with pytest.raises(IllegalMove):
        position.play(PASS)
