"""Makes the table of a board: solves it from its ends backwards, writes the table and tells what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bots.kolibrat.notation import Board
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.perfect import SHIPPED, PerfectTable
from bots.kolibrat.solver.solve import (
    CannotSolveError,
    KolibratSolver,
    Step,
    count_boards,
    count_states,
    memory_bytes,
)
from bots.kolibrat.solver.table_file import read_table, table_name
from core.native.machine import free_memory
from core.play.player import Setup

# Width, height, pieces of the tables that the executable carries; all to 5 points.
SHIPPED_BOARDS = ((2, 2, 2), (3, 3, 2), (3, 3, 3), (3, 3, 4), (3, 4, 4), (3, 4, 5), (3, 4, 6))
SHIPPED_GOAL = 5
TABLE_SHARE = 2  # the table is packed in memory beside the words: at most as much again
MIB = 1 << 20


@dataclass(frozen=True)
class SolveRequest:
    """A board to solve, where the table goes, and how much memory may be taken (bytes; 0 for what is free)."""

    board: Board
    folder: Path
    memory_bytes: int = 0

    @property
    def needed(self) -> int:
        """Bytes that it may take."""
        return TABLE_SHARE * memory_bytes(self.board)

    @property
    def allowed(self) -> int:
        """Bytes that it is given."""
        return self.memory_bytes or free_memory()

    def __str__(self) -> str:
        board = self.board
        return f"{board.width}x{board.height} with {board.pieces} pieces to {board.goal}"


def list_shipped(folder: Path | None = None, memory_bytes: int = 0) -> Iterator[SolveRequest]:
    """The tables that the executable carries, into the bot's own folder where none is given."""
    for width, height, pieces in SHIPPED_BOARDS:
        yield SolveRequest(Board(width, height, pieces, SHIPPED_GOAL), folder or SHIPPED, memory_bytes)


def make_table(request: SolveRequest, watch: Callable[[Step], None]) -> list[str]:
    """Solve a board, write its table, and return the lines of the report; raise CannotSolveError.

    `watch` is called as the solver goes on.
    """
    allowed = request.allowed
    if request.needed > allowed:
        needed, most = request.needed / MIB, allowed / MIB
        raise CannotSolveError(f"{request} needs {needed:,.0f} MiB, more than the {most:,.0f} MiB allowed")
    request.folder.mkdir(parents=True, exist_ok=True)
    path = request.folder / table_name(request.board)
    checkpoint = path.with_suffix(".unfinished")
    solver = KolibratSolver(request.board, checkpoint)
    for step in solver.solve():
        watch(step)
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
