"""Makes the table of a board: solves it from its ends backwards, writes the table and tells what was found."""

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

# Width, height, pieces of the tables that the executable carries; all to 5 points.
SHIPPED_BOARDS = (
    *((2, 2, 2), (2, 5, 4), (2, 5, 5), (2, 6, 3), (5, 2, 4), (5, 2, 5), (6, 2, 3)),
    *((3, 3, 2), (3, 3, 3), (3, 3, 4), (3, 4, 3), (3, 4, 4), (3, 4, 5), (3, 4, 6)),
)
SHIPPED_GOAL = 5
TABLE_SHARE = 2  # the table is packed in memory beside the words: at most as much again
MIB = 1 << 20


@dataclass(frozen=True)
class SolveOptions:
    """A board to solve, where the table goes, and how much memory may be taken (bytes; 0 for what is free)."""

    board: Board
    folder: Path
    memory_bytes: int = 0

    @property
    def needed_bytes(self) -> int:
        """Bytes that it may take."""
        return TABLE_SHARE * memory_bytes(self.board)

    @property
    def allowed_bytes(self) -> int:
        """Bytes that it is given."""
        return self.memory_bytes or free_memory()

    def __str__(self) -> str:
        board = self.board
        return f"{board.width}x{board.height} with {board.pieces} pieces to {board.goal}"


def list_shipped(folder: Path | None = None, memory_bytes: int = 0) -> Iterator[SolveOptions]:
    """The tables that the executable carries, into the bot's own folder where none is given."""
    for width, height, pieces in SHIPPED_BOARDS:
        yield SolveOptions(Board(width, height, pieces, SHIPPED_GOAL), folder or SHIPPED_FOLDER, memory_bytes)


@dataclass(frozen=True)
class GoalResult:
    """What the start of a board is worth to red when so many points win: a value as in a table, and the best moves."""

    goal: int
    value: int
    best: tuple[str, ...]


@dataclass(frozen=True)
class ForcedLoops:
    """Where either side can keep the game going for ever unless the other lets it win: states, mirror images once.

    `mine` and `other` are the points that the mover and the other side need, `example` is one of the states.
    """

    mine: int
    other: int
    states: int
    example: str


@dataclass(frozen=True)
class BoardSummary:
    """What a solved board is like. States with a move are boards for the mover, mirror images too."""

    board: Board
    states: int  # with a move
    mean_moves: float
    most_moves: int
    results: tuple[GoalResult, ...]  # for each number of points up to the board's
    loops: tuple[ForcedLoops, ...]


def make_table(request: SolveOptions, watch: Callable[[SolveStep], None]) -> list[str]:
    """Solve a board, write its table, and return the lines of the report; raise CannotSolveError.

    `watch` is called as the solver goes on.
    """
    path = request.folder / table_file_name(request.board)
    return [*describe(solve_and_summarise(request, watch)), f"table: {path}, {path.stat().st_size:,} bytes"]


def solve_and_summarise(request: SolveOptions, watch: Callable[[SolveStep], None]) -> BoardSummary:
    """Solve a board, write its table, and return what it is like; raise CannotSolveError."""
    allowed = request.allowed_bytes
    if request.needed_bytes > allowed:
        needed, most = request.needed_bytes / MIB, allowed / MIB
        raise CannotSolveError(f"{request} needs {needed:,.0f} MiB, more than the {most:,.0f} MiB allowed")
    request.folder.mkdir(parents=True, exist_ok=True)
    path = request.folder / table_file_name(request.board)
    checkpoint = path.with_suffix(".unfinished")
    solver = KolibratSolver(request.board, checkpoint)
    for step in solver.solve():
        watch(step)
    solver.write(path)
    checkpoint.unlink(missing_ok=True)
    return _survey(solver, path)


def describe(survey: BoardSummary) -> list[str]:
    """The report of a board, for a person."""
    board = survey.board
    return [
        f"{board.width}x{board.height}, {board.pieces} pieces: {count_placements(board):,} boards, "
        f"{count_states(board):,} states to {board.goal} points",
        f"with a move: {survey.states:,} boards for the mover; {survey.mean_moves:.2f} moves on average, "
        f"{survey.most_moves} at most",
        *(f"to {each.goal}: {_describe_value(each.value)}, best {' '.join(each.best)}" for each in survey.results),
        *_describe_loops(survey.loops),
    ]


def _describe_value(value: int) -> str:
    """What the start is worth to red, in words."""
    if value == 0:
        return "endless: neither side can force an end that it wins"
    return f"{'red' if value > 0 else 'black'} wins in {abs(value)} plies"


def _survey(solver: KolibratSolver, path: Path) -> BoardSummary:
    """What a solved board is like, told from the table as it was written."""
    board, state, library = solver.board, solver.state, solver.library
    library.survey(state)
    states, mean_moves, most_moves = state.states, state.branching / state.states, state.most_moves
    position = KolibratPosition(Setup(variant=format_variant(board)))
    library.number_placements(position.state)
    table = SolvedTable(read_solved_table(path), library)
    results = []
    for goal in range(1, board.goal + 1):
        position.restart(Setup(variant=format_variant(replace(board, goal=goal))))
        library.number_placements(position.state)
        value, moves = table.best(position.state, position.legal_numbers())
        results.append(GoalResult(goal, value, tuple(position.format_line([move])[0] for move in moves)))
    return BoardSummary(board, states, mean_moves, most_moves, tuple(results), tuple(_list_loops(solver, position)))


def _list_loops(solver: KolibratSolver, position: KolibratPosition) -> Iterator[ForcedLoops]:
    """The forced loops, layer by layer; `position` is of the solved board, its boards numbered."""
    for (mine, other), count in sorted(solver.endless.items()):
        if count:
            solver.library.set_first_endless(position.state, solver.words, solver.board.goal, mine, other)
            yield ForcedLoops(mine, other, count, position.position_text())


def _describe_loops(loops: Sequence[ForcedLoops]) -> list[str]:
    if not loops:
        return ["forced loops: none; from every state one side can force an end"]
    return [
        f"forced loops: from {sum(loop.states for loop in loops):,} states, mirror images once, either side can keep "
        "the game going for ever unless the other lets it win",
        *(
            f"  needs {loop.mine} against {loop.other}: {loop.states:,} states, such as {loop.example}"
            for loop in loops
        ),
    ]
