"""Tests of `pentad kolibrat`: table and report of a solved board, refused arguments, shipped tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.main import run
from bots.kolibrat.notation import Board
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.make_table import SHIPPED_BOARDS, list_shipped
from bots.kolibrat.solver.perfect import SHIPPED_FOLDER, SolvedTable
from bots.kolibrat.solver.table_file import read_solved_table, table_file_name
from core.native.load_kernels import load_kernels
from core.play.player import Setup


def test_solve_writes_a_report_and_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["kolibrat", "solve", "--size", "2x2", "--pieces", "2", "--goal", "2", "--out", str(tmp_path)]) == 0
    report = capsys.readouterr()
    assert "needs up to" in report.err
    lines = report.out.splitlines()
    assert lines[0] == "2x2, 2 pieces: 63 boards, 1,133 states to 2 points"
    assert "to 1: black wins in 4 plies, best a1 b1" in lines
    assert [path.name for path in tmp_path.iterdir()] == ["2x2-2.solved"]
    assert read_solved_table(tmp_path / "2x2-2.solved").board == Board(2, 2, 2, 2)


def test_report_lists_forced_loops_by_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On 3x3 with 3 pieces neither side can force an end from 29 states, in which each needs four points or more."""
    assert run(["kolibrat", "solve", "--size", "3x3", "--pieces", "3", "--goal", "5", "--out", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("forced loops: from 29 states"))
    table = SolvedTable(read_solved_table(tmp_path / "3x3-3.solved"), load_kernels("kolibrat", False))
    for line, expected in zip(
        lines[start + 1 : start + 4],
        (
            "side to move needs 4, opponent 5: 11 states",
            "side to move needs 5, opponent 4: 15 states",
            "side to move needs 5, opponent 5: 3 states",
        ),
        strict=True,
    ):
        counts, _, example = line.strip().partition(", such as ")
        assert counts == expected
        position = KolibratPosition(Setup(position=example))
        position.library.number_placements(position.state)  # SolvedTable.value needs the numbers
        assert table.value(position.state) == 0  # neither side can force an end


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["kolibrat", "solve", "--size", "3by4"], 2, "--size must be COLUMNSxROWS such as 3x4, not '3by4'"),
        (["kolibrat", "solve", "--pieces", "0"], 2, "the number of pieces must be 1..81, not 0"),
        (["kolibrat", "solve", "--memory", "-1"], 2, "--memory must be 0 GiB or more, not -1"),
        (["kolibrat", "solve", "--memory", "nan"], 2, "--memory must be 0 GiB or more, not nan"),
        (["kolibrat", "solve", "--memory", "inf"], 2, "--memory must be 1048576 GiB or less, not inf"),
        (["kolibrat", "perft"], 2, "Unknown command"),
        (["kolibrat", "solve", "--size", "4x5", "--pieces", "6", "--memory", ".5"], 1, "more than the 512 MiB allowed"),
        (["kolibrat", "tune", "--rounds", "0"], 2, "--rounds must be 1 or more, not 0"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: list[str], code: int, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == code
    assert error in capsys.readouterr().err


@pytest.mark.slow
def test_one_command_rebuilds_all_shipped_tables(tmp_path: Path) -> None:
    """Takes half a minute. Contents are compared and not bytes, because zlib versions compress differently."""
    assert run(["kolibrat", "solve", "--shipped", "--out", str(tmp_path)]) == 0
    for options in list_shipped():
        name = table_file_name(options.board)
        assert read_solved_table(tmp_path / name) == read_solved_table(SHIPPED_FOLDER / name)
    assert len(list(tmp_path.iterdir())) == len(SHIPPED_BOARDS)


def test_every_shipped_board_has_a_table() -> None:
    assert sorted(path.name for path in SHIPPED_FOLDER.iterdir()) == sorted(
        table_file_name(options.board) for options in list_shipped()
    )
    for options in list_shipped():
        assert read_solved_table(SHIPPED_FOLDER / table_file_name(options.board)).board == options.board
    assert len(SHIPPED_BOARDS) == 14
    assert sum(path.stat().st_size for path in SHIPPED_FOLDER.iterdir()) < 3_000_000
