"""Commands that build, measure and convert: `pentad demo`, `build`, `perft`, `bench` and `convert`.

Imports that take long are inside the commands, so that help and usage errors appear at once.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from arena.cli.play_run import play_match
from arena.console import BoardSize, ExitCode, GameName, Rule, make_spinner, print_error, stderr_console, stdout_console
from arena.errors import CommandFailedError, UsageError

if TYPE_CHECKING:
    from arena.tools.build import BuildPlan

StartPosition = Annotated[
    str,
    Parameter(
        help="Moves that lead to the position to count from, as in a line of an opening file. In Hive also a"
        " GameString, which names its game type."
    ),
]


def demo() -> int:
    """Build the executables and play a short match of each against one of its weaker players.

    Example: pentad demo
    """
    from contextlib import closing
    from datetime import datetime

    from arena.tools.demo import demo_folder, describe_next, iter_built, plan_match
    from core.system.build_progress import say

    plan, folder = replace(_plan_build(onedir=False), low_priority=True), demo_folder(datetime.now())
    spinner, first_played, worst_code = make_spinner("building the executables"), None, ExitCode.SUCCESS
    with closing(iter_built(plan, say)) as built_games:
        while worst_code != ExitCode.INTERRUPTED:
            with spinner:
                game = next(built_games, None)
            if game is None:
                break
            stdout_console().rule(game.title)
            worst_code = max(worst_code, play_match(plan_match(plan, game, folder)))
            first_played = first_played or game
    for line in describe_next(plan, first_played, folder) if first_played else ():
        stdout_console().print(line, markup=False, soft_wrap=True)
    return worst_code


def build(
    *,
    onedir: Annotated[
        bool | None,
        Parameter(
            negative="--onefile",
            help="Build folders, which start faster, or single files. Default: single files; with --gomocup a folder.",
        ),
    ] = None,
    gomocup: Annotated[
        bool,
        Parameter(
            negative="",
            help="Also write dist/pentad.zip, the archive for Gomocup. It holds the content of a folder, or with"
            " --onefile a single file.",
        ),
    ] = False,
    windows: Annotated[
        bool,
        Parameter(negative="", help="Build for Windows, into dist/windows/, on Linux with wine."),
    ] = False,
) -> None:
    """Build the executables that are out of date, into dist/; with --onedir as folders, into dist/onedir/.

    Example: pentad build
    """
    from arena.tools.build import pack_for_gomocup

    # Gomocup suspends only the process that it started, but a single-file executable thinks in a child of it.
    plan = replace(_plan_build(onedir=gomocup if onedir is None else onedir), windows=windows)
    _build(plan)
    for game in plan.games:
        stdout_console().print(f"{game.title}: {plan.executable(game)}", soft_wrap=True)
    if gomocup:
        stdout_console().print(f"Gomocup archive: {pack_for_gomocup(plan)}", soft_wrap=True)


def perft(
    game: GameName,
    depth: Annotated[int, Parameter(help="Depth, plies.")],
    /,
    *,
    size: BoardSize = None,
    rule: Rule = None,
    position: StartPosition = "",
    divide: Annotated[bool, Parameter(negative="", help="Also show the count of each first move.")] = False,
) -> None:
    """Count the sequences of DEPTH legal moves (perft).

    Example: pentad perft hive 4 --divide
    """
    from arena.terms.arguments import choose_position, choose_setup, find_game
    from arena.tools.perft import count_all, count_by_move, format_total

    if depth < 0 or (divide and depth == 0):
        raise UsageError(f"DEPTH must be {int(divide)} or more, not {depth}")
    selected_game = find_game(game)
    start = choose_position(selected_game, choose_setup(selected_game, size, rule, position), position)
    for count in count_by_move(start, depth) if divide else []:
        stdout_console().print(f"{count.move} {count.nodes}")
    stdout_console().print(format_total(count_all(start, depth), depth), soft_wrap=True)


def bench(
    game: GameName,
    /,
    *,
    depth: Annotated[int | None, Parameter(help="Search depth, plies. Default: depends on the game.")] = None,
    exe: Annotated[bool, Parameter(negative="", help="Measure the executable in dist/ through its protocol.")] = False,
    kernels: Annotated[
        Literal["njit", "native"] | None, Parameter(help="Run the search natively compiled or by numba's JIT.")
    ] = None,
    player: Annotated[str, Parameter(help="Player, as in a match. Default: the strongest of the game.")] = "",
) -> None:
    """Search fixed positions to a fixed depth. The total of nodes changes only if the search changes.

    Example: pentad bench hive
    """
    if depth is not None and depth < 1:
        raise UsageError(f"--depth must be 1 or more, not {depth}")
    if exe and player:
        raise UsageError("--exe measures the default player of the executable: leave --player out")
    if kernels:
        os.environ["PENTAD_KERNELS"] = kernels  # read when the kernels are loaded
    from arena.terms.arguments import find_game
    from arena.tools.bench import bench_game, bench_gaps, format_row
    from arena.tools.poll_gaps import format_gap

    selected_game = find_game(game)
    executable = _plan_build(onedir=False).executable(selected_game) if exe else None
    for row in bench_game(selected_game, depth or selected_game.bench_depth, executable, player):
        stdout_console().print(format_row(row), markup=False, soft_wrap=True)
    if not exe:
        stdout_console().print(format_gap(bench_gaps(selected_game, player)), markup=False, soft_wrap=True)


def convert(
    *files: Annotated[Path, Parameter(help="Game records (.sgf): of Hex, or of Hive from boardspace.net.")],
) -> int:
    """Print the game of each file in one line. Files that cannot be read are named on standard error.

    For Hex, the board size and the reading of the word `swap` are printed on standard error.

    Example: pentad convert games/*.sgf > games.txt
    """
    from arena.tools.convert import convert_file

    if not files:
        raise UsageError("give at least one FILE")
    code = ExitCode.SUCCESS
    for path in files:
        try:
            converted = convert_file(path)
        except CommandFailedError as error:
            code = print_error(error, ExitCode.FAILURE)
            continue
        print(converted.line)
        if converted.note:
            print(f"{path}: {converted.note}", file=sys.stderr)
    return code


def _plan_build(*, onedir: bool) -> BuildPlan:
    from arena.tools.build import BuildPlan
    from bots.registry import GAMES

    return BuildPlan(tuple(GAMES.values()), onedir)


def _build(plan: BuildPlan) -> None:
    from arena.tools.build import build as build_executables
    from core.system.build_progress import say

    with make_spinner("building the executables"):
        was_built = build_executables(plan, say)
    stderr_console().print("executables built" if was_built else "executables are up to date")
