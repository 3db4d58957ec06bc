"""Playouts of the tree search, compared with naive playouts, and pattern priors on mirrored boards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bots.hex.position import STRIDE, HexPosition, cell_index
from bots.hex.prior import load_weights, mirror_bridge, mirror_offset, mirror_ring
from core.native.library import new_array
from core.play.player import Setup
from tests.bots.hex.boards import position_after
from tests.bots.hex.naive import NaiveHex
from tests.bots.hex.naive_playout import playout_naively

TREE = new_array("i32", 1 << 16)  # memory for the search tree, which `init_tree` fills anew


def new_playout(position: HexPosition) -> Any:
    """Return a search state with the position as root."""
    state = position.library.new("HexPlayout")
    load_weights(state)
    position.library.set_root(position.state, state)
    return state


def play_out(position: HexPosition, state: Any) -> int:
    """Play one random game from the root until the board is full; return the winner."""
    position.library.init_tree(state, TREE)
    return 0 if position.library.random_playout(state) == 2 else 1


def to_naive(state: Any) -> NaiveHex:
    """Return the working position of the search."""
    board = NaiveHex(state.width, state.height)
    board.stones = {
        (x, y): state.played_by[cell_index(x, y)] - 1 for x, y in board.cells() if state.played_by[cell_index(x, y)]
    }
    return board


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 3), (5, 4), (4, 7), (11, 11), (19, 19), (19, 2), (1, 6)])
def test_a_full_board_is_won_by_who_has_connected(size: tuple[int, int]) -> None:
    """The walk along the border must end correctly at every corner, on oblong boards, too."""
    position = HexPosition(Setup(*size, "standard"))
    state = new_playout(position)
    for _ in range(60):
        winner = play_out(position, state)
        board = to_naive(state)
        assert board.winner() == winner
        assert sum(colour == 0 for colour in board.stones.values()) == (len(board.cells()) + 1) // 2
        assert not board.empty()


@pytest.mark.parametrize(("size", "moves"), [(4, "b2"), (5, "c3 b2 d4"), (5, "a5 e1 b4")])
def test_playouts_win_as_often_as_naive_ones(size: int, moves: str) -> None:
    """A bias in the random numbers or in the choice of replies would change the fraction of wins."""
    position = position_after(size, moves.split())
    state, rng, games = new_playout(position), random.Random(1), 1500
    wins = sum(play_out(position, state) for _ in range(4 * games)) / 4  # of white
    naive_wins = 0
    for _ in range(games):
        board = NaiveHex(size, size)
        board.stones = {(ord(cell[0]) - 97, int(cell[1]) - 1): ply % 2 for ply, cell in enumerate(moves.split())}
        naive_wins += playout_naively(board, len(moves.split()) % 2, rng)
    assert abs(wins - naive_wins) / games < 0.06  # four standard deviations of the difference


def test_a_threatened_bridge_is_saved() -> None:
    """Black's c2 and b4 are joined by b3 and c3: when white takes one, every playout gives black the other."""
    position = position_after(5, ["c2", "a1", "b4", "b3"])
    state = new_playout(position)
    for _ in range(50):
        play_out(position, state)
        assert to_naive(state).stones[2, 2] == 0


def test_mirroring_features_is_its_own_inverse() -> None:
    """Mirroring twice is the identity, and every index is reached."""
    for mirror, count in ((mirror_ring, 1 << 12), (mirror_bridge, 48), (mirror_offset, 26)):
        assert sorted(mirror(index) for index in range(count)) == list(range(count))
        assert all(mirror(mirror(index)) == index for index in range(count))


def test_priors_of_a_mirrored_position_are_the_same() -> None:
    """Exchanging columns and rows, and the colours, does not change the priors."""
    cells = [(1, 2), (3, 3), (2, 1), (4, 0)]
    priors = []
    for mirrored in (False, True):
        position = HexPosition(Setup(6, 6, "standard"))
        for ply, (x, y) in enumerate(cells):
            position.library.put(position.state, ply % 2 ^ mirrored, cell_index(y, x) if mirrored else cell_index(x, y))
        state = new_playout(position)
        position.library.init_tree(state, TREE)
        count = TREE[state.root]  # number of moves, the first word of a node
        prior_by_cell = {}
        for move, prior in zip(state.moves[:count], state.prior[:count], strict=True):
            x, y = move % STRIDE, move // STRIDE
            prior_by_cell[(y, x) if mirrored else (x, y)] = prior
        priors.append(prior_by_cell)
    assert priors[0].keys() == priors[1].keys()
    assert all(abs(priors[0][cell] - priors[1][cell]) < 1e-5 for cell in priors[0])
