"""The rules of Hex against a naive version: winners, undo, hashes, swap, set-up stones, perft."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.hex.position import HexPosition, cell_index
from core.play.game import Outcome
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import format_square, parse_square
from tests.bots.hex.naive import NEIGHBOURS, NaiveHex
from tests.bots.snapshots import snapshot

sizes = st.integers(1, 19)


def stone_hash(stones: list[tuple[int, str]], setup: Setup) -> int:
    """Return the hash of stones on a board, with black to move."""
    position = HexPosition(setup)
    for colour, cell in stones:
        position.place(colour, cell)
    position.set_to_move(0)
    return int(position.state.hash)


@settings(max_examples=25, deadline=None)
@given(sizes, sizes, st.randoms(use_true_random=False))
def test_random_games_end_as_in_the_naive_version(width: int, height: int, rng: random.Random) -> None:
    """The outcome is compared at the end of a game, and after one in ten of the moves before."""
    position = HexPosition(Setup(width, height, "standard"))
    naive = NaiveHex(width, height)
    order = naive.cells()
    rng.shuffle(order)
    for x, y in order:
        naive.stones[x, y] = position.to_move
        position.play(format_square(x, y))
        winner = naive.winner() if rng.random() < 0.1 or position.outcome() else None
        assert position.outcome() == (None if winner is None else Outcome(winner, "connection"))
        if position.outcome():
            break
    assert position.outcome() is not None
    assert not (naive.is_connected(0) and naive.is_connected(1))
    assert position.legal_moves() == []


@settings(max_examples=15, deadline=None)
@given(sizes, sizes, st.randoms(use_true_random=False))
def test_stones_of_any_colour_in_any_order_fill_the_board_and_come_off_again(
    width: int, height: int, rng: random.Random
) -> None:
    """HexGui sets up positions row by row, and a controller may go on after the end of the game."""
    position = HexPosition(Setup(width, height, "standard"))
    naive = NaiveHex(width, height)
    snapshots = []
    for cell in rng.sample(naive.cells(), width * height):
        snapshots.append(snapshot(position.state))
        naive.stones[cell] = rng.randrange(2)
        position.place(naive.stones[cell], format_square(*cell))
        assert position.to_move == 1 - naive.stones[cell]
    moves = position.moves
    assert position.outcome() == Outcome(naive.winner(), "connection")
    assert {parse_square(cell): colour for colour, cell in position.stones()} == naive.stones
    replayed = HexPosition(position.setup)
    replayed.replay(moves)
    assert (replayed.moves, replayed.stones(), replayed.to_move) == (moves, position.stones(), position.to_move)
    while snapshots:
        position.undo()
        assert snapshot(position.state) == snapshots.pop()


@settings(max_examples=25, deadline=None)
@given(sizes, sizes, st.randoms(use_true_random=False))
def test_a_game_is_decided_by_a_shortest_chain_between_the_winners_edges(
    width: int, height: int, rng: random.Random
) -> None:
    position = HexPosition(Setup(width, height, "standard"))
    while position.outcome() is None:
        assert position.decided_by() == []
        position.play(rng.choice(position.legal_moves()))
    winner = 1 - position.to_move
    own = {parse_square(cell) for colour, cell in position.stones() if colour == winner}
    chain = [square for square in map(parse_square, position.decided_by()) if square]
    assert own.issuperset(chain)
    steps = {(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(chain)}
    assert steps.issubset(NEIGHBOURS)
    last = (height, width)[winner] - 1
    assert [chain[end][1 - winner] for end in (0, -1)] == [0, last]
    # No shorter chain exists: fewer steps from the first edge do not reach the last one.
    reached = {square for square in own if square and square[1 - winner] == 0}
    for _ in chain[1:]:
        assert last not in {square[1 - winner] for square in reached}
        reached |= {(x + dx, y + dy) for x, y in reached for dx, dy in NEIGHBOURS if (x + dx, y + dy) in own}


def test_perft_of_small_boards_matches_the_naive_version() -> None:
    for width, height, depth in ((1, 1, 2), (2, 2, 5), (3, 2, 5), (3, 3, 5), (1, 4, 4), (4, 4, 3)):
        position = HexPosition(Setup(width, height, "standard"))
        counts = [NaiveHex(width, height).perft(d) for d in range(depth + 1)]
        assert [position.perft(d) for d in range(depth + 1)] == counts


def test_hash_depends_on_stones_only_and_rotated_hash_on_the_rotated_board() -> None:
    setup = Setup(7, 5, "standard")
    stones = [(0, "a1"), (1, "c2"), (0, "g5"), (1, "b4"), (0, "e1")]
    rotated = [(c, format_square(6 - x, 4 - y)) for c, cell in stones for x, y in [parse_square(cell) or (0, 0)]]
    assert stone_hash(stones, setup) == stone_hash(stones[::-1], setup)
    assert stone_hash(stones, setup) != stone_hash(rotated, setup)
    position = HexPosition(setup)
    for colour, cell in rotated:
        position.place(colour, cell)
    position.set_to_move(0)
    assert position.state.rotated_hash == stone_hash(stones, setup)


def test_swap_pieces_puts_a_white_stone_on_the_mirrored_cell_and_undo_takes_it_back() -> None:
    position = HexPosition(Setup(5, 5, "swap"))
    assert "swap-pieces" not in position.legal_moves()
    position.play("b4")
    state_before = snapshot(position.state)
    assert position.legal_moves()[-1] == "swap-pieces"
    position.play("swap-pieces")
    assert (position.stones(), position.to_move) == ([(1, "d2")], 0)
    assert position.moves == ["b4", "swap-pieces"]
    with pytest.raises(IllegalMove, match="only the second player"):
        position.play("swap-pieces")
    position.play("b4")
    position.undo()
    position.undo()
    assert snapshot(position.state) == state_before


@pytest.mark.parametrize(
    ("variant", "moves", "move", "reason"),
    [
        ("standard", ["c3"], "swap-pieces", "has no swap"),
        ("swap", [], "swap-pieces", "only the second player"),
        ("swap", ["c3", "c4"], "swap-pieces", "only the second player"),
        ("swap", ["c3"], "c3", "occupied"),
        ("swap", ["c3"], "f1", "outside the 5x5 board"),
        ("swap", ["c3"], "resign", "not 'resign'"),
        ("standard", ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5"], "c3", "the game is over"),
    ],
)
def test_an_illegal_move_is_refused_and_changes_nothing(variant: str, moves: list[str], move: str, reason: str) -> None:
    position = HexPosition(Setup(5, 5, variant))
    position.replay(moves)
    state_before = snapshot(position.state)
    with pytest.raises(IllegalMove, match=reason):
        position.play(move)
    assert snapshot(position.state) == state_before


def test_a_swap_after_set_up_stones_is_refused() -> None:
    """After a swap HexGui sends one white stone, which cannot be swapped again."""
    position = HexPosition(Setup(5, 5, "swap"))
    position.place(1, "d2")
    assert position.to_move == 0
    assert "swap-pieces" not in position.legal_moves()


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        (Setup(0, 5, "standard"), "1..19, not 0"),
        (Setup(5, 20, "standard"), "1..19, not 20"),
        (Setup(5, 5, "hex"), "unknown variant 'hex'"),
        (Setup(5, 6, "swap"), "square board, not 5x6"),
    ],
)
def test_a_bad_setup_is_refused_and_changes_nothing(setup: Setup, reason: str) -> None:
    position = HexPosition(Setup(3, 3, "standard"))
    position.play("b2")
    with pytest.raises(BadSetup, match=reason):
        position.restart(setup)
    assert (position.moves, position.setup.width) == (["b2"], 3)


def test_the_board_as_text_is_a_rhombus() -> None:
    position = HexPosition(Setup(3, 2, "standard"))
    position.replay(["b1", "c2"])
    assert position.board() == "   a b c\n 1 . X .\n  2 . . O"
    assert position.state.cells[cell_index(1, 0)] == 1
