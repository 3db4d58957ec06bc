"""How long the clients wait for an engine outside its game clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Deadlines:
    """Maximum waiting times, in seconds. A search with a time limit has a deadline of its own."""

    start_s: float = 10.0  # from starting the program to its first line
    new_game_s: float = 60.0  # for commands that begin a game: engines set up boards and load networks then
    ping_s: float = 60.0  # for any other command that needs no search
    quit_s: float = 3.0  # from the quit command to the exit; then the process tree is killed
    move_s: float = 60.0  # for a search without a time limit


DEFAULT_DEADLINES = Deadlines()
