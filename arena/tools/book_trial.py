"""`pentad openings --test`: plays the openings of a book, and drops those that one side wins too often.

The engines play each opening with both colours; a single engine plays against itself. The games are an ordinary run, so
an interrupted test can continue. A deterministic engine with a node limit would repeat its games, so it is better to
use several engines with different limits.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from arena.engines.spec import has_explicit_name
from arena.errors import UsageError
from arena.log.events import GameEnded
from arena.log.file import LOG_NAME, Run, read_run
from arena.options.match import MatchOptions, configure_match, describe_match
from arena.options.openings import DEFAULT_BOOK_TEST, BookTestOptions
from arena.run.config import MatchConfig
from arena.terms.ending import FAULTS
from arena.terms.openings import OpeningBook
from core.play.game import FIRST, SECOND, Game
from core.play.player import Setup
from core.system.files import replace_text_file

KEPT_NAME = "openings.txt"  # file in the folder of the run, with the openings that are kept
SIDES = ("first", "second")
SEED = 1  # of the run, fixed so that the same command continues it
MIN_DECIDED_SHARE = 0.5  # lower bound of --decided, exclusive: each side's share of the points in a balanced opening


@dataclass(frozen=True)
class JudgedOpening:
    """An opening and the verdict on it."""

    moves: tuple[str, ...]
    winner: int | None  # FIRST or SECOND if this side wins so often that the opening is dropped; None if it is kept
    is_faulty: bool = False  # there is no game, or a game ended by a fault, so the opening is kept without a verdict


def make_book(lines: Sequence[Sequence[str]], source: str) -> OpeningBook:
    """Return a book of generated openings; `source` says how, such as the command that makes them."""
    content = "\n".join(map(" ".join, lines))
    return OpeningBook(tuple(map(tuple, lines)), source, hashlib.sha256(content.encode()).hexdigest())


def read_started_book(out: Path | None, source: str) -> OpeningBook | None:
    """Return the openings of the test in folder `out`, so that the command that continues it need not search again.

    Return None if the folder has no test, or if its openings were made by a command other than `source`.
    """
    if out is None or not (out / LOG_NAME).exists():
        return None
    header = read_run(out).header
    return OpeningBook(header.book, source, header.openings_hash) if header.openings == source else None


def configure_test(game: Game, setup: Setup, book: OpeningBook, options: BookTestOptions) -> MatchConfig:
    """Return the configuration of the run that tests a book; raise UsageError for wrong options."""
    if options.games < 2 or options.games % 2:
        raise UsageError(f"--games, the number per opening, must be even and 2 or more, not {options.games}")
    if not MIN_DECIDED_SHARE < options.decided <= 1:
        raise UsageError(f"--decided must be above {MIN_DECIDED_SHARE} and at most 1, not {options.decided}")
    is_self_play = len(options.test) == 1
    if is_self_play and has_explicit_name(options.test[0]):
        raise UsageError("--test: the engine plays against itself under two names: leave name= out")
    config = configure_match(
        MatchOptions(
            game=game.name,
            engine=options.test * 2 if is_self_play else options.test,
            wine=options.wine,
            games=options.games * len(book),
            tc=options.tc,
            rule=setup.variant,
            size=setup.width or None,
            order="sequential",
            seed=SEED,
            concurrency=options.concurrency,
        )
    )
    out = options.out or config.out.with_name(config.out.name.replace("match", "openings"))
    return replace(config, book=book, out=out)


def judge_openings(run: Run, config: MatchConfig, decided: float = 1.0) -> list[JudgedOpening]:
    """Return the verdict on each opening of a finished test, in the order of the book.

    An opening is dropped if one side has this share of its points (`decided`, above 0.5 and up to 1) or more.
    """
    games_by_opening: list[list[GameEnded]] = [[] for _ in config.book.lines]
    opening_by_pair = {pair.number: pair.opening for pair in config.plan()}  # index of the opening in the book
    for game in run.games:
        opening_index = opening_by_pair[game.pair]
        assert opening_index is not None  # None only for a run without a book
        games_by_opening[opening_index].append(game)
    return [_judge(moves, games, decided) for moves, games in zip(config.book.lines, games_by_opening, strict=True)]


def format_test_options(options: BookTestOptions) -> str:
    """Return the options of a test as command line text, without --out, --book and --concurrency; omit defaults."""
    arguments = [argument for engine in options.test for argument in ("--test", engine)]
    for name in ("games", "tc", "decided"):
        if getattr(options, name) != getattr(DEFAULT_BOOK_TEST, name):
            arguments += [f"--{name}", str(getattr(options, name))]
    arguments += ["--wine"] if options.wine else []
    return shlex.join(arguments)


def write_kept_openings(run: Run, config: MatchConfig, command: str, decided: float = 1.0) -> str:
    """Write the openings that are kept to openings.txt in the run's folder, and return the text.

    The first line is a comment with `command`, which repeats the test. The dropped openings are comments at the end.
    """
    text = format_kept_openings(judge_openings(run, config, decided), config, command, decided)
    replace_text_file(config.out / KEPT_NAME, text)
    return text


def format_kept_openings(judged: Sequence[JudgedOpening], config: MatchConfig, command: str, decided: float) -> str:
    """Return the text of an opening file with the openings that are kept."""

    def format_moves(moves: Sequence[str]) -> str:
        return config.game.format_opening(moves, config.setup)

    dropped = [(opening, opening.winner) for opening in judged if opening.winner is not None]
    faulty_count = sum(opening.is_faulty for opening in judged)
    counts = ", ".join(f"{sum(winner == side for _, winner in dropped)} won by the {SIDES[side]}" for side in (0, 1))
    reason = "wins every game" if decided == 1 else f"has {decided:.0%} of the points or more"
    lines = [
        f"# {command}",
        f"# {len(judged) - len(dropped)} of {len(judged)} kept; dropped, as one side {reason}: {counts} side",
        *([f"# {faulty_count} of the kept ones not judged, because a game ended by a fault"] if faulty_count else []),
    ]
    lines += [format_moves(opening.moves) for opening in judged if opening.winner is None]
    lines += [f"# won by the {SIDES[winner]} side: {format_moves(opening.moves)}" for opening, winner in dropped]
    return "\n".join(lines) + "\n"


def describe_test(config: MatchConfig) -> str:
    """Return a line for the user about the games that the test plays, and how to continue it."""
    continuation = f"if interrupted, continue with the same command and --out {config.out}"
    return f"{len(config.book)} openings, {describe_match(config)}; {continuation}"


def _judge(moves: tuple[str, ...], games: Sequence[GameEnded], decided: float) -> JudgedOpening:
    """Return the verdict on the opening `moves`, with which these games were played."""
    if not games or any(game.ending in FAULTS for game in games):
        return JudgedOpening(moves, winner=None, is_faulty=True)
    first_points = sum(game.score(game.first) for game in games)
    share = max(first_points, len(games) - first_points) / len(games)
    return JudgedOpening(moves, None if share < decided else FIRST if 2 * first_points > len(games) else SECOND)
