"""Review many games one after the other: read the files, search, judge, write, and an index of all reviews."""

from __future__ import annotations

import html
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import CommandFailedError
from arena.game_files.reading import ReadingOptions, read_games
from arena.game_files.stored_game import GameFileError, StoredGame
from arena.log.events import GameEnded, RunStarted
from arena.log.file import LOG_NAME, read_run
from arena.review.files import PAGE_NAME, StoredReview, make_stored_review, read_searched, write_review
from arena.review.grades import PRESETS
from arena.review.moves import GameReview, list_doubtful_plies, review_game
from arena.review.positions import AnalysedPosition, SearchSettings, search_positions, select_plies
from arena.terms.arguments import find_game
from core.play.game import Game
from core.play.player import Setup
from core.system.files import read_file, replace_text_file
from protocols.text import clean_text

STANDARD_INPUT = Path("-")
INDEX_NAME = "index.html"
SAVE_INTERVAL_S = 5.0  # between two writings of the searched positions
DOUBT_FACTOR = 4  # more time or nodes for positions whose value later positions contradict
MAX_TITLE = 60  # characters of a name in a title


WritePage = Callable[[Path, StoredGame, StoredReview], object]  # writes the page of a review into a folder


@dataclass(frozen=True)
class Source:
    """A game to review, or a file that could not be read."""

    title: str  # of the file, with the number of the game if it has several
    folder: str  # name of its folder in the queue's folder
    stored: StoredGame | None = None
    problem: str = ""


@dataclass(frozen=True)
class ReviewPlan:
    """How all games of a queue are reviewed."""

    settings: Callable[[Game], SearchSettings]
    preset: str
    write_page: WritePage
    first: int | None = None  # number of the first move to judge, from 1
    last: int | None = None


@dataclass
class ReviewResult:
    """What became of a source."""

    source: Source
    review: GameReview | None = None
    directory: Path | None = None
    problems: list[str] = field(default_factory=list)  # for people


def list_sources(paths: Sequence[Path], options: ReadingOptions, number: int | None) -> list[Source]:
    """Return the games of all files; a file that cannot be read is one source with the reason.

    `number` selects one game of a run's folder, or of a file.
    """
    sources: list[Source] = []
    for path in paths:
        try:
            games = list(_read_path(path, options, number))
        except (GameFileError, CommandFailedError) as error:
            sources.append(Source(str(path), "", problem=str(error)))
            continue
        except OSError as error:
            sources.append(Source(str(path), "", problem=error.strerror or str(error)))
            continue
        name = name_of(path)
        for label, stored in games:
            title = f"{path}{f', game {label}' if label else ''}"
            folder = f"{len(sources) + 1:03}-{name}{f'-{label}' if label else ''}"
            sources.append(Source(title, folder, stored))
    return sources


def name_of(path: Path) -> str:
    """Return the name of a file for a folder: letters, digits, dots and dashes alone."""
    name = "input" if path == STANDARD_INPUT else path.resolve().name if path.is_dir() else path.stem
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name)[:MAX_TITLE].strip("-.") or "game"


def _read_path(path: Path, options: ReadingOptions, number: int | None) -> Iterator[tuple[str, StoredGame]]:
    """Yield the games of a path with a label each: its number in a run or in the file, empty for a single game."""
    if path.is_dir():
        if not (path / LOG_NAME).is_file():
            raise GameFileError(f"there is no run in this folder: no {LOG_NAME}")
        run = read_run(path)
        chosen = [game for game in run.games if number in (None, game.number)]
        if not chosen:
            what = "complete pair of games" if number is None else f"game {number}"
            raise GameFileError(f"the run has no {what}; it has {len(run.games)} games")
        yield from ((str(game.number), from_log(run.header, game)) for game in chosen)
        return
    content = sys.stdin.buffer.read() if path == STANDARD_INPUT else read_file(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # names in old records; moves are ASCII in all formats
    if "\0" in text:
        raise GameFileError("the file is binary, not a text of moves")
    games = read_games(text, options)
    if number is not None:
        if not 1 <= number <= len(games):
            raise GameFileError(f"the file has no game {number}; it has {len(games)}")
        games = games[number - 1 : number]
    yield from (("" if len(games) == 1 else str(index), game) for index, game in enumerate(games, 1))


def from_log(header: RunStarted, game: GameEnded) -> StoredGame:
    """Return a game of a match; the moves of its opening are not graded."""
    row = find_game(header.game)
    setup = Setup(header.width, header.height, header.variant, header.position)
    result = f"{game.ending}, won by {game.winner}" if game.winner else str(game.ending)
    return StoredGame(row, setup, game.all_moves, (game.first, game.second), result, len(game.opening))


def review_source(
    source: Source, plan: ReviewPlan, directory: Path, on_position: Callable[[int, int], None]
) -> ReviewResult:
    """Search and judge a game and write its files; what an earlier review in the folder searched is kept.

    `on_position` is called with the number of searched positions and their total. If the review is interrupted, what
    is there is written before the exception goes on. Raise CommandFailedError if the engine fails.
    """
    stored = source.stored
    assert stored is not None
    settings, thresholds = plan.settings(stored.game), PRESETS[plan.preset]
    searched = read_searched(directory, stored, settings)
    plies = select_plies(stored, plan.first, plan.last, searched)
    if plan.first is not None and plan.first > len(stored.moves):
        raise CommandFailedError(f"--from {plan.first} is after the last move of the game, {len(stored.moves)}")
    directory.mkdir(parents=True, exist_ok=True)  # before the search, which would be lost
    total, saved = len(plies) + len(searched), time.perf_counter()

    def save(*, pages: bool) -> GameReview:
        review = review_game(stored, searched, thresholds)
        content = make_stored_review(stored, settings, plan.preset, searched, review)
        write_review(directory, stored, content)
        if pages:
            plan.write_page(directory, stored, content)
        return review

    def on_searched(position: AnalysedPosition) -> None:
        nonlocal saved
        searched[position.ply] = position
        on_position(len(searched), total)
        if time.perf_counter() - saved > SAVE_INTERVAL_S:
            save(pages=False)
            saved = time.perf_counter()

    on_position(len(searched), total)
    try:
        search_positions(stored, settings, plies, on_searched)
        doubtful = list_doubtful_plies(stored, searched)
        total += len(doubtful)
        search_positions(stored, settings.enlarged(DOUBT_FACTOR), doubtful, on_searched)
    except BaseException:
        if searched:
            save(pages=True)
        raise
    problems = [stored.problem] if stored.problem else []
    if searched and not any(line.probability is not None for found in searched.values() for line in found.lines):
        problems.append(f"{settings.spec.name} reports no scores, so no move was graded")
    return ReviewResult(source, save(pages=True), directory, problems)


def write_index(directory: Path, results: Sequence[ReviewResult]) -> Path:
    """Write the page that links all reviews of a queue and lists the files that could not be read."""
    rows = "".join(_format_row(directory, result) for result in results)
    text = _INDEX.replace("{{ROWS}}", rows).replace("{{COUNT}}", str(len(results)))
    replace_text_file(directory / INDEX_NAME, text)
    return directory / INDEX_NAME


def _format_row(directory: Path, result: ReviewResult) -> str:
    title = html.escape(clean_text(result.source.title, 200))
    if result.review is None or result.directory is None:
        reason = html.escape("; ".join(result.problems) or result.source.problem)
        return f"<tr><td>{title}</td><td colspan=3>not reviewed: {reason}</td></tr>\n"
    link = f"{result.directory.relative_to(directory).as_posix()}/{PAGE_NAME}"
    cells = []
    for player in result.review.players:
        accuracy = "n/a" if player.accuracy is None else f"{player.accuracy:.0f} %"
        cells.append(f"<td>{html.escape(player.name or '?')}: {accuracy}</td>")
    problem = html.escape("; ".join(result.problems))
    return f"<tr><td><a href='{html.escape(link)}'>{title}</a></td>{''.join(cells)}<td>{problem}</td></tr>\n"


_INDEX = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Reviews</title>
<style>:root{color-scheme:light dark}body{font:16px system-ui,sans-serif;margin:2rem;max-width:70rem}
td,th{overflow-wrap:anywhere;padding:.3rem .8rem;text-align:left;border-bottom:1px solid #8884}</style></head>
<body><h1>{{COUNT}} reviews</h1>
<table><thead><tr><th>game</th><th>first side</th><th>second side</th><th>problems</th></tr></thead><tbody>
{{ROWS}}</tbody></table></body></html>
"""
