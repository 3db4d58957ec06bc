"""The solver: published results of other solvers, limits, repeated searches and rotated positions.

test_claims.py compares the solver with the whole game tree.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.hex.position import HexPosition
from bots.hex.solver.solve import DEFAULT_TABLE_BYTES, DfpnSolver, SolveResult
from core.play.player import Limits, Setup
from tests.bots.hex.boards import position_after
from tests.manual_clock import ManualClock

ROOT = Path(__file__).parents[3]
SOLVED = json.loads((ROOT / "tests" / "data" / "hex" / "solved.json").read_text(encoding="utf-8"))
POSITIONS = {position["id"]: position for position in SOLVED["positions"]}  # an id begins with `a` and the board size
OPENINGS = [(int(size), cell) for size, table in SOLVED["openings"].items() for cell in table]
SECONDS = {5: 10, 6: 10, 7: 10, 8: 60}  # time limit for a position, by board size
TABLE_BYTES = 1 << 24


def solve(
    size: int, black: list[str], white: list[str], side: int, seconds: float, table_bytes: int = TABLE_BYTES
) -> SolveResult:
    """Return the result of a new solver for stones of both colours, with `side` to move (0 black, 1 white)."""
    position = HexPosition(Setup(size, size, "standard"))
    for colour, cells in enumerate((black, white)):
        for cell in cells:
            position.place(colour, cell)
    position.set_to_move(side)
    return DfpnSolver(position, table_bytes).solve(position, Limits(move_time_ms=int(1000 * seconds)))


def check_position(facts: dict[str, Any]) -> None:
    """Compare the solver's winner and move with an entry of POSITIONS."""
    side = int(facts["to_move"] == "white")
    solution = solve(facts["size"], facts["black"], facts["white"], side, SECONDS[facts["size"]])
    assert solution.winner == int(facts["winner"] == "white")
    assert (solution.move in facts["winning_moves"]) if facts["mover_wins"] else solution.move == ""


def check_opening(size: int, cell: str, seconds: float, table_bytes: int = TABLE_BYTES) -> None:
    """Compare the solver's winner after a first stone of black with the published one."""
    solution = solve(size, [cell], [], 1, seconds, table_bytes)
    assert solution.winner == int(not SOLVED["openings"][str(size)][cell])


@pytest.mark.parametrize("name", [name for name in POSITIONS if name.startswith("a6")])
def test_positions_of_6x6(name: str) -> None:
    check_position(POSITIONS[name])


@pytest.mark.parametrize("name", [name for name in POSITIONS if name[:2] in ("a7", "a8")][::5])
def test_some_positions_of_7x7_and_8x8(name: str) -> None:
    check_position(POSITIONS[name])


@pytest.mark.parametrize(("size", "cell"), [opening for opening in OPENINGS if opening[0] < 7])
def test_openings_of_5x5_and_6x6(size: int, cell: str) -> None:
    check_opening(size, cell, SECONDS[size])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in POSITIONS if name[:2] in ("a7", "a8")])
def test_all_positions_of_7x7_and_8x8(name: str) -> None:
    check_position(POSITIONS[name])


@pytest.mark.slow
def test_moves_beyond_the_first_ordered_ones_are_searched(tmp_path: Path) -> None:
    """Regression: a node was taken as lost once all of the MAX_ORDERED moves that are listed at a time were refuted.

    A copy of the engine lists one move at a time and solves all openings of 5x5.
    """
    for name in ("bots", "core", "protocols"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    proof = tmp_path / "bots" / "hex" / "kernels" / "solver" / "proof.py"
    text = proof.read_text(encoding="utf-8")
    assert text.count("while count < MAX_ORDERED:") == 1
    proof.write_text(text.replace("while count < MAX_ORDERED:", "while count < 1:"), encoding="utf-8")
    openings = SOLVED["openings"]["5"]
    code = f"""
from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from core.play.player import Limits, Setup
for opening in {list(openings)}:
    position = HexPosition(Setup(5, 5, "standard"))
    position.play(opening)
    print(opening, DfpnSolver(position, {TABLE_BYTES}).solve(position, Limits()).winner)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{cell} {int(not is_won)}" for cell, is_won in openings.items()]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "cell"), [opening for opening in OPENINGS if opening[0] == 7])
def test_openings_of_7x7(size: int, cell: str) -> None:
    """The table is too small for a whole proof of a4 or g4, and the search still ends."""
    check_opening(size, cell, 300, DEFAULT_TABLE_BYTES)


def test_the_first_player_wins_an_empty_board_and_the_variation_is_legal() -> None:
    for size in range(1, 7):
        position = HexPosition(Setup(size, size, "standard"))
        solution = DfpnSolver(position, TABLE_BYTES).solve(position)
        assert solution.winner == 0
        assert solution.pv[0] == solution.move
        for move in solution.pv:
            position.play(move)


def test_rotated_board_is_found_in_the_table() -> None:
    """A rotated position is answered from the table, with the rotated move."""
    solver = DfpnSolver(HexPosition(Setup(6, 6, "standard")), TABLE_BYTES)
    answers = []
    for first in ("f2", "a5"):
        position = HexPosition(Setup(6, 6, "standard"))
        position.play(first)
        answers.append(solver.solve(position))
    assert answers[0].winner == answers[1].winner == 1 - int(SOLVED["openings"]["6"]["f2"])
    assert answers[1].nodes < answers[0].nodes / 2


def test_search_stops_at_time_limit_node_limit_and_stop(clock: ManualClock) -> None:
    """A 9x9 board takes hours, so only a limit or the stop can end the search."""
    clock.step_ms = 1
    position = HexPosition(Setup(9, 9, "standard"))
    solver = DfpnSolver(position, TABLE_BYTES)
    assert solver.solve(position, Limits(move_time_ms=100)).winner is None
    assert 100 <= clock.now_ms < 110
    cut = solver.solve(position, Limits(nodes=50))
    assert (cut.winner, cut.nodes) == (None, 50)
    limits = Limits(move_time_ms=20_000)
    stop_ms = clock.now_ms + 200
    clock.call_at(stop_ms, limits.stop.set)
    assert solver.solve(position, limits).winner is None
    assert stop_ms <= clock.now_ms < stop_ms + 10


def test_node_counts_repeat() -> None:
    """With an empty table the search is the same again."""
    counts = {solve(6, ["a2"], [], 1, 60).nodes for _ in range(2)}
    assert len(counts) == 1


def test_a_finished_game_has_its_winner() -> None:
    position = position_after(2, ["a1", "b1", "a2"])
    assert DfpnSolver(position, TABLE_BYTES).solve(position) == SolveResult(0)
