"""Does a study: plays and measures its parts one after the other, then writes its report. The same command goes on.

Games are ordinary runs in folders below the study's, so that `pentad report` shows them too; measurements are lines of
JSON beside them. Nothing is played or measured twice.
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
from arena.study.study import (
    Chain,
    Findings,
    Measurements,
    Record,
    Records,
    Study,
    StudyGames,
    StudyReport,
    StudyTerms,
)
from arena.study.written import PLOT_NAME, write_report
from arena.terms.arguments import find_game
from core.native.machine import list_processors
from core.system.files import replace_text_file

BEGUN_NAME = "begun.json"
RUNS = Path("runs")
OURS = "pentad"


class StudyScreen(Protocol):
    """Where a study shows how far it is."""

    def tell(self, text: str) -> None:
        """Say something that no one should miss."""

    def watch_games(self, config: MatchConfig) -> AbstractContextManager[RunObserver]:
        """A screen over the games of a part."""

    def watch_chains(self, done: int, planned: int) -> AbstractContextManager[Callable[[], None]]:
        """A bar over measurements; what it yields is to be called after each."""


@dataclass(frozen=True)
class StudyPlan:
    """A study with its terms, where it is kept, and what does it."""

    study: Study
    terms: StudyTerms
    out: Path
    concurrency: int | None = None  # None: all that there is
    scheduler: str = ""

    @property
    def parts(self) -> Sequence[StudyGames | Measurements]:
        """In the order in which they are done."""
        return self.study.plan(self.terms)


@dataclass(frozen=True)
class StudyOutcome:
    """What a study came to, and the files that say so."""

    report: StudyReport
    files: Sequence[Path]


def plan_study(name: str, game: str, request: StudyOptions) -> StudyPlan:
    """The study that a request means; raise UsageError."""
    study = find_study(name)
    if study.takes_game and not game:
        raise UsageError(f"{study.name} is a study of any game: pentad study {study.name} GAME")
    if game and not study.takes_game:
        raise UsageError(f"{study.name} is a study of one game: leave {game!r} out")
    if request.engine and not study.takes_engines:
        raise UsageError(f"{study.name} takes no further engines: leave --engine out")
    if request.concurrency is not None and request.concurrency < 1:
        raise UsageError(f"--concurrency must be 1 or more, not {request.concurrency}")
    if request.seed < 0:
        raise UsageError(f"--seed must be 0 or more, not {request.seed}")
    terms = StudyTerms(request.quick, request.seed, find_game(game).name if game else "", tuple(request.engine))
    names = (study.name, terms.game, "quick" if terms.quick else "")
    plan = StudyPlan(
        study, terms, request.out or RUNS / "-".join(filter(None, names)), request.concurrency, request.scheduler
    )
    parts = plan.parts  # also so that mistakes in them are told now
    if plan.scheduler and not any(isinstance(part, StudyGames) for part in parts):
        raise UsageError(f"{study.name} plays no match: it is measured here, without --scheduler")
    return plan


def run_study(plan: StudyPlan, screen: StudyScreen, command_line: Sequence[str] = ()) -> StudyOutcome:
    """Do what is left of a study and write its report; raise UsageError where its folder holds another one.

    KeyboardInterrupt leaves it to be gone on with; CommandFailedError says what stopped its games.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    with lock_run(plan.out):
        _note_begun(plan)
        if not can_plot():
            screen.tell(f"no plot will be drawn, as matplotlib is missing: {install_command('studies')}")
        findings = _find_all(plan, screen, command_line)
        return write_outcome(plan, findings)


def write_outcome(plan: StudyPlan, findings: Findings) -> StudyOutcome:
    """Write the report of what was found, with a plot where that can be drawn."""
    report = plan.study.analyse(findings)
    files = write_report(plan.out, plan.study, findings, report)
    plot = plan.out / PLOT_NAME
    plot.unlink(missing_ok=True)  # an older one would not be of these figures
    if can_plot() and report.charts:
        write_plot(plot, f"{plan.study.name}{' (quick)' if plan.terms.quick else ''}", report.charts)
        files.append(plot)
    return StudyOutcome(report, files)


def _note_begun(plan: StudyPlan) -> None:
    """Note in the folder which study it holds; raise UsageError where it holds another one."""
    path = plan.out / BEGUN_NAME
    here = {"study": plan.study.name, **asdict(plan.terms), "version": read_versions().get(OURS, "")}
    text = json.dumps(here, indent=1) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise UsageError(f"{plan.out} holds another study, or one on other terms ({path}): choose another --out")
    replace_text_file(path, text)


def _find_all(plan: StudyPlan, screen: StudyScreen, command_line: Sequence[str]) -> Findings:
    """Play and measure part by part."""
    runs: dict[str, Run] = {}
    chains: dict[str, Sequence[Record]] = {}
    parts = plan.parts
    for number, part in enumerate(parts, 1):
        names = [part.name] if isinstance(part, StudyGames) else [chain.name for chain in part.chains]
        screen.tell(f"part {number} of {len(parts)}: {', '.join(names)}")
        if isinstance(part, StudyGames):
            runs[part.name] = _play(plan, screen, part, command_line)
        else:
            chains |= _measure(plan, screen, part.chains, chains)
    return Findings(plan.terms, runs, chains)


def _play(plan: StudyPlan, screen: StudyScreen, part: StudyGames, command_line: Sequence[str]) -> Run:
    """Play the games of a part, or what is left of them."""
    config = configure_match(_complete(plan, part.request))
    # a folder that may hold a part of it already
    config = structs.replace(config, out=plan.out / part.name, book=part.book or config.book)
    with screen.watch_games(config) as games:
        result = run_or_resume(config, games, command_line)
    if result.stopped == USER_STOP:
        raise KeyboardInterrupt
    if result.stopped or not result.outcome.is_finished:
        raise CommandFailedError(f"part {part.name} stopped: {result.stopped}; its games are in {result.directory}")
    return result.outcome.run


def _complete(plan: StudyPlan, request: MatchOptions) -> MatchOptions:
    """A part's request with what is the study's."""
    at_once = plan.concurrency or (0 if plan.scheduler else len(list_processors()))
    return structs.replace(request, seed=plan.terms.seed, scheduler=plan.scheduler, concurrency=at_once)


def _measure(
    plan: StudyPlan, screen: StudyScreen, chains: Sequence[Chain], earlier: Records
) -> dict[str, list[Record]]:
    done = sum(len(read_chain(plan.out, chain)) for chain in chains)
    at_once = plan.concurrency or len(list_processors())
    with screen.watch_chains(done, sum(chain.length for chain in chains)) as advance:
        return measure_chains(plan.out, chains, earlier, at_once, advance)
