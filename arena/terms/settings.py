"""The settings of a run, each declared once with its help, limits and default.

`RunSettings` is the common part of the options of `pentad match` (`MatchOptions`), of the running match (`MatchConfig`)
and of the header of its log (`RunStarted`). A field added here is an option of the command line and a key of tournament
files, is recorded in the log, sent to the workers of a cluster, and restored by `pentad resume`. To add a
setting, add such a field and the code that uses it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec
from cyclopts import Group, Parameter, Token
from msgspec import Meta, field

from arena.errors import UsageError
from arena.statistics.sprt import Sprt, parse_sprt
from arena.terms.adjudication import NO_ADJUDICATION, Adjudication
from arena.terms.anchors import Anchors
from arena.terms.clock import TimeControl
from arena.terms.engine_limits import DEFAULT_ENGINE_LIMITS, EngineLimits
from arena.terms.plan import MAX_GAMES, SEED_BITS
from arena.terms.struct_options import struct_options

MAX_WAIT_MS = 24 * 3600 * 1000
DEFAULT_MAX_FAULTS = 2  # one crash may happen to any program

Games = Annotated[int, Meta(ge=1, le=MAX_GAMES)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
Seed = Annotated[int, Meta(ge=0)]  # random.Random treats -1 like 1
TournamentFormat = Literal["round-robin", "gauntlet", "swiss", "knockout"]
ROUND_ROBIN, GAUNTLET, SWISS, KNOCKOUT = get_args(TournamentFormat)
MAX_ROUNDS = 1000

# Headings of the options in the help of `pentad match`; arena/options/match.py and other modules have more
GAMES = Group("Games and pairings", sort_key=2)
TIME = Group("Time", sort_key=3)
OPENINGS = Group("Openings", sort_key=4)
STATISTICS = Group("Statistics", sort_key=5)
FAULTS = Group("Faults", sort_key=8)
RECORDS = Group("Records and display", sort_key=9)


def _read_sprt(kind: object, tokens: Sequence[Token]) -> Sprt:  # noqa: ARG001 - as cyclopts calls it
    """Return the sequential test that the value of --sprt describes; raise UsageError."""
    try:
        return parse_sprt(tokens[0].value)
    except ValueError as error:
        raise UsageError(f"--sprt: {error}") from None


def draw_seed() -> int:
    """Return a random seed; the log and the screen report it, so that any run can be repeated."""
    return random.SystemRandom().getrandbits(SEED_BITS)


@struct_options
class RunSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a run, without its engines, its game and its openings. A field's docstring is its help."""

    games: Annotated[Games, Parameter(group=GAMES)] = 2
    """Games per pairing of two engines; each opening is played twice, with colours swapped. The last opening of an odd
    number is played once. With --sprt this is the maximum, and the default is 40000. With --format swiss or knockout it
    is the even number of games of an encounter."""

    tournament_format: Annotated[
        TournamentFormat | None, Parameter(name="--format", group=GAMES, show_default=False)
    ] = None
    """Format of the tournament. swiss: each round pairs engines with nearly equal scores. knockout: the loser of an
    encounter is out. The engines are seeded in the order given. Default: round-robin, with --gauntlet gauntlet."""

    gauntlet: Annotated[Count, Parameter(group=GAMES, show_default=False)] = 0
    """The first N engines play the others, but not each other (gauntlet). Default: 1 with --format gauntlet, else 0."""

    rounds: Annotated[Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] | None, Parameter(group=GAMES, show_default=False)] = (
        None
    )
    """Rounds of --format swiss. Default, and minimum: the base-2 logarithm of the number of engines, rounded up."""

    tie_break_games: Annotated[Count | None, Parameter(group=GAMES, show_default=False)] = None
    """Maximum number of further games of a drawn encounter of --format knockout. They are played in pairs with new
    openings until one engine leads. If none leads in the end, the better seed advances. Default: 4."""

    concurrency: Annotated[int, Meta(ge=0, le=MAX_GAMES), Parameter(group=GAMES)] = 1
    """Games played at the same time. 0: as many as the processors allow, or with --scheduler one per thread of the
    cluster. With --scheduler the default is 0."""

    restart: Annotated[bool, Parameter(negative="", group=GAMES)] = False
    """Restart both engines before each game, so that nothing they learned carries over."""

    keep: Annotated[bool, Parameter(negative="", group=GAMES)] = False
    """Keep engines running between pairs of games also without a clock. Short games take a third of the time, but a
    game may depend on what the engines remember of earlier ones. Players of Pentad in the arena's process forget."""

    wait_ms: Annotated[int, Meta(ge=0, le=MAX_WAIT_MS), Parameter(name="--wait", group=GAMES)] = 0
    """Milliseconds to wait before each game except the first."""

    seed: Annotated[Seed, Parameter(group=GAMES, show_default=False)] = field(default_factory=draw_seed)
    """Seed of the opening order and of our own players. Drawn at random by default, and always recorded."""

    max_plies: Annotated[Count, Parameter(group=GAMES)] = 0
    """Plies after which a game is a draw, those of the opening included. 0: the limit of the game itself."""

    control: Annotated[TimeControl, Parameter(parse=False)] = TimeControl()

    order: Annotated[Literal["random", "sequential"], Parameter(group=OPENINGS)] = "random"
    """Order in which the openings are used."""

    transform: Annotated[bool, Parameter(negative="", group=OPENINGS)] = False
    """Play the openings under the symmetries of the board, a different one each time an opening is used again."""

    swap2: Annotated[bool, Parameter(negative="", group=OPENINGS)] = False
    """Gomoku: let the two engines agree on the opening by the swap2 rule. Each proposes once per pair of games."""

    sprt: Annotated[
        Sprt | None,
        Parameter(group=STATISTICS, converter=_read_sprt, accepts_keys=False, n_tokens=1, show_default=False),
    ] = None
    """Stop the match when a sequential test of the first engine against the second is decided. ELO0,ELO1 or
    ELO0,ELO1,MODEL; the model is normalized (nElo, the default) or logistic (Elo)."""

    h0_fails: Annotated[bool, Parameter(negative="", group=STATISTICS)] = False
    """Exit with code 4 if the test accepts ELO0."""

    anchor: Annotated[Anchors, Parameter(group=STATISTICS)] = ()
    """NAME:RATING of an engine whose rating is fixed, once per anchor; the other ratings are relative to the anchors.
    Without anchors the mean rating is 0."""

    engine_limits: EngineLimits = field(default=DEFAULT_ENGINE_LIMITS, name="house")  # the log's key since its format 0

    adjudication: Adjudication = NO_ADJUDICATION

    max_faults: Annotated[Count, Parameter(group=FAULTS)] = DEFAULT_MAX_FAULTS
    """Stop the run when an engine fails in this many consecutive games against the same opponent. Failures are a crash,
    a stall, a failed start, an error instead of a move, an illegal move and too much memory, but not a late answer.
    Each such game is lost and the engine is started again. 0: never stop."""

    strict: Annotated[bool, Parameter(negative="", group=FAULTS)] = False
    """Treat warnings as errors, and stop the run at the first failure of an engine or late answer."""

    event_name: Annotated[str, Parameter(name="--event", group=RECORDS)] = ""
    """Name of the event, for the report and for game records that have a place for it."""

    site: Annotated[str, Parameter(group=RECORDS)] = ""
    """Location of the event, for the report and for game records that have a place for it."""


def settings_by_name(source: RunSettings) -> dict[str, Any]:
    """Return the settings of a log header, of options or of a match by name, to create another of these from them."""
    return {name: getattr(source, name) for name in RunSettings.__struct_fields__}
