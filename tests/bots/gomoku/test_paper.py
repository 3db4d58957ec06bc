"""The kernels of the players `paper` and `greedy` against slow reference implementations.

The players follow a paper from the University of Waterloo, whose table 1 gives the values of patterns. The score of a
colour is the sum of its patterns. The value of a move is what a stone there adds to the score, for both colours
together. In rows, `X` is black, `O` white. The option `kill=0` turns the search for forced wins off.
"""

from __future__ import annotations

import random

import pytest

from bots.gomoku.paper.player import PaperPlayer
from bots.gomoku.paper.record import FIVE_VALUE, MAX_STATIC_VALUE
from bots.gomoku.players import PLAYERS
from bots.gomoku.position import GomokuPosition
from core.play.player import Limits, Setup, build_player
from core.play.squares import parse_square
from core.search.scores import MAX_EVALUATION
from tests.bots.gomoku.boards import board_of, place_stone, position_from_rows
from tests.bots.gomoku.naive_paper import pattern_score, point_value

TABLE_1 = [
    ("OX.", 1),
    (".X.", 10),
    ("OXX.", 10),
    (".XX.", 100),
    ("OX.XX.", 100),
    (".X.XX.", 1_000),
    ("OXXX.", 100),
    (".XXX.", 1_000),
    ("OXXXX.", 1_200),
    (".XXXX.", 100_000),
    ("OX.XXXO", 100_000),
    ("OXX.XX.", 1_100),
    (".XX.XX.", 100_000),
]
BEYOND_TABLE_1 = [
    ("OXO", 0),
    ("OXXXXO", 0),
    ("OX.XXO", 0),
    (".X.X.", 10 + 10),
    (".X..XX.", 10 + 100),
    ("XX.X.XXO", 1_000 + 100),  # the middle stone belongs to two split threes
    (".XXX.XX.", 100_000),  # five stones with a gap count as a split four
    ("OXXXXX.", FIVE_VALUE),
]


def take_back(position: GomokuPosition) -> None:
    """Undo the last stone, whichever side placed it."""
    if position.to_move == position.state.cells[position.played_cells[-1]] - 1:
        position.library.pass_turn(position.state)
    position.undo()


def random_position(seed: int, variant: str = "freestyle") -> GomokuPosition:
    """Return a position with up to two thirds of the squares filled at random; the game is not over."""
    rng = random.Random(seed)
    position = GomokuPosition(Setup(rng.randint(5, 12), rng.randint(5, 12), variant))
    squares = position.legal_moves()
    rng.shuffle(squares)
    for square in squares[: rng.randint(0, len(squares) * 2 // 3)]:
        if rng.randrange(2) != position.to_move:
            position.library.pass_turn(position.state)
        if square in position.legal_moves():
            position.play(square)
        if position.outcome():
            take_back(position)
    return position


@pytest.mark.parametrize(("row", "value"), TABLE_1 + BEYOND_TABLE_1)
def test_pattern_values(row: str, value: int) -> None:
    """In columns and diagonals each stone is an open single one, worth 10 per direction."""
    blank = "." * (len(row) + 2)
    position = position_from_rows([*[blank] * 4, f".{row}.", *[blank] * 4], "freestyle")
    assert position.library.paper_score(position.state, 0) == value + 30 * row.count("X")


@pytest.mark.parametrize("seed", range(12))
def test_scores_equal_the_naive_scores(seed: int) -> None:
    """The scores are compared after undo, too, because values are cached by the content of lines."""
    position = random_position(seed)
    for _ in range(3):
        board = board_of(position)
        for colour in range(2):
            assert position.library.paper_score(position.state, colour) == pattern_score(board, colour)
        if position.played_cells:
            take_back(position)


@pytest.mark.parametrize("seed", range(12))
def test_move_values_equal_the_naive_values(seed: int) -> None:
    position = random_position(seed)
    board = board_of(position)
    for move in position.legal_moves()[::3]:
        x, y = parse_square(move) or (0, 0)
        value = position.library.paper_point_value(position.state, position.parse(move))
        assert value == point_value(board, x, y, 0) == point_value(board, x, y, 1)


def test_overline_does_not_count_as_five_in_the_standard_variant() -> None:
    rows = ["." * 9] * 4 + [".XXX.XX.."] + ["." * 9] * 4
    values = {}
    for variant in ("freestyle", "standard"):
        position = position_from_rows(rows, variant)
        values[variant] = position.library.paper_point_value(position.state, position.parse("e5"))
    assert values["freestyle"] == values["standard"] + FIVE_VALUE


def test_ranking_orders_by_value_then_distance_to_the_centre() -> None:
    position = GomokuPosition(Setup(9, 9, "freestyle"))
    assert position.library.paper_rank(position.state) == 81
    cells = position.state.root_moves[:81]
    assert cells[0] == position.parse("e5")
    assert sorted(cells[1:5]) == sorted(position.parse(square) for square in ("e4", "e6", "d5", "f5"))
    values = [position.library.paper_point_value(position.state, cell) for cell in cells]
    assert values == sorted(values, reverse=True) == list(position.state.root_scores[:81])


def test_ranking_leaves_out_what_renju_forbids() -> None:
    position = GomokuPosition(Setup(15, 15, "renju"))
    for square, side in (("h8", 0), ("a1", 1), ("i8", 0), ("a3", 1), ("g7", 0), ("a5", 1), ("g6", 0), ("a7", 1)):
        place_stone(position, square, side)
    assert "g8" in position.forbidden()  # two open threes
    count = position.library.paper_rank(position.state)
    assert position.parse("g8") not in position.state.root_moves[:count]
    assert count == len(position.legal_moves())


def unpruned_value(position: GomokuPosition, player: PaperPlayer, root_side: int, depth: int) -> int:
    """Return the value by negamax over the best moves, without the pruning and the table of the player's search."""
    state, library = position.state, position.library
    if state.winner:
        return -FIVE_VALUE
    if depth == 0:
        own, theirs = int(library.paper_score(state, root_side)), int(library.paper_score(state, 1 - root_side))
        value = own - theirs * round(1000 * player.options.get_float("gamma")) // 1000
        return value if position.to_move == root_side else -value
    count = min(library.paper_rank(state), player.options.get_int("breadth"))
    values = []
    for cell in state.root_moves[:count]:
        library.apply(state, cell)
        values.append(-unpruned_value(position, player, root_side, depth - 1))
        library.undo(state)
    return max(values, default=0)


def count_moves(position: GomokuPosition, breadth: int, depth: int) -> int:
    """Return the number of moves that a search without pruning makes."""
    state, library = position.state, position.library
    if depth == 0 or state.winner:
        return 0
    count = min(library.paper_rank(state), breadth)
    moves = count
    for cell in state.root_moves[:count]:
        library.apply(state, cell)
        moves += count_moves(position, breadth, depth - 1)
        library.undo(state)
    return moves


@pytest.mark.parametrize("seed", range(8))
def test_minimax_searches_all_best_moves_and_finds_the_same_as_negamax(seed: int) -> None:
    results, nodes = [], []
    for search in ("negamax", "minimax"):
        player = build_player(PLAYERS, f"paper:depth=4,breadth=5,kill=0,search={search}")
        assert isinstance(player, PaperPlayer)
        player.position = random_position(seed)
        progress = player.choose(Limits()).progress
        results.append((progress.pv[0], progress.score))
        nodes.append(progress.nodes)
    assert nodes[1] == count_moves(random_position(seed), 5, 4)
    assert nodes[0] < nodes[1]
    assert results[0] == results[1]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("parameters", ["1,breadth=9,gamma=1", "3,breadth=4,gamma=1.7", "4,breadth=3"])
def test_the_search_equals_negamax_without_pruning(seed: int, parameters: str) -> None:
    player = build_player(PLAYERS, f"paper:{parameters},kill=0")
    assert isinstance(player, PaperPlayer)
    player.position = random_position(seed, random.Random(seed).choice(["freestyle", "renju"]))
    assert len(player.position.legal_moves()) >= 2  # or nothing would be searched
    expected = unpruned_value(player.position, player, player.position.to_move, player.options.get_int("depth"))
    progress = player.choose(Limits()).progress
    if abs(expected) > MAX_STATIC_VALUE:
        assert progress.win_in is not None
        assert (progress.win_in > 0) == (expected > 0)
    else:
        assert progress.score == max(-MAX_EVALUATION, min(MAX_EVALUATION, expected))
