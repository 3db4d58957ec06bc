"""The `pentad study` commands: most repeat experiments of published papers with our versions of their players.

`arena/cli/main.py` imports this module when `pentad study` is used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

from cyclopts import App, Parameter

from arena.console import ExitCode, GameName, stderr_console, stdout_console
from arena.options.study import DEFAULT_STUDY_OPTIONS, StudyOptions
from arena.study import catalogue
from arena.study.study import Study

study = App(
    name="study",
    help="Repeat experiments of published papers, one command per experiment.",
    usage="Usage: pentad study NAME [GAME] [OPTIONS]",
    result_action="return_value",
)


@study.command(name="list")
def list_studies() -> None:
    """List all studies.

    Example: pentad study list
    """
    names = [f"{one_study.name}{' GAME' if one_study.takes_game else ''}" for one_study in catalogue.STUDIES]
    width = max(map(len, names))
    for name, one_study in zip(names, catalogue.STUDIES, strict=True):
        stdout_console().print(f"{name.ljust(width)}  {one_study.help}", markup=False, soft_wrap=True)


@study.default
def run_one(
    name: Annotated[str, Parameter(show=False)],
    game: Annotated[str, Parameter(show=False)] = "",
    /,
    *,
    options: StudyOptions = DEFAULT_STUDY_OPTIONS,
) -> int:
    """Run a study; write its tables, a plot and all results. The same command continues an interrupted study."""
    from arena.study.display import StudyDisplay
    from arena.study.report_files import describe_settings, format_report
    from arena.study.run import plan_study, run_study

    plan, screen = plan_study(name, game, options), StudyDisplay(stderr_console())
    screen.print_line(f"{plan.study.name}: {describe_settings(plan.study, plan.settings)}")
    try:
        outcome = run_study(plan, screen, sys.argv)
    except KeyboardInterrupt:
        screen.print_line(f"interrupted: the same command with --out {plan.out} continues")
        raise
    report_text = format_report(plan.study, plan.settings, outcome.report)
    stdout_console().print(report_text, end="", markup=False, soft_wrap=True)
    for path in outcome.files:
        stdout_console().print(f"written: {path}", markup=False, soft_wrap=True)
    return ExitCode.SUCCESS


def _make_command(one_study: Study) -> Callable[..., int]:
    """Return the function of the command of a study, so that `pentad study NAME --help` describes this study."""

    def run_without_game(*, options: StudyOptions = DEFAULT_STUDY_OPTIONS) -> int:
        return run_one(one_study.name, options=options)

    def run_with_game(game: GameName, /, *, options: StudyOptions = DEFAULT_STUDY_OPTIONS) -> int:
        return run_one(one_study.name, game, options=options)

    return run_with_game if one_study.takes_game else run_without_game


for each in catalogue.STUDIES:
    study.command(_make_command(each), name=each.name, help=f"{each.help[0].upper()}{each.help[1:]}.")
