"""The book of first replies: moves for positions with up to two stones, chosen by long searches.

`tables/replies.json` maps positions to moves, for example "freestyle 15x15 h8i9": "i7". Of each set of
symmetric positions it has one. bots/gomoku/training/make_replies.py makes the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bots.gomoku.symmetry import list_symmetric_lines
from core.play.player import IllegalMove, Setup
from core.play.squares import split_squares
from core.system.files import read_json_object

REPLIES_FILE = Path(__file__).with_name("tables") / "replies.json"
MAX_BOOK_STONES = 2


def find_reply(setup: Setup, moves: Sequence[str]) -> str:
    """Return the book's move after `moves`, or "" if it has none.

    Raise OSError if the file cannot be read, ValueError with its path if it is damaged.
    """
    return book_replies(setup).get(tuple(moves), "") if len(moves) <= MAX_BOOK_STONES else ""


def book_key(setup: Setup, moves: Sequence[str]) -> str:
    """Return the book's key of a position, for example `freestyle 15x15 h8i9`."""
    return f"{setup.variant} {setup.width}x{setup.height} {''.join(moves)}"


@cache
def book_replies(setup: Setup) -> dict[tuple[str, ...], str]:
    """Return the replies for a board size and rule, by the moves before them, with all symmetric images."""
    prefix, replies = book_key(setup, ()), {}
    for key, reply in read_json_object(REPLIES_FILE).items():
        if key.startswith(prefix):
            line = [*(split_squares(key.removeprefix(prefix)) or []), str(reply)]
            try:
                images = list_symmetric_lines(line, setup)
            except IllegalMove as error:
                raise ValueError(f"{REPLIES_FILE}: {key}: {error}") from None
            replies.update({tuple(moves): symmetric_reply for *moves, symmetric_reply in images})
    return replies
