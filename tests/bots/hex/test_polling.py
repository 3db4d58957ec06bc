"""How much work passes between two looks at the clock, in playouts and nodes, which a busy machine does not change."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import pytest

from bots.hex.kernels.tree.playout import PLAYOUTS_PER_LOOK
from bots.hex.position import HexPosition
from bots.hex.prior import load_weights
from bots.hex.solver.finish import Finisher
from bots.hex.solver.solve import load_board
from core.native.library import new_array
from core.play.player import Setup
from core.search.tree import LOST, STOPPED, UNKNOWN, WON

LOOKS = 5


def look(_: int, buffer: Any) -> int:
    """A clock on which one tick passes from one look to the next; a record's begins at 0."""
    buffer[0] += 1
    return 0


CLOCK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64))(look)


def install_clock(state: Any) -> None:
    """Give a record the clock, and a deadline after LOOKS of its ticks."""
    state.clock_address, state.clock_is_counter = ctypes.cast(CLOCK, ctypes.c_void_p).value, 1
    state.deadline = LOOKS


def position_of(size: int, moves: str) -> HexPosition:
    position = HexPosition(Setup(size, size, "standard"))
    position.replay(moves.split())
    return position


def test_a_tree_search_looks_at_the_clock_every_few_playouts() -> None:
    """At every 1024th, as in games whose nodes are a hundred times quicker, answers came late on a busy machine."""
    position = position_of(11, "a3 f6")
    state, tree = position.library.new("HexPlayout"), new_array("i32", 1 << 20)
    load_weights(state)
    position.library.set_root(position.state, state)
    state.win, state.rave_bias, state.explore, state.expand_visits = 2, 3000.0, 1.0, 10
    position.library.plant_tree(state, tree)
    install_clock(state)
    assert position.library.search_tree(state, tree) == STOPPED
    assert LOOKS <= state.nodes <= LOOKS * PLAYOUTS_PER_LOOK


def test_a_proof_looks_at_the_clock_at_every_node() -> None:
    position = position_of(9, "")
    state = load_board(position)
    install_clock(state)
    assert position.library.solve(state, new_array("u64", 1 << 16), 0) == UNKNOWN
    assert state.nodes == LOOKS


def test_no_better_winning_move_is_looked_for_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    position = position_of(5, "a1 c3 a2")
    finisher = Finisher(position.library)
    assert finisher.fit(position, 1)
    verdict = finisher.judge(position)
    assert verdict.result == WON
    judged = 0
    judge = Finisher.judge

    def count(self: Finisher, position: HexPosition) -> Any:
        nonlocal judged
        judged += 1
        return judge(self, position)

    monkeypatch.setattr(Finisher, "judge", count)
    cell = finisher.winning_move(position, verdict, time.perf_counter())
    assert judged == 0
    position.play(position.format(cell))
    assert judge(finisher, position).result == LOST
