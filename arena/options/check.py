"""What `pentad check uhp` is asked for on the command line, and what is compared then."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.check.uhp_audit import AuditOptions


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class UhpCheckOptions:
    """The options of `pentad check uhp`; each field's text is its help."""

    games: int = 80
    """Random games in lock step with our rules, over the types in turn."""

    seed: int = 1
    """Of the random moves."""

    every: int = 1
    """Plies from one comparison of the legal moves to the next; the state is compared at each."""

    type: Annotated[tuple[str, ...], Parameter(negative="")] = ()
    """Type of game, such as Base+MLP; may be repeated. All that the engine names where not given."""

    positions: Path | None = None
    """File of GameStrings to compare legal moves in; the shipped one where not given."""

    move_time: int = 1
    """Whole seconds that the engine has for a move."""


DEFAULTS = UhpCheckOptions()


def configure_audit(request: UhpCheckOptions) -> tuple[AuditOptions, tuple[str, ...]]:
    """What to compare and the types of game to compare it in; raise UsageError."""
    from arena.check.uhp_audit import POSITIONS_FILE, AuditOptions, read_positions
    from bots.hive.notation import format_variant, parse_variant
    from core.play.player import BadSetup

    for name, low in {"games": 1, "every": 1, "move_time": 1}.items():
        if getattr(request, name) < low:
            raise UsageError(f"--{name.replace('_', '-')} must be {low} or more, not {getattr(request, name)}")
    try:
        types = tuple(format_variant(parse_variant(text)) for text in request.type)
        positions = read_positions(request.positions or POSITIONS_FILE)
    except BadSetup as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"positions {request.positions}: {error.strerror}") from None
    return AuditOptions(request.games, request.seed, request.every, positions), types
