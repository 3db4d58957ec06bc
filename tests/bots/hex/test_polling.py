"""How often kernels poll the clock, counted in playouts and nodes, which do not depend on the machine.

The arguments of `connect` are the solver's state, the colour (0 black, 1 white) and 1 if this colour moves first.
"""

from __future__ import annotations

import ctypes
import time
from typing import Any

import pytest

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from bots.hex.kernels.tree.mcts_game import PLAYOUTS_PER_POLL
from bots.hex.position import HexPosition
from bots.hex.prior import load_weights
from bots.hex.solver.solve import solver_state_at
from bots.hex.solver.solver_pool import SolverPool
from core.native.library import new_array
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.mcts_tree import LOST, NEEDS_SOLVER, PROVEN_LOSS, SOLVER_CALLED, STOPPED, UNKNOWN, WON
from tests.bots.hex.boards import position_after

CONNECTED = 1  # result of the kernel `connect`
POLL_COUNT = 5  # readings of the clock until the deadline


def read_clock(_: int, buffer: Any) -> int:
    """Advance the clock in `buffer` by one tick, and return 0 for success."""
    buffer[0] += 1
    return 0


COUNTING_CLOCK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64))(read_clock)


def install_clock(state: Any) -> None:
    """Give the state a clock that starts at 0 and advances one tick per reading, and a deadline of POLL_COUNT ticks."""
    state.clock_address = ctypes.cast(COUNTING_CLOCK, ctypes.c_void_p).value
    state.clock_is_counter = 1  # it fills its buffer with a number of ticks, not with seconds and nanoseconds
    state.deadline = POLL_COUNT


def position_at(size: int, moves: str) -> HexPosition:
    return position_after(size, moves.split())


def test_tree_search_polls_every_few_playouts() -> None:
    """Regression: the search used to poll every 1024 nodes, as in other games. Answers were late on a busy machine."""
    position = position_at(11, "a3 f6")
    state, tree = position.library.new("HexPlayout"), new_array("i32", 1 << 20)
    load_weights(state)
    position.library.set_root(position.state, state)
    state.win_reward, state.rave_equivalence, state.c_puct, state.expansion_threshold = 2, 3000.0, 1.0, 10
    position.library.init_tree(state, tree)
    install_clock(state)
    assert position.library.search_tree(state, tree) == STOPPED
    assert POLL_COUNT <= state.nodes <= POLL_COUNT * PLAYOUTS_PER_POLL


def test_proof_polls_at_every_node() -> None:
    position = position_at(9, "")
    state = solver_state_at(position)
    install_clock(state)
    assert position.library.solve(state, new_array("u64", 1 << 16), 0) == UNKNOWN
    assert 1 <= state.nodes <= POLL_COUNT


@pytest.mark.parametrize("size", [11, 13, 15, 19])
def test_deadline_interrupts_connections(size: int) -> None:
    """On 19x19, computing the connections takes longer than a move may be late. The stop flag interrupts it, too."""
    position = position_at(size, "c3 d4 e5 f6 g7 h8 i9 j10")
    state = solver_state_at(position)
    install_clock(state)
    assert position.library.connect(state, 0, 0) != CONNECTED
    assert (state.interrupted, state.clock_buffer[0]) == (1, POLL_COUNT)
    state.deadline, state.stop = 0, 1  # no deadline, but the stop flag
    assert position.library.connect(state, 0, 0) != CONNECTED
    assert state.interrupted == 1
    state.stop = 0
    position.library.connect(state, 0, 0)
    assert state.interrupted == 0


def test_deadline_interrupts_pruning_of_inferior_cells() -> None:
    position = position_at(19, "c3 d4 e5 f6 g7 h8 i9 j10")
    state = solver_state_at(position)
    install_clock(state)
    position.library.find_candidates(state, 0)
    assert (state.interrupted, state.clock_buffer[0]) == (1, POLL_COUNT)


def test_interrupted_proof_resumes_to_the_right_result() -> None:
    """A node stored with incomplete connections would make the transposition table wrong."""
    for moves, winner in (("b2", 0), ("a1", 1)):
        position = position_at(6, moves)
        state, table = solver_state_at(position), new_array("u64", 1 << 18)
        install_clock(state)
        result, calls = UNKNOWN, 0
        while result == UNKNOWN:
            state.deadline = state.clock_buffer[0] + 10 + calls
            result = position.library.solve(state, table, 1)
            calls += 1
            assert result != UNKNOWN or list(state.carrier) == [0, 0]
        assert calls > 3
        assert result == (WON if winner == 1 else LOST)


def test_interrupted_solver_call_is_repeated_later() -> None:
    """An interrupted call only clears the mark SOLVER_CALLED in the tree, which may be reused for the next move."""
    position = position_at(11, "a3 f6")
    state, tree = position.library.new("HexPlayout"), new_array("i32", 1 << 20)
    load_weights(state)
    position.library.set_root(position.state, state)
    state.win_reward, state.rave_equivalence, state.c_puct = 2, 3000.0, 1.0
    state.expansion_threshold, state.solver_threshold = 10, 50  # visits
    root = position.library.init_tree(state, tree)
    solver = solver_state_at(position)
    install_clock(solver)
    assert position.library.search_tree(state, tree) == NEEDS_SOLVER
    assert tree[root + SOLVER_CALLED] == 1
    expected = list(tree[: tree[0]])  # word 0 has the number of words in use
    position.library.call_solver(state, solver, tree)
    assert solver.interrupted == 1
    expected[root + SOLVER_CALLED] = 0
    assert list(tree[: tree[0]]) == expected
    solver.deadline = 0
    assert position.library.search_tree(state, tree) == NEEDS_SOLVER
    position.library.call_solver(state, solver, tree)
    assert tree[root + SOLVER_CALLED] == 1
    assert list(tree[: tree[0]]).count(PROVEN_LOSS) > expected.count(PROVEN_LOSS)


def test_engine_sets_the_deadline_of_its_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    deadlines: list[float | None] = []
    monkeypatch.setattr(SolverPool, "set_deadline", lambda _, milliseconds: deadlines.append(milliseconds))
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    engine.new_game(Setup(5, 5, "standard"))
    engine.choose(Limits(move_time_ms=1000))
    engine.choose(Limits(nodes=10))
    assert deadlines[0] is not None
    assert 0 < deadlines[0] <= 1000
    assert deadlines[1] is None


def test_deadline_ends_the_choice_between_winning_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the deadline the first winning move is returned without a static analysis of others."""
    position = position_at(5, "a1 c3 a2")
    pool = SolverPool(position.library)
    assert pool.prepare(position, 1)
    proven = pool.static_result(position)
    assert proven.result == WON
    calls = 0
    static_result = SolverPool.static_result

    def count(self: SolverPool, position: HexPosition) -> Any:
        nonlocal calls
        calls += 1
        return static_result(self, position)

    monkeypatch.setattr(SolverPool, "static_result", count)
    cell = pool.winning_move(position, proven, time.perf_counter())
    assert calls == 0
    position.play(position.format(cell))
    assert static_result(pool, position).result == LOST
