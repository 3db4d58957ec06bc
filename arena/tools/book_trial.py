"""A book of openings played by equal engines: what the same side wins every time is decided, and dropped.

Each opening is played with both colours, at least, in the file's order and as an ordinary run, so that a test that was
broken off goes on where it was. An engine without chance repeats its game at a fixed number of nodes: several engines
with numbers of their own do not.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
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

KEPT_NAME = "openings.txt"
SIDES = ("first", "second")
SEED = 1  # of a test, so that the same command goes on with it
MIN_DECIDED_SHARE = 0.5  # of the points: what an even opening gives each side


@dataclass(frozen=True)
class JudgedOpening:
    """An opening with its games that count and what they say: `winner` is the side that has decided it, if one has."""

    moves: tuple[str, ...]
    games: tuple[GameEnded, ...] = field(repr=False)
    winner: int | None
    faulty: bool  # a game ended by a fault, which says nothing of the opening


def make_book(lines: Sequence[Sequence[str]], source: str) -> OpeningBook:
    """The book of openings that were just made."""
    content = "\n".join(map(" ".join, lines))
    return OpeningBook(tuple(map(tuple, lines)), source, hashlib.sha256(content.encode()).hexdigest())


def read_started_book(out: Path | None, source: str) -> OpeningBook | None:
    """The openings that a test began with in a folder, where they were made by the same command."""
    if out is None or not (out / LOG_NAME).exists():
        return None
    header = read_run(out).header
    return OpeningBook(header.book, source, header.openings_hash) if header.openings == source else None


def configure_test(game: Game, setup: Setup, book: OpeningBook, options: BookTestOptions) -> MatchConfig:
    """The run that tests a book; raise UsageError."""
    if options.games < 2 or options.games % 2:
        raise UsageError(f"--games of an opening must be even and 2 or more, not {options.games}")
    if not MIN_DECIDED_SHARE < options.decided <= 1:
        raise UsageError(f"--decided must be above {MIN_DECIDED_SHARE} and at most 1, not {options.decided}")
    alone = len(options.test) == 1
    if alone and has_explicit_name(options.test[0]):
        raise UsageError("--test: the engine plays itself: leave name= out")
    config = configure_match(
        MatchOptions(
            game=game.name,
            engine=options.test * 2 if alone else options.test,
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
    """What the games of a finished test say of each opening, in the order of the book.

    A side has decided one with `decided` of its points or more.
    """
    games: list[list[GameEnded]] = [[] for _ in range(len(config.book))]
    places = {pair.number: pair.opening for pair in config.plan()}
    for game in run.games:
        place = places[game.pair]
        assert place is not None  # there is a book
        games[place].append(game)
    return [_judge(moves, played, decided) for moves, played in zip(config.book.lines, games, strict=True)]


def format_test_options(options: BookTestOptions) -> str:
    """The options of a test, but for where it is written."""
    words = [word for engine in options.test for word in ("--test", engine)]
    for name in ("games", "tc", "decided"):
        if getattr(options, name) != getattr(DEFAULT_BOOK_TEST, name):
            words += [f"--{name}", str(getattr(options, name))]
    return shlex.join(words)


def write_kept_openings(run: Run, config: MatchConfig, command: str, decided: float = 1.0) -> str:
    """Write the openings that are kept into the run's folder, with what was dropped as remarks, and return the text.

    `command` makes the same again, as every book's first line does.
    """
    text = format_kept_openings(judge_openings(run, config, decided), config, command, decided)
    replace_text_file(config.out / KEPT_NAME, text)
    return text


def format_kept_openings(judged: Sequence[JudgedOpening], config: MatchConfig, command: str, decided: float) -> str:
    """The openings that are kept, as an opening file holds them."""

    def write(moves: Sequence[str]) -> str:
        return config.game.format_opening(moves, config.setup)

    dropped = [(opening, opening.winner) for opening in judged if opening.winner is not None]
    faulty = sum(opening.faulty for opening in judged)
    lost = ", ".join(f"{sum(winner == side for _, winner in dropped)} won by the {SIDES[side]}" for side in (0, 1))
    why = "wins every game" if decided == 1 else f"has {decided:.0%} of the points or more"
    lines = [
        f"# {command}",
        f"# {len(judged) - len(dropped)} of {len(judged)} kept; dropped, as one side {why}: {lost} side",
        *([f"# {faulty} of the kept ones not judged, because a game ended by a fault"] if faulty else []),
    ]
    lines += [write(opening.moves) for opening in judged if opening.winner is None]
    lines += [f"# won by the {SIDES[winner]} side: {write(opening.moves)}" for opening, winner in dropped]
    return "\n".join(lines) + "\n"


def describe_test(config: MatchConfig) -> str:
    """What will be played, in a line for a person."""
    return f"{len(config.book)} openings, {describe_match(config)}; the same command with --out {config.out} goes on"


def _judge(moves: tuple[str, ...], games: Sequence[GameEnded], decided: float) -> JudgedOpening:
    faulty = not games or any(game.ending in FAULTS for game in games)
    if faulty:
        return JudgedOpening(moves, tuple(games), None, faulty)
    points = sum(0.5 if not game.winner else game.winner == game.first for game in games)
    share = max(points, len(games) - points) / len(games)
    winner = None if share < decided else FIRST if 2 * points > len(games) else SECOND
    return JudgedOpening(moves, tuple(games), winner, faulty)
