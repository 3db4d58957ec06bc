"""The thesis' kernels against their naive twin, and alpha-beta against minimax."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.hive.notation import VARIANTS
from bots.hive.position import HivePosition
from core.search.scores import MAX_EVALUATION, WIN
from tests.bots.hive.naive_thesis import evaluate, minimax
from tests.bots.hive.real_games import MIDGAMES, WON_GAMES, WON_IN_ONE, truncate_game
from tests.bots.hive.test_rules import TASTES, number_of, play_game


def search(position: HivePosition, depth: int, *, prunes: bool) -> int:
    """The value that the kernels find; their moves' values are left in the record."""
    state, moves = position.state, position.legal_numbers()
    state.nodes = state.next_poll = state.aborted = state.stop = state.deadline = state.node_limit = 0
    state.thesis_random = 1
    state.root_move_count = len(moves)
    state.root_moves[: len(moves)] = moves
    return int(position.library.thesis_search(state, depth, int(prunes)))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(VARIANTS), st.sampled_from(list(TASTES)), st.integers(0, 1 << 32), st.integers(0, 50))
def test_the_estimate_equals_its_naive_twin(variant: str, taste: str, seed: int, plies: int) -> None:
    fast, slow = play_game(variant, taste, seed, plies)
    if fast.outcome() is None:
        assert fast.library.thesis_evaluate(fast.state) == evaluate(slow)


@pytest.mark.parametrize(("variant", "seed", "plies"), [("Base", 1, 8), ("Base", 2, 13), ("Base+MLP", 3, 9)])
def test_two_plies_give_every_move_its_naive_value(variant: str, seed: int, plies: int) -> None:
    fast, slow = play_game(variant, "huddle", seed, plies)
    best = search(fast, 2, prunes=False)
    state = fast.state
    values = dict(
        zip(state.root_moves[: state.root_moves_searched], state.root_scores[: state.root_moves_searched], strict=True)
    )
    wanted = {number_of(move): -minimax(slow.after(move), 1, 1) for move in slow.moves()}
    assert values == wanted
    assert best == max(wanted.values())


def test_alphabeta_is_worth_what_minimax_is() -> None:
    """A bound taken for a value, or a window turned round wrongly, changes some of these."""
    proven = 0
    for line in MIDGAMES[::3] + [truncate_game(line, -3) for line in WON_GAMES[::3]]:
        position = HivePosition.from_game(line)
        for depth in (1, 2, 3):
            value = search(position, depth, prunes=False)
            assert search(position, depth, prunes=True) == value, line
            proven += abs(value) > MAX_EVALUATION
    assert proven, "no position is near its end"


def test_a_search_leaves_the_position_alone() -> None:
    position = HivePosition.from_game(MIDGAMES[1])
    before, key = position.legal_numbers(), position.library.key(position.state)
    search(position, 3, prunes=True)
    assert (position.legal_numbers(), position.library.key(position.state)) == (before, key)


def test_a_win_in_one_ends_a_search() -> None:
    """Alpha-beta looks no further once a move wins at once."""
    for line in WON_IN_ONE:
        position = HivePosition.from_game(line)
        for depth in (1, 2, 4):
            assert search(position, depth, prunes=True) == WIN - 1
            assert position.state.root_scores[position.state.root_moves_searched - 1] == WIN - 1
