"""The options of `pentad tune`; arena/tune/configure.py turns them into a tuning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from msgspec import Meta, field

from arena.options.match import ENGINES, GAME, Positive
from arena.terms.adjudication import NO_ADJUDICATION, Adjudication
from arena.terms.engine_limits import DEFAULT_ENGINE_LIMITS, EngineLimits
from arena.terms.plan import MAX_GAMES, MAX_NODES
from arena.terms.settings import DEFAULT_MAX_FAULTS, FAULTS, GAMES, OPENINGS, RECORDS, TIME, Count, Seed, draw_seed
from arena.terms.struct_options import struct_options
from arena.terms.tuning import TUNING, VERIFICATION, TuneSettings

DEFAULT_VERIFICATION_GAMES = 400
DEFAULT_SPRT = "0,10"


@Parameter(name="*")
@struct_options
class SpsaOptions(TuneSettings, frozen=True, kw_only=True):
    """The options of `pentad tune spsa`, in addition to those of `TuneSettings`; a field's docstring is its help."""

    parameter: Annotated[list[str], Parameter(negative="", group=TUNING, show_default=False)] = field(
        default_factory=list
    )
    """A parameter to tune, NAME=VALUE,MIN,MAX,STEP,int or NAME=VALUE,MIN,MAX,STEP,float; may be repeated. It replaces
    the parameter of this name in the file."""

    engine: Annotated[str, Parameter(group=ENGINES, show_default=False)] = ""
    """The engine, cmd=COMMAND or player=NAME, as in `pentad match --engine`."""

    game: Annotated[str, Parameter(group=GAME)] = "gomoku"
    """Game to play: gomoku, hex, hive, pentago, kolibrat or an installed game."""

    rule: Annotated[str | None, Parameter(name=["--rule", "--type"], group=GAME)] = None
    """Variant of the game's rules, such as standard in Gomoku or Base+MLP in Hive; arena/README.md lists all."""

    size: Annotated[int | None, Parameter(group=GAME)] = None
    """Side length of the board, in Gomoku and Hex."""

    tc: Annotated[str | None, Parameter(group=TIME)] = None
    """Time control, as in `pentad match --tc`, such as 0.1 or N=2000."""

    depth: Annotated[Positive | None, Parameter(group=TIME)] = None
    """Depth limit sent to the engine, plies."""

    nodes: Annotated[Annotated[int, Meta(ge=1, le=MAX_NODES)] | None, Parameter(group=TIME)] = None
    """Node limit per move sent to the engine."""

    margin_ms: Annotated[Annotated[int, Meta(ge=0, le=10**9)] | None, Parameter(group=TIME)] = None
    """Milliseconds by which a move may exceed its limit without losing the game, as in `pentad match`."""

    openings: Annotated[Path | None, Parameter(group=OPENINGS)] = None
    """File with one opening per line."""

    openings_plies: Annotated[Positive | None, Parameter(group=OPENINGS)] = None
    """Use only this many moves at the start of each opening."""

    order: Annotated[Literal["random", "sequential"], Parameter(group=OPENINGS)] = "random"
    """Order in which the openings are used."""

    transform: Annotated[bool, Parameter(negative="", group=OPENINGS)] = False
    """Play the openings under the symmetries of the board, a different one each time an opening is used again."""

    concurrency: Annotated[int, Meta(ge=0, le=MAX_GAMES), Parameter(group=GAMES)] = 1
    """Pairs of games played at the same time, at most --pairs. 0: as many as processors and --pairs allow."""

    force: Annotated[bool, Parameter(negative="", group=GAMES)] = False
    """Allow more games at the same time than there are processors. Has no effect with --affinity."""

    max_plies: Annotated[Count, Parameter(group=GAMES)] = 0
    """Plies after which a game is a draw, those of the opening included. 0: the limit of the game itself."""

    seed: Annotated[Seed, Parameter(group=GAMES, show_default=False)] = field(default_factory=draw_seed)
    """Seed of perturbations, openings and our own players. Drawn at random by default, and always recorded."""

    adjudication: Adjudication = NO_ADJUDICATION

    engine_limits: EngineLimits = DEFAULT_ENGINE_LIMITS

    max_faults: Annotated[Count, Parameter(group=FAULTS)] = DEFAULT_MAX_FAULTS
    """Stop when this many consecutive games end by a crash, a stall, an error instead of a move, an illegal move or too
    much memory. Each is lost, and the engine is restarted. 0: never stop."""

    verify_openings: Annotated[Path | None, Parameter(group=VERIFICATION)] = None
    """Openings of --verify. Default: those of --openings that the tuning leaves out."""

    verify_sprt: Annotated[str, Parameter(group=VERIFICATION)] = DEFAULT_SPRT
    """Sequential test of --verify, as in `pentad match --sprt`, or `none` to play all games."""

    out: Annotated[Path | None, Parameter(group=RECORDS)] = None
    """Folder of the tuning. The same command, or `pentad resume`, continues it. Default: runs/tune-TIME."""

    given: Annotated[str, Parameter(show=False)] = (
        ""  # JSON of the options as given; arena/options/tuning_file.py sets it
    )
