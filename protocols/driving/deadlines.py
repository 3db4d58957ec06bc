"""Deadlines for the answers of an engine that are not limited by a game clock."""

from __future__ import annotations

from typing import Annotated

import msgspec

MAX_SECONDS = 1_000_000  # below the largest time of the protocols, 2**31 ms
Seconds = Annotated[float, msgspec.Meta(gt=0, le=MAX_SECONDS)]


class Deadlines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds that a program may take for everything except thinking, and for a move if no clock runs."""

    start_s: Seconds = 10.0
    """Seconds from the start of a program to its first answer. Raised to 60 if one of our bots runs from
    source, because its kernels may have to be compiled."""

    new_game_s: Seconds = 60.0
    """Seconds for a program to begin a game."""

    ping_s: Seconds = 60.0
    """Seconds for any other answer that needs no thinking."""

    quit_s: Seconds = 3.0
    """Seconds for a program to exit. Then it and its child processes are terminated, and killed one second later."""

    move_s: Seconds = 60.0
    """Seconds for a move if no clock runs, as with --depth or --tc N=NODES."""


DEFAULT_DEADLINES = Deadlines()
