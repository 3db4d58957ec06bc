"""How long a program may take where no clock says it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Deadlines:
    """How long a program may take, seconds: for anything but thinking, which no clock counts, and for a move without a
    clock.
    """

    start_s: float = 10.0  # from being started to its first word
    new_game_s: float = 60.0  # for what begins a game: boards are set up and nets loaded then
    ping_s: float = 60.0  # for any other answer that needs no thinking
    quit_s: float = 3.0  # from the farewell to its end; then the whole tree is killed
    move_s: float = 60.0  # for a move if no clock runs, but a limit of depth or nodes, or none


DEFAULT_DEADLINES = Deadlines()
