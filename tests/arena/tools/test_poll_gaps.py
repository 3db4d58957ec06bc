"""The longest gap between two clock polls of a search is measured exactly, and is limited in every game."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from arena.tools import poll_gaps
from arena.tools.bench import bench_gaps
from arena.tools.poll_gaps import GapMeter, PollGap, format_gap
from bots.registry import GAMES
from tests.arena.fakes import PILE_GAME

NS_PER_MS = 1_000_000
# By game: limit of nodes, playouts or solver positions between two polls; 1024 nodes take 1 to 2 ms.
MAX_NODES = {"gomoku": 1024, "hex": 16, "hive": 1024, "kolibrat": 1024, "pentago": 1024 + 4200}
MAX_CPU_MS = 5.0
TRY_COUNT = 3  # the smallest gap of these tries counts, because interrupts on a busy machine add CPU time


class FakeCpuClock:
    """A CPU time that a test sets."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


def test_the_longest_gap_is_kept_with_its_position() -> None:
    """The time from `begin` to the first poll and from the last poll to `end` counts; that after `end` does not."""
    cpu = FakeCpuClock()
    meter = GapMeter(cpu)

    def pass_ms(milliseconds: float) -> None:
        cpu.now_ns += int(milliseconds * NS_PER_MS)

    meter.begin("first")
    pass_ms(2)
    meter.poll(0, 0)
    pass_ms(1)
    meter.end()
    assert meter.longest == PollGap(2.0, 0, "first")
    pass_ms(100)
    meter.poll(0, 0)
    meter.begin("second")
    pass_ms(1)
    meter.poll(state_address=7, nodes=100)  # the only poll of a kernel; those of Python code have the address 0
    pass_ms(3.5)
    meter.end()
    assert meter.longest == PollGap(3.5, 100, "second")
    assert format_gap(meter.longest) == ("longest time between two clock polls: 3.50 ms CPU time (second), 100 nodes")


def test_nodes_count_per_state_and_from_the_start_of_a_search() -> None:
    """A state with fewer nodes than at its last poll has begun a new search."""
    meter = GapMeter(FakeCpuClock())
    meter.begin("")
    for state_address, nodes in ((1, 10), (2, 900), (1, 60), (2, 1000), (1, 40), (1, 95)):
        meter.poll(state_address, nodes)
    assert meter.longest.nodes == 900
    meter.poll(1, 2000)
    assert meter.longest.nodes == 1905


def test_gaps_are_measured_per_thread() -> None:
    """A poll of a helper thread does not end a gap of the main thread, whose CPU clock is another."""
    cpu = FakeCpuClock()
    meter = GapMeter(cpu)
    meter.begin("position")
    cpu.now_ns += NS_PER_MS
    helper = threading.Thread(target=partial(meter.poll, 0, 0))
    helper.start()
    helper.join()
    cpu.now_ns += NS_PER_MS
    meter.end()
    assert meter.longest.cpu_ms == 2.0


def test_a_player_that_never_polls_has_one_gap_per_move() -> None:
    """The player of the pile game does not search."""
    gap = bench_gaps(PILE_GAME)
    assert gap.nodes == 0
    assert gap.cpu_ms > 0
    assert gap.position


@pytest.mark.parametrize("game", sorted(GAMES))
def test_polls_come_within_a_limit_of_nodes(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure short searches of bench positions and of a game; without any poll there would be 0 nodes."""
    for name, value in (("BENCH_MOVE_MS", 30), ("GAME_MOVE_MS", 30), ("GAME_PLIES", 4)):
        monkeypatch.setattr(poll_gaps, name, value)
    assert 0 < bench_gaps(GAMES[game]).nodes <= MAX_NODES[game]


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("game", sorted(GAMES.keys() - {"hex"}))
def test_polls_come_within_a_few_milliseconds_of_cpu_time(game: str) -> None:
    """Measure bench positions and a whole game, with solvers and solved tables."""
    assert min(bench_gaps(GAMES[game]).cpu_ms for _ in range(TRY_COUNT)) < MAX_CPU_MS
