"""The options of `pentad review` on the command line, and the plan that they make."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from arena.console import check_seconds
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.engines.spec import EngineSpec
    from arena.game_files.reading import ReadingOptions
    from arena.review.run import ReviewPlan, WritePage
    from core.play.game import Game

Preset = Literal["beginner", "club", "expert"]
_GAME = Group.create_ordered("Game")
_SEARCH = Group.create_ordered("Search")
_REVIEW = Group.create_ordered("Review")


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """The options of `pentad review`; a field's docstring is its help."""

    game: Annotated[str, Parameter(group=_GAME, show_default=False)] = ""
    """Name of the game if the file does not tell it; or the number of a game in the folder of a run."""

    size: Annotated[int | None, Parameter(group=_GAME)] = None
    """Side length of the board if the file does not tell it."""

    rule: Annotated[str | None, Parameter(name=["--rule", "--type"], group=_GAME)] = None
    """Variant of the game if the file does not tell it, such as standard or Base+MLP."""

    engine: Annotated[str, Parameter(group=_SEARCH, show_default=False)] = ""
    """Engine that judges, as in `pentad match --engine`. Default: the strongest player of the game."""

    wine: Annotated[bool, Parameter(negative="", group=_SEARCH)] = False
    """Run the .exe program of a ZIP under wine, as in `pentad match --wine`."""

    time: Annotated[float, Parameter(group=_SEARCH)] = 1.0
    """Seconds per position, for all lines together."""

    nodes: Annotated[int | None, Parameter(group=_SEARCH)] = None
    """Nodes per line, instead of a time."""

    depth: Annotated[int | None, Parameter(group=_SEARCH)] = None
    """Depth per line in plies, instead of a time."""

    lines: Annotated[int, Parameter(group=_SEARCH)] = 2
    """Lines per position, the best first."""

    threads: Annotated[int, Parameter(group=_SEARCH)] = 1
    """Threads of each search."""

    jobs: Annotated[int, Parameter(group=_SEARCH)] = 0
    """Positions searched at the same time. 0: as many as the processors allow."""

    scale: Annotated[float | None, Parameter(group=_SEARCH)] = None
    """Score at which the engine of --engine wins 73 %. Default: that of our strongest player."""

    preset: Annotated[Preset, Parameter(group=_REVIEW)] = "club"
    """Strictness: for beginners a move must lose 1.5 times as much as usual to be an error, for experts 0.6 times."""

    first: Annotated[int | None, Parameter(name="--from", group=_REVIEW)] = None
    """Number of the first move to judge. Default: 1, or the first after the opening of a match game."""

    last: Annotated[int | None, Parameter(name="--to", group=_REVIEW)] = None
    """Number of the last move to judge. Default: the last of the game."""

    out: Annotated[Path | None, Parameter(group=_REVIEW)] = None
    """Folder of the review. Default: review-NAME, with the name of the first file."""


DEFAULTS = ReviewOptions()


def check_options(options: ReviewOptions) -> None:
    """Raise UsageError if a number is out of range, or if two budgets are given."""
    check_seconds("--time", options.time)
    numbers = {"nodes": options.nodes, "depth": options.depth, "from": options.first, "to": options.last}
    numbers |= {"lines": options.lines, "threads": options.threads}
    for name, value in numbers.items():
        if value is not None and value < 1:
            raise UsageError(f"--{name} must be 1 or more, not {value}")
    if options.jobs < 0:
        raise UsageError(f"--jobs must be 0 or more, not {options.jobs}")
    if options.scale is not None and not options.scale > 0:
        raise UsageError(f"--scale must be above 0, not {options.scale:g}")
    if options.nodes is not None and options.depth is not None:
        raise UsageError("give either --nodes or --depth")
    if options.first is not None and options.last is not None and options.first > options.last:
        raise UsageError(f"--from must not be after --to, but {options.first} is after {options.last}")


def make_reading_options(options: ReviewOptions) -> tuple[ReadingOptions, int | None]:
    """Return how games are read, and the number of the game of a run if `--game` is a number; raise UsageError."""
    from arena.game_files.reading import ReadingOptions
    from arena.terms.arguments import find_game

    if options.game.isascii() and options.game.isdigit():
        return ReadingOptions(None, options.size, options.rule), int(options.game)
    game = find_game(options.game) if options.game else None
    return ReadingOptions(game, options.size, options.rule), None


def make_plan(options: ReviewOptions, write_page: WritePage) -> ReviewPlan:
    """Return how the games are reviewed."""
    from arena.review.positions import SearchSettings
    from arena.review.run import ReviewPlan
    from core.native.machine import list_processors

    has_clock = options.nodes is None and options.depth is None
    jobs = options.jobs or max(1, len(list_processors()) // options.threads)

    def settings(game: Game) -> SearchSettings:
        return SearchSettings(
            _choose_engine(options, game),
            time_s=options.time if has_clock else None,
            nodes=options.nodes,
            depth=options.depth,
            lines=options.lines,
            threads=options.threads,
            jobs=jobs,
            scale=options.scale,
        )

    return ReviewPlan(settings, options.preset, write_page, options.first, options.last)


def _choose_engine(options: ReviewOptions, game: Game) -> EngineSpec:
    """Return the engine of `--engine`, or the strongest player of the game; raise UsageError."""
    from arena.engines.gomocup_zip import make_target
    from arena.engines.spec import parse_engine
    from arena.terms.arguments import choose_setup

    if not options.engine:
        return default_engine(game)
    setup = choose_setup(game, options.size, options.rule)
    return parse_engine(options.engine, game, target=make_target(setup, wine=options.wine))


def default_engine(game: Game) -> EngineSpec:
    """Return the strongest player of a game."""
    from arena.engines.spec import EngineSpec

    name = game.players()[0].name
    return EngineSpec(name, player=name)
