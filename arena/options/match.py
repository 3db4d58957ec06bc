"""What `pentad match` is asked for on the command line or in a tournament file, and the run that this means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.errors import UsageError
from arena.options.adjudication import AdjudicationOptions, check_solver, choose_adjudication
from arena.options.engines import EngineLimitsOptions, choose_engine_rules, tell_memory
from arena.terms.plan import MAX_GAMES, MAX_NODES
from arena.terms.settings import RunOptions

if TYPE_CHECKING:
    from arena.engines.spec import EngineSpec
    from arena.run.config import MatchConfig
    from arena.statistics.sprt import Sprt
    from arena.terms.clock import TimeControl
    from arena.terms.openings import OpeningBook
    from core.play.game import Game

_BILLION = 10**9  # more than anybody means, and what every protocol can say
_LIMITS = {
    "games": (1, MAX_GAMES),
    "gauntlet": (0, _BILLION),
    "margin_ms": (0, _BILLION),
    "max_faults": (0, _BILLION),
    "depth": (1, _BILLION),
    "nodes": (1, MAX_NODES),
    "openings_start": (1, _BILLION),
    "openings_plies": (1, _BILLION),
}
MAX_FAULTS = 2  # in a row; one may happen to any program
TEST_CAP = 40_000  # games of a test that nobody gave a number; what is undecided by then is hardly worth more


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """The options of `pentad match`; each field's text is its help."""

    engine: Annotated[list[str], Parameter(negative="")] = field(default_factory=list)
    """Once for each: cmd=COMMAND or player=NAME:PARAMETERS, then as wanted ,name= ,dir= ,proto= ,tc= ,option.X=Y
    ,env.X=Y; or the name of one in --engines"""

    each: str = ""
    """Fields that all engines have that do not say otherwise: tc= proto= dir= option.X=Y env.X=Y."""

    engines: Path | None = None
    """TOML file of [[engine]] tables; all of them play where no --engine is given."""

    game: str = "gomoku"
    """The game to be played."""

    games: int | None = None
    """Games of each two engines, each opening twice with colours swapped; 2, with --sprt at most 40000."""

    tc: str | None = None
    """Seconds: MOVE, MOVE/GAME, /GAME or GAME+INCREMENT; 1 where no other limit is given, in Gomoku 30/180. N=NODES
    is a number of nodes instead."""

    depth: int | None = None
    """Depth limit told to the engines, plies."""

    nodes: int | None = None
    """Node limit told to the engines."""

    margin_ms: int | None = None
    """Milliseconds of overrun that do not lose; 250, in Gomoku 1000."""

    rule: Annotated[str | None, Parameter(name=["--rule", "--type"])] = None
    """Variant of the game, such as standard or Base+MLP."""

    size: int | None = None
    """Side of the board."""

    openings: Path | None = None
    """File with one opening a line."""

    openings_start: int = 1
    """Opening of the file to begin with; those before it come last."""

    openings_plies: int | None = None
    """Only so many moves of each opening."""

    seed: int | None = None
    """Seed of the opening order and of our own players; by chance where not given, and always recorded."""

    concurrency: int | None = None
    """Games at a time; 1, with --scheduler as many as its cluster has threads."""

    scheduler: str = ""
    """Address of a dask.distributed scheduler, such as tcp://host:8786, on whose workers the games are played."""

    max_faults: int | None = None
    """Breakdowns of an engine in a row against the same other one that stop the run: a crash, a stall, an error instead
    of a move, an illegal move, too much memory, but no late answer. 2 where not given; 0 never stops it: each such game
    is a loss, and the engine starts anew."""

    recover: Annotated[bool, Parameter(negative="")] = False
    """The same as --max-faults 0, as other managers call it."""

    sprt: str | None = None
    """Test of the first of two engines, ELO0,ELO1 or ELO0,ELO1,MODEL with model normalized (nElo) or logistic (Elo)."""

    alpha: float = 0.05
    """Chance that the test accepts ELO1 where ELO0 is true."""

    beta: float = 0.05
    """Chance that the test accepts ELO0 where ELO1 is true."""

    options: RunOptions = field(default_factory=RunOptions)

    engine_limits: EngineLimitsOptions = field(default_factory=EngineLimitsOptions)

    adjudication: AdjudicationOptions = field(default_factory=AdjudicationOptions)

    max_plies: int | None = None
    """Plies, those of the opening included, after which a game is a draw; the game's own number where not given."""

    boards: Annotated[bool, Parameter(negative="")] = False
    """Show the boards of the running games on a terminal."""

    verbose: Annotated[bool, Parameter(negative="")] = False
    """End with all tables, those of faults, times and pairs too, not with the result alone."""

    out: Path | None = None
    """New folder for the records; runs/match-TIME where not given."""


def configure_match(request: MatchOptions) -> MatchConfig:
    """The run that a request means; raise UsageError with one line on what is wrong."""
    from functools import partial

    from arena.engines.clients import make_engine_player
    from arena.engines.spec import parse_engines
    from arena.log.engine_output import printable_line
    from arena.run.config import MatchConfig
    from arena.run.match import check_new
    from arena.terms.arguments import choose_book, choose_seed, choose_setup, find_game

    game, options = find_game(request.game), request.options
    _check_numbers(request)
    concurrency = _choose_concurrency(request)
    control = _choose_control(request, game)
    setup = choose_setup(game, request.size, request.rule)
    engines = parse_engines(_choose_engines(request), game, request.each)
    _check_told(engines, control)
    _check_tournament(request, len(engines))
    if options.transform and request.openings is None:
        raise UsageError("--transform turns openings: give --openings FILE")
    if options.transform and game.symmetries is None:
        raise UsageError(f"--transform: no symmetries of {game.title} are known")
    test = _choose_test(request)
    engine_limits = choose_engine_rules(request.engine_limits, 1 if request.scheduler else concurrency)
    if engine_limits.io_log and request.scheduler:
        raise UsageError("--io-log keeps its files where the games are played: it does not go with --scheduler")
    check_boards(boards=request.boards, scheduler=request.scheduler)
    max_plies, max_faults = _choose_max_plies(request, game.max_plies(setup)), _choose_max_faults(request)
    adjudication = choose_adjudication(request.adjudication)
    if request.out:
        check_new(request.out)
    # only from here on kernels are wanted, which may have to be compiled
    if options.swap2:
        _check_swap2(game, engines, request.openings)
    book = _choose_openings(request, choose_book(request.openings, game, setup))
    if adjudication.solved:
        check_solver(game, setup)
    return MatchConfig(
        **asdict(options) | {"event_name": printable_line(options.event_name), "site": printable_line(options.site)},
        game=game,
        setup=setup,
        engines=tell_memory(engines, engine_limits),
        games=request.games or (TEST_CAP if test else 2),
        out=request.out or Path("runs") / f"match-{datetime.now():%Y%m%d-%H%M%S-%f}",
        control=control,
        seed=choose_seed(request.seed),
        start=partial(make_engine_player, game=game, control=control, deadlines=engine_limits.deadlines),
        book=book,
        concurrency=concurrency,
        scheduler=request.scheduler,
        max_faults=max_faults,
        engine_limits=engine_limits,
        adjudication=adjudication,
        max_plies=max_plies,
        sprt=test,
    )


def check_boards(*, boards: bool, scheduler: str) -> None:
    """Raise UsageError where nothing could be shown."""
    if boards and scheduler:
        raise UsageError("--boards shows games that this machine plays: it does not go with --scheduler")


def describe_match(config: MatchConfig) -> str:
    """What will be played, in a line or two for a person."""
    from arena.terms.clock import describe_controls

    setup = config.setup
    board = f"{setup.width}x{setup.height} " if setup.width else ""
    limits = describe_controls(config.control, ((engine.name, engine.tc) for engine in config.engines))
    terms = f"{_describe_games(config)}, {limits}, seed {config.seed}"
    lines = [f"{config.game.title} {board}{setup.variant}, {terms}, {_describe_book(config.book, config.swap2)}"]
    lines += [f"SPRT of {config.names[0]}: {config.sprt}"] if config.sprt else []
    return "\n".join(lines)


def _describe_games(config: MatchConfig) -> str:
    if len(config.engines) == 2:
        return f"{config.games} games"
    kind = f"gauntlet of {config.gauntlet}" if config.gauntlet else "round robin"
    return f"{kind} of {len(config.engines)} engines, {config.games} games a pairing, {config.planned} games"


def _choose_engines(request: MatchOptions) -> list[str]:
    """The texts of the engines, names looked up in the file of engines."""
    from arena.engines.toml_format import read_engines

    known = read_engines(request.engines) if request.engines else {}
    if not request.engine:
        return list(known.values())
    for text in request.engine:
        if request.engines and "=" not in text and text not in known and not text.startswith("{"):
            raise UsageError(f"no engine {text!r} in {request.engines}; known: {', '.join(known)}")
    return [known.get(text, text) for text in request.engine]


def _check_tournament(request: MatchOptions, engines: int) -> None:
    if engines < 2:
        raise UsageError(f"two engines or more are wanted: give --engine twice, not {engines} times")
    gauntlet = request.options.gauntlet
    if gauntlet >= engines:
        raise UsageError(f"--gauntlet must be 0..{engines - 1}, for somebody to play against, not {gauntlet}")
    if request.sprt and engines != 2:
        raise UsageError(f"--sprt tests one engine against another, not {engines} engines")
    if request.sprt and request.games and request.games % 2:
        raise UsageError(f"--sprt counts pairs: --games must be even, not {request.games}")


def _check_told(engines: Sequence[EngineSpec], control: TimeControl) -> None:
    """Raise UsageError where a program's protocol has no words for all its limits at once."""
    from arena.terms.clock import effective_control

    for spec in engines:
        own = effective_control(spec.tc, control)
        if spec.protocol == "uhp" and own.depth and (own.move_ms or own.game_ms):
            raise UsageError(f"{spec.name}: UHP tells a depth or a time, not both: leave --tc or --depth out")


def _check_numbers(request: MatchOptions) -> None:
    for name, (low, high) in _LIMITS.items():
        value = getattr(request if hasattr(request, name) else request.options, name)
        if value is not None and not low <= value <= high:
            limit = f"{low} or more" if value < low else f"{high} or less"
            raise UsageError(f"--{name.replace('_', '-')} must be {limit}, not {value}")


def _choose_concurrency(request: MatchOptions) -> int:
    """Pairs at a time, 0 for as many as the cluster has threads."""
    if request.concurrency is None:
        return 0 if request.scheduler else 1
    if request.concurrency < 1:
        raise UsageError(f"--concurrency must be 1 or more, not {request.concurrency}")
    return request.concurrency


def _choose_openings(request: MatchOptions, book: OpeningBook) -> OpeningBook:
    if request.openings_start > max(1, len(book)):
        raise UsageError(f"--openings-start must be 1..{max(1, len(book))}, not {request.openings_start}")
    return book.cut(request.openings_start, request.openings_plies)


def _choose_test(request: MatchOptions) -> Sprt | None:
    from arena.statistics.sprt import parse_sprt

    if request.sprt is None:
        return None
    try:
        return parse_sprt(request.sprt, request.alpha, request.beta)
    except ValueError as error:
        raise UsageError(f"--sprt: {error}") from None


def _choose_max_faults(request: MatchOptions) -> int:
    """Breakdowns in a row that stop the run, 0 for any number."""
    if not request.recover:
        return MAX_FAULTS if request.max_faults is None else request.max_faults
    if request.max_faults:
        raise UsageError(f"--recover goes on whatever happens: it does not go with --max-faults {request.max_faults}")
    if request.options.strict:
        raise UsageError("--strict stops at the first fault: it does not go with --recover")
    return 0


def _choose_max_plies(request: MatchOptions, most: int) -> int:
    if request.max_plies is not None and not 1 <= request.max_plies <= most:
        raise UsageError(f"--max-plies must be 1..{most}, not {request.max_plies}")
    return request.max_plies or 0


def _choose_control(request: MatchOptions, game: Game) -> TimeControl:
    from arena.terms.clock import TimeControl, parse_control

    timeless = request.tc is None and (request.depth or request.nodes)
    try:
        control = TimeControl() if timeless else parse_control(game.default_tc if request.tc is None else request.tc)
    except ValueError as error:
        raise UsageError(f"--tc: {error}") from None
    margin_ms = game.default_margin_ms if request.margin_ms is None else request.margin_ms
    return replace(control, margin_ms=margin_ms, depth=request.depth, nodes=request.nodes or control.nodes)


def _describe_book(book: OpeningBook, swap2: bool) -> str:
    if swap2:
        return "openings by swap2"
    return f"{len(book)} openings ({book.distinct} distinct) from {book.source}" if len(book) else "no openings"


def _check_swap2(game: Game, engines: Sequence[EngineSpec], openings: Path | None) -> None:
    """Raise UsageError where engines cannot agree on their openings by swap2."""
    from arena.engines.spec import make_player
    from protocols.gomocup.player_abilities import Swap2Player

    if game.protocol != "gomocup":
        raise UsageError(f"--swap2 is for Gomoku, not {game.title}")
    if openings:
        raise UsageError("--swap2 makes the openings: leave --openings out")
    for spec in engines:
        if spec.player and not isinstance(make_player(spec, game), Swap2Player):
            raise UsageError(f"--swap2: {spec.name} does not know it")
