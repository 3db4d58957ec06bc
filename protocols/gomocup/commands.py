"""`GomocupCommand`, and sets of keywords: of commands that begin a game, stop a search or block squares.

Keywords that begin with YX are extensions of the GUI Yixin-Board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocols.gomocup.text import split_keyword
from protocols.serving.command_session import Command, check_no_arguments

Lines = list[str]  # arguments or answer of a command

STOP_WORDS = frozenset({"STOP", "YXSTOP"})
# First steps of an opening; they begin a game, as START does
FIRST_STEPS = frozenset({"YXSWAP2STEP1", "YXSOOSORVSTEP1"})
NEW_GAME_WORDS = frozenset({"START", "RECTSTART", "RESTART"}) | FIRST_STEPS
BLOCK_WORDS = frozenset({"YXBLOCK", "YXBLOCKUNDO"})  # exclude the root moves in their body, or allow them again
_NO_ARGUMENTS = frozenset({"", "... DONE"})  # what a usage without arguments has after the keyword


@dataclass(frozen=True)
class GomocupCommand(Command[Lines, Lines]):
    """A command of a Gomocup session. `run` returns the lines of the answer.

    The first argument is the text after the keyword; the others are the lines of the body. If the usage is the keyword
    alone, or the keyword and `... DONE`, no text is allowed after the keyword.
    """

    def check_arguments(self, arguments: Lines) -> None:
        """Raise CommandError if there is text after the keyword although none is allowed."""
        keyword, _, expected = self.usage.partition(" ")
        if expected in _NO_ARGUMENTS:
            check_no_arguments(keyword, arguments[0])


def make_kept_line_check() -> Callable[[str], bool]:
    """Return a function that decides whether a queued line is kept when a new game begins.

    Call the function for all queued lines, in order, because it keeps track of bodies.
    A queued line is one that has arrived and is not executed yet. Settings, blocked squares and YXHASHCLEAR are kept.
    So are new-game commands, because each needs its answer.
    """
    is_inside = False  # inside the body of YXBLOCK or YXBLOCKUNDO

    def is_kept(line: str) -> bool:
        nonlocal is_inside
        keyword, _ = split_keyword(line)
        was_inside = is_inside
        is_inside = keyword in BLOCK_WORDS or (is_inside and keyword not in {"DONE", *NEW_GAME_WORDS})
        return was_inside or is_inside or keyword in {"INFO", "YXBLOCKRESET", "YXHASHCLEAR", *NEW_GAME_WORDS}

    return is_kept


def wants_move_now(line: str) -> bool:
    """Return whether a line is the INFO line by which Piskvork asks for a move at once."""
    return line.upper().split() == ["INFO", "TIMEOUT_TURN", "0"]
