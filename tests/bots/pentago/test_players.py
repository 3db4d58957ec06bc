"""The engine of Pentago: won positions, the time of proofs, moves that a proof allows.

Before its search, the engine tries to prove the value of a position with few empty squares (bots/pentago/solver.py).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bots.pentago import engine as engine_module
from bots.pentago.engine import PentagoEngine, apply_proof
from bots.pentago.players import PLAYERS
from bots.pentago.position import PentagoPosition
from bots.pentago.solver import Proof
from core.play.player import Limits, Progress, Setup, build_player
from tests.bots.playing import play_to_end
from tests.manual_clock import ManualClock

# White to move; the result with best play is a draw.
DRAWN = "1bwbbw/w1bw1w/wwbb2/2b2b/bww1bw/bbww2 w"


def test_pentad_wins_a_won_position() -> None:
    """White, the engine, has a forced win and must keep it."""
    player = build_player(PLAYERS, "pentad:hash=4")
    position = PentagoPosition(Setup(position="1w1b1w/wbwbwb/wbbb1w/1b2w1/wb1w1b/1wb3 w"))
    player.new_game(position.setup)
    opponent = build_player(PLAYERS, "alphabeta:2,seed=1")
    opponent.new_game(position.setup)
    assert isinstance(player, PentagoEngine)
    value = player.solve(Limits(move_time_ms=20_000)).result
    outcome = play_to_end((player, opponent), position, Limits(move_time_ms=2_000)).outcome()
    assert outcome is not None
    assert value == "win"
    assert outcome.winner == 0
    assert len(position.moves) > 3, "a win in one move is no test"


def test_a_stop_ends_a_proof(clock: ManualClock) -> None:
    clock.step_ms = 1
    player, limits = build_player(PLAYERS, "pentad:hash=4"), Limits()
    assert isinstance(player, PentagoEngine)
    player.new_game(Setup(position="1w1b1w/wb1bwb/1bbb1w/1b2w1/wb1w2/1w4 w"))
    clock.call_at(300, limits.stop.set)
    player.solve(limits)
    assert 300 <= clock.now_ms < 320


@pytest.mark.parametrize(
    ("ask", "name", "limits"),
    [
        (PentagoEngine.choose, "pentad:hash=4", Limits(move_time_ms=500)),
        (PentagoEngine.choose, "pentad:hash=4", Limits(time_left_ms=1500)),
        (PentagoEngine.solve, "pentad:hash=4", Limits(move_time_ms=500)),
        (PentagoEngine.solve, "pentad:level=5,hash=4,seed=1", Limits(move_time_ms=500)),
    ],
)
def test_search_follows_a_proof_that_used_its_time(
    ask: Callable[[PentagoEngine, Limits], object],
    name: str,
    limits: Limits,
    monkeypatch: pytest.MonkeyPatch,
    clock: ManualClock,
) -> None:
    """Regression: the proof's time used to be subtracted twice, so the first root move was played without a search."""
    clock.step_ms = 0.2
    player = build_player(PLAYERS, name)
    assert isinstance(player, PentagoEngine)
    player.new_game(Setup(position=DRAWN))
    monkeypatch.setattr(engine_module, "MOVE_CHOICE_MS", 500)
    monkeypatch.setattr(player, "_prove", clock.advance)  # uses its time and proves nothing
    ask(player, limits)
    assert player.position.state.root_depth > 1


def test_every_depth_is_reported() -> None:
    reports: list[Progress] = []
    build_player(PLAYERS, "pentad:hash=4").choose(Limits(depth=6), reports.append)
    assert [report.depth for report in reports] == list(range(1, 7))


@pytest.mark.parametrize(
    ("value", "remaining_proof"),
    [(1, None), (0, Proof(-1, frozenset({3, 4}))), (-1, Proof(-1, frozenset({3, 4})))],
)
def test_apply_proof_to_worse_moves(value: int, remaining_proof: Proof | None) -> None:
    """Regression: with the best moves excluded, the others used to be called proven wins or draws.

    The proof has the value of the best moves. In a won position, it says nothing about the other moves.
    """
    best = frozenset({3, 4} if value < 0 else {1, 2})
    assert apply_proof([2, 3, 4] if value >= 0 else [3, 4], Proof(value, best))[1] == Proof(value, best)
    assert apply_proof([3, 4], Proof(value, best)) == ([3, 4], remaining_proof)
