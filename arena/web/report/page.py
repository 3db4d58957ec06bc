"""The HTML report of a run: tables, plots and every game on a board, in one file that loads nothing else.

The page contains its data as gzipped JSON in base64, and its scripts insert text as text nodes only. Therefore no name
and no message of an engine can become markup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import structs

from arena.formats.rules import TITLES, TournamentRules, find_rules
from arena.log.events import EngineEntry, RunStarted
from arena.log.file import read_run
from arena.results.outcome import RunOutcome, compute_outcome, replace_anchors
from arena.results.rounds import RoundsResult
from arena.review.run_games import list_existing_reviews
from arena.terms.anchors import Anchor
from arena.terms.arguments import find_game
from arena.terms.clock import describe_controls
from arena.web.painters import find_painter
from arena.web.report.figures import (
    EngineResults,
    Rating,
    SprtChart,
    TimeStatistics,
    count_endings,
    count_results,
    list_ratings,
    make_sprt_chart,
    summarize_times,
)
from arena.web.report.replay import Replay, list_times, replay_game
from arena.web.static_page import fill_template
from core.play.game import Game
from core.play.player import Setup
from core.play.scene import DrawnBoard
from core.system.files import replace_text_file

REPORT_NAME = "report.html"
SCRIPTS = ("bugs.js", "board.js", "charts.js", "rounds.js", "stored_data.js", "replay.js", "report.js")
STYLES = ("page.css", "board.css", "report.css")


class Report(msgspec.Struct, frozen=True):
    """The data of the page, which `report.js` reads."""

    title: str
    facts: tuple[tuple[str, str], ...]  # settings of the run: name and value, as text
    engines: tuple[tuple[str, str], ...]  # name and description, in the order of the run
    board: DrawnBoard
    rounds: RoundsResult | None  # None in formats without rounds
    results: tuple[EngineResults, ...]  # in the order of `engines`
    ratings: tuple[Rating, ...]
    has_anchors: bool  # whether ratings are absolute numbers, not differences
    sprt: SprtChart | None  # None for a run without a sequential test
    times: tuple[TimeStatistics, ...]
    endings: dict[str, list[int]]  # by ending: number of games, then the number that each engine is to blame for
    warnings: tuple[str, ...]
    games: tuple[Replay, ...]


def write_html(directory: Path, anchors: Sequence[Anchor] = ()) -> Path:
    """Write the report into the directory of a run and return its path; anchors replace those of the run.

    Raise CommandFailedError if there is no readable log, or a game cannot be replayed.
    """
    path = directory / REPORT_NAME
    run = read_run(directory)
    run = replace_anchors(run, anchors) if anchors else run
    replace_text_file(path, format_page(make_report(compute_outcome(run), list_existing_reviews(directory, run.games))))
    return path


def make_report(outcome: RunOutcome, reviews: Mapping[int, str] | None = None) -> Report:
    """Return the report of a run; raise CommandFailedError if a game cannot be replayed.

    `reviews` has the paths of reviewed games' pages, by game number.
    """
    reviews = reviews or {}
    header, games = outcome.run.header, outcome.run.games
    game = find_game(header.game)
    painter = find_painter(game)
    setup = Setup(header.width, header.height, header.variant, header.position)
    names = list(outcome.run.names)
    start = game.new_position(setup)
    replays = [
        structs.replace(replay_game(start, painter, ended, names, game.records), review=reviews.get(ended.number, ""))
        for ended in games
    ]
    times = [time for replay in replays for time in list_times(replay, names)]
    return Report(
        title=f"{game.title}: {' against '.join(names) if len(names) == 2 else f'{len(names)} engines'}",
        facts=tuple(_list_facts(game, header, len(games))),
        engines=tuple((engine.name, _describe_engine(engine)) for engine in header.engines),
        board=painter.make_board(setup),
        rounds=outcome.rounds,
        results=tuple(count_results(names, games)),
        ratings=tuple(list_ratings(outcome)),
        has_anchors=bool(outcome.ratings and outcome.ratings.anchors),
        sprt=make_sprt_chart(outcome),
        times=tuple(summarize_times(outcome.statistics.engines, times)),
        endings=count_endings(names, games),
        warnings=outcome.warnings,
        games=tuple(replays),
    )


def format_page(report: Report) -> str:
    """Return the page as HTML."""
    return fill_template("report.html", report.title, STYLES, SCRIPTS, report)


def _list_facts(game: Game, header: RunStarted, games_played: int) -> list[tuple[str, str]]:
    """Return the settings of a run as pairs of name and value, for people."""
    board = f", {header.width}x{header.height}" if header.width else ""
    tags = [(name, text) for name, text in (("event", header.event_name), ("site", header.site)) if text]
    return [
        *tags,
        ("game", f"{game.title}, {header.variant}{board}"),
        ("format", _describe_format(find_rules(header, len(header.engines)))),
        ("games", f"{games_played} played"),
        ("started", header.started),
        ("limits", describe_controls(header.control, ((engine.name, engine.tc) for engine in header.engines))),
        ("openings", header.openings or "none"),
        ("order, seed", f"{header.order}, {header.seed}"),
        ("machine", ", ".join(header.machine.get(key, "") for key in ("cpu", "system") if header.machine.get(key))),
        ("versions", ", ".join(f"{name} {version}" for name, version in header.versions.items())),
        ("command", " ".join(header.command_line)),
    ]


def _describe_format(rules: TournamentRules) -> str:
    """Return the format of the tournament with its own numbers."""
    details = f", {rules.rounds} rounds" if rules.is_by_rounds else ""
    tie_breaks = f", up to {rules.tie_break_games} tie-break games" if rules.tie_break_games else ""
    return f"{TITLES[rules.format]}{f' of {rules.gauntlet}' if rules.gauntlet else ''}{details}{tie_breaks}"


def _describe_engine(engine: EngineEntry) -> str:
    """Return the command line or player of an engine, its time control if it has one of its own, and its options."""
    options = "".join(f", {key}={value}" for key, value in engine.options)
    return (engine.command or f"player {engine.player}") + (f", tc={engine.tc}" if engine.tc else "") + options
