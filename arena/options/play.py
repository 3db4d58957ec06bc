"""The options of `pentad play` on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter

Person = Literal["first", "second", "both", "none"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """The options of `pentad play`; a field's docstring is its help."""

    engine: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    """Opponent, as in `pentad match --engine`; may be repeated to choose between several on the page."""

    wine: Annotated[bool, Parameter(negative="")] = False
    """Run the .exe programs of ZIPs under wine, as in `pentad match --wine`."""

    side: Person = "first"
    """Side that you play; none: watch the engine play itself."""

    level: int | None = None
    """Strength of our player, 1 to 10."""

    size: int | None = None
    """Side length of the board, in Gomoku and Hex."""

    rule: Annotated[str | None, Parameter(name=["--rule", "--type"])] = None
    """Variant of the game's rules, such as standard in Gomoku or Base+MLP in Hive; arena/README.md lists all."""

    move_time: float = 1.0
    """Time per move of the engine, seconds."""

    port: int = 0
    """TCP port of the local page; 0: any free port."""

    no_browser: Annotated[bool, Parameter(negative="")] = False
    """Print the address of the page without opening a browser."""


DEFAULT_PLAY_OPTIONS = PlayOptions()
