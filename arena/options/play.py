"""What `pentad play` is asked for on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter

Person = Literal["first", "second", "both", "none"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """The options of `pentad play`; each field's text is its help."""

    engine: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    """Opponent, as in a match; the page offers all of them."""

    side: Person = "first"
    """What you play; with none you watch."""

    level: int | None = None
    """Strength of our player, from 1."""

    size: int | None = None
    """Side of the board."""

    rule: Annotated[str | None, Parameter(name=["--rule", "--type"])] = None
    """Variant of the game, such as standard or Base+MLP."""

    move_time: float = 1.0
    """Seconds that the engine has for a move."""

    port: int = 0
    """Port of this machine; 0 for any free one."""

    no_browser: Annotated[bool, Parameter(negative="")] = False
    """Only print the address."""


DEFAULTS = PlayOptions()
