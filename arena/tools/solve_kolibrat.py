"""`pentad solve kolibrat`: solves a board from its ends backwards, writes the table and tells what was found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from arena.errors import CommandFailedError, UsageError
from bots.kolibrat.notation import Board
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.perfect import SHIPPED, PerfectTable
from bots.kolibrat.solver.solve import (
    CannotSolveError,
    KolibratSolver,
    count_boards,
    count_states,
    list_layers,
    memory_bytes,
)
from bots.kolibrat.solver.table_file import read_table, table_name
from core.native.machine import free_memory
from core.play.player import BadSetup, Setup

# Width, height, pieces of the tables that the executable carries; all to 5 points.
SHIPPED_BOARDS = ((2, 2, 2), (3, 3, 2), (3, 3, 3), (3, 3, 4), (3, 4, 4), (3, 4, 5), (3, 4, 6))
SHIPPED_GOAL = 5
TABLE_SHARE = 2  # the table is packed in memory beside the words: at most as much again
MIB = 1 << 20
MOST_GIB = 1 << 20


@dataclass(frozen=True)
class SolveRequest:
    """A board to solve, where the table goes, and how much memory may be taken (bytes; 0 for what is free)."""

    board: Board
    folder: Path
    memory_bytes: int = 0


def parse_board(size: str, pieces: int, goal: int) -> Board:
    """A board of the command line; raise UsageError."""
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", size)
    if not match:
        raise UsageError(f"--size wants COLUMNSxROWS such as 3x4, not {size[:20]!r}")
    try:
        return Board(int(match[1]), int(match[2]), pieces, goal)
    except BadSetup as error:
        raise UsageError(str(error)) from None


def parse_memory(gib: float) -> int:
    """Bytes that may be taken; raise UsageError."""
    if not 0 <= gib <= MOST_GIB:
        limit = f"{MOST_GIB} GiB or less" if gib > MOST_GIB else "0 GiB or more"
        raise UsageError(f"--memory must be {limit}, not {gib:g}")
    return int(gib * 1024 * MIB)


def list_shipped(folder: Path | None = None, memory_bytes: int = 0) -> Iterator[SolveRequest]:
    """The tables that the executable carries, into the bot's own folder where none is given."""
    for width, height, pieces in SHIPPED_BOARDS:
        yield SolveRequest(Board(width, height, pieces, SHIPPED_GOAL), folder or SHIPPED, memory_bytes)


def solve(request: SolveRequest, progress_to: Console) -> list[str]:
    """Solve a board, write its table, and return the lines of the report; raise CommandFailedError."""
    _check_memory(request, progress_to)
    request.folder.mkdir(parents=True, exist_ok=True)
    path = request.folder / table_name(request.board)
    checkpoint = path.with_suffix(".unfinished")
    try:
        solver = KolibratSolver(request.board, checkpoint)
        _run(solver, progress_to)
    except CannotSolveError as error:
        raise CommandFailedError(str(error)) from None
    solver.write(path)
    checkpoint.unlink(missing_ok=True)
    return describe(solver, path)


def describe(solver: KolibratSolver, path: Path) -> list[str]:
    """The report, told from the table as it was written."""
    board, state, library = solver.board, solver.state, solver.library
    library.survey(state)
    states, branching, most = state.states, state.branching, state.most_moves
    position = KolibratPosition(Setup(variant=f"{board.width}x{board.height}-{board.pieces}-{board.goal}"))
    library.prepare_boards(position.state)
    table = PerfectTable(read_table(path), library)
    lines = [
        f"{board.width}x{board.height}, {board.pieces} pieces: {count_boards(board):,} boards, "
        f"{count_states(board):,} states to {board.goal} points",
        f"with a move: {states:,} boards for the mover; {branching / states:.2f} moves on average, {most} at most",
    ]
    for goal in range(1, board.goal + 1):
        position.restart(Setup(variant=f"{board.width}x{board.height}-{board.pieces}-{goal}"))
        library.prepare_boards(position.state)
        value, moves = table.best(position.state, position.legal_numbers())
        lines.append(f"to {goal}: {_verdict(value)}, best {' '.join(position.format_line(moves))}")
    lines += _describe_loops(solver, position)
    return [*lines, f"table: {path}, {path.stat().st_size:,} bytes"]


def _verdict(value: int) -> str:
    if value == 0:
        return "endless: neither side can force an end that it wins"
    return f"{'red' if value > 0 else 'black'} wins in {abs(value)} plies"


def _describe_loops(solver: KolibratSolver, position: KolibratPosition) -> list[str]:
    """Where a side can keep the game going for ever; layers by the points that mover and other side need.

    `position` is of the solved board, its boards numbered.
    """
    loops = {layer: count for layer, count in sorted(solver.endless.items()) if count}
    if not loops:
        return ["forced loops: none; from every state one side can force an end"]
    lines = [
        f"forced loops: from {sum(loops.values()):,} states, mirror images once, either side can keep the game going "
        "for ever unless the other lets it win"
    ]
    for (mine, other), count in loops.items():
        solver.library.set_first_endless(position.state, solver.words, solver.board.goal, mine, other)
        lines.append(f"  needs {mine} against {other}: {count:,} states, such as {position.position_text()}")
    return lines


def _check_memory(request: SolveRequest, console: Console) -> None:
    """Say what it takes, and raise CommandFailedError where that is too much."""
    needed = TABLE_SHARE * memory_bytes(request.board)
    allowed = request.memory_bytes or free_memory()
    console.print(f"{_describe(request.board)}: needs up to {needed / MIB:,.0f} MiB of {allowed / MIB:,.0f}")
    if needed > allowed:
        raise CommandFailedError(
            f"{_describe(request.board)} needs {needed / MIB:,.0f} MiB, more than the {allowed / MIB:,.0f} MiB allowed"
        )


def _describe(board: Board) -> str:
    return f"{board.width}x{board.height} with {board.pieces} pieces to {board.goal}"


def _run(solver: KolibratSolver, console: Console) -> None:
    """Run to the end under a progress bar over the layers."""
    layers = list_layers(solver.board.goal)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=len(layers))
        for step in solver.solve():
            text = f"needs {step.mine} against {step.other}, ply {step.plies}, {step.settled:,} states settled"
            bar.update(task, completed=layers.index((step.mine, step.other)), description=text)
