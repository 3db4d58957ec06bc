"""Every game's strongest player ends its search when the token of its limits is set, whenever that is.

Each search would last for hours. What it has searched after the stop is counted in nodes, not in time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.registry import GAMES
from core.play.player import Limits, Player, Progress, build_player
from core.search.alphabeta_search import AlphaBetaSearch
from core.search.mcts_search import MctsSearch

SLACK = 5_000  # nodes until a kernel looks at its stop cell; threat searches and solvers come on top
OPENINGS = {
    "gomoku": ["h8", "i9", "g7", "i8"],
    "hex": ["e5"],
    "hive": ["wS1", "bS1 wS1-"],
    "pentago": ["c3t"],
    "kolibrat": [],
}


def player_of(game: str) -> Player:
    found = build_player(
        GAMES[game].players(), "pentad:hash=4,perfect=false" if game == "kolibrat" else "pentad:hash=4"
    )
    found.set_position(OPENINGS[game])
    return found


@pytest.mark.parametrize("game", GAMES)
def test_stop_before_the_search(game: str) -> None:
    limits = Limits(move_time_ms=3_600_000)
    limits.stop.set()
    decision = player_of(game).choose(limits)
    assert decision.move
    assert decision.progress.nodes <= SLACK


@pytest.mark.parametrize("game", GAMES)
def test_stop_while_the_search_begins(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are made at this point, which takes long enough for a stop to come."""
    limits = Limits(move_time_ms=3_600_000)

    def stop_and(run: Callable[..., Any]) -> Callable[..., Any]:
        def fit(*arguments: Any) -> Any:
            limits.stop.set()
            return run(*arguments)

        return fit

    monkeypatch.setattr(AlphaBetaSearch, "resize", stop_and(AlphaBetaSearch.resize))
    monkeypatch.setattr(MctsSearch, "resize", stop_and(MctsSearch.resize))
    player = player_of(game)
    decision = player.choose(limits)
    assert limits.stop.is_set
    assert decision.move
    assert decision.progress.nodes <= SLACK


@pytest.mark.parametrize("game", GAMES)
def test_stop_during_the_search_and_not_of_the_next(game: str) -> None:
    limits = Limits(move_time_ms=3_600_000)
    seen: list[int] = []

    def stop(progress: Progress) -> None:
        seen.append(progress.nodes)
        if len(seen) == 2:
            limits.stop.set()

    player = player_of(game)
    decision = player.choose(limits, stop)
    assert decision.move
    assert decision.progress.nodes <= seen[1] + SLACK
    assert player.choose(Limits(nodes=2_000)).progress.nodes >= 1_000
