"""The kernels of the players of Pettersson's thesis against a simple implementation, and alpha-beta against minimax."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.hive.notation import VARIANTS
from bots.hive.position import HivePosition
from core.search.scores import MAX_EVALUATION, WIN
from tests.bots.hive.naive_thesis import evaluate, minimax
from tests.bots.hive.real_games import MIDGAMES, WON_GAMES, WON_IN_ONE, truncate_game
from tests.bots.hive.test_rules import PREFERENCES, encode_move, play_game


def search(position: HivePosition, depth: int, *, uses_alphabeta: bool) -> int:
    """Return the value that the kernels find; the state then has the root moves and their scores."""
    state, moves = position.state, position.legal_numbers()
    state.nodes = state.next_poll = state.aborted = state.stop = state.deadline = state.node_limit = 0
    state.thesis_random = 1
    state.root_move_count = len(moves)
    state.root_moves[: len(moves)] = moves
    return int(position.library.thesis_search(state, depth, int(uses_alphabeta)))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(VARIANTS), st.sampled_from(list(PREFERENCES)), st.integers(0, 1 << 32), st.integers(0, 50))
def test_evaluation_equals_the_naive_one(variant: str, preference: str, seed: int, plies: int) -> None:
    position, naive = play_game(variant, preference, seed, plies)
    if position.outcome() is None:
        assert position.library.thesis_evaluate(position.state) == evaluate(naive)


@pytest.mark.parametrize(("variant", "seed", "plies"), [("Base", 1, 8), ("Base", 2, 13), ("Base+MLP", 3, 9)])
def test_two_ply_minimax_equals_the_naive_one(variant: str, seed: int, plies: int) -> None:
    position, naive = play_game(variant, "huddle", seed, plies)  # random moves, preferably beside other tiles
    best = search(position, 2, uses_alphabeta=False)
    state = position.state
    values = dict(
        zip(state.root_moves[: state.root_moves_searched], state.root_scores[: state.root_moves_searched], strict=True)
    )
    expected = {encode_move(move): -minimax(naive.after(move), 1, 1) for move in naive.moves()}
    assert values == expected
    assert best == max(expected.values())


def test_alphabeta_finds_the_value_of_minimax() -> None:
    """A bound used as a value, or a window negated wrongly, would change some of these values."""
    proven_count = 0
    for line in MIDGAMES[::3] + [truncate_game(line, -3) for line in WON_GAMES[::3]]:
        position = HivePosition.from_game(line)
        for depth in (1, 2, 3):
            value = search(position, depth, uses_alphabeta=False)
            assert search(position, depth, uses_alphabeta=True) == value, line
            proven_count += abs(value) > MAX_EVALUATION
    assert proven_count, "no position is near its end"


def test_a_search_does_not_change_the_position() -> None:
    position = HivePosition.from_game(MIDGAMES[1])
    moves, key = position.legal_numbers(), position.library.key(position.state)
    search(position, 3, uses_alphabeta=True)
    assert (position.legal_numbers(), position.library.key(position.state)) == (moves, key)


def test_alphabeta_stops_at_a_win_in_one() -> None:
    """The root moves after it are not searched."""
    for line in WON_IN_ONE:
        position = HivePosition.from_game(line)
        for depth in (1, 2, 4):
            assert search(position, depth, uses_alphabeta=True) == WIN - 1
            assert position.state.root_scores[position.state.root_moves_searched - 1] == WIN - 1
