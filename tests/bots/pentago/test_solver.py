"""Pentago's exact solver against published values, an independent solver, and exhaustive search.

The solver fills the empty squares of a position. A level is all ways to place a number of marbles (`placed`) on them; a
block is the part of a level in which some of these squares have the same contents.
"""

from __future__ import annotations

import ctypes
import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bots.pentago import solver
from bots.pentago.notation import format_move, parse_position
from bots.pentago.position import PentagoPosition
from bots.pentago.solver import Proof, SolutionTables, block_sizes, layout_levels, level_size, prove
from core.play.player import Setup
from core.search.clock import CLOCK
from core.search.kernels.polling import NODES_PER_POLL
from tests.bots.pentago import naive
from tests.bots.pentago.positions import format_cells, random_cells

DATA = Path(__file__).parents[2] / "data" / "pentago" / "solved.json"
MIN_QUICK_MARBLES = 22  # positions with fewer marbles are solved in slow tests only
# Rows: `position`, `stones` (number of marbles), `value` (1, 0 or -1 for the side to move), and `best` moves in some.
SOLVED = json.loads(DATA.read_text(encoding="utf-8"))["positions"]
QUICK_ROWS = [row for row in SOLVED if row["stones"] >= MIN_QUICK_MARBLES]


def solve(text: str, threads: int = 1) -> Proof:
    """Return the proof for a position, without a time limit."""
    position = PentagoPosition(Setup(position=text))
    CLOCK.install(position.state)
    proof = prove(position.library, position.state, position.legal_numbers(), deadline=0, threads=threads)
    assert proof is not None
    return proof


@pytest.mark.parametrize("row", QUICK_ROWS, ids=lambda row: row["position"])
def test_known_values_and_moves(row: dict[str, Any]) -> None:
    proof = solve(row["position"])
    assert proof.value == row["value"]
    if "best" in row:
        assert sorted(map(format_move, proof.moves)) == sorted(row["best"])


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in SOLVED if row not in QUICK_ROWS], ids=lambda row: row["position"])
def test_known_values_of_20_and_21_marbles(row: dict[str, object]) -> None:
    assert solve(str(row["position"])).value == row["value"]


def test_solver_equals_exhaustive_search() -> None:
    """A wrong bit in a rotation would change the value of some of these moves."""
    rng = random.Random(5)
    for marbles in (33, 34, 34, 34, 35, 35, 35, 35):
        cells, side = random_cells(rng, marbles), "wb"[marbles % 2]
        text = format_cells(cells, side)
        values = {}
        for move, (board, result) in naive.moves(cells, side).items():
            if result:
                values[move] = 0 if result == "draw" else 1 if result == side else -1
            else:
                values[move] = -naive.value(board, "b" if side == "w" else "w")
        proof = solve(text)
        assert proof.value == max(values.values())
        assert {format_move(move) for move in proof.moves} == {
            move for move, value in values.items() if value == proof.value
        }


@pytest.mark.parametrize("empty", [0, 1, 10, 11, 14, 15, 17])
def test_levels_overlap_without_overwriting_needed_blocks(empty: int) -> None:
    """A block is computed from the block of its own number in the level above and from later ones."""
    starts, size = layout_levels(empty)
    ends = [sum(block_sizes(empty, placed)) + start for placed, start in enumerate(starts)]
    assert (min(starts), max(ends)) == (0, size)
    for placed in range(empty):
        sizes, above = block_sizes(empty, placed), block_sizes(empty, placed + 1)
        assert sum(sizes) == level_size(empty, placed)
        gaps = [
            starts[placed + 1] + sum(above[:block]) - starts[placed] - sum(sizes[: block + 1])
            for block in range(len(sizes))
        ]
        assert min(gaps) == 0


def test_the_memory_is_little_more_than_the_largest_level_takes() -> None:
    assert max(level_size(18, placed) for placed in range(19)) < layout_levels(18)[1] < 20_000_000


def test_threads_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the threads divided a block wrongly, some entries would keep old values."""
    monkeypatch.setattr(solver, "MIN_PARALLEL_SIZE", 1)
    for row in QUICK_ROWS[:3]:
        expected = solve(row["position"])
        assert [solve(row["position"], threads) for threads in (2, 3, 7)] == [expected] * 3


def test_stopped_solver_returns_none() -> None:
    position = PentagoPosition(Setup(position=QUICK_ROWS[0]["position"]))
    CLOCK.install(position.state)
    white, black, _ = parse_position(QUICK_ROWS[0]["position"])
    position.state.stop = 1
    assert prove(position.library, position.state, position.legal_numbers(), 0) is None
    assert (position.state.white, position.state.black) == (white, black)


def test_threads_stop_at_the_deadline() -> None:
    position = PentagoPosition(Setup(position=QUICK_ROWS[0]["position"]))
    CLOCK.install(position.state)
    deadline = CLOCK.deadline_in(1)
    assert prove(position.library, position.state, position.legal_numbers(), deadline, threads=3) is None


def test_each_thread_has_a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows the clock fills a buffer of the state.

    Regression: threads used to have the buffer of another state, so they never saw the deadline.
    """
    install = CLOCK.install

    def install_as_on_windows(state: Any) -> None:
        install(state)
        state.clock_argument = ctypes.addressof(state)

    monkeypatch.setattr(CLOCK, "install", install_as_on_windows)
    position = PentagoPosition(Setup(position=QUICK_ROWS[-1]["position"]))
    CLOCK.install(position.state)
    tables = SolutionTables(position.library, position.state, 36 - QUICK_ROWS[-1]["stones"], 3)
    assert tables.solve()
    states: list[Any] = tables._states
    assert [state.clock_argument for state in states] == list(map(ctypes.addressof, states))


def test_solver_gives_up_early_if_it_will_be_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a hopeless proof would be missing in the search that follows."""
    position = PentagoPosition(Setup(position=QUICK_ROWS[0]["position"]))
    CLOCK.install(position.state)
    hour_ms = 3_600_000.0
    assert prove(position.library, position.state, position.legal_numbers(), CLOCK.deadline_in(hour_ms)) is not None
    total_nodes = position.state.nodes
    # The clock says that an hour has passed before the first level is done, and a minute is left.
    times = iter([CLOCK.now() - int(hour_ms * CLOCK.ticks_per_ms)])
    now = CLOCK.now
    monkeypatch.setattr(CLOCK, "now", lambda: next(times, None) or now())
    deadline = now() + int(60_000 * CLOCK.ticks_per_ms)
    assert prove(position.library, position.state, position.legal_numbers(), deadline) is None
    assert 0 < position.state.nodes < total_nodes // 2


def test_no_proof_takes_more_than_its_share_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that swaps loses the game on time."""
    position = PentagoPosition(Setup(position=QUICK_ROWS[0]["position"]))
    monkeypatch.setattr(solver, "memory_limit", lambda: solver.memory_bytes(36 - QUICK_ROWS[0]["stones"]))
    with pytest.raises(MemoryError):
        prove(position.library, position.state, position.legal_numbers(), 0)


def test_low_choices_check_the_clock() -> None:
    """Regression: listing the choices on the low squares used to take 7 ms without checking deadline or stop."""
    polled_nodes: list[int] = []
    with CLOCK.observe_polls(lambda _, nodes: polled_nodes.append(nodes)):
        position = PentagoPosition(Setup(position=QUICK_ROWS[0]["position"]))
        CLOCK.install(position.state)
        tables = SolutionTables(position.library, position.state, 36 - QUICK_ROWS[0]["stones"], 1)
        state, library = position.state, position.library
        state.deadline = CLOCK.deadline_in(None)
        assert library.init_slices(state, tables._fives)
        polled_nodes.clear()
        assert library.init_low_choices(state, tables._choices, tables._children)
        max_gap = 2**tables._state.low_count + NODES_PER_POLL  # the subsets of a choice are counted together
        assert max(later - earlier for earlier, later in pairwise(polled_nodes)) <= max_gap
        assert len(polled_nodes) > 3**tables._state.low_count // max_gap
        state.stop = 1
        assert not library.init_low_choices(state, tables._choices, tables._children)
