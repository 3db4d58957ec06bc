"""The settings of a run, in one place: what the command line says, and what it comes to.

The log's header and the running match are `RunSettings` with more to them, so what is added here is recorded, reaches
the workers of a cluster and is there again when a run is resumed. An option that means what was typed stands in
`RunOptions` and in `RunSettings` under one name, and no other file has to know of it but the one that obeys it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from arena.statistics.sprt import Sprt
from arena.terms.adjudication import NO_ADJUDICATION, Adjudication
from arena.terms.engine_limits import DEFAULT_ENGINE_LIMITS, EngineLimits
from arena.terms.plan import MAX_GAMES

MOST_WAIT_MS = 24 * 3600 * 1000
Games = Annotated[int, msgspec.Meta(ge=1, le=MAX_GAMES)]
Concurrency = Annotated[int, msgspec.Meta(ge=0, le=MAX_GAMES)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Wait = Annotated[int, msgspec.Meta(ge=0, le=MOST_WAIT_MS)]
Order = Literal["random", "sequential"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Options of `pentad match` that a run takes as they are; each field's text is its help."""

    gauntlet: int = 0
    """So many of the engines, the first ones, play against each of the rest; 0: each against every other one."""

    order: Order = "random"
    """Order in which the openings are dealt."""

    transform: Annotated[bool, Parameter(negative="")] = False
    """Play the openings under the board's symmetries, another one each time an opening comes again."""

    swap2: Annotated[bool, Parameter(negative="")] = False
    """Gomoku: let the two engines of a game agree on its opening by swap2; each proposes once in a pair."""

    restart: Annotated[bool, Parameter(negative="")] = False
    """Start both engines anew for each game: nothing that they learned carries over."""

    wait_ms: Annotated[int, Parameter(name="--wait", validator=Number(gte=0, lte=MOST_WAIT_MS))] = 0
    """Milliseconds to wait before each game but the first."""

    h0_fails: Annotated[bool, Parameter(negative="")] = False
    """Exit with 4 where the test accepts ELO0."""

    strict: Annotated[bool, Parameter(negative="")] = False
    """Whatever deserves a warning fails, and any fault of an engine stops the run."""

    event_name: Annotated[str, Parameter(name="--event")] = ""
    """Name of the event, for records that have a place for it, and the report."""

    site: str = ""
    """Where it is played, likewise."""


class RunSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a run depends on besides its engines, its board and its clock, as the log's header records it."""

    games: Games  # of each pairing
    seed: int
    order: Order = "random"
    concurrency: Concurrency = 1  # pairs at a time; 0: as many as the cluster has threads
    restart: bool = False
    wait_ms: Wait = 0
    gauntlet: Count = 0
    transform: bool = False
    sprt: Sprt | None = None  # the test that ends the run of two engines
    h0_fails: bool = False
    max_faults: Count = 2  # breakdowns of one engine in a row in one pairing that stop the run; 0 never does
    strict: bool = False
    engine_limits: EngineLimits = msgspec.field(
        default=DEFAULT_ENGINE_LIMITS, name="house"
    )  # as logs have always called it
    adjudication: Adjudication = NO_ADJUDICATION
    event_name: str = ""
    site: str = ""
    swap2: bool = False  # then the games have openings of their own
    max_plies: Count = 0  # after which a game is a draw; 0: as the game has it


def list_settings(source: RunSettings) -> dict[str, Any]:
    """The settings of a header or of a match, by name, to make the other one of them."""
    return {name: getattr(source, name) for name in RunSettings.__struct_fields__}
