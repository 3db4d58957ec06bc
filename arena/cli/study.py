"""The `pentad study` commands: repeat experiments of published papers with our versions of their players."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import App, Parameter

from arena.console import ExitCode, stderr_console, stdout_console
from arena.options.study import DEFAULT_STUDY_OPTIONS, StudyOptions

study = App(
    name="study",
    help="Repeat experiments of published papers, one command per experiment.",
    result_action="return_value",
)


@study.command(name="list")
def list_studies() -> None:
    """List all studies.

    Example: pentad study list
    """
    from arena.study.catalogue import STUDIES

    names = [f"{one_study.name}{' GAME' if one_study.takes_game else ''}" for one_study in STUDIES]
    width = max(map(len, names))
    for name, one_study in zip(names, STUDIES, strict=True):
        stdout_console().print(f"{name.ljust(width)}  {one_study.help}", markup=False, soft_wrap=True)


@study.default
def run_one(
    name: Annotated[str, Parameter(help="Name of the study; `pentad study list` shows all.")],
    game: Annotated[str, Parameter(help="Game, for a study that any game can have, such as levels.")] = "",
    /,
    *,
    options: StudyOptions = DEFAULT_STUDY_OPTIONS,
) -> int:
    """Run a study; write its tables, a plot and all results. The same command continues an interrupted study.

    Example: pentad study hex-players --quick
    """
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
