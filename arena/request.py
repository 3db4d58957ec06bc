"""What `pentad match` is asked for on the command line, and the match that this means."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.clock import TimeControl
    from arena.config import MatchConfig
    from arena.openings import Book


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class MatchRequest:
    """The options of `pentad match`; each field's text is its help."""

    engine: Annotated[list[str], Parameter(negative="")]
    """Give it twice: cmd=COMMAND or player=NAME:PARAMETERS, then as wanted ,name= ,dir= ,proto= ,option.X=Y"""

    game: str = "gomoku"
    """The game to be played."""

    games: int = 2
    """Number of games; each opening is played twice, colours swapped."""

    tc: str | None = None
    """Seconds: MOVE, MOVE/GAME or /GAME+INCREMENT; 1 where no other limit is given."""

    depth: int | None = None
    """Depth limit told to the engines, plies."""

    nodes: int | None = None
    """Node limit told to the engines."""

    margin_ms: int = 250
    """Milliseconds of overrun that do not lose."""

    rule: Annotated[str | None, Parameter(name=["--rule", "--type"])] = None
    """Variant of the game, such as standard or Base+MLP."""

    size: int | None = None
    """Side of the board."""

    openings: Path | None = None
    """File with one opening a line."""

    order: Literal["random", "sequential"] = "random"
    """Order in which the openings are dealt."""

    seed: int | None = None
    """Seed of the opening order and of our own players; by chance where not given, and always recorded."""

    concurrency: int = 1
    """Games at a time."""

    restart: Annotated[bool, Parameter(negative="")] = False
    """Start both engines anew for each game: nothing that they learned carries over."""

    max_faults: int = 2
    """Crashes or stalls of one engine in a row that stop the match; 0 never stops it."""

    out: Path | None = None
    """New folder for the records; runs/match-TIME where not given."""


def configure_match(request: MatchRequest) -> MatchConfig:
    """The match that a request means; raise UsageError with one line on what is wrong."""
    from functools import partial

    from arena.choose import choose_book, choose_seed, choose_setup, find_game
    from arena.config import MatchConfig
    from arena.engines import check_limits, parse_engines, start_engine

    game = find_game(request.game)
    _check_numbers(request)
    control = _choose_control(request)
    setup = choose_setup(game, request.size, request.rule)
    engines = parse_engines(request.engine, game)
    check_limits(engines, control)
    return MatchConfig(
        game=game,
        setup=setup,
        engines=(engines[0], engines[1]),
        games=request.games,
        out=request.out or Path("runs") / f"match-{datetime.now():%Y%m%d-%H%M%S}",
        control=control,
        seed=choose_seed(request.seed),
        start=partial(start_engine, game=game, control=control),
        book=choose_book(request.openings, game, setup),
        shuffle=request.order == "random",
        concurrency=request.concurrency,
        restart=request.restart,
        max_faults=request.max_faults,
    )


def describe_match(config: MatchConfig) -> str:
    """What will be played, in one line for a person."""
    setup = config.setup
    board = f"{setup.width}x{setup.height} " if setup.width else ""
    title = f"{config.game.title} {board}{setup.variant}, {config.games} games, {_describe_control(config.control)}"
    return f"{title}, seed {config.seed}, {_describe_book(config.book)}"


def _check_numbers(request: MatchRequest) -> None:
    if len(request.engine) != 2:
        raise UsageError(f"a match has two engines: give --engine twice, not {len(request.engine)} times")
    threads = os.cpu_count() or 1
    if not 1 <= request.concurrency <= threads:
        raise UsageError(f"--concurrency must be 1..{threads}, the threads of this machine, not {request.concurrency}")
    lowest = {"games": 1, "margin_ms": 0, "max_faults": 0, "depth": 1, "nodes": 1}
    for name, low in lowest.items():
        value = getattr(request, name)
        if value is not None and value < low:
            raise UsageError(f"--{name.replace('_', '-')} must be {low} or more, not {value}")


def _choose_control(request: MatchRequest) -> TimeControl:
    from arena.clock import TimeControl, parse_control

    timeless = request.tc is None and (request.depth or request.nodes)
    try:
        control = TimeControl() if timeless else parse_control("1" if request.tc is None else request.tc)
    except ValueError as error:
        raise UsageError(f"--tc: {error}") from None
    return replace(control, margin_ms=request.margin_ms, depth=request.depth, nodes=request.nodes)


def _describe_control(control: TimeControl) -> str:
    parts = [(control.move_ms, "ms a move"), (control.game_ms, "ms a game"), (control.increment_ms, "ms increment")]
    parts += [(control.depth, "plies deep"), (control.nodes, "nodes")]
    return ", ".join(f"{value} {unit}" for value, unit in parts if value) + f", margin {control.margin_ms} ms"


def _describe_book(book: Book) -> str:
    return f"{len(book)} openings ({book.distinct} distinct) from {book.source}" if len(book) else "no openings"
