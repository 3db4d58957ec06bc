"""All named players play whole games; `pentad` wins won positions, obeys stop, and is deterministic."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bots.pentago import engine as engine_module
from bots.pentago.engine import PentagoEngine, apply_proof
from bots.pentago.players import PLAYERS
from bots.pentago.position import PentagoPosition
from bots.pentago.solver import Proof
from core.play.board_player import BoardPlayerBase
from core.play.options import OptionError
from core.play.player import IllegalMove, Limits, Progress, Setup, build_player
from tests.lines import play_on
from tests.manual_clock import ManualClock

PLAYER_NAMES = (
    "pentad:hash=4",
    "pentad:level=2,hash=4",
    "alphabeta:depth=2",
    "alphabeta:time=0.05",
    "genetic:population=20,generations=3,depth=3",
    "genetic:population=10,generations=3,depth=2,selection=roulette",
    "mcts:playouts=50",
    "greedy",
    "random",
)

DRAWN = "1bwbbw/w1bw1w/wwbb2/2b2b/bww1bw/bbww2 w"
WON_IN_ONE = "2w3/3b2/1w4/6/1bwb2/w1wwb1 b"


@pytest.mark.parametrize("kind", PLAYER_NAMES)
def test_whole_games_are_legal(kind: str) -> None:
    players = [build_player(PLAYERS, kind), build_player(PLAYERS, "random:seed=3")]
    for first in (0, 1):
        position = PentagoPosition(Setup())
        for player in players:
            player.new_game(Setup())
        while position.outcome() is None:
            mover = players[(position.to_move + first) % 2]
            position.play(mover.choose(Limits(move_time_ms=100)).move)
            for player in players:
                play_on(player, position.moves[-1])
        assert players[0].choose(Limits(move_time_ms=100)).move == ""


@pytest.mark.parametrize("kind", [kind for kind in PLAYER_NAMES if kind != "random"])
def test_a_placement_that_wins_is_played(kind: str) -> None:
    player = build_player(PLAYERS, kind)
    player.new_game(Setup(position="wwww2/bbbb2/6/6/6/6 w"))
    decision = player.choose(Limits(move_time_ms=300))
    assert decision.move == "e1"
    assert decision.progress.win_in == 1


def test_pentad_wins_a_won_position() -> None:
    """In each move it searches the moves that the solver allows, until white has won in seven plies."""
    player = build_player(PLAYERS, "pentad:hash=4")
    position = PentagoPosition(Setup(position="1w1b1w/wbwbwb/wbbb1w/1b2w1/wb1w1b/1wb3 w"))
    player.new_game(position.setup)
    opponent = build_player(PLAYERS, "alphabeta:2,seed=1")
    opponent.new_game(position.setup)
    assert isinstance(player, PentagoEngine)
    value = player.solve(Limits(move_time_ms=20_000)).result
    while position.outcome() is None:
        mover = player if position.to_move == 0 else opponent
        position.play(mover.choose(Limits(move_time_ms=2_000)).move)
        for one in (player, opponent):
            play_on(one, position.moves[-1])
    outcome = position.outcome()
    assert outcome is not None
    assert value == "win"
    assert outcome.winner == 0
    assert len(position.moves) > 3, "a win in one move is no test"


def test_equal_searches_find_the_same() -> None:
    found = []
    for _ in range(2):
        player = build_player(PLAYERS, "pentad:hash=4")
        player.set_position(["c3t", "d4v", "b1s"])
        decision = player.choose(Limits(depth=5))
        found.append((decision.move, decision.progress.score, decision.progress.nodes))
    assert found[0] == found[1]


def test_stop_ends_search_and_proof(clock: ManualClock) -> None:
    clock.step_ms = 1
    player = build_player(PLAYERS, "pentad:hash=4")
    assert isinstance(player, PentagoEngine)
    limits = Limits(depth=60)
    clock.call_at(300, limits.stop.set)
    assert player.choose(limits).move
    assert 300 <= clock.now_ms < 320
    player.new_game(Setup(position="1w1b1w/wb1bwb/1bbb1w/1b2w1/wb1w2/1w4 w"))
    limits = Limits()
    clock.call_at(600, limits.stop.set)
    player.solve(limits)
    assert 600 <= clock.now_ms < 620


@pytest.mark.parametrize(
    ("ask", "name", "limits"),
    [
        (PentagoEngine.choose, "pentad:hash=4", Limits(move_time_ms=500)),
        (PentagoEngine.choose, "pentad:hash=4", Limits(time_left_ms=1500)),
        (PentagoEngine.solve, "pentad:hash=4", Limits(move_time_ms=500)),
        (PentagoEngine.solve, "pentad:level=5,hash=4", Limits(move_time_ms=500)),
    ],
)
def test_search_follows_a_proof_that_used_its_time(
    ask: Callable[[PentagoEngine, Limits], object],
    name: str,
    limits: Limits,
    monkeypatch: pytest.MonkeyPatch,
    clock: ManualClock,
) -> None:
    """The proof's time was once subtracted twice, so the first root move was played without a search."""
    clock.step_ms = 0.2
    player = build_player(PLAYERS, name)
    assert isinstance(player, PentagoEngine)
    player.new_game(Setup(position=DRAWN))
    monkeypatch.setattr(engine_module, "MOVE_CHOICE_MS", 500)
    monkeypatch.setattr(player, "_prove", clock.advance)
    ask(player, limits)
    assert player.position.state.root_depth > 1


def test_depths_are_reported_and_lines_are_legal() -> None:
    player = build_player(PLAYERS, "pentad:hash=4")
    reports: list[Progress] = []
    player.choose(Limits(depth=6), reports.append)
    assert [report.depth for report in reports] == list(range(1, 7))
    for report in reports:
        position = PentagoPosition(Setup())
        for move in report.pv:
            position.play(move)


def test_excluded_moves_are_not_played() -> None:
    player = build_player(PLAYERS, "pentad:hash=4")
    first = player.choose(Limits(depth=3)).move
    assert player.choose(Limits(depth=3, excluded_moves=(first,))).move != first


def test_bad_moves_leave_the_player_where_it_was() -> None:
    player = build_player(PLAYERS, "pentad:hash=4")
    player.set_position(["c3t"])
    with pytest.raises(IllegalMove):
        player.set_position(["a1s", "a7s"])
    assert isinstance(player, BoardPlayerBase)
    assert player.position.moves == ["c3t"]
    with pytest.raises(OptionError, match="level"):
        player.set_option("level", 11)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(1, None), (0, Proof(-1, frozenset({3, 4}))), (-1, Proof(-1, frozenset({3, 4})))],
)
def test_apply_proof_to_worse_moves(value: int, wanted: Proof | None) -> None:
    """With the best moves excluded, the others were once called proven wins or draws."""
    best = frozenset({3, 4} if value < 0 else {1, 2})
    assert apply_proof([2, 3, 4] if value >= 0 else [3, 4], Proof(value, best))[1] == Proof(value, best)
    moves, left = apply_proof([3, 4], Proof(value, best))
    assert (moves, left) == ([3, 4], wanted)
