"""The ways in which a game can end. Faults such as a crash, a stall and a late move are counted separately."""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """The end of a game. All but `VOID` count. A side that resigns or commits a fault loses."""

    WIN = "win by rule"
    DRAW = "draw by rule"
    RESIGNED = "resigned"
    ILLEGAL = "illegal move"
    TIME = "time"  # moved after limit and margin
    STALL = "stall"  # did not answer at all and was killed
    DISCONNECT = "disconnect"  # exited, crashed or closed its output; in this process: raised an exception
    MEMORY = "memory"  # exceeded the memory limit and was killed
    REFUSED = "refused position"  # answered with an error instead of a move
    ADJUDICATED = "adjudicated"
    MOVE_CAP = "move cap"  # reached the maximum number of plies: a draw
    VOID = "void"  # could not be played: no result

    @property
    def counts(self) -> bool:
        """True if the game counts for the score."""
        return self is not Ending.VOID


FAULTS = (Ending.TIME, Ending.STALL, Ending.DISCONNECT, Ending.MEMORY, Ending.ILLEGAL, Ending.REFUSED)
BREAKDOWNS = frozenset(FAULTS) - {Ending.TIME}  # the program is broken, not merely slow
