"""`pentad kolibrat solve` and `pentad kolibrat tune`: checks their arguments, and shows progress bars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from arena.errors import CommandFailedError, UsageError, install_command
from bots.kolibrat.notation import Board
from bots.kolibrat.solver.make_table import MIB, SolveOptions, make_table
from bots.kolibrat.solver.solve import CannotSolveError, SolveStep, list_layers
from bots.kolibrat.training.tune import CannotTuneError, StepDone, TuneOptions
from bots.kolibrat.training.tune import tune as tune_weights
from core.play.player import BadSetup

MAX_GIB = 1 << 20  # of --memory


def parse_board(size: str, pieces: int, goal: int) -> Board:
    """Return the board for a size such as `3x4` (columns x rows); raise UsageError for wrong values."""
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", size)
    if not match:
        raise UsageError(f"--size must be COLUMNSxROWS such as 3x4, not {size[:20]!r}")
    try:
        return Board(int(match[1]), int(match[2]), pieces, goal)
    except BadSetup as error:
        raise UsageError(str(error)) from None


def parse_memory(gib: float) -> int:
    """Return the bytes of a memory limit in GiB, 0 for the free memory; raise UsageError for wrong values."""
    if not 0 <= gib <= MAX_GIB:
        limit = f"{MAX_GIB} GiB or less" if gib > MAX_GIB else "0 GiB or more"
        raise UsageError(f"--memory must be {limit}, not {gib:g}")
    return int(gib * 1024 * MIB)


def solve(options: SolveOptions, console: Console) -> list[str]:
    """Solve a board with a progress bar, and return the lines of the report.

    The solver works layer by layer; a layer is the set of states in which both sides still need given numbers of
    points. Raise CommandFailedError if the board is too large, or if the file of an interrupted
    run is damaged or of another board.
    """
    console.print(f"{options}: needs up to {options.needed_bytes / MIB:,.0f} MiB of {options.allowed_bytes / MIB:,.0f}")
    layers = list_layers(options.board.goal)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=len(layers))

        def show_step(step: SolveStep) -> None:
            """Show the points that the side to move and its opponent still need, and the progress within the layer."""
            text = f"points needed {step.mine} and {step.other}, ply {step.plies}, {step.settled:,} states solved"
            bar.update(task, completed=layers.index((step.mine, step.other)), description=text)

        try:
            return make_table(options, show_step)
        except CannotSolveError as error:
            raise CommandFailedError(str(error)) from None


def make_tune_options(board: Board, method: str, out: Path, **numbers: int) -> TuneOptions:
    """Return the options of `pentad kolibrat tune`; raise UsageError if one is out of range.

    `numbers` are the integer options by name: rounds, depth, cap (plies after which a game is decided at random), games
    (of the final match) and seed.
    """
    for name, value in numbers.items():
        minimum = 0 if name == "seed" else 1
        if value < minimum:
            raise UsageError(f"--{name} must be {minimum} or more, not {value}")
    return TuneOptions(board=board, method=method, out=out, **numbers)


def tune(options: TuneOptions, console: Console) -> list[str]:
    """Tune weights with progress bars, and return the lines of the report.

    Raise CommandFailedError if the method is optuna and optuna is not installed, or if `tune_weights` cannot run, for
    example because the state file belongs to a run with other options.
    """
    if options.method == "optuna" and find_spec("optuna") is None:
        raise CommandFailedError(f"--method optuna needs more packages: {install_command('tune')}")

    @contextmanager
    def show_progress(text: str, total: int, done: int) -> Iterator[StepDone]:
        """Show a progress bar, and yield a function that must be called after each of the remaining steps."""
        columns = (TextColumn(text), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=total, completed=done)
            yield lambda: bar.advance(task)

    try:
        return tune_weights(options, show_progress)
    except CannotTuneError as error:
        raise CommandFailedError(str(error)) from None
