"""Iterative deepening: limits and stop requests, MultiPV, helper threads, excluded moves, proven results."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from bots.gomoku.engine import GomokuEngine
from bots.gomoku.players import PLAYERS
from core.native.library import new_array
from core.play.player import AllMovesExcluded, Limits, Player, Progress, Setup, build_player, ignore_progress
from core.play.squares import split_squares
from core.search.iterative_deepening import IterativeDeepening
from core.search.parameters import AspirationWindow
from core.search.scores import proven_score, win_distance
from core.search.time_budget import TimeBudget
from tests.manual_clock import ManualClock

POSITION = ["h8", "i9", "g7", "i7", "j8", "i8"]  # moves of a Gomoku opening
CHANGING_POSITION = ["e7", "h10", "j9", "i8", "i7"]  # the best move there changes with the depth


def make_player() -> Player:
    """Return Gomoku's strongest player at POSITION."""
    player = build_player(PLAYERS, "pentad")
    player.set_option("hash", 1)
    player.new_game(Setup(15, 15, "freestyle"))
    player.set_position(POSITION)
    return player


@pytest.fixture
def player() -> Player:
    return make_player()


def test_a_search_uses_its_move_time(clock: ManualClock) -> None:
    """The clock advances by 1 ms at each poll."""
    clock.step_ms = 1
    player = make_player()
    player.set_option("margin", 0)
    start_ms = clock.now_ms
    assert player.choose(Limits(move_time_ms=200)).move
    assert 150 <= clock.now_ms - start_ms <= 210


def test_a_stop_request_ends_a_search_within_10_polls(clock: ManualClock) -> None:
    clock.step_ms = 1
    player = make_player()
    stop_ms, limits = clock.now_ms + 200, Limits()
    clock.call_at(stop_ms, limits.stop.set)
    assert player.choose(limits).move
    assert stop_ms <= clock.now_ms < stop_ms + 10


def test_depth_and_node_limits_are_kept(player: Player) -> None:
    assert player.choose(Limits(depth=3)).progress.depth == 3
    assert player.choose(Limits(nodes=5000)).progress.nodes <= 5000 + 50  # a few more while the search unwinds


def test_reports_get_deeper_and_the_last_one_is_the_decision(player: Player) -> None:
    reports: list[Progress] = []
    decision = player.choose(Limits(depth=6), reports.append)
    assert [report.depth for report in reports] == list(range(1, 7))
    assert all(old.nodes <= new.nodes and old.time_ms <= new.time_ms for old, new in pairwise(reports))
    assert (decision.progress.depth, decision.progress.pv) == (reports[-1].depth, reports[-1].pv)
    assert decision.move == reports[-1].pv[0]
    assert decision.progress.win_in == win_distance(decision.progress.score)


@pytest.mark.usefixtures("many_processors")
def test_all_threads_use_the_same_table_generation() -> None:
    """Regression: helpers used to treat the main thread's entries as old, because Gomoku prepares the root twice."""
    player = build_player(PLAYERS, "pentad:hash=1,threads=3")
    assert isinstance(player, GomokuEngine)
    player.set_position(POSITION)
    for _ in range(2):
        player.choose(Limits(move_time_ms=50))
        search = player._alphabeta._search
        assert [helper.generation for helper in search.helpers] == [search.state.generation] * 2


class AbortingKernels:
    """Kernels whose search at depth 2 is aborted after some of the three root moves, with a score."""

    def __init__(self, searched_moves: int, score: int) -> None:
        self.searched_moves, self.score = searched_moves, score

    def prepare_root(self, state: Any, _: int) -> None:
        state.root_move_count = 3

    def search_root(self, state: Any, _table: Any, depth: int, *_: int) -> int:
        state.aborted, state.root_moves_searched = (0, 3) if depth == 1 else (1, self.searched_moves)
        return 17 if depth == 1 else self.score  # 17: any score that proves nothing


@pytest.mark.parametrize(
    ("searched_moves", "distance", "result", "win_in"),
    [(1, -4, "", None), (3, -4, "loss", -4), (3, -6, "loss", None), (1, 3, "win", 3), (1, 5, "win", None)],
)
def test_an_aborted_search_reports_only_proven_results(
    searched_moves: int, distance: int, result: str, win_in: int | None
) -> None:
    """A loss is proven only if all root moves were searched. Distances above `exact_distance`, 4, are not reported."""
    state = SimpleNamespace(
        root_moves=[1, 2, 3], root_scores=[0] * 3, root_nodes=[0] * 3, pv=[[1]], pv_length=[1], nodes=9
    )
    state.selective_depth = 2
    library: Any = AbortingKernels(searched_moves, proven_score(distance))
    search = IterativeDeepening(
        library, state, new_array("u64", 1), lambda pv: list(map(str, pv)), list, exact_distance=4
    )
    reports: list[Progress] = []
    decision = search.run(Limits(), TimeBudget(None, None), [], reports.append)
    assert (decision.progress.result, decision.progress.win_in) == (result, win_in)
    assert [progress.result for progress in reports] == (["", result] if result else [""])


class ScriptedKernels:
    """Kernels that give each PV index a score; helpers search until they are stopped."""

    def __init__(self, scores: Sequence[int] = (100, -300)) -> None:
        self.scores = scores
        self.windows: list[tuple[int, int, int, int]] = []  # depth, PV index, alpha, beta
        self.threads: list[threading.Thread] = []

    def prepare_root(self, state: Any, _: int) -> None:
        state.root_move_count, state.nodes = 3, 0

    def search_root(self, state: Any, _table: Any, depth: int, alpha: int, beta: int, pv_index: int) -> int:
        if isinstance(state, HelperState):
            self.threads.append(threading.current_thread())
            state.started.set()
            state.stopped.wait()
            return 0
        self.windows.append((depth, pv_index, alpha, beta))
        return self.scores[pv_index]


class HelperState(SimpleNamespace):
    """A helper's state whose `stop` can be waited for."""

    def __init__(self) -> None:
        super().__init__(aborted=0, nodes=0, started=threading.Event(), stopped=threading.Event())

    @property
    def stop(self) -> int:
        return int(self.stopped.is_set())

    @stop.setter
    def stop(self, value: int) -> None:
        self.stopped.set() if value else self.stopped.clear()


def scripted_search(library: Any, helpers: Sequence[Any] = ()) -> IterativeDeepening[Any]:
    """Return a search of a state with three root moves."""
    state: Any = SimpleNamespace(
        root_moves=[1, 2, 3], root_scores=[0, 0, 0], root_nodes=[0, 0, 0], pv=[[1]], pv_length=[1], stop=0
    )
    state.aborted, state.root_moves_searched, state.generation, state.selective_depth = 0, 3, 1, 1
    return IterativeDeepening(
        library, state, new_array("u64", 1), lambda pv: list(map(str, pv)), lambda: [1, 2, 3], helpers
    )


def test_the_aspiration_window_is_centred_on_the_first_pv() -> None:
    """Regression: it used to be centred on the last PV's score, so with MultiPV each iteration failed high first."""
    library = ScriptedKernels((100, -300))
    scripted_search(library).run(Limits(depth=6, multi_pv=2), TimeBudget(None, None), [], ignore_progress)
    windows = [
        (alpha, beta)
        for depth, pv_index, alpha, beta in library.windows
        if depth >= AspirationWindow.min_depth and not pv_index
    ]
    assert windows == [(100 - AspirationWindow.delta, 100 + AspirationWindow.delta)] * 3  # at depths 4, 5 and 6


class ChangingKernels(ScriptedKernels):
    """Kernels whose best move changes in each iteration, or never and takes all nodes. An iteration takes 100 ms."""

    def __init__(self, changes: bool, clock: ManualClock) -> None:
        super().__init__()
        self._changes, self._clock = changes, clock

    def search_root(self, state: Any, _table: Any, depth: int, alpha: int, beta: int, pv_index: int) -> int:
        self._clock.advance(100)
        state.nodes = 100 * depth
        state.root_nodes[0] = state.nodes // 10 if self._changes else state.nodes
        if self._changes:
            state.root_moves[:2] = state.root_moves[1::-1]
        return super().search_root(state, _table, depth, alpha, beta, pv_index)


@pytest.mark.parametrize(
    ("budget", "stable_depth", "unstable_depth"), [(TimeBudget(600, 2400, 600), 4, 14), (TimeBudget(600, 600), 6, 6)]
)
def test_a_stable_best_move_takes_less_of_the_clock(
    budget: TimeBudget, stable_depth: int, unstable_depth: int, clock: ManualClock
) -> None:
    """Prevents long searches for a move that is clear. A time limit of the move alone is used up in any case."""
    for changes, depth in ((False, stable_depth), (True, unstable_depth)):
        search = scripted_search(ChangingKernels(changes, clock))
        assert search.run(Limits(), budget, [], ignore_progress).progress.depth == depth


@pytest.mark.parametrize("source", ["report", "kernel"])
def test_helpers_end_when_the_search_raises(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: if `report` raised an error, for a closed pipe, the helpers used to go on during the next search."""
    library, helpers = ScriptedKernels(), [HelperState(), HelperState()]
    search = scripted_search(library, helpers)

    def fail(*_: object) -> Any:
        for helper in helpers:
            assert helper.started.wait(60)
        raise BrokenPipeError

    if source == "kernel":
        monkeypatch.setattr(search, "_search_pv", fail)
    with pytest.raises(BrokenPipeError):
        search.run(Limits(), TimeBudget(None, None), [], fail)
    assert len(library.threads) == 2
    assert not any(thread.is_alive() for thread in library.threads)


@pytest.mark.parametrize(
    ("nodes", "main_limit", "helper_limits"), [(10, 4, [3, 3]), (2, 1, [1]), (1, 1, []), (None, 0, [0, 0])]
)
def test_the_node_limit_is_divided_among_threads(nodes: int | None, main_limit: int, helper_limits: list[int]) -> None:
    """Regression: each helper used to get the whole limit.

    A limit of 0 would mean no limit, so a helper without nodes is idle.
    """
    library, helpers = ScriptedKernels(), [HelperState(), HelperState()]
    search = scripted_search(library, helpers)
    search.run(Limits(depth=1, nodes=nodes), TimeBudget(None, None), [], ignore_progress)
    assert search.state.node_limit == main_limit
    assert [helper.node_limit for helper in helpers][: len(helper_limits)] == helper_limits
    assert len(library.threads) == len(helper_limits)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.usefixtures("many_processors")
def test_all_threads_together_keep_the_node_limit(threads: int) -> None:
    player = build_player(PLAYERS, f"pentad:hash=1,threads={threads}")
    player.set_position(POSITION)
    nodes = player.choose(Limits(nodes=5000)).progress.nodes
    # At least the main thread's part of the limit; a few nodes more than the limit while the search unwinds
    assert 5000 // threads <= nodes <= 5000 + 50


def test_excluding_all_moves_is_an_error() -> None:
    """Regression: if all moves were excluded, the search used to ignore the exclusion."""
    search = scripted_search(ScriptedKernels())
    with pytest.raises(AllMovesExcluded, match=r"^the limits exclude every legal move \(3\)$"):
        search.run(Limits(depth=1), TimeBudget(None, None), [1, 2, 3], ignore_progress)
    assert search.run(Limits(depth=1), TimeBudget(None, None), [1, 2], ignore_progress).move == "3"


def test_multi_pv_reports_different_moves(player: Player) -> None:
    reports: dict[int, Progress] = {}
    player.choose(Limits(depth=4, multi_pv=3), lambda report: reports.__setitem__(report.pv_index, report))
    assert sorted(reports) == [1, 2, 3]
    assert len({report.pv[0] for report in reports.values()}) == 3


@pytest.mark.parametrize("multi_pv", [1, 3])
def test_every_node_is_counted_for_a_root_move(multi_pv: int) -> None:
    """The counts must follow the root moves when these are sorted, since training data uses them."""
    old_nodes: dict[int, int] = {}
    best_moves = set()
    for depth in range(1, 8):
        player = build_player(PLAYERS, "pentad:hash=1")
        assert isinstance(player, GomokuEngine)
        player.new_game(Setup(15, 15, "freestyle"))
        player.set_position(CHANGING_POSITION)
        decision = player.choose(Limits(depth=depth, multi_pv=multi_pv))
        state = player.position.state
        moves = state.root_moves[: state.root_move_count]
        nodes = dict(zip(moves, state.root_nodes[: state.root_move_count], strict=True))
        assert sum(nodes.values()) == decision.progress.nodes
        assert all(nodes[move] > old_nodes.get(move, 0) for move in nodes)
        old_nodes = nodes
        best_moves.add(moves[0])
    assert len(best_moves) > 2


def test_node_counts_of_root_moves_start_at_0(player: Player) -> None:
    """Regression: moves that replace excluded root moves used to start with the counts of an earlier search."""
    assert isinstance(player, GomokuEngine)
    state = player.position.state
    player.set_position(POSITION)
    player.choose(Limits(depth=4))
    player.set_position(["h8", "a1", "i8", "a2", "j8", "a3", "k8"])
    for excluded in ((), ("g8",), ("g8", "l8")):
        decision = player.choose(Limits(depth=3, excluded_moves=excluded))
        assert sum(state.root_nodes[: state.root_move_count]) == decision.progress.nodes
    player.set_position(POSITION)


class FixedScores:
    """Kernels that give each PV index a score."""

    def __init__(self, scores: list[int]) -> None:
        self.scores = scores

    def prepare_root(self, state: Any, _: int) -> None:
        state.root_move_count = len(self.scores)

    def search_root(self, _state: Any, _table: Any, _depth: int, _alpha: int, _beta: int, pv_index: int) -> int:
        return self.scores[pv_index]


def test_node_counts_stay_with_their_moves_when_pvs_are_sorted() -> None:
    state = SimpleNamespace(root_moves=[1, 2, 3], root_scores=[11, 13, 12], root_nodes=[10, 20, 30], pv=[[1]])
    state.pv_length, state.nodes, state.aborted, state.selective_depth = [1], 60, 0, 1
    library: Any = FixedScores([11, 13, 12])
    search = IterativeDeepening(library, state, new_array("u64", 1), lambda pv: list(map(str, pv)), list)
    assert search.run(Limits(depth=1, multi_pv=3), TimeBudget(None, None), [], lambda _: None).move == "2"
    assert (state.root_moves, state.root_nodes) == ([2, 3, 1], [20, 30, 10])


def test_excluded_moves_are_not_chosen(player: Player) -> None:
    first = player.choose(Limits(depth=4)).move
    second = player.choose(Limits(depth=4, excluded_moves=(first,))).move
    third = player.choose(Limits(depth=4, excluded_moves=(first, second))).move
    assert len({first, second, third}) == 3


@pytest.mark.parametrize(("moves", "generated"), [("", "h8"), ("h8a1i8a2j8a3k8", "g8l8")])
def test_other_legal_moves_replace_excluded_ones(player: Player, moves: str, generated: str) -> None:
    """The search generates only the centre here, or the answers to a four.

    Regression: these moves used to be played although they were excluded.
    """
    player.set_position(split_squares(moves) or [])
    excluded = tuple(split_squares(generated) or ())
    assert player.choose(Limits(depth=3)).move in excluded
    decision = player.choose(Limits(depth=3, excluded_moves=excluded))
    assert decision.move not in (*excluded, *player.position.moves)  # type: ignore[attr-defined]
    assert decision.progress.depth > 0


def test_a_search_is_reproducible() -> None:
    decisions = []
    for _ in range(2):
        player = build_player(PLAYERS, "pentad")
        player.new_game(Setup(15, 15, "freestyle"))
        player.set_position(POSITION)
        decision = player.choose(Limits(depth=6))
        decisions.append((decision.move, decision.progress.score, decision.progress.nodes, decision.progress.pv))
    assert decisions[0] == decisions[1]
