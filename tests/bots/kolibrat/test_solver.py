"""Solved boards: published values, one step of look-ahead everywhere, tables that are read back, broken-off runs."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bots.kolibrat.notation import Board
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver import solve as module
from bots.kolibrat.solver.perfect import SHIPPED_FOLDER, SolvedTable, open_solved_table
from bots.kolibrat.solver.solve import (
    CannotSolveError,
    KolibratSolver,
    count_placements,
    count_states,
    is_solved_at_once,
    memory_bytes,
    solve_at_once,
    solve_board,
)
from bots.kolibrat.solver.table_file import DamagedTableError, read_solved_table
from core.native.load_kernels import load_kernels
from core.play.player import Setup
from core.play.stop import StopToken

SHIPPED_BOARDS = (
    *("2x2-2", "2x5-4", "2x5-5", "2x6-3", "5x2-4", "5x2-5", "6x2-3"),
    *("3x3-2", "3x3-3", "3x3-4", "3x4-3", "3x4-4", "3x4-5", "3x4-6"),
)


def table_for(variant: str, folder: Path | None = None) -> tuple[KolibratPosition, SolvedTable]:
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
    """As the thesis and an independent solver have them: plies to red's win, to its loss, 0 for a game without end."""
    position, table = table_for(variant)
    assert table.value(position.state) == value


def test_only_the_middle_wins_the_standard_game() -> None:
    position, table = table_for("3x4-4-5")
    assert table.best(position.state, position.legal_numbers()) == (72, [position.parse("b1")])


def random_states(position: KolibratPosition, chance: random.Random, count: int) -> Any:
    """The record at so many boards with a move for red, with any points."""
    library, state = position.library, position.state
    boards = library.number_placements(state)
    while count:
        library.set_board(state, chance.randrange(boards))
        if library.has_move(state, 0):
            state.points[0], state.points[1] = chance.randrange(5), chance.randrange(5)
            count -= 1
            yield state


def look_ahead(table: SolvedTable, position: KolibratPosition) -> int:
    """The value by the rules of one step, written apart from the table's own."""
    wins: list[int] = []
    losses: list[int] = []
    endless = False
    library, state = position.library, position.state
    side = int(state.side)
    for move in position.legal_numbers():
        library.apply(state, move)
        value = 0 if state.result else table.value(state)
        ours = state.side == side
        if state.result:
            (wins if state.result == side + 1 else losses).append(1)
        elif value == 0:
            endless = True
        else:
            (wins if (value > 0) == ours else losses).append(abs(value) + 1)
        library.undo(state)
    if wins:
        return min(wins)
    return 0 if endless else -max(losses)


@pytest.mark.parametrize("name", SHIPPED_BOARDS)
@pytest.mark.parametrize("count", [400, pytest.param(20_000, marks=pytest.mark.slow)])
def test_each_value_is_one_step_of_look_ahead(name: str, count: int) -> None:
    """A table that was packed, cut or read wrongly anywhere would disagree with itself."""
    position, table = table_for(f"{name}-5")
    for state in random_states(position, random.Random(name), count):
        assert table.value(state) == look_ahead(table, position), position.position_text()


@pytest.mark.parametrize("name", ["2x2-2", "3x3-3"])
def test_value_is_that_of_the_mirror_image_and_of_the_other_colour(name: str) -> None:
    position, table = table_for(f"{name}-5")
    other, library = KolibratPosition(Setup(variant=f"{name}-5")), position.library
    for state in random_states(position, random.Random(3), 200):
        ranks, _, red, black, *rest = position.position_text().split()
        mirrored = "/".join(rank[::-1] for rank in ranks.split("/"))
        turned = "/".join(ranks.translate(str.maketrans("rb", "br")).split("/")[::-1])
        for text in (
            " ".join([mirrored, "r", red, black, *rest]),
            " ".join([turned, "b", black, red, *rest]),
        ):
            other.restart(Setup(position=text))
            library.number_placements(other.state)
            assert table.value(other.state) == table.value(state)


def test_retrograde_analysis_equals_plain_iteration() -> None:
    """The smallest board by value iteration over forward moves only: no mirror, no predecessors, no layers."""
    board = Board(2, 2, 2, 2)
    position, table = table_for("2x2-2-2")
    library, state = position.library, position.state
    known: dict[str, int] = {}
    states = []
    for number, red, black in product(range(library.number_placements(state)), range(2), range(2)):
        library.set_board(state, number)
        state.points[0], state.points[1] = red, black
        for side in (0, 1):
            if library.has_move(state, side):
                state.side = side
                states.append(position.position_text())
    assert len(states) <= count_states(board)
    for plies in range(1, 40):
        for text in states:
            if text not in known:
                value = iterate(text, known, plies)
                if value:
                    known[text] = value
    for text in states:
        position.restart(Setup(position=text))
        library.number_placements(state)
        assert table.value(state) == known.get(text, 0), text


def iterate(text: str, known: dict[str, int], plies: int) -> int:
    """The value of a state that ends in just so many plies, by the values of shorter ends."""
    position = KolibratPosition(Setup(position=text))
    side = position.to_move
    values = []
    for move in position.legal_moves():
        position.play(move)
        outcome = position.outcome()
        if outcome:
            values.append(1 if outcome.winner == side else -1)
        else:
            below = known.get(position.position_text(), 0)
            below = below if position.to_move == side else -below
            values.append(below + (below > 0) - (below < 0))
        position.undo()
    if plies in values:
        return plies
    if all(value < 0 for value in values) and min(values) == -plies:
        return -plies
    return 0


def test_solving_again_gives_the_shipped_table(tmp_path: Path) -> None:
    solve_board(Board(3, 3, 3, 5)).write(tmp_path / "again")
    again, shipped = read_solved_table(tmp_path / "again"), read_solved_table(SHIPPED_FOLDER / "3x3-3.solved")
    assert (again.kept, again.words) == (shipped.kept, shipped.words)


@pytest.mark.parametrize(
    ("board", "boards"),
    [
        ((2, 2, 2), 63),
        ((3, 4, 4), 170_019),
        ((3, 4, 5), 343_467),
        ((3, 4, 6), 460_815),
        ((4, 5, 5), 123_479_901),
        ((4, 5, 6), 509_103_141),
    ],
)
def test_number_of_boards(board: tuple[int, int, int], boards: int) -> None:
    assert count_placements(Board(*board, 4)) == boards
    assert count_states(Board(*board, 4)) == 2 * 25 * boards - 1


@pytest.mark.parametrize(
    ("board", "boards"), [((5, 6, 6), 1.58e11), ((9, 9, 15), 4.20e30), ((9, 9, 30), 2.66e38)], ids=str
)
def test_number_of_boards_too_many_to_list(board: tuple[int, int, int], boards: float) -> None:
    assert count_placements(Board(*board, 4)) == pytest.approx(boards, rel=0.005)


@pytest.mark.parametrize(("width", "height", "largest"), [(2, 2, 2), (3, 3, 4), (3, 4, 6)])
def test_number_of_boards_by_listing_them(width: int, height: int, largest: int) -> None:
    """The formula against every way to fill the squares."""
    fillings = Counter((squares.count(1), squares.count(2)) for squares in product(range(3), repeat=width * height))
    for pieces in range(1, largest + 1):
        listed = sum(count for (red, black), count in fillings.items() if max(red, black) <= pieces)
        assert count_placements(Board(width, height, pieces, 4)) == listed


@pytest.mark.parametrize("name", ["2x2-2", "3x3-4", "3x4-4"])
def test_boards_are_numbered_one_to_one(name: str) -> None:
    """By enumeration: each number gives a board of its own, whose number it or its mirror image has."""
    position = KolibratPosition(Setup(variant=f"{name}-5"))
    library, state = position.library, position.state
    count = library.number_placements(state)
    assert count == count_placements(position.board_spec)
    seen = set()
    for number in range(0, count, 1 if count < 20_000 else 7):
        order = library.set_board(state, number)
        seen.add(tuple(state.rows[0][:4]) + tuple(state.rows[1][:4]))
        assert (library.board_number(state, 0) == number) == (order <= 0)
    assert len(seen) == len(range(0, count, 1 if count < 20_000 else 7))


def test_memory_is_stated_beforehand() -> None:
    assert memory_bytes(Board(4, 5, 5, 1)) == 4 * 123_479_901
    with pytest.raises(CannotSolveError, match="up to 25 squares"):
        KolibratSolver(Board(5, 6, 6, 4))


@pytest.mark.parametrize(("time_ms", "is_stopped"), [(None, True), (0.0, False)])
def test_no_more_is_solved_at_once_than_there_is_time_for(time_ms: float | None, is_stopped: bool) -> None:
    """A host that says stop waits for the move, and a move's time is lost for the search."""
    board = Board(3, 3, 3, 5)
    stop = StopToken()
    assert solve_at_once(board, 10_000.0, stop)
    if is_stopped:
        stop.set()
    assert solve_at_once(board, time_ms, stop) is None
    assert is_solved_at_once(board, 1000.0)
    assert not is_solved_at_once(board, 400.0)
    assert not is_solved_at_once(Board(2, 6, 6, 5), None)


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second solver starts from the file of the first one and ends with the same words."""
    monkeypatch.setattr(module, "SAVE_S", 0.0)
    board, checkpoint = Board(3, 3, 2, 3), tmp_path / "run.partial"
    first = KolibratSolver(board, checkpoint)
    for number, _ in enumerate(first.solve()):
        if number == 30:
            break
    monkeypatch.setattr(module, "SAVE_S", 1e9)
    second = KolibratSolver(board, checkpoint)
    steps = list(second.solve())
    whole = solve_board(board)
    assert bytes(second.words) == bytes(whole.words)
    assert second.endless == whole.endless
    assert 0 < len(steps) < 100
    with pytest.raises(CannotSolveError, match="is of 3x3-2-3"):
        list(KolibratSolver(Board(3, 3, 2, 2), checkpoint).solve())
    content = checkpoint.read_bytes()
    for place in (1, content.index(b"last_due"), content.index(b'"last_due": ') + 12, -1000):
        damaged = bytearray(content)
        damaged[place] ^= 1
        checkpoint.write_bytes(damaged)
        with pytest.raises(CannotSolveError, match="damaged"):
            list(KolibratSolver(board, checkpoint).solve())


@pytest.mark.parametrize("place", [3, 30, 150, -1])
def test_damaged_table_is_refused(place: int, tmp_path: Path) -> None:
    """A wrong bit would be played from as if it were proven."""
    content = bytearray((SHIPPED_FOLDER / "2x2-2.solved").read_bytes())
    content[place] ^= 4
    damaged = tmp_path / "2x2-2.solved"
    damaged.write_bytes(content)
    with pytest.raises(DamagedTableError):
        read_solved_table(damaged)


def test_a_table_of_a_folder_is_read_first(tmp_path: Path) -> None:
    board = Board(2, 3, 2, 2)
    assert (
        open_solved_table(board, load_kernels("kolibrat"), load_kernels("kolibrat").new("Kolibrat"), tmp_path) is None
    )
    solved = solve_board(board)
    solved.write(tmp_path / "2x3-2.solved")
    position, table = table_for("2x3-2-2", tmp_path)
    assert abs(table.value(position.state)) == solved.word(position.state) >> 1
