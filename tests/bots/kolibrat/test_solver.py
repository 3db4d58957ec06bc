"""Kolibrat's solver: published values, consistency of the tables, numbering of placements, interrupted runs, files.

A placement is the squares of the pieces of both sides, without the side to move and the points. The solver numbers
placements; of two mirror images it stores only one.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bots.kolibrat.notation import Board
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver import solve as solve_module
from bots.kolibrat.solver.perfect import SHIPPED_FOLDER, SolvedTable, open_solved_table
from bots.kolibrat.solver.solve import (
    CannotSolveError,
    KolibratSolver,
    can_solve_at_once,
    count_placements,
    count_states,
    memory_bytes,
    solve_at_once,
)
from bots.kolibrat.solver.table_file import DamagedTableError, read_solved_table
from core.native.load_kernels import load_kernels
from core.play.player import Setup
from core.play.stop import StopToken
from tests.bots.kolibrat.retrograde import solve_board

SHIPPED_BOARDS = (  # columns x rows - pieces of each side
    *("2x2-2", "2x5-4", "2x5-5", "2x6-3", "5x2-4", "5x2-5", "6x2-3"),
    *("3x3-2", "3x3-3", "3x3-4", "3x4-3", "3x4-4", "3x4-5", "3x4-6"),
)


def open_position(variant: str, folder: Path | None = None) -> tuple[KolibratPosition, SolvedTable]:
    position = KolibratPosition(Setup(variant=variant))
    table = open_solved_table(position.board_spec, position.library, position.state, folder)
    assert table
    return position, table


@pytest.mark.parametrize(
    ("variant", "value"),
    [
        ("2x2-2-1", -4),
        *((f"3x3-{pieces}-1", 9) for pieces in (2, 3, 4)),
        *((f"3x4-4-{goal}", value) for goal, value in enumerate((13, 25, 35, 47, 72), 1)),
        *((f"3x4-{pieces}-4", 0) for pieces in (5, 6)),
    ],
)
def test_value_of_the_start(variant: str, value: int) -> None:
    """The values, plies to red's win (> 0) or loss (< 0), are those of Lindberg's thesis and of an independent solver.

    0 is a game that neither side can win by force.
    """
    position, table = open_position(variant)
    assert table.value(position.state) == value


def test_only_the_middle_wins_the_standard_game() -> None:
    position, table = open_position("3x4-4-5")
    assert table.best(position.state, position.legal_numbers()) == (72, [position.parse("b1")])


def random_states(position: KolibratPosition, rng: random.Random, count: int) -> Any:
    """Yield the position's state at `count` random placements in which red has a move, with random points."""
    library, state = position.library, position.state
    placement_count = library.number_placements(state)
    while count:
        library.set_placement(state, rng.randrange(placement_count))
        if library.has_move(state, 0):
            state.points[0], state.points[1] = rng.randrange(5), rng.randrange(5)
            count -= 1
            yield state


def look_ahead(table: SolvedTable, position: KolibratPosition) -> int:
    """Return the value of a position from those of its successors, without the look-ahead of `SolvedTable`.

    Only the values of the successors come from the table.
    """
    wins: list[int] = []
    losses: list[int] = []
    has_endless_move = False
    library, state = position.library, position.state
    side = int(state.side)
    for move in position.legal_numbers():
        library.apply(state, move)
        value = 0 if state.result else table.value(state)
        is_same_side = state.side == side
        if state.result:
            (wins if state.result == side + 1 else losses).append(1)
        elif value == 0:
            has_endless_move = True
        else:
            (wins if (value > 0) == is_same_side else losses).append(abs(value) + 1)
        library.undo(state)
    if wins:
        return min(wins)
    return 0 if has_endless_move else -max(losses)


@pytest.mark.parametrize("name", SHIPPED_BOARDS)
@pytest.mark.parametrize("count", [400, pytest.param(20_000, marks=pytest.mark.slow)])
def test_each_value_follows_from_those_of_its_successors(name: str, count: int) -> None:
    """A table that was packed or read wrongly anywhere would be inconsistent."""
    position, table = open_position(f"{name}-5")
    for state in random_states(position, random.Random(name), count):
        assert table.value(state) == look_ahead(table, position), position.position_text()


@pytest.mark.parametrize("name", ["2x2-2", "3x3-3"])
def test_value_is_that_of_the_mirror_image_and_of_the_other_colour(name: str) -> None:
    position, table = open_position(f"{name}-5")
    symmetric, library = KolibratPosition(Setup(variant=f"{name}-5")), position.library
    for state in random_states(position, random.Random(3), 200):
        ranks, _, red, black, *rest = position.position_text().split()
        mirrored = "/".join(rank[::-1] for rank in ranks.split("/"))
        turned = "/".join(ranks.translate(str.maketrans("rb", "br")).split("/")[::-1])
        for text in (
            " ".join([mirrored, "r", red, black, *rest]),
            " ".join([turned, "b", black, red, *rest]),
        ):
            symmetric.restart(Setup(position=text))
            library.number_placements(symmetric.state)  # prepares the numbering, which the table needs
            assert table.value(symmetric.state) == table.value(state)


def test_solving_again_gives_the_shipped_table(tmp_path: Path) -> None:
    solve_board(Board(3, 3, 3, 5)).write(tmp_path / "again")
    again, shipped = read_solved_table(tmp_path / "again"), read_solved_table(SHIPPED_FOLDER / "3x3-3.solved")
    assert (again.stored, again.codes) == (shipped.stored, shipped.codes)


@pytest.mark.parametrize(
    ("board", "placement_count"),
    [
        ((2, 2, 2), 63),
        ((3, 4, 4), 170_019),
        ((3, 4, 5), 343_467),
        ((3, 4, 6), 460_815),
        ((4, 5, 5), 123_479_901),
        ((4, 5, 6), 509_103_141),
    ],
)
def test_number_of_placements(board: tuple[int, int, int], placement_count: int) -> None:
    """`test_number_of_placements_by_enumeration` checks the formula, on boards up to 3x4.

    States are counted as in Lindberg's thesis (section 3.1): goal + 1, here 5, possible points of each side, and one
    state is left out.
    """
    assert count_placements(Board(*board, 4)) == placement_count
    assert count_states(Board(*board, 4)) == 2 * 25 * placement_count - 1


@pytest.mark.parametrize(
    ("board", "placement_count"), [((5, 6, 6), 1.58e11), ((9, 9, 15), 4.20e30), ((9, 9, 30), 2.66e38)], ids=str
)
def test_number_of_placements_on_large_boards(board: tuple[int, int, int], placement_count: float) -> None:
    assert count_placements(Board(*board, 4)) == pytest.approx(placement_count, rel=0.005)


@pytest.mark.parametrize(("width", "height", "largest"), [(2, 2, 2), (3, 3, 4), (3, 4, 6)])
def test_number_of_placements_by_enumeration(width: int, height: int, largest: int) -> None:
    """The formula agrees with a count of all ways to fill the squares."""
    fillings = Counter((squares.count(1), squares.count(2)) for squares in product(range(3), repeat=width * height))
    for pieces in range(1, largest + 1):
        listed = sum(count for (red, black), count in fillings.items() if max(red, black) <= pieces)
        assert count_placements(Board(width, height, pieces, 4)) == listed


@pytest.mark.parametrize("name", ["2x2-2", "3x3-4", "3x4-4"])
def test_numbering_of_placements_is_one_to_one(name: str) -> None:
    """Each number gives a different placement, which has that number unless its mirror image is the one that is used.

    `order` compares a placement with its mirror image.
    """
    position = KolibratPosition(Setup(variant=f"{name}-5"))
    library, state = position.library, position.state
    count = library.number_placements(state)
    assert count == count_placements(position.board_spec)
    seen = set()
    for number in range(0, count, 1 if count < 20_000 else 7):
        order = library.set_placement(state, number)
        seen.add(tuple(state.rows[0][:4]) + tuple(state.rows[1][:4]))
        assert (library.placement_number(state, 0) == number) == (order <= 0)
    assert len(seen) == len(range(0, count, 1 if count < 20_000 else 7))


def test_memory_is_computed_in_advance() -> None:
    assert memory_bytes(Board(4, 5, 5, 1)) == 4 * 123_479_901
    with pytest.raises(CannotSolveError, match="up to 25 squares"):
        KolibratSolver(Board(5, 6, 6, 4))


@pytest.mark.parametrize(("time_ms", "is_stopped"), [(None, True), (0.0, False)])
def test_solving_during_a_game_ends_with_its_time_or_a_stop(time_ms: float | None, is_stopped: bool) -> None:
    board = Board(3, 3, 3, 5)
    stop = StopToken()
    assert solve_at_once(board, 10_000.0, stop)
    if is_stopped:
        stop.set()
    assert solve_at_once(board, time_ms, stop) is None
    # The board is expected to take between 400 and 1000 ms; the last one is too large whatever the time.
    assert can_solve_at_once(board, 1000.0)
    assert not can_solve_at_once(board, 400.0)
    assert not can_solve_at_once(Board(2, 6, 6, 5), None)


def test_an_interrupted_run_continues_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second solver starts from the checkpoint of the first one and ends with the same codes."""
    monkeypatch.setattr(solve_module, "CHECKPOINT_INTERVAL_S", 0.0)
    board, checkpoint = Board(3, 3, 2, 3), tmp_path / "run.partial"
    first = KolibratSolver(board, checkpoint)
    for number, _ in enumerate(first.solve()):
        if number == 30:
            break
    monkeypatch.setattr(solve_module, "CHECKPOINT_INTERVAL_S", 1e9)
    second = KolibratSolver(board, checkpoint)
    steps = list(second.solve())
    whole = solve_board(board)
    assert bytes(second.codes) == bytes(whole.codes)
    assert second.endless == whole.endless
    assert 0 < len(steps) < 100  # a whole run has 100 steps
    with pytest.raises(CannotSolveError, match="is of 3x3-2-3"):
        list(KolibratSolver(Board(3, 3, 2, 2), checkpoint).solve())
    content = checkpoint.read_bytes()
    for offset in (1, content.index(b"last_due"), content.index(b'"last_due": ') + 12, -1000):
        damaged = bytearray(content)
        damaged[offset] ^= 1
        checkpoint.write_bytes(damaged)
        with pytest.raises(CannotSolveError, match="damaged"):
            list(KolibratSolver(board, checkpoint).solve())


@pytest.mark.parametrize("offset", [3, 30, 150, -1])
def test_damaged_table_is_refused(offset: int, tmp_path: Path) -> None:
    """The engine would take wrong values of a damaged table for proven ones."""
    content = bytearray((SHIPPED_FOLDER / "2x2-2.solved").read_bytes())
    content[offset] ^= 4
    damaged = tmp_path / "2x2-2.solved"
    damaged.write_bytes(content)
    with pytest.raises(DamagedTableError):
        read_solved_table(damaged)


def test_a_table_in_the_given_folder_is_found(tmp_path: Path) -> None:
    board = Board(2, 3, 2, 2)
    assert (
        open_solved_table(
            board, load_kernels("kolibrat", False), load_kernels("kolibrat", False).new("Kolibrat"), tmp_path
        )
        is None
    )
    solved = solve_board(board)
    solved.write(tmp_path / "2x3-2.solved")
    position, table = open_position("2x3-2-2", tmp_path)
    assert abs(table.value(position.state)) == solved.code(position.state) >> 1
