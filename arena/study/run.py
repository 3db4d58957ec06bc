"""Runs a study for `pentad study`: plays and measures its parts one after the other, then writes the report.

The study's folder holds a run for each part with games, which `pentad report` can show, and a JSON lines file for each
chain of measurements. The same command continues an interrupted study; finished games and measurements are kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from msgspec import structs

from arena.errors import CommandFailedError, UsageError, install_command
from arena.log.file import Run
from arena.options.match import MatchOptions, configure_match
from arena.options.study import StudyOptions
from arena.run.config import USER_STOP, MatchConfig, RunObserver
from arena.run.match import lock_run
from arena.run.provenance import read_versions
from arena.run.run_or_resume import run_or_resume
from arena.study.catalogue import find_study
from arena.study.chains import measure_chains, read_chain
from arena.study.plot import can_plot, write_plot
from arena.study.report_files import PLOT_NAME, write_report
from arena.study.study import (
    Chain,
    MatchPart,
    MeasurementPart,
    Record,
    RecordsByChain,
    Study,
    StudyData,
    StudyReport,
    StudySettings,
)
from arena.terms.arguments import find_game
from core.native.machine import list_processors
from core.system.files import replace_text_file

# File with the study's settings and pentad's version, so that a folder of another study is refused
SETTINGS_NAME = "begun.json"
RUNS_FOLDER = Path("runs")  # for studies without --out, in the current folder
OWN_PACKAGE = "pentad"


class StudyObserver(Protocol):
    """Shows the progress of a study to the user."""

    def print_line(self, text: str) -> None:
        """Print a message, such as the name of the part that begins."""

    def watch_games(self, config: MatchConfig) -> AbstractContextManager[RunObserver]:
        """Show the games of a part; the context manager yields the observer for its run."""

    def watch_chains(self, done: int, planned: int) -> AbstractContextManager[Callable[[], None]]:
        """Show the measurements of a part, of which `done` of `planned` exist already.

        The context manager yields a function that must be called after each further measurement.
        """


@dataclass(frozen=True)
class StudyPlan:
    """A study with its settings and its folder, and how many games or measurements run at a time, and where."""

    study: Study
    settings: StudySettings
    out: Path
    concurrency: int | None = None  # games or measurements at the same time; None: one per processor or cluster thread
    scheduler: str = ""  # address of a dask scheduler

    @property
    def parts(self) -> Sequence[MatchPart | MeasurementPart]:
        """Return the parts in the order in which they are run."""
        return self.study.plan(self.settings)


@dataclass(frozen=True)
class StudyOutcome:
    """The report of a finished study, and the files written for it."""

    report: StudyReport
    files: Sequence[Path]


def plan_study(name: str, game: str, options: StudyOptions) -> StudyPlan:
    """Return the plan for the arguments of `pentad study`; raise UsageError if they do not fit the study."""
    study = find_study(name)
    if study.takes_game and not game:
        raise UsageError(f"{study.name} needs the name of a game: pentad study {study.name} GAME")
    if game and not study.takes_game:
        raise UsageError(f"{study.name} does not take the name of a game: leave {game!r} out")
    if options.engine and not study.takes_engines:
        raise UsageError(f"{study.name} takes no additional engines: leave --engine out")
    if options.concurrency is not None and options.concurrency < 1:
        raise UsageError(f"--concurrency must be 1 or more, not {options.concurrency}")
    if options.seed < 0:
        raise UsageError(f"--seed must be 0 or more, not {options.seed}")
    settings = StudySettings(options.quick, options.seed, find_game(game).name if game else "", tuple(options.engine))
    folder_words = (study.name, settings.game, "quick" if settings.quick else "")  # such as runs/levels-hex-quick
    plan = StudyPlan(
        study,
        settings,
        options.out or RUNS_FOLDER / "-".join(filter(None, folder_words)),
        options.concurrency,
        options.scheduler,
    )
    parts = plan.parts  # raises UsageError for a wrong engine before any game is played
    if plan.scheduler and not any(isinstance(part, MatchPart) for part in parts):
        raise UsageError(f"{study.name} plays no match, so a cluster cannot help: leave --scheduler out")
    return plan


def run_study(plan: StudyPlan, observer: StudyObserver, command_line: Sequence[str] = ()) -> StudyOutcome:
    """Run what is missing of a study and write its report.

    `command_line` is recorded in the logs of its runs. Raise UsageError if the folder holds another study, and
    CommandFailedError if a part stopped early. After KeyboardInterrupt or an error the same call continues the study.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    with lock_run(plan.out):
        _write_or_check_settings(plan)
        if not can_plot():
            observer.print_line(f"no plot will be drawn because matplotlib is missing: {install_command('studies')}")
        study_data = _run_parts(plan, observer, command_line)
        return write_outcome(plan, study_data)


def write_outcome(plan: StudyPlan, study_data: StudyData) -> StudyOutcome:
    """Write the report, and a plot if matplotlib is installed and the report has charts."""
    report = plan.study.analyse(study_data)
    files = write_report(plan.out, plan.study, study_data, report)
    plot_path = plan.out / PLOT_NAME
    plot_path.unlink(missing_ok=True)  # an old plot would not show these results
    if can_plot() and report.charts:
        write_plot(plot_path, f"{plan.study.name}{' (quick)' if plan.settings.quick else ''}", report.charts)
        files.append(plot_path)
    return StudyOutcome(report, files)


def _write_or_check_settings(plan: StudyPlan) -> None:
    """Write the study's settings into its folder; raise UsageError if the folder holds other settings."""
    path = plan.out / SETTINGS_NAME
    content = {"study": plan.study.name, **asdict(plan.settings), "version": read_versions().get(OWN_PACKAGE, "")}
    text = json.dumps(content, indent=1) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise UsageError(f"{plan.out} holds another study, or other settings or version ({path}): choose another --out")
    replace_text_file(path, text)


def _run_parts(plan: StudyPlan, observer: StudyObserver, command_line: Sequence[str]) -> StudyData:
    """Play or measure each part, and return all data."""
    runs: dict[str, Run] = {}
    chains: dict[str, Sequence[Record]] = {}
    parts = plan.parts
    for number, part in enumerate(parts, 1):
        names = [part.name] if isinstance(part, MatchPart) else [chain.name for chain in part.chains]
        observer.print_line(f"part {number} of {len(parts)}: {', '.join(names)}")
        if isinstance(part, MatchPart):
            runs[part.name] = _play_games(plan, observer, part, command_line)
        else:
            chains |= _measure_chains(plan, observer, part.chains, chains)
    return StudyData(plan.settings, runs, chains)


def _play_games(plan: StudyPlan, observer: StudyObserver, part: MatchPart, command_line: Sequence[str]) -> Run:
    """Play the missing games of a part and return its run."""
    config = configure_match(_complete_options(plan, part.options))
    # the folder is not set in the options, because configure_match() refuses a folder that holds a run
    config = structs.replace(config, out=plan.out / part.name, book=part.book or config.book)
    with observer.watch_games(config) as run_observer:
        result = run_or_resume(config, run_observer, command_line)
    if result.stopped == USER_STOP:
        raise KeyboardInterrupt
    if result.stopped or not result.outcome.is_finished:
        raise CommandFailedError(f"part {part.name} stopped: {result.stopped}; its games are in {result.directory}")
    return result.outcome.run


def _complete_options(plan: StudyPlan, options: MatchOptions) -> MatchOptions:
    """Return the match options of a part with the study's seed, scheduler and concurrency."""
    # 0 stands for one game per thread of the cluster
    concurrency = plan.concurrency or (0 if plan.scheduler else len(list_processors()))
    return structs.replace(options, seed=plan.settings.seed, scheduler=plan.scheduler, concurrency=concurrency)


def _measure_chains(
    plan: StudyPlan, observer: StudyObserver, chains: Sequence[Chain], earlier_chains: RecordsByChain
) -> dict[str, list[Record]]:
    """Make the missing measurements of a part, and return its records by chain name."""
    done = sum(len(read_chain(plan.out, chain)) for chain in chains)
    concurrency = plan.concurrency or len(list_processors())
    with observer.watch_chains(done, sum(chain.length for chain in chains)) as advance:
        return measure_chains(plan.out, chains, earlier_chains, concurrency, advance)
