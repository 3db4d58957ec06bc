"""The options of `pentad check uhp` on the command line, and the audit that they configure."""

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
    """The options of `pentad check uhp`; a field's docstring is its help."""

    games: int = 80
    """Random games in which the engine is compared with our rules, spread evenly over the game types."""

    seed: int = 1
    """Seed of the random moves."""

    every: int = 1
    """Compare the legal moves every N plies. The game state is compared after every ply."""

    type: Annotated[tuple[str, ...], Parameter(negative="")] = ()
    """Game type, such as Base+MLP; may be repeated. Default: all types that the engine reports."""

    positions: Path | None = None
    """File of GameStrings in which the legal moves are compared. Default: the file shipped with Pentad."""

    move_time: int = 1
    """Time per move of the engine, whole seconds."""


DEFAULT_UHP_CHECK_OPTIONS = UhpCheckOptions()


def configure_audit(options: UhpCheckOptions) -> tuple[AuditOptions, tuple[str, ...]]:
    """Return the options of the audit and the game types that it covers; raise UsageError for wrong values."""
    from arena.check.uhp_audit import POSITIONS_FILE, AuditOptions, read_positions
    from bots.hive.notation import format_variant, parse_variant
    from core.play.player import BadSetup

    for name, minimum in {"games": 1, "seed": 0, "every": 1, "move_time": 1}.items():
        if getattr(options, name) < minimum:
            raise UsageError(f"--{name.replace('_', '-')} must be {minimum} or more, not {getattr(options, name)}")
    try:
        types = tuple(format_variant(parse_variant(text)) for text in options.type)
        positions = read_positions(options.positions or POSITIONS_FILE)
    except BadSetup as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"positions {options.positions}: {error.strerror}") from None
    return AuditOptions(options.games, options.seed, options.every, positions), types
