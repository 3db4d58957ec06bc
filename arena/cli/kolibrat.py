"""The `pentad kolibrat solve` and `pentad kolibrat tune` commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from arena.console import stderr_console, stdout_console

kolibrat = App(name="kolibrat", help="Solve boards of Kolibrat, or tune its evaluation.", result_action="return_value")


@kolibrat.command
def solve(
    *,
    size: Annotated[str, Parameter(help="Board size, columns x rows.")] = "3x4",
    pieces: Annotated[int, Parameter(help="Pieces of each side.")] = 4,
    goal: Annotated[int, Parameter(help="Points that win the game.")] = 5,
    out: Annotated[
        Path | None, Parameter(help="Folder of the table. Default: tables; with --shipped the folder of the bot.")
    ] = None,
    memory: Annotated[float, Parameter(help="Memory that may be used, GiB. 0: all free memory.")] = 0.0,
    shipped: Annotated[
        bool, Parameter(negative="", help="Rebuild all tables that are shipped with the executable.")
    ] = False,
) -> None:
    """Solve a board of Kolibrat completely. An interrupted run continues where it stopped.

    Example: pentad kolibrat solve --size 3x4 --pieces 4 --goal 5
    """
    from arena.tools.kolibrat import parse_board, parse_memory
    from arena.tools.kolibrat import solve as solve_board
    from bots.kolibrat.solver.make_table import SolveOptions, list_shipped

    allowed_bytes = parse_memory(memory)
    single = SolveOptions(parse_board(size, pieces, goal), out or Path("tables"), allowed_bytes)
    for options in list_shipped(out, allowed_bytes) if shipped else [single]:
        for line in solve_board(options, stderr_console()):
            stdout_console().print(line, markup=False, soft_wrap=True)


@kolibrat.command
def tune(
    *,
    size: Annotated[str, Parameter(help="Board size, columns x rows.")] = "3x4",
    pieces: Annotated[int, Parameter(help="Pieces of each side.")] = 4,
    goal: Annotated[int, Parameter(help="Points that win the game.")] = 5,
    method: Annotated[
        Literal["annealing", "optuna"], Parameter(help="Simulated annealing, or the library optuna.")
    ] = "annealing",
    rounds: Annotated[int, Parameter(help="Rounds, of 30 games (annealing) or 60 trials (optuna).")] = 100,
    depth: Annotated[int, Parameter(help="Search depth in these games, plies.")] = 3,
    cap: Annotated[int, Parameter(help="Plies after which a game is decided at random.")] = 150,
    games: Annotated[int, Parameter(help="Games of the final match that measures the gain.")] = 100,
    seed: Annotated[int, Parameter(help="Seed of all random choices.")] = 1,
    out: Annotated[Path, Parameter(help="File of weights, with an entry per board size.")] = Path("weights.json"),
) -> None:
    """Tune the evaluation of Kolibrat. An interrupted run continues where it stopped.

    Example: pentad kolibrat tune --size 3x4 --rounds 40 --out weights.json
    """
    from arena.tools.kolibrat import make_tune_options, parse_board
    from arena.tools.kolibrat import tune as tune_board

    numbers = {"rounds": rounds, "depth": depth, "cap": cap, "games": games, "seed": seed}
    options = make_tune_options(parse_board(size, pieces, goal), method, out, **numbers)
    for line in tune_board(options, stderr_console()):
        stdout_console().print(line, markup=False, soft_wrap=True)
