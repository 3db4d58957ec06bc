"""The options of `pentad match`, from the command line or a tournament file, and the run that they configure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter
from msgspec import Meta, field, structs

from arena.errors import UsageError
from arena.options.adjudication import check_solver
from arena.options.engines import check_processors, with_memory_option
from arena.terms.anchors import check_anchor_names
from arena.terms.plan import MAX_NODES
from arena.terms.settings import (
    DEFAULT_MAX_FAULTS,
    FAULTS,
    GAMES,
    KNOCKOUT,
    OPENINGS,
    RECORDS,
    STATISTICS,
    SWISS,
    TIME,
    RunSettings,
    settings_by_name,
)
from arena.terms.struct_options import check_limits, option_name, struct_options

if TYPE_CHECKING:
    from arena.engines.spec import EngineSpec
    from arena.formats.rules import TournamentRules
    from arena.run.config import MatchConfig
    from arena.statistics.sprt import Sprt
    from arena.terms.clock import TimeControl
    from arena.terms.openings import OpeningBook
    from core.play.game import Game

# Headings of the options in the help, in addition to those of arena/terms/settings.py
ENGINES = Group("Engines", sort_key=0)
GAME = Group("Game", sort_key=1)
Positive = Annotated[int, Meta(ge=1, le=10**9)]
DEFAULT_ERROR_RATE = 0.05  # of both errors of a sequential test
LivePort = bool | Annotated[int, Meta(ge=0, le=65535)]  # --live: a port, True for any free port, False for no page


@Parameter(name="*")
@struct_options
class MatchOptions(RunSettings, frozen=True, kw_only=True):
    """The options of `pentad match`, in addition to those of `RunSettings`; a field's docstring is its help."""

    engine: Annotated[list[str], Parameter(negative="", group=ENGINES, show_default=False)] = field(
        default_factory=list
    )
    """Once per engine: cmd=COMMAND for a program, or player=NAME or player=NAME:KEY=VALUE,... for one of our players,
    followed by any of ,name= ,dir= ,proto= ,tc= ,option.X=Y ,env.X=Y; or the name of an engine in the file of
    --engines. proto is gomocup, uhp or gtp; by default it is that of the game. arena/README.md lists the players. In
    Gomoku, COMMAND may begin with a ZIP as sent to Gomocup. Its program is chosen as in Gomocup: pbrain-NAME with the
    suffix _RULE-SIZE, _RULE or _SIZE of the match, such as pbrain-x_freestyle-15, or without one; then by 64 in the
    name. cmd=x.zip/pbrain-y names the program."""

    each: Annotated[str, Parameter(group=ENGINES, show_default=False)] = ""
    """Default settings for every engine: tc= proto= dir= option.X=Y env.X=Y. Settings of an engine override them."""

    engines: Annotated[Path | None, Parameter(group=ENGINES)] = None
    """TOML file with [[engine]] tables. Without --engine, all of them play."""

    wine: Annotated[bool, Parameter(negative="", group=ENGINES)] = False
    """Run the .exe programs of ZIPs under wine. Without it, only ELF programs are run on Linux."""

    game: Annotated[str, Parameter(group=GAME)] = "gomoku"
    """Game to play: gomoku, hex, hive, pentago, kolibrat or an installed game."""

    rule: Annotated[str | None, Parameter(name=["--rule", "--type"], group=GAME)] = None
    """Variant of the game's rules, such as standard in Gomoku or Base+MLP in Hive; arena/README.md lists all."""

    size: Annotated[int | None, Parameter(group=GAME)] = None
    """Side length of the board, in Gomoku and Hex."""

    tc: Annotated[str | None, Parameter(group=TIME)] = None
    """Time control in seconds: MOVE, MOVE/GAME, /GAME or GAME+INCREMENT; or N=20000 for 20,000 nodes per move. 40/60
    means 40 s per move and 60 s per game, not 40 moves in 60 s as in cutechess-cli. Default: 30/180 in Gomoku, 1 in
    other games; no clock if --depth or --nodes is given."""

    depth: Annotated[Positive | None, Parameter(group=TIME)] = None
    """Depth limit sent to the engines, plies."""

    nodes: Annotated[Annotated[int, Meta(ge=1, le=MAX_NODES)] | None, Parameter(group=TIME)] = None
    """Node limit per move sent to the engines."""

    margin_ms: Annotated[Annotated[int, Meta(ge=0, le=10**9)] | None, Parameter(group=TIME)] = None
    """Milliseconds by which a move may exceed its limit without losing the game. Default: 1000 in Gomoku, 250 in other
    games."""

    openings: Annotated[Path | None, Parameter(group=OPENINGS)] = None
    """File with one opening per line."""

    openings_start: Annotated[Positive, Parameter(group=OPENINGS)] = 1
    """Number of the opening in the file to begin with, from 1; those before it are used last."""

    openings_plies: Annotated[Positive | None, Parameter(group=OPENINGS)] = None
    """Use only this many moves at the start of each opening."""

    alpha: Annotated[float, Parameter(group=STATISTICS)] = DEFAULT_ERROR_RATE
    """Probability that the test accepts ELO1 although ELO0 is true."""

    beta: Annotated[float, Parameter(group=STATISTICS)] = DEFAULT_ERROR_RATE
    """Probability that the test accepts ELO0 although ELO1 is true."""

    recover: Annotated[bool, Parameter(negative="", group=FAULTS)] = False
    """Same as --max-faults 0, for users of other match managers."""

    scheduler: Annotated[str, Parameter(group=GAMES)] = ""
    """Address of a dask.distributed scheduler, such as tcp://host:8786, whose workers play the games."""

    force: Annotated[bool, Parameter(negative="", group=GAMES)] = False
    """Allow more games at the same time than there are processors. Has no effect with --affinity."""

    boards: Annotated[bool, Parameter(negative="", group=RECORDS)] = False
    """Show the boards of the running games on a terminal."""

    live: Annotated[LivePort, Parameter(negative="", group=RECORDS)] = False
    """Show the run on a page in the browser while it is played: --live, or --live PORT. The address is printed."""

    public: Annotated[bool, Parameter(negative="", group=RECORDS)] = False
    """Let everybody who can reach this machine read the page of --live. The page has no paths and no commands."""

    verbose: Annotated[bool, Parameter(negative="", group=RECORDS)] = False
    """Print all tables at the end, also those of faults, times and pairs, instead of the result alone."""

    quiet: Annotated[bool, Parameter(negative="", group=RECORDS)] = False
    """Print the result in one line, and nothing else but errors."""

    json: Annotated[bool, Parameter(negative="", group=RECORDS)] = False
    """Print each event of the log as a line of JSON on standard output when it happens, and the result as the last
    line. The usual output goes to standard error; with --quiet there is none."""

    dry_run: Annotated[bool, Parameter(negative="", group=RECORDS)] = False
    """Print what would be played, after all checks and one start of each engine, and play nothing. Lists the first 10
    pairs of games, all with --verbose."""

    out: Annotated[Path | None, Parameter(group=RECORDS)] = None
    """New folder for the records. Default: runs/match-TIME."""


def configure_match(options: MatchOptions) -> MatchConfig:
    """Return the run that the options describe; raise UsageError with a message of one line if they are wrong."""
    from functools import partial

    from arena.engines.clients import make_engine_player
    from arena.engines.gomocup_zip import make_target
    from arena.engines.spec import parse_engines
    from arena.log.engine_output import printable_line
    from arena.run.config import MatchConfig
    from arena.terms.arguments import choose_book, choose_setup, find_game

    check_limits(options)  # the ranges of all numbers
    game, engine_limits = find_game(options.game), options.engine_limits
    control = _choose_control(options, game)
    setup = choose_setup(game, options.size, options.rule)
    engines = parse_engines(_choose_engines(options), game, options.each, make_target(setup, wine=options.wine))
    if options.wine and not any(spec.archive for spec in engines):
        raise UsageError("--wine is for engines that are ZIPs: leave it out, or write cmd=wine PROGRAM")
    _check_limits_can_be_sent(engines, control)
    rules = _check_tournament(options, len(engines))
    check_anchor_names(options.anchor, [engine.name for engine in engines])
    _check_faults(options)
    if options.restart and options.keep:
        raise UsageError("--restart starts engines for each game, --keep keeps them: leave one of them out")
    if options.keep and options.scheduler:
        raise UsageError("--keep is for games on this machine, a cluster restarts engines: leave it or --scheduler out")
    if options.transform and options.openings is None:
        raise UsageError("--transform plays openings under symmetries: give --openings FILE")
    if options.transform and game.symmetries is None:
        raise UsageError(f"--transform: no symmetries of {game.title} are known")
    if options.max_plies > game.max_plies(setup):
        raise UsageError(f"--max-plies must be 0..{game.max_plies(setup)}, not {options.max_plies}")
    sprt = _choose_sprt(options)
    concurrency = options.concurrency
    if not options.scheduler:
        concurrency = check_processors(engine_limits, concurrency, force=options.force)
    if engine_limits.io_log and options.scheduler:
        raise UsageError("--io-log writes its files where the games are played: leave it or --scheduler out")
    check_boards(boards=options.boards, scheduler=options.scheduler)
    check_quiet(quiet=options.quiet, boards=options.boards, verbose=options.verbose)
    if options.dry_run and (options.quiet or options.json or options.boards):
        other = "--quiet" if options.quiet else "--json" if options.json else "--boards"
        raise UsageError(f"--dry-run plays nothing: leave it or {other} out")
    check_live(options.live, public=options.public)
    if options.out is not None:
        _check_out(options.out)

    # the following checks come last because they load kernels, which may have to be compiled
    if options.swap2:
        _check_swap2(game, engines, options.openings)
    book = _choose_openings(options, choose_book(options.openings, game, setup))
    if options.adjudication.solved:
        check_solver(game, setup)
    settings = settings_by_name(options) | {
        "tournament_format": rules.format,
        "gauntlet": rules.gauntlet,
        "rounds": rules.rounds if rules.format == SWISS else None,
        "tie_break_games": rules.tie_break_games if rules.format == KNOCKOUT else None,
        "event_name": printable_line(options.event_name),
        "site": printable_line(options.site),
        "control": control,
        "concurrency": concurrency,
        "max_faults": 0 if options.recover else options.max_faults,
        "sprt": sprt,
    }
    return MatchConfig(
        **settings,
        game=game,
        setup=setup,
        engines=with_memory_option(engines, engine_limits),
        out=options.out or Path("runs") / f"match-{datetime.now():%Y%m%d-%H%M%S-%f}",
        make_player=partial(make_engine_player, game=game, control=control, deadlines=engine_limits.deadlines),
        book=book,
        scheduler=options.scheduler,
    )


def check_boards(*, boards: bool, scheduler: str) -> None:
    """Raise UsageError if --boards is given for games that are played on a cluster."""
    if boards and scheduler:
        raise UsageError("--boards shows only games that this machine plays: leave it or --scheduler out")


def check_quiet(*, quiet: bool, boards: bool, verbose: bool) -> None:
    """Raise UsageError if --quiet is given with an option that asks for more output."""
    if quiet and (boards or verbose):
        raise UsageError(f"--quiet prints only the result: leave it or {'--boards' if boards else '--verbose'} out")


def check_live(live: bool | int, *, public: bool) -> None:
    """Raise UsageError if --public is given without --live, or if the value of --live is no port."""
    if public and live is False:
        raise UsageError("--public is for the page of --live: give --live, too")
    if not isinstance(live, bool) and not 0 <= live <= 65535:
        raise UsageError(f"--live must be a port, 0..65535, not {live}")


def describe_match(config: MatchConfig) -> str:
    """Return one or two lines for the user about the games to be played."""
    from arena.terms.clock import describe_controls

    setup = config.setup
    board = f"{setup.width}x{setup.height} " if setup.width else ""
    controls = describe_controls(config.control, ((engine.name, engine.tc) for engine in config.engines))
    openings = _describe_openings(config.book, config.swap2)
    line = f"{config.game.title} {board}{setup.variant}, {_describe_games(config)}, {controls}, "
    line += f"seed {config.seed}, {openings}"
    return line + (f"\nSPRT of {config.names[0]}: {config.sprt}" if config.sprt else "")


def _describe_games(config: MatchConfig) -> str:
    from arena.formats.rules import TITLES

    rules = config.rules
    title, count = TITLES[rules.format], len(config.engines)
    if rules.is_by_rounds:
        title = f"{title} of {count} engines, {rules.rounds} round{'s' if rules.rounds > 1 else ''}"
        tie_breaks = f" and up to {rules.tie_break_games} more if it is drawn" if rules.tie_break_games else ""
        return f"{title}, {config.games} games per encounter{tie_breaks}, {config.planned} games"
    if count == 2:
        return f"{config.games} games"
    kind = f"{title} of {rules.gauntlet}" if rules.gauntlet else title
    return f"{kind} of {count} engines, {config.games} games per pairing, {config.planned} games"


def _describe_openings(book: OpeningBook, swap2: bool) -> str:
    if swap2:
        return "openings by swap2"
    return f"{len(book)} openings ({book.distinct} distinct) from {book.source}" if len(book) else "no openings"


def _choose_engines(options: MatchOptions) -> list[str]:
    """Return the descriptions of the engines; names are looked up in the file of --engines."""
    from arena.engines.toml_format import read_engines

    texts_by_name = read_engines(options.engines) if options.engines else {}
    if not options.engine:
        return list(texts_by_name.values())
    for text in options.engine:
        if options.engines and "=" not in text and text not in texts_by_name and not text.startswith("{"):
            raise UsageError(f"no engine {text!r} in {options.engines}; known: {', '.join(texts_by_name)}")
    return [texts_by_name.get(text, text) for text in options.engine]


def _check_tournament(options: MatchOptions, engine_count: int) -> TournamentRules:
    """Return the rules of the tournament; raise UsageError if the options contradict each other."""
    from arena.formats.rules import RulesError, find_rules

    if engine_count < 2 and options.engines and not options.engine:
        raise UsageError(f"two engines or more are needed: {options.engines} has {engine_count}")
    if engine_count < 2:
        raise UsageError(f"two engines or more are needed: give --engine twice, not {engine_count} times")
    if options.sprt and engine_count != 2:
        raise UsageError(f"--sprt tests one engine against another, not {engine_count} engines")
    if options.sprt and options.games % 2:
        raise UsageError(f"--sprt counts pairs of games: --games must be even, not {options.games}")
    try:
        return find_rules(options, engine_count)
    except RulesError as error:
        raise UsageError(f"{option_name(RunSettings, error.field)} {error.problem}") from None


def _check_limits_can_be_sent(engines: Sequence[EngineSpec], control: TimeControl) -> None:
    """Raise UsageError if the protocol of an engine cannot send all of its limits at the same time."""
    from arena.terms.clock import effective_control

    for spec in engines:
        engine_control = effective_control(spec.tc, control)
        has_time = engine_control.move_ms or engine_control.game_ms
        if spec.protocol == "uhp" and engine_control.depth and has_time:
            option = "tc=" if spec.tc else "--tc"
            raise UsageError(f"{spec.name}: UHP sends a depth or a time, not both: leave {option} or --depth out")


def _check_faults(options: MatchOptions) -> None:
    if options.recover and options.max_faults not in (0, DEFAULT_MAX_FAULTS):
        raise UsageError(f"--recover never stops the run: leave it or --max-faults {options.max_faults} out")
    if options.recover and options.strict:
        raise UsageError("--strict stops at the first fault, --recover never: leave one of them out")


def _choose_openings(options: MatchOptions, book: OpeningBook) -> OpeningBook:
    if options.openings_start > max(1, len(book)):
        raise UsageError(f"--openings-start must be 1..{max(1, len(book))}, not {options.openings_start}")
    if options.openings_plies is not None and not len(book):
        raise UsageError("--openings-plies is for openings of a file: give --openings FILE, or leave it out")
    return book.rotate_and_truncate(options.openings_start, options.openings_plies)


def _check_out(directory: Path) -> None:
    """Raise UsageError if the folder for the records holds a run or other files, which could be overwritten.

    It may hold the lock of a run that failed before its first game.
    """
    from arena.run.match import LOCK_NAME, check_new

    if directory.exists() and not directory.is_dir():
        raise UsageError(f"--out must be a new folder, not {str(directory)!r}, which is a file")
    check_new(directory)
    if directory.is_dir() and any(path.name != LOCK_NAME for path in directory.iterdir()):
        raise UsageError(f"--out must be a new folder, not {str(directory)!r}, which holds other files")


def _choose_sprt(options: MatchOptions) -> Sprt | None:
    from arena.statistics.sprt import check_sprt

    if options.sprt is None:
        if options.h0_fails:
            raise UsageError("--h0-fails is for a sequential test: give --sprt ELO0,ELO1, or leave it out")
        for name in ("alpha", "beta"):
            if getattr(options, name) != DEFAULT_ERROR_RATE:
                raise UsageError(f"--{name} is for a sequential test: give --sprt ELO0,ELO1, or leave it out")
        return None
    sprt = structs.replace(options.sprt, alpha=options.alpha, beta=options.beta)
    try:
        check_sprt(sprt)
    except ValueError as error:
        raise UsageError(f"--sprt: {error}") from None
    return sprt


def _choose_control(options: MatchOptions, game: Game) -> TimeControl:
    from arena.terms.clock import TimeControl, parse_control

    has_no_clock = options.tc is None and (options.depth or options.nodes)
    try:
        control = (
            TimeControl() if has_no_clock else parse_control(game.default_tc if options.tc is None else options.tc)
        )
    except ValueError as error:
        raise UsageError(f"--tc: {error}") from None
    margin_ms = game.default_margin_ms if options.margin_ms is None else options.margin_ms
    return structs.replace(control, margin_ms=margin_ms, depth=options.depth, nodes=options.nodes or control.nodes)


def _check_swap2(game: Game, engines: Sequence[EngineSpec], openings: Path | None) -> None:
    """Raise UsageError if the engines cannot agree on their openings by swap2."""
    from arena.engines.spec import make_player
    from protocols.gomocup.player_abilities import Swap2Player

    if game.protocol != "gomocup":
        raise UsageError(f"--swap2 is for Gomoku, not {game.title}")
    if openings:
        raise UsageError("--swap2 makes the openings: leave --openings out")
    for spec in engines:
        if spec.player and not isinstance(make_player(spec, game), Swap2Player):
            raise UsageError(f"--swap2: {spec.name} does not support it")
