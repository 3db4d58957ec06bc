"""The `pentad` command. Each subcommand reads its arguments here and leaves the work to a module of its own.

What a command needs is imported when it runs, so that help and mistakes are answered at once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, CycloptsError, Parameter
from rich.console import Console

from arena.errors import CommandFailedError, UsageError
from arena.request import MatchRequest

if TYPE_CHECKING:
    from arena.build import BuildPlan
    from arena.config import MatchConfig

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 3  # exit codes

app = App(
    name="pentad",
    help="Board-game bots, and an arena that plays them against each other and against any other program.",
    result_action="return_value",
)
check = App(name="check", help="Test how well a program speaks a protocol.", result_action="return_value")
app.command(check)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 done, 1 failed or stopped by an engine, 2 bad usage, 3 interrupted."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends runs in order, leaving no engine behind
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; whatever a person can cause is told in one line."""
    try:
        result = app(list(arguments), exit_on_error=False, print_error=False)
        return result if isinstance(result, int) else DONE
    except (CycloptsError, UsageError) as error:
        return _fail(error, USAGE)
    except (CommandFailedError, OSError) as error:
        return _fail(error, FAILED)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)


@app.command
def match(request: MatchRequest) -> int:
    """Play a match between two engines and print score, Elo with error, faults and times.

    Example: pentad match --engine cmd=./brain,name=A --engine player=greedy --games 20 --tc 1 --openings FILE
    """
    from arena.request import configure_match, describe_match

    config = configure_match(request)
    _err().print(describe_match(config), markup=False, soft_wrap=True)
    return _play(config)


@app.command
def demo() -> int:
    """Build the executables and let each play a short match against one of its weaker players."""
    from datetime import datetime

    from arena.demo import plan_demo

    plan = _plan_build(onedir=False)
    _build(plan)
    worst = DONE
    for game, config in plan_demo(plan, datetime.now()):
        _out().rule(game.title)
        worst = max(worst, _play(config))
        if worst == INTERRUPTED:
            break
    return worst


@app.command
def build(
    *,
    onedir: Annotated[bool, Parameter(negative="")] = False,
    gomocup: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Make the executables of all games under dist/, unless they are up to date.

    Parameters
    ----------
    onedir
        Make a folder for each game instead of one file: it starts faster.
    gomocup
        Also write dist/pentad.zip, the archive that Gomocup takes.
    """
    from arena.build import pack_for_gomocup

    plan = _plan_build(onedir=onedir)
    if gomocup and onedir:
        raise UsageError("--gomocup wants one file: leave --onedir out")
    _build(plan)
    for game in plan.games:
        _out().print(f"{game.title}: {plan.executable(game)}", soft_wrap=True)
    if gomocup:
        _out().print(f"Gomocup archive: {pack_for_gomocup(plan)}", soft_wrap=True)


@check.command(name="gomocup")
def check_gomocup(*command: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> int:
    """Put a Gomocup brain through its paces; write its command after `--`.

    Example: pentad check gomocup -- ./pbrain-mybrain --level 3
    """
    if not command:
        raise UsageError("the brain's command is wanted: pentad check gomocup -- COMMAND")
    from arena.check_gomocup import run_checks

    return run_checks(list(command))


@app.command
def perft(
    game: str,
    depth: int,
    /,
    *,
    size: int | None = None,
    rule: str | None = None,
    position: str = "",
    divide: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Count the legal move sequences of a length.

    Parameters
    ----------
    game
        Name of the game.
    depth
        Length of the sequences, plies.
    size
        Side of the board.
    rule
        Variant of the game.
    position
        Moves to begin after, written as in an opening file.
    divide
        Also show the count below each move.
    """
    from arena.choose import choose_position, choose_setup, find_game
    from arena.perft import count_all, count_by_move

    if depth < 0 or (divide and depth == 0):
        raise UsageError(f"DEPTH must be {int(divide)} or more, not {depth}")
    row = find_game(game)
    start = choose_position(row, choose_setup(row, size, rule), position)
    if divide:
        for line in count_by_move(start, depth):
            _out().print(f"{line.move} {line.nodes}")
    total = count_all(start, depth)
    _out().print(
        f"perft {depth}: {total.nodes} in {total.seconds:.3f} s, {total.nodes_per_s / 1e6:.2f} million a second"
    )


@app.command
def bench(
    game: str,
    /,
    *,
    depth: int | None = None,
    exe: Annotated[bool, Parameter(negative="")] = False,
    kernels: Literal["njit", "native"] | None = None,
) -> None:
    """Search fixed positions to a fixed depth: the node total is the engine's signature.

    Parameters
    ----------
    game
        Name of the game.
    depth
        Plies; the game's own where not given.
    exe
        Measure the built executable through its protocol instead of the search in this process.
    kernels
        How the search runs in this process: compiled at start, or from the native library.
    """
    if kernels:
        os.environ["PENTAD_KERNELS"] = kernels  # read where the kernels are loaded
    from arena.bench import bench_executable, bench_in_process, format_row, sum_rows
    from arena.choose import find_game

    if depth is not None and depth < 1:
        raise UsageError(f"--depth must be 1 or more, not {depth}")
    row = find_game(game)
    plies = depth or row.bench_depth
    executable = _plan_build(onedir=False).executable(row)
    rows = []
    for found in bench_executable(row, plies, executable) if exe else bench_in_process(row, plies):
        rows.append(found)
        _out().print(format_row(found), markup=False, soft_wrap=True)
    _out().print(format_row(sum_rows(rows)), markup=False, soft_wrap=True)


def _play(config: MatchConfig) -> int:
    """Run a match on the screen and return its exit code."""
    from arena.match import run_match
    from arena.plan import describe_shortage
    from arena.screen import LiveScreen, print_result

    shortage = describe_shortage(config.games, len(config.book), config.book.distinct)
    if shortage:
        _err().print(f"[yellow]warning:[/] {shortage}")
    with LiveScreen(_err(), config.games, " : ".join(config.names)) as screen:
        result = run_match(config, screen, sys.argv)
    print_result(_out(), result)
    return result.exit_code


def _plan_build(*, onedir: bool) -> BuildPlan:
    from arena.build import BuildPlan
    from arena.choose import list_games

    return BuildPlan(tuple(list_games().values()), onedir)


def _build(plan: BuildPlan) -> None:
    from arena.build import build as build_executables

    console = _err()
    with console.status("building the executables") as status:
        made = build_executables(plan, lambda line: status.update(f"building: {line[:100]}"))
    console.print("executables built" if made else "executables are up to date")


def _fail(error: object, code: int) -> int:
    text = " ".join(str(error).split()) if code == USAGE else str(error).strip()
    _err().print(f"pentad: {text}", style="red", markup=False, soft_wrap=True)
    return code


def _out() -> Console:
    return Console(highlight=False)


def _err() -> Console:
    """Made anew each time: the streams may have been exchanged since."""
    return Console(stderr=True, highlight=False)
