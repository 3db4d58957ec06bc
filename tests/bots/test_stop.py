"""Each game's engine stops its search when the stop token is set before the search, at its start or during it.

Without the stop, a search would take an hour or more. The tests measure in nodes how soon it stops, not in time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.registry import GAMES
from core.play.player import Limits, Player, Progress
from core.search.alphabeta_search import AlphaBetaSearch
from core.search.mcts_search import MctsSearch
from tests.bots.playing import QUIET_LINES, player_after

MAX_EXTRA_NODES = 5_000  # nodes searched after a stop: until the kernel's next check, plus threat searches and solvers


def player_in_midgame(game: str) -> Player:
    """Return the engine of a game; Kolibrat's is told not to play from solved tables."""
    name = "pentad:hash=4,perfect=no" if game == "kolibrat" else "pentad:hash=4"
    return player_after(game, name, QUIET_LINES[game])  # type: ignore[no-any-return]


@pytest.mark.parametrize("game", GAMES)
def test_stop_before_the_search(game: str) -> None:
    limits = Limits(move_time_ms=3_600_000)
    limits.stop.set()
    decision = player_in_midgame(game).choose(limits)
    assert decision.move
    assert decision.progress.nodes <= MAX_EXTRA_NODES


@pytest.mark.parametrize("game", GAMES)
def test_stop_while_the_search_starts(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stop is set when the transposition table or tree is allocated, which takes long enough for one to arrive."""
    limits = Limits(move_time_ms=3_600_000)

    def with_stop_before(run: Callable[..., Any]) -> Callable[..., Any]:
        def stop_and_run(*arguments: Any) -> Any:
            limits.stop.set()
            return run(*arguments)

        return stop_and_run

    monkeypatch.setattr(AlphaBetaSearch, "resize", with_stop_before(AlphaBetaSearch.resize))
    monkeypatch.setattr(MctsSearch, "resize", with_stop_before(MctsSearch.resize))
    player = player_in_midgame(game)
    decision = player.choose(limits)
    assert limits.stop.is_set
    assert decision.move
    assert decision.progress.nodes <= MAX_EXTRA_NODES


@pytest.mark.parametrize("game", GAMES)
def test_stop_during_a_search_does_not_affect_the_next(game: str) -> None:
    limits = Limits(move_time_ms=3_600_000)
    reported_nodes: list[int] = []

    def stop(progress: Progress) -> None:
        reported_nodes.append(progress.nodes)
        if len(reported_nodes) == 2:
            limits.stop.set()

    player = player_in_midgame(game)
    decision = player.choose(limits, stop)
    assert decision.move
    assert decision.progress.nodes <= reported_nodes[1] + MAX_EXTRA_NODES
    assert player.choose(Limits(nodes=2_000)).progress.nodes >= 1_000
