"""When the tree search ends, on a tree of 400 playouts whose time is made up."""

from __future__ import annotations

from typing import Any

import pytest

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.mcts_search import UNCLEAR_VISITS, MctsSearch
from core.search.time_budget import TimeBudget

PLAYOUTS = 400
SOFT_MS, HARD_MS = 1000, 4000


@pytest.fixture(scope="module")
def search() -> MctsSearch[Any]:
    """A search of a position with a clear best move: no other has a better mean and many visits."""
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 1)
    engine.new_game(Setup(11, 11, "standard"))
    for move in ("f6", "e7", "g5", "h5"):
        engine.position.play(move)
    engine.choose(Limits(nodes=PLAYOUTS))
    best, *others = engine.move_statistics()
    assert not any(other.mean > best.mean and other.visits * UNCLEAR_VISITS > best.visits for other in others)
    assert 4 < best.visits - others[0].visits < PLAYOUTS
    search: MctsSearch[Any] = engine._search
    search.states[0].node_limit = 0
    return search


def test_search_without_time_goes_on(search: MctsSearch[Any]) -> None:
    assert not search._is_over(Limits(), TimeBudget(None, None), 1e9)


def test_search_ends_once_the_lead_cannot_change_in_the_time_left(search: MctsSearch[Any]) -> None:
    """After half of the time as many playouts may follow as were made, after 99.9 % none that matter."""
    budget = TimeBudget(SOFT_MS, HARD_MS)
    assert not search._is_over(Limits(), budget, SOFT_MS / 2)
    assert search._is_over(Limits(), budget, SOFT_MS * 0.999)
    assert search._is_over(Limits(), budget, SOFT_MS)


def test_fixed_time_is_used_to_its_end(search: MctsSearch[Any]) -> None:
    """What is saved of it is lost."""
    budget = TimeBudget(SOFT_MS, SOFT_MS)
    assert not search._is_over(Limits(), budget, SOFT_MS - 1.5)
    assert search._is_over(Limits(), budget, SOFT_MS - 1)


def test_several_pvs_use_the_hard_limit(search: MctsSearch[Any]) -> None:
    assert not search._is_over(Limits(multi_pv=2), TimeBudget(SOFT_MS, HARD_MS), SOFT_MS)
    assert search._is_over(Limits(multi_pv=2), TimeBudget(SOFT_MS, HARD_MS), HARD_MS)
