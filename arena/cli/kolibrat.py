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
    goal: Annotated[int, Parameter(help="Points that win.")] = 5,
    out: Annotated[
        Path | None,
        Parameter(help="Folder for the solved table. [default: tables; with --shipped, the folder of the bot]"),
    ] = None,
    memory: Annotated[float, Parameter(help="Memory limit in GiB; 0 uses the free memory.")] = 0.0,
    shipped: Annotated[
        bool, Parameter(negative="", help="Rebuild all solved tables that the executable contains.")
    ] = False,
) -> None:
    """Solve a board of Kolibrat completely; an interrupted run continues where it stopped.

    Example: pentad kolibrat solve --size 3x4 --pieces 4 --goal 5
    """
    from arena.tools.kolibrat import parse_board, parse_memory
    from arena.tools.kolibrat import solve as solve_board
    from bots.kolibrat.solver.make_table import SolveOptions, list_shipped

    allowed = parse_memory(memory)
    one = SolveOptions(parse_board(size, pieces, goal), out or Path("tables"), allowed)
    for request in list_shipped(out, allowed) if shipped else [one]:
        for line in solve_board(request, stderr_console()):
            stdout_console().print(line, markup=False, soft_wrap=True)


@kolibrat.command
def tune(
    *,
    size: Annotated[str, Parameter(help="Board size, columns x rows.")] = "3x4",
    pieces: Annotated[int, Parameter(help="Pieces of each side.")] = 4,
    goal: Annotated[int, Parameter(help="Points that win.")] = 5,
    method: Annotated[
        Literal["annealing", "optuna"],
        Parameter(help="Optimizer: the simulated annealing of the thesis, or the library Optuna."),
    ] = "annealing",
    rounds: Annotated[int, Parameter(help="Rounds: 30 games each with annealing, 60 trials each with optuna.")] = 100,
    depth: Annotated[int, Parameter(help="Search depth of the games, in plies.")] = 3,
    cap: Annotated[int, Parameter(help="Plies after which the winner of a game is drawn at random.")] = 150,
    games: Annotated[int, Parameter(help="Games of the final match, which measures the gain.")] = 100,
    seed: Annotated[int, Parameter(help="Seed of the random numbers.")] = 1,
    out: Annotated[Path, Parameter(help="Weights file; it holds one entry per board size.")] = Path("weights.json"),
) -> None:
    """Tune the evaluation of Kolibrat; an interrupted run continues where it stopped.

    Example: pentad kolibrat tune --size 3x4 --method annealing --rounds 100
    """
    from arena.tools.kolibrat import parse_board, parse_request
    from arena.tools.kolibrat import tune as tune_board

    numbers = {"rounds": rounds, "depth": depth, "cap": cap, "games": games, "seed": seed}
    request = parse_request(parse_board(size, pieces, goal), method, out, **numbers)
    for line in tune_board(request, stderr_console()):
        stdout_console().print(line, markup=False, soft_wrap=True)
