"""The `pentad solve` and `pentad tune` commands, which only Kolibrat has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from arena.console import GameName, stderr_console, stdout_console
from arena.errors import UsageError


def solve(
    game: GameName,
    /,
    *,
    size: Annotated[str, Parameter(help="Columns x rows.")] = "3x4",
    pieces: Annotated[int, Parameter(help="Of each side.")] = 4,
    goal: Annotated[int, Parameter(help="Points that win.")] = 5,
    out: Annotated[Path | None, Parameter(help="Folder of the table: tables, or the bot's own with --shipped.")] = None,
    memory: Annotated[float, Parameter(help="GiB that may be taken, 0 for what is free.")] = 0.0,
    shipped: Annotated[bool, Parameter(negative="", help="Rebuild all tables that the executable carries.")] = False,
) -> None:
    """Solve a board of Kolibrat completely; a run that was broken off goes on where it was."""
    from arena.tools.kolibrat import parse_board, parse_memory
    from arena.tools.kolibrat import solve as solve_board
    from bots.kolibrat.solver.make_table import SolveOptions, list_shipped

    _need_kolibrat(game)
    allowed = parse_memory(memory)
    one = SolveOptions(parse_board(size, pieces, goal), out or Path("tables"), allowed)
    for request in list_shipped(out, allowed) if shipped else [one]:
        for line in solve_board(request, stderr_console()):
            stdout_console().print(line, markup=False, soft_wrap=True)


def tune(
    game: GameName,
    /,
    *,
    size: Annotated[str, Parameter(help="Columns x rows.")] = "3x4",
    pieces: Annotated[int, Parameter(help="Of each side.")] = 4,
    goal: Annotated[int, Parameter(help="Points that win.")] = 5,
    method: Annotated[Literal["annealing", "optuna"], Parameter(help="The thesis', or a library's.")] = "annealing",
    rounds: Annotated[int, Parameter(help="Of 30 games, or of 60 trials.")] = 100,
    depth: Annotated[int, Parameter(help="Plies that the games are searched to.")] = 3,
    cap: Annotated[int, Parameter(help="Plies after which a game is decided by lot.")] = 150,
    games: Annotated[int, Parameter(help="Of the match that shows what was gained.")] = 100,
    seed: Annotated[int, Parameter(help="Of all that is random.")] = 1,
    out: Annotated[Path, Parameter(help="The file of weights, sizes beside each other.")] = Path("weights.json"),
) -> None:
    """Tune the evaluation of Kolibrat; a run that was broken off goes on where it was."""
    from arena.tools.kolibrat import parse_board, parse_request
    from arena.tools.kolibrat import tune as tune_board

    _need_kolibrat(game)
    numbers = {"rounds": rounds, "depth": depth, "cap": cap, "games": games, "seed": seed}
    request = parse_request(parse_board(size, pieces, goal), method, out, **numbers)
    for line in tune_board(request, stderr_console()):
        stdout_console().print(line, markup=False, soft_wrap=True)


def _need_kolibrat(name: str) -> None:
    from arena.terms.arguments import find_game

    game = find_game(name)
    if game.name != "kolibrat":
        raise UsageError(f"{game.title} has no such command, only Kolibrat")
