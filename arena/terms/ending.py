"""How a match game can end: one closed list, so that a crash is never counted as something else."""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """The end of a game. All but `VOID` count; the faults and `RESIGNED` lose for the side that did it."""

    WIN = "win by rule"
    DRAW = "draw by rule"
    RESIGNED = "resigned"
    ILLEGAL = "illegal move"
    TIME = "time"  # answered, but later than limit and margin allow
    STALL = "stall"  # did not answer at all and was killed
    DISCONNECT = "disconnect"  # exited, crashed or closed its output
    MEMORY = "memory"  # held more than it may and was killed
    REFUSED = "refused position"  # answered with an error instead of a move
    ADJUDICATED = "adjudicated"
    MOVE_CAP = "move cap"  # the game's longest match game was reached: a draw
    VOID = "void"  # could not be played, nobody's result

    @property
    def counts(self) -> bool:
        """Whether the game belongs to the score."""
        return self is not Ending.VOID


FAULTS = (Ending.TIME, Ending.STALL, Ending.DISCONNECT, Ending.MEMORY, Ending.ILLEGAL, Ending.REFUSED)
BREAKDOWNS = frozenset(FAULTS) - {Ending.TIME}  # the program is broken, not merely slow
