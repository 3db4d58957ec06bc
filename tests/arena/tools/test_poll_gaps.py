"""The longest time between two looks at the clock: measured to the nanosecond, and short in every game."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from arena.tools import poll_gaps
from arena.tools.bench import bench_gaps
from arena.tools.poll_gaps import GapMeter, PollGap, format_gap
from bots.registry import GAMES
from tests.arena.fakes import PILE_GAME

MS = 1_000_000
# Nodes, playouts or positions of a solver that pass between two looks at most; those of 1024 nodes cost 1 to 2 ms.
MAX_NODES = {"gomoku": 1024, "hex": 16, "hive": 1024, "kolibrat": 1024, "pentago": 1024 + 4200}
MAX_CPU_MS = 5.0
TRIES = 3  # interrupts of a busy machine count as processor time


class Cpu:
    """Processor time that a test moves on."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


def test_the_longest_gap_is_kept_with_its_place() -> None:
    """Before the first look and after the last one as well, and nothing of what lies between two choices."""
    cpu = Cpu()
    meter = GapMeter(cpu)

    def pass_ms(milliseconds: float) -> None:
        cpu.now_ns += int(milliseconds * MS)

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
    meter.poll(7, 100)
    pass_ms(3.5)
    meter.end()
    assert meter.longest == PollGap(3.5, 100, "second")
    assert format_gap(meter.longest) == (
        "longest between two looks at the clock: 3.50 ms of processor time (second), 100 nodes"
    )


def test_nodes_count_by_record_and_from_the_start_of_a_search() -> None:
    meter = GapMeter(Cpu())
    meter.begin("")
    for record, nodes in ((1, 10), (2, 900), (1, 60), (2, 1000), (1, 40), (1, 95)):
        meter.poll(record, nodes)
    assert meter.longest.nodes == 900
    meter.poll(1, 2000)
    assert meter.longest.nodes == 1905


def test_each_thread_has_gaps_of_its_own() -> None:
    """A helper's look is none of the main thread, and helpers' processor time has another zero."""
    cpu = Cpu()
    meter = GapMeter(cpu)
    meter.begin("choice")
    cpu.now_ns += MS
    helper = threading.Thread(target=partial(meter.poll, 0, 0))
    helper.start()
    helper.join()
    cpu.now_ns += MS
    meter.end()
    assert meter.longest.cpu_ms == 2.0


def test_a_game_without_a_search_has_no_looks() -> None:
    """A player of another package that never looks: its choices are the gaps."""
    gap = bench_gaps(PILE_GAME)
    assert gap.nodes == 0
    assert gap.cpu_ms > 0
    assert gap.place


@pytest.mark.parametrize("game", sorted(GAMES))
def test_looks_come_every_so_many_nodes(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first moves of a game, and positions of the bench: a search without looks has a count of 0."""
    for name, value in (("CASE_MS", 30), ("GAME_MS", 30), ("GAME_PLIES", 4)):
        monkeypatch.setattr(poll_gaps, name, value)
    assert 0 < bench_gaps(GAMES[game]).nodes <= MAX_NODES[game]


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES.keys() - {"hex"}))
def test_looks_come_every_few_milliseconds(game: str) -> None:
    """In a whole game, its solver and tables included, of processor time."""
    assert min(bench_gaps(GAMES[game]).cpu_ms for _ in range(TRIES)) < MAX_CPU_MS
