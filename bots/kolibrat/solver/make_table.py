"""Solves a board, writes its table to a file and reports the results; used by `pentad kolibrat solve`.

A placement is an arrangement of pieces on the board. A state is a placement with the points that each side still needs.
A layer holds the states with the same two numbers of points (bots/kolibrat/kernels/retrograde.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bots.kolibrat.notation import Board, format_variant
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.perfect import SHIPPED_FOLDER, SolvedTable
from bots.kolibrat.solver.solve import (
    CannotSolveError,
    KolibratSolver,
    SolveStep,
    count_placements,
    count_states,
    memory_bytes,
)
from bots.kolibrat.solver.table_file import read_solved_table, table_file_name
from core.native.machine import free_memory
from core.play.player import Setup

# Width, height and pieces of the solved tables that come with the program; all of them to 5 points.
SHIPPED_BOARDS = (
    *((2, 2, 2), (2, 5, 4), (2, 5, 5), (2, 6, 3), (5, 2, 4), (5, 2, 5), (6, 2, 3)),
    *((3, 3, 2), (3, 3, 3), (3, 3, 4), (3, 4, 3), (3, 4, 4), (3, 4, 5), (3, 4, 6)),
)
SHIPPED_GOAL = 5  # points
MEMORY_FACTOR = 2  # the packed table is built in memory beside the codes and takes at most as much as they do
MIB = 1 << 20


@dataclass(frozen=True)
class SolveOptions:
    """A board to solve, the folder of its table, and a memory limit."""

    board: Board
    folder: Path  # receives the table
    memory_bytes: int = 0  # limit; 0 for all free memory

    @property
    def needed_bytes(self) -> int:
        """The most memory that solving may need, in bytes."""
        return MEMORY_FACTOR * memory_bytes(self.board)

    @property
    def allowed_bytes(self) -> int:
        """The memory limit in bytes."""
        return self.memory_bytes or free_memory()

    def __str__(self) -> str:
        board = self.board
        return f"{board.width}x{board.height} with {board.pieces} pieces to {board.goal}"  # points


def list_shipped(folder: Path | None = None, memory_bytes: int = 0) -> Iterator[SolveOptions]:
    """Yield the options for each table that comes with the program; `folder` is by default the program's."""
    for width, height, pieces in SHIPPED_BOARDS:
        yield SolveOptions(Board(width, height, pieces, SHIPPED_GOAL), folder or SHIPPED_FOLDER, memory_bytes)


@dataclass(frozen=True)
class GoalResult:
    """The result of the start position with a given goal."""

    goal: int  # points needed to win
    value: int  # plies to red's win (> 0) or loss (< 0), 0 if nobody can force an end
    best: tuple[str, ...]  # red's best first moves


@dataclass(frozen=True)
class ForcedLoops:
    """The states of a layer from which neither side can force an end of the game."""

    mine: int  # points that the side to move needs
    other: int  # points that its opponent needs
    states: int  # number of such states; a state and its mirror image count as one
    example: str  # one of them, as the text of a position


@dataclass(frozen=True)
class BoardSummary:
    """Statistics and results of a solved board."""

    board: Board
    states: int  # number of placements in which the side to move has a move, including mirror images
    mean_moves: float  # legal moves per such placement
    most_moves: int  # largest number of legal moves in one of them
    results: tuple[GoalResult, ...]  # for each goal from 1 up to the board's
    loops: tuple[ForcedLoops, ...]  # by layer


def make_table(options: SolveOptions, watch: Callable[[SolveStep], None]) -> list[str]:
    """Solve a board, write its table and return the lines of a report.

    `watch` is called after each step of the solver. Raise CannotSolveError if the board is too large or its checkpoint
    cannot be used.
    """
    path = options.folder / table_file_name(options.board)
    return [*describe(solve_and_summarise(options, watch)), f"table: {path}, {path.stat().st_size:,} bytes"]


def solve_and_summarise(options: SolveOptions, watch: Callable[[SolveStep], None]) -> BoardSummary:
    """Solve a board, write its table and return a summary; raise CannotSolveError as `make_table` does."""
    allowed = options.allowed_bytes
    if options.needed_bytes > allowed:
        needed_mib, allowed_mib = options.needed_bytes / MIB, allowed / MIB
        raise CannotSolveError(f"{options} needs {needed_mib:,.0f} MiB, more than the {allowed_mib:,.0f} MiB allowed")
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / table_file_name(options.board)
    checkpoint = path.with_suffix(".unfinished")
    solver = KolibratSolver(options.board, checkpoint)
    for step in solver.solve():
        watch(step)
    solver.write(path)
    checkpoint.unlink(missing_ok=True)
    return _summarise(solver, path)


def describe(summary: BoardSummary) -> list[str]:
    """Return the lines of a report about a solved board."""
    board = summary.board
    return [
        f"{board.width}x{board.height}, {board.pieces} pieces: {count_placements(board):,} boards, "
        f"{count_states(board):,} states to {board.goal} points",
        f"boards with a legal move: {summary.states:,}; {summary.mean_moves:.2f} moves on average, "
        f"at most {summary.most_moves}",
        *(
            f"to {result.goal}: {_describe_value(result.value)}, best {' '.join(result.best)}"
            for result in summary.results
        ),
        *_describe_loops(summary.loops),
    ]


def _describe_value(value: int) -> str:
    """Return the value of the start position in words."""
    if value == 0:
        return "endless: neither side can force a win"
    return f"{'red' if value > 0 else 'black'} wins in {abs(value)} plies"


def _summarise(solver: KolibratSolver, path: Path) -> BoardSummary:
    """Return the summary of a solved board, reading its results back from the table file."""
    board, state, library = solver.board, solver.state, solver.library
    library.count_moves(state)
    states, mean_moves, most_moves = state.state_count, state.move_count / state.state_count, state.max_moves
    position = KolibratPosition(Setup(variant=format_variant(board)))
    library.number_placements(position.state)
    table = SolvedTable(read_solved_table(path), library)
    results = []
    for goal in range(1, board.goal + 1):
        position.restart(Setup(variant=format_variant(replace(board, goal=goal))))
        library.number_placements(position.state)
        value, moves = table.best(position.state, position.legal_numbers())
        results.append(GoalResult(goal, value, tuple(map(position.format, moves))))
    return BoardSummary(board, states, mean_moves, most_moves, tuple(results), tuple(_list_loops(solver, position)))


def _list_loops(solver: KolibratSolver, position: KolibratPosition) -> Iterator[ForcedLoops]:
    """Yield the forced loops of each layer; `number_placements` must have been called for `position`."""
    for (mover_needs, opponent_needs), count in sorted(solver.endless.items()):
        if count:
            solver.library.set_first_endless_state(
                position.state, solver.codes, solver.board.goal, mover_needs, opponent_needs
            )
            yield ForcedLoops(mover_needs, opponent_needs, count, position.position_text())


def _describe_loops(loops: Sequence[ForcedLoops]) -> list[str]:
    if not loops:
        return ["forced loops: none; from every state one side can force a win"]
    return [
        f"forced loops: from {sum(loop.states for loop in loops):,} states (mirror images counted once) neither side "
        "can force a win",
        *(
            f"  side to move needs {loop.mine}, opponent {loop.other}: {loop.states:,} states, such as {loop.example}"
            for loop in loops
        ),
    ]
