"""The `pentad check` commands: test whether a program follows a protocol."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from arena.console import ExitCode, check_seconds, stderr_console, stdout_console
from arena.errors import UsageError
from arena.options.check import DEFAULT_UHP_CHECK_OPTIONS, UhpCheckOptions

if TYPE_CHECKING:
    from arena.check.check_list import CheckResult

check = App(name="check", help="Test whether a program follows its protocol.", result_action="return_value")


@check.command(name="gomocup")
def check_gomocup(
    *command: Annotated[
        str,
        Parameter(
            allow_leading_hyphen=True,
            help="Command of the brain and its arguments; instead of a program a ZIP as sent to Gomocup. If the ZIP has"
            " programs for several rules, each position of Gomocup's archive test is played by the one for its rule,"
            " and all else by that for freestyle on 15x15.",
        ),
    ],
    move_time: Annotated[float, Parameter(help="Time for a move, seconds.")] = 5.0,
    wine: Annotated[bool, Parameter(negative="", help="Run the .exe programs of a ZIP under wine.")] = False,
    suspended: Annotated[
        bool,
        Parameter(
            negative="",
            help="Suspend the process after its start, resume it for the first move, and test only that move. Gomocup's"
            " tournament manager does the same.",
        ),
    ] = False,
    starts: Annotated[int, Parameter(help="With --suspended: number of starts per time limit.")] = 20,
    loops: Annotated[int, Parameter(help="With --suspended: number of busy processes that run meanwhile.")] = 0,
) -> int:
    """Test a Gomocup brain: commands, time limits, illegal input. Write its command after `--`.

    Example: pentad check gomocup -- ./pbrain-mybrain --level 3
    """
    if not command:
        raise UsageError("the command of the brain is missing: pentad check gomocup -- COMMAND")
    check_seconds("--move-time", move_time)
    from arena.engines.gomocup_zip import find_archive

    if wine and not find_archive(command):
        raise UsageError("--wine is for ZIPs: leave it out, or write wine before the program")
    from arena.check.gomocup import check_gomocup as check_brain
    from arena.run.display import print_check

    report = partial(print_check, stdout_console())
    if not suspended:
        return _print_summary(check_brain(command, report, move_time, has_wine=wine))
    if starts < 1 or loops < 0:
        raise UsageError(f"--starts must be 1 or more and --loops 0 or more, not {starts} and {loops}")
    from arena.check.suspended_start import SuspendedStartOptions, check_suspended_start

    options = SuspendedStartOptions(starts, loops)
    return _print_summary(check_suspended_start(command, report, options, has_wine=wine))


@check.command(name="uhp")
def check_uhp(
    *command: Annotated[str, Parameter(allow_leading_hyphen=True, help="Command of the engine and its arguments.")],
    options: UhpCheckOptions = DEFAULT_UHP_CHECK_OPTIONS,
) -> int:
    """Test a UHP engine, and compare its legal moves with ours. Write its command after `--`.

    Example: pentad check uhp --games 500 -- nokamute uhp --num-threads=1
    """
    if not command:
        raise UsageError("the command of the engine is missing: pentad check uhp -- COMMAND")
    from arena.check.uhp import check_uhp as check_engine
    from arena.options.check import configure_audit
    from arena.run.display import CheckDisplay

    audit, types = configure_audit(options)
    with CheckDisplay(stdout_console(), stderr_console(), audit.games) as display:
        results = check_engine(
            command, display.on_item, audit, types, move_time_s=options.move_time, on_game=display.on_game
        )
    return _print_summary(results)


@check.command(name="gtp")
def check_gtp(
    *command: Annotated[str, Parameter(allow_leading_hyphen=True, help="Command of the engine and its arguments.")],
    game: Annotated[
        str,
        Parameter(help="Game that the engine plays: hex, pentago or kolibrat. Its moves are compared with our rules."),
    ] = "",
    move_time: Annotated[int, Parameter(help="Time for a move, whole seconds.")] = 1,
    dialect: Annotated[
        str,
        Parameter(help="Notation in which the engine writes moves, such as pentagod; it is not sent to the engine."),
    ] = "",
    startup: Annotated[
        tuple[str, ...], Parameter(negative="", help="Command to send to the engine at each start; may be repeated.")
    ] = (),
) -> int:
    """Test a GTP engine: commands, errors, time limits. Write its command after `--`.

    Example: pentad check gtp -- ./pentad-hex --level 3
    """
    if not command:
        raise UsageError("the command of the engine is missing: pentad check gtp -- COMMAND")
    check_seconds("--move-time", move_time, minimum=1)
    from arena.check.gtp import check_gtp as check_engine
    from arena.engines.gtp import find_gtp_game, with_dialect
    from arena.run.display import print_check
    from arena.terms.arguments import find_game

    console = stdout_console()
    gtp_game = find_gtp_game(find_game(game)) if game else None
    if dialect and gtp_game is None:
        raise UsageError(f"--dialect {dialect} needs a game: give --game too")
    if dialect and gtp_game:
        gtp_game = with_dialect(gtp_game, dialect)
    report = partial(print_check, console)
    return _print_summary(check_engine(command, report, move_time, gtp_game, startup_commands=startup))


def _print_summary(results: Sequence[CheckResult]) -> int:
    """Print how many checks passed and were skipped, and return the exit code."""
    failed = sum(not result.passed for result in results)
    skipped = sum(result.skipped for result in results)
    skipped_text = f"; {skipped} skipped, because the program does not answer" if skipped else ""
    stdout_console().print(
        f"{len(results) - failed} of {len(results) + skipped} checks passed{skipped_text}", soft_wrap=True
    )
    return ExitCode.FAILURE if failed else ExitCode.SUCCESS
