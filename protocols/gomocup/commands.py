"""The commands of a Gomocup session as a class, and the words of commands that begin a game, stop or have a body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocols.gomocup.text import split_keyword
from protocols.serving.command_session import Command, check_no_arguments

Lines = list[str]  # arguments or answer of a command

STOP_WORDS = frozenset({"STOP", "YXSTOP"})
FIRST_STEPS = frozenset({"YXSWAP2STEP1", "YXSOOSORVSTEP1"})  # these begin a game, as START does
NEW_GAME_WORDS = frozenset({"START", "RECTSTART", "RESTART"}) | FIRST_STEPS
BLOCK_WORDS = frozenset({"YXBLOCK", "YXBLOCKUNDO"})
_NO_ARGUMENTS = frozenset({"", "... DONE"})  # the usage of a command without arguments, after its word


@dataclass(frozen=True)
class GomocupCommand(Command[Lines, Lines]):
    """A command of a Gomocup session. `run` returns the lines of the answer.

    The first argument is the text after the command word; the others are the lines of the body. If the usage is the
    word alone, or the word and `... DONE`, no text is allowed after the word.
    """

    def check_arguments(self, arguments: Lines) -> None:
        """Raise CommandError if the command allows no text after its word and there is some."""
        word, _, wanted = self.usage.partition(" ")
        if wanted in _NO_ARGUMENTS:
            check_no_arguments(word, arguments[0])


def make_kept_line_check() -> Callable[[str], bool]:
    """Return a function that decides whether a queued line is kept when a new game begins. Call it for all in order.

    Settings, blocked squares and YXHASHCLEAR are kept. So are new-game commands, because each needs its answer.
    """
    is_inside = False  # inside the body of YXBLOCK or YXBLOCKUNDO

    def is_kept(line: str) -> bool:
        nonlocal is_inside
        word, _ = split_keyword(line)
        was_inside = is_inside
        is_inside = word in BLOCK_WORDS or (is_inside and word not in {"DONE", *NEW_GAME_WORDS})
        return was_inside or is_inside or word in {"INFO", "YXBLOCKRESET", "YXHASHCLEAR", *NEW_GAME_WORDS}

    return is_kept


def wants_move_now(line: str) -> bool:
    """Return whether a line is the INFO line by which Piskvork asks for a move at once."""
    return line.upper().split() == ["INFO", "TIMEOUT_TURN", "0"]
