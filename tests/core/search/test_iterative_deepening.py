"""Sharing out the time, and what ends a search of iterative deepening."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.gomoku.engine import GomokuEngine
from bots.gomoku.players import PLAYERS
from core.native.library import new_array
from core.play.player import AllMovesExcluded, Limits, Player, Progress, Setup, build_player, ignore_progress
from core.play.squares import split_squares
from core.search.iterative_deepening import ASPIRATION_DELTA, ASPIRATION_MIN_DEPTH, IterativeDeepening
from core.search.scores import proven_score, win_distance
from core.search.time_budget import TimeBudget, allocate_time

POSITION = ["h8", "i9", "g7", "i7", "j8", "i8"]
CHANGING = ["i6", "j9", "h7", "g8"]  # the best move changes with the depth
TRIES = 5  # another program may hold the processor for a while

times = st.one_of(st.none(), st.integers(-1000, 10_000_000))
margins, expected_moves_left = st.floats(0, 1000), st.floats(1, 60)


@given(times, times, st.integers(0, 60_000), margins, expected_moves_left)
def test_neither_limit_is_passed(
    move_time: int | None, time_left: int | None, increment: int, margin: float, to_go: float
) -> None:
    schedule = allocate_time(
        Limits(move_time_ms=move_time, time_left_ms=time_left, increment_ms=increment), margin, to_go
    )
    given_ms = [limit - margin for limit in (move_time, time_left) if limit is not None]
    if not given_ms:
        assert schedule == TimeBudget(None, None)
        return
    assert schedule.hard_ms is not None
    assert schedule.soft_ms is not None
    assert schedule.hard_ms <= min(given_ms)


@given(st.integers(0, 10_000_000), st.integers(0, 10_000_000), margins, expected_moves_left)
def test_more_time_is_never_less(left: int, more: int, margin: float, to_go: float) -> None:
    few = allocate_time(Limits(time_left_ms=left), margin, to_go)
    many = allocate_time(Limits(time_left_ms=left + more), margin, to_go)
    assert few.hard_ms is not None
    assert many.hard_ms is not None
    assert few.hard_ms <= many.hard_ms


@given(st.integers(1000, 10_000_000), expected_moves_left)
def test_a_game_on_the_clock_alone_lasts(left: int, to_go: float) -> None:
    """Stopping at the soft limit each time, the clock holds out for as many moves as were planned for."""
    clock = float(left)
    for _ in range(int(to_go)):
        soft = allocate_time(Limits(time_left_ms=int(clock)), 0, to_go).soft_ms
        assert soft is not None
        clock -= soft
    assert clock > 0


@pytest.fixture(scope="module")
def player() -> Player:
    player = build_player(PLAYERS, "pentad")
    player.set_option("hash", 1)
    player.new_game(Setup(15, 15, "freestyle"))
    player.set_position(POSITION)
    return player


def test_a_search_with_200_ms_ends_within_them(player: Player) -> None:
    player.set_option("margin", 0)
    elapsed = []
    for _ in range(TRIES):
        start = time.perf_counter()
        decision = player.choose(Limits(move_time_ms=200))
        elapsed.append((time.perf_counter() - start) * 1000)
        assert decision.move
        if elapsed[-1] < 260:
            return
    pytest.fail(f"moves with 200 ms took {elapsed}")


def test_a_stop_ends_a_search_at_once(player: Player) -> None:
    delays = []
    for _ in range(TRIES):
        stopped: list[float] = []
        limits = Limits()

        def stop(stopped: list[float] = stopped, limits: Limits = limits) -> None:
            stopped.append(time.perf_counter())
            limits.stop.set()

        timer = threading.Timer(0.2, stop)
        timer.start()
        decision = player.choose(limits)
        assert decision.move
        timer.join()
        delays.append((time.perf_counter() - stopped[0]) * 1000)
        if delays[-1] < 100:
            return
    pytest.fail(f"a search stopped only after {delays} ms")


def test_depth_and_nodes_are_kept(player: Player) -> None:
    assert player.choose(Limits(depth=3)).progress.depth == 3
    assert player.choose(Limits(nodes=5000)).progress.nodes <= 5000 + 50  # a few in unwinding


def test_reports_grow_deeper_and_tell_the_last_decision(player: Player) -> None:
    reports: list[Progress] = []
    decision = player.choose(Limits(depth=6), reports.append)
    assert [report.depth for report in reports] == list(range(1, 7))
    assert all(a.nodes <= b.nodes and a.time_ms <= b.time_ms for a, b in pairwise(reports))
    assert (decision.progress.depth, decision.progress.pv) == (reports[-1].depth, reports[-1].pv)
    assert decision.move == reports[-1].pv[0]
    assert decision.progress.win_in == win_distance(decision.progress.score)


@pytest.mark.usefixtures("many_processors")
def test_threads_are_of_one_generation() -> None:
    """Where a player prepares the root beforehand, as Gomoku's does, helpers threw out what the main thread stored."""
    player = build_player(PLAYERS, "pentad:hash=1,threads=3")
    assert isinstance(player, GomokuEngine)
    player.set_position(POSITION)
    for _ in range(2):
        player.choose(Limits(move_time_ms=50))
        search = player._alphabeta._search
        assert [helper.generation for helper in search.helpers] == [search.state.generation] * 2


class Cut:
    """A library whose search of depth 2 is cut off after some of three root moves, with a score."""

    def __init__(self, done: int, score: int) -> None:
        self.done, self.score = done, score

    def prepare_root(self, state: Any, _: int) -> None:
        state.root_move_count = 3

    def search_root(self, state: Any, _table: Any, depth: int, *_: int) -> int:
        state.aborted, state.root_moves_searched = (0, 3) if depth == 1 else (1, self.done)
        return 17 if depth == 1 else self.score


@pytest.mark.parametrize(
    ("done", "distance", "result", "win_in"),
    [(1, -4, "", None), (3, -4, "loss", -4), (3, -6, "loss", None), (1, 3, "win", 3), (1, 5, "win", None)],
)
def test_what_a_search_that_was_cut_off_has_proven(done: int, distance: int, result: str, win_in: int | None) -> None:
    """A move that was not looked at may hold; and a distance is told where the game's search finds the shortest."""
    state = SimpleNamespace(
        root_moves=[1, 2, 3], root_scores=[0] * 3, root_nodes=[0] * 3, pv=[[1]], pv_length=[1], nodes=9
    )
    state.selective_depth = 2
    library: Any = Cut(done, proven_score(distance))
    search = IterativeDeepening(
        library, state, new_array("u64", 1), lambda pv: list(map(str, pv)), list, exact_distance=4
    )
    told: list[Progress] = []
    decision = search.run(Limits(), TimeBudget(None, None), [], told.append)
    assert (decision.progress.result, decision.progress.win_in) == (result, win_in)
    assert [progress.result for progress in told] == (["", result] if result else [""])


class Scripted:
    """A library whose main record finds scores by line, while helpers search until they are told to stop."""

    def __init__(self, scores: Sequence[int] = (100, -300)) -> None:
        self.scores = scores
        self.windows: list[tuple[int, int, int, int]] = []  # depth, first root move, alpha, beta
        self.threads: list[threading.Thread] = []

    def prepare_root(self, state: Any, _: int) -> None:
        state.root_move_count, state.nodes = 3, 0

    def search_root(self, state: Any, _table: Any, depth: int, alpha: int, beta: int, first: int) -> int:
        if isinstance(state, Helper):
            self.threads.append(threading.current_thread())
            state.begun.set()
            state.stopped.wait()
            return 0
        self.windows.append((depth, first, alpha, beta))
        return self.scores[first]


class Helper(SimpleNamespace):
    """A record for which `stop` is an event."""

    def __init__(self) -> None:
        super().__init__(aborted=0, nodes=0, begun=threading.Event(), stopped=threading.Event())

    @property
    def stop(self) -> int:
        return int(self.stopped.is_set())

    @stop.setter
    def stop(self, value: int) -> None:
        self.stopped.set() if value else self.stopped.clear()


def scripted_search(library: Any, helpers: Sequence[Any] = ()) -> IterativeDeepening[Any]:
    """A search over a record of three root moves."""
    state: Any = SimpleNamespace(
        root_moves=[1, 2, 3], root_scores=[0, 0, 0], root_nodes=[0, 0, 0], pv=[[1]], pv_length=[1], stop=0
    )
    state.aborted, state.root_moves_searched, state.generation, state.selective_depth = 0, 3, 1, 1
    return IterativeDeepening(
        library, state, new_array("u64", 1), lambda pv: list(map(str, pv)), lambda: [1, 2, 3], helpers
    )


def test_the_window_of_the_best_line_is_round_its_own_score() -> None:
    """It was round the last line's, so that with several lines each depth failed high and was searched again."""
    library = Scripted((100, -300))
    scripted_search(library).run(Limits(depth=6, multi_pv=2), TimeBudget(None, None), [], ignore_progress)
    windows = [
        (alpha, beta) for depth, first, alpha, beta in library.windows if depth >= ASPIRATION_MIN_DEPTH and not first
    ]
    assert windows == [(100 - ASPIRATION_DELTA, 100 + ASPIRATION_DELTA)] * 3


@pytest.mark.parametrize("source", ["report", "kernel"])
def test_helpers_end_with_a_search_that_breaks_off(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report into a closed pipe left them searching, beside the next search and its stop."""
    library, helpers = Scripted(), [Helper(), Helper()]
    search = scripted_search(library, helpers)

    def fail(*_: object) -> Any:
        for helper in helpers:
            assert helper.begun.wait(60)
        raise BrokenPipeError

    if source == "kernel":
        monkeypatch.setattr(search, "_search_pv", fail)
    with pytest.raises(BrokenPipeError):
        search.run(Limits(), TimeBudget(None, None), [], fail)
    assert len(library.threads) == 2
    assert not any(thread.is_alive() for thread in library.threads)


@pytest.mark.parametrize(("nodes", "main", "others"), [(10, 4, [3, 3]), (2, 1, [1]), (1, 1, []), (None, 0, [0, 0])])
def test_the_limit_of_nodes_is_one_for_all_threads(nodes: int | None, main: int, others: list[int]) -> None:
    """Each helper had all of it. A share of 0 would be no limit: such a helper does not take part."""
    library, helpers = Scripted(), [Helper(), Helper()]
    search = scripted_search(library, helpers)
    search.run(Limits(depth=1, nodes=nodes), TimeBudget(None, None), [], ignore_progress)
    assert search.state.node_limit == main
    assert [helper.node_limit for helper in helpers][: len(others)] == others
    assert len(library.threads) == len(others)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.usefixtures("many_processors")
def test_threads_search_no_more_nodes_than_asked_for(threads: int) -> None:
    player = build_player(PLAYERS, f"pentad:hash=1,threads={threads}")
    player.set_position(POSITION)
    assert 2500 < player.choose(Limits(nodes=5000)).progress.nodes <= 5000 + 50  # a few in unwinding


def test_to_exclude_all_moves_is_an_error() -> None:
    """The exclusion was ignored, and the move that came was one of those."""
    search = scripted_search(Scripted())
    with pytest.raises(AllMovesExcluded, match=r"^the limits exclude every legal move \(3\)$"):
        search.run(Limits(depth=1), TimeBudget(None, None), [1, 2, 3], ignore_progress)
    assert search.run(Limits(depth=1), TimeBudget(None, None), [1, 2], ignore_progress).move == "3"


def test_best_lines_differ_and_come_best_first(player: Player) -> None:
    reports: dict[int, Progress] = {}
    player.choose(Limits(depth=4, multi_pv=3), lambda report: reports.__setitem__(report.pv_index, report))
    assert sorted(reports) == [1, 2, 3]
    assert len({report.pv[0] for report in reports.values()}) == 3


@pytest.mark.parametrize("lines", [1, 3])
def test_the_nodes_of_a_search_are_shared_among_the_root_moves(lines: int) -> None:
    """Each iteration adds to the nodes of every move. If they stayed behind when a better move is brought to the
    front, a policy learnt from them would prefer whatever move stands first."""
    before: dict[int, int] = {}
    best = set()
    for depth in range(1, 8):
        player = build_player(PLAYERS, "pentad:hash=1")
        assert isinstance(player, GomokuEngine)
        player.new_game(Setup(15, 15, "freestyle"))
        player.set_position(CHANGING)
        decision = player.choose(Limits(depth=depth, multi_pv=lines))
        state = player.position.state
        moves = state.root_moves[: state.root_move_count]
        nodes = dict(zip(moves, state.root_nodes[: state.root_move_count], strict=True))
        assert sum(nodes.values()) == decision.progress.nodes
        assert all(nodes[move] > before.get(move, 0) for move in nodes)
        before = nodes
        best.add(moves[0])
    assert len(best) > 2


def test_nodes_are_counted_anew_in_each_search(player: Player) -> None:
    """Where others stand in for the moves considered they are more than these, and had the nodes of an earlier root."""
    assert isinstance(player, GomokuEngine)
    state = player.position.state
    player.set_position(POSITION)
    player.choose(Limits(depth=4))
    player.set_position(["h8", "a1", "i8", "a2", "j8", "a3", "k8"])
    for exclude in ((), ("g8",), ("g8", "l8")):
        decision = player.choose(Limits(depth=3, excluded_moves=exclude))
        assert sum(state.root_nodes[: state.root_move_count]) == decision.progress.nodes
    player.set_position(POSITION)


class Scores:
    """A library whose search gives each line a score."""

    def __init__(self, scores: list[int]) -> None:
        self.scores = scores

    def prepare_root(self, state: Any, _: int) -> None:
        state.root_move_count = len(self.scores)

    def search_root(self, _state: Any, _table: Any, _depth: int, _alpha: int, _beta: int, first: int) -> int:
        return self.scores[first]


def test_nodes_stay_with_their_moves_where_lines_change_places() -> None:
    state = SimpleNamespace(root_moves=[1, 2, 3], root_scores=[11, 13, 12], root_nodes=[10, 20, 30], pv=[[1]])
    state.pv_length, state.nodes, state.aborted, state.selective_depth = [1], 60, 0, 1
    library: Any = Scores([11, 13, 12])
    search = IterativeDeepening(library, state, new_array("u64", 1), lambda pv: list(map(str, pv)), list)
    assert search.run(Limits(depth=1, multi_pv=3), TimeBudget(None, None), [], lambda _: None).move == "2"
    assert (state.root_moves, state.root_nodes) == ([2, 3, 1], [20, 30, 10])


def test_excluded_moves_are_not_chosen(player: Player) -> None:
    first = player.choose(Limits(depth=4)).move
    second = player.choose(Limits(depth=4, excluded_moves=(first,))).move
    third = player.choose(Limits(depth=4, excluded_moves=(first, second))).move
    assert len({first, second, third}) == 3


@pytest.mark.parametrize(("moves", "considered"), [("", "h8"), ("h8a1i8a2j8a3k8", "g8l8")])
def test_others_stand_in_where_all_moves_considered_are_excluded(player: Player, moves: str, considered: str) -> None:
    """The centre of the empty board and the answers to a four were played although they were blocked."""
    player.set_position(split_squares(moves) or [])
    exclude = tuple(split_squares(considered) or ())
    assert player.choose(Limits(depth=3)).move in exclude
    decision = player.choose(Limits(depth=3, excluded_moves=exclude))
    assert decision.move not in (*exclude, *player.position.moves)  # type: ignore[attr-defined]
    assert decision.progress.depth > 0


def test_the_same_search_twice_is_the_same() -> None:
    decisions = []
    for _ in range(2):
        other = build_player(PLAYERS, "pentad")
        other.new_game(Setup(15, 15, "freestyle"))
        other.set_position(POSITION)
        decision = other.choose(Limits(depth=6))
        decisions.append((decision.move, decision.progress.score, decision.progress.nodes, decision.progress.pv))
    assert decisions[0] == decisions[1]
