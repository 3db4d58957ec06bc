"""The kernels of the PROP paper's players (bots/hex/README.md) against naive versions: static evaluations and searches.

An index off by one would only make the players weaker, so no other test would notice it.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.hex.paper.fields import ALPHABETA_GROUPS, ALPHABETA_POTENTIALS, NEGASCOUT_BUDGET, NEGASCOUT_SAMPLE
from bots.hex.position import HexPosition, cell_index
from core.play.player import Setup
from core.play.squares import format_square
from core.search.scores import WIN
from tests.bots.hex import naive_paper
from tests.bots.hex.boards import position_after
from tests.bots.hex.naive import Cell, NaiveHex

METHODS = (ALPHABETA_POTENTIALS, ALPHABETA_GROUPS, NEGASCOUT_SAMPLE, NEGASCOUT_BUDGET)  # searches of the players
NO_CUT = 1 << 40  # value of `paper_cut` with which no move is too expensive


def make_boards(width: int, height: int, rng: random.Random, min_empty: int = 1) -> tuple[HexPosition, NaiveHex]:
    """Return a random position that is not over, with stones out of turn, and the same naive board."""
    position, naive = HexPosition(Setup(width, height, "standard")), NaiveHex(width, height)
    order = naive.cells()
    rng.shuffle(order)
    for cell in order[: rng.randint(0, len(order) - min_empty)]:
        colour = rng.randrange(2)
        position.place(colour, format_square(*cell))
        if position.outcome():
            position.undo()
            break
        naive.stones[cell] = colour
    return position, naive


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.randoms(use_true_random=False))
def test_potentials_and_costs_equal_the_definition(width: int, height: int, rng: random.Random) -> None:
    position, naive = make_boards(width, height, rng)
    state = position.state
    position.library.paper_costs(state)
    for colour in (0, 1):
        for edge in (0, 1):
            distances = naive_paper.two_distances(naive, colour, edge)
            assert {c: state.distances[colour][edge][cell_index(*c)] for c in naive.empty()} == distances
    costs = naive_paper.costs(naive, position.to_move)
    assert [state.root_costs[i] for i in range(state.root_count)] == sorted(costs.values())
    root_costs = dict(zip(state.root_moves[: state.root_count], state.root_costs, strict=False))
    assert root_costs == {cell_index(*cell): cost for cell, cost in costs.items()}
    assert position.library.evaluate_potentials(state) == naive_paper.evaluate_potentials(naive, position.to_move)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), st.integers(1, 8), st.randoms(use_true_random=False))
def test_paths_connections_and_conductance_equal_the_definition(width: int, height: int, rng: random.Random) -> None:
    position, naive = make_boards(width, height, rng)
    library, state = position.library, position.state
    for colour in (0, 1):
        assert library.shortest_path(state, colour) == naive_paper.shortest_path(naive, colour)
        assert library.count_virtual_connections(state, colour) == naive_paper.count_virtual_connections(naive, colour)
        assert library.board_conductance(state, colour) == pytest.approx(naive_paper.conductance(naive, colour))


def test_distances_are_right_on_the_largest_board() -> None:
    """On 19x19, a set of cells has six words of 64 bits."""
    position, naive = make_boards(19, 19, random.Random(3), min_empty=200)
    position.library.paper_costs(position.state)
    distances = naive_paper.two_distances(naive, colour=1, edge=1)
    assert {c: position.state.distances[1][1][cell_index(*c)] for c in naive.empty()} == distances


def minimax(position: HexPosition, method: int, depth: int, ply: int = 0) -> int:
    """Return the value for the side to move, by searching all moves."""
    if position.outcome():
        return ply - WIN
    if depth == 0:
        if method == ALPHABETA_GROUPS:
            return int(position.library.evaluate_groups(position.state))
        position.library.find_potentials(position.state)
        return int(position.library.evaluate_potentials(position.state))
    values = []
    for move in position.legal_moves():
        position.play(move)
        values.append(-minimax(position, method, depth - 1, ply + 1))
        position.undo()
    return max(values)


def search(position: HexPosition, method: int, depth: int) -> int:
    """Return the kernel's value. With these parameters no method leaves out moves."""
    state = position.state
    position.library.paper_costs(state)
    state.paper_method, state.paper_root_side, state.paper_opponent_weight = method, state.side, 1
    state.paper_sample_divisor, state.paper_seed, state.paper_slope, state.paper_cut = 1, 5, 0, NO_CUT
    state.paper_tempo = 0
    state.nodes, state.aborted, state.stop, state.deadline, state.node_limit = 0, 0, 0, 0, 0
    board_before = bytes(state.cells), state.hash
    value = int(position.library.paper_search(state, depth))
    assert (bytes(state.cells), state.hash) == board_before
    return value


@pytest.mark.parametrize("method", METHODS)
def test_each_search_of_all_moves_equals_minimax(method: int) -> None:
    rng = random.Random(8)
    for _ in range(6):
        position, _ = make_boards(4, 4, rng, min_empty=6)
        for depth in (1, 2, 3):
            assert search(position, method, depth) == minimax(position, method, depth), position.board()


def test_win_in_one_move_is_scored_as_one_ply() -> None:
    position = position_after(4, ["b1", "a4", "b2", "a3", "b3", "d1"])
    for method in METHODS:
        assert search(position, method, 2) == WIN - 1


def test_cells_are_neighbours_through_a_chain_of_their_colour_only() -> None:
    """Black's chain b3-c3 makes the cells around it neighbours, for black only."""
    position = HexPosition(Setup(5, 5, "standard"))
    for colour, cell in ((0, "b3"), (0, "c3")):
        position.place(colour, cell)
    state = position.state
    position.library.find_potentials(state)
    cells: list[Cell] = [(1, 0), (1, 1), (2, 1), (3, 1), (0, 3), (1, 4), (2, 4)]
    to_top = [state.distances[0][0][cell_index(*cell)] for cell in cells]
    assert to_top == [0, 1, 1, 1, 2, 3, 4]
