"""The options of `pentad match` on how engines are kept, and the rules of the house that they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cyclopts import Parameter

from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.house import House


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class HouseRequest:
    """The options; each field's text is its help."""

    start_timeout: float = 10.0
    """Seconds that a program has from its start to its first word; 60 at least where our bots run from their sources,
    whose kernels may have to be compiled."""

    new_game_timeout: float = 60.0
    """Seconds that a program has to begin a game."""

    ping_timeout: float = 60.0
    """Seconds that a program has for any other answer that needs no thinking."""

    quit_timeout: float = 3.0
    """Seconds that a program has to end by itself; then it is killed with all its children."""


def choose_house(request: HouseRequest) -> House:
    """The rules of the house; raise UsageError."""
    from arena.house import House
    from protocols.engine_client import Deadlines

    for name in ("start_timeout", "new_game_timeout", "ping_timeout", "quit_timeout"):
        if not 0 < getattr(request, name) < float("inf"):
            raise UsageError(f"--{name.replace('_', '-')} must be above 0 s, not {getattr(request, name):g}")
    deadlines = Deadlines(request.start_timeout, request.new_game_timeout, request.ping_timeout, request.quit_timeout)
    return House(deadlines)
