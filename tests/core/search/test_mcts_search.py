"""The conditions that end a tree search. The tests call `_is_over` with a tree of 400 playouts and invented times."""

from __future__ import annotations

from typing import Any

import pytest

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.mcts_search import UNCLEAR_VISITS, MctsSearch
from core.search.time_budget import TimeBudget

PLAYOUT_COUNT = 400
SOFT_MS, HARD_MS = 1000, 4000  # limits of the time budget


@pytest.fixture(scope="module")
def search() -> MctsSearch[Any]:
    """Return a finished search of a position whose best move is clear (see `UNCLEAR_VISITS`)."""
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 1)
    engine.new_game(Setup(11, 11, "standard"))
    for move in ("f6", "e7", "g5", "h5"):
        engine.position.play(move)
    engine.choose(Limits(nodes=PLAYOUT_COUNT))
    best, *others = engine.move_statistics()
    assert not any(other.mean > best.mean and other.visits * UNCLEAR_VISITS > best.visits for other in others)
    assert 4 < best.visits - others[0].visits < PLAYOUT_COUNT
    search: MctsSearch[Any] = engine._search
    search.states[0].node_limit = 0
    return search


def test_a_search_without_limits_goes_on(search: MctsSearch[Any]) -> None:
    assert not search._is_over(Limits(), TimeBudget(None, None), 1e9)


def test_a_search_ends_once_the_remaining_time_cannot_change_the_lead(search: MctsSearch[Any]) -> None:
    """After half of the time, 400 more playouts could follow, more than the lead; after 99.9 % of it, less than one."""
    budget = TimeBudget(SOFT_MS, HARD_MS)
    assert not search._is_over(Limits(), budget, SOFT_MS / 2)
    assert search._is_over(Limits(), budget, SOFT_MS * 0.999)
    assert search._is_over(Limits(), budget, SOFT_MS)


def test_a_fixed_move_time_is_used_completely(search: MctsSearch[Any]) -> None:
    """Time that is saved would be lost, because later moves do not get it."""
    budget = TimeBudget(SOFT_MS, SOFT_MS)
    assert not search._is_over(Limits(), budget, SOFT_MS - 1.5)
    assert search._is_over(Limits(), budget, SOFT_MS - 1)


def test_multi_pv_uses_the_time_up_to_the_hard_limit(search: MctsSearch[Any]) -> None:
    assert not search._is_over(Limits(multi_pv=2), TimeBudget(SOFT_MS, HARD_MS), SOFT_MS)
    assert search._is_over(Limits(multi_pv=2), TimeBudget(SOFT_MS, HARD_MS), HARD_MS)
