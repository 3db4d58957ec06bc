"""How long a program may take for what needs no thinking."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Deadlines:
    """How long a program may take for anything but thinking, seconds. None of it is thinking time."""

    start_s: float = 10.0  # from being started to its first word
    new_game_s: float = 60.0  # for what begins a game: boards are set up and nets loaded then
    ping_s: float = 60.0  # for any other answer that needs no thinking
    quit_s: float = 3.0  # from the farewell to its end; then the whole tree is killed


USUAL_DEADLINES = Deadlines()
