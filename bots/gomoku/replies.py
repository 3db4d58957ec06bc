"""First replies from a small book of our own: what long searches chose with up to two stones on the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bots.gomoku.symmetry import list_images
from core.play.player import Setup
from core.play.squares import split_squares
from core.system.files import read_json_object

REPLIES_FILE = Path(__file__).with_name("tables") / "replies.json"  # bots/gomoku/training/make_replies.py makes it
MOST_STONES = 2


def find_reply(setup: Setup, moves: Sequence[str]) -> str:
    """The book's move after `moves`, or nothing where it has none."""
    return replies_of(setup).get(tuple(moves), "") if len(moves) <= MOST_STONES else ""


def key_of(setup: Setup, moves: Sequence[str]) -> str:
    """How the book names a position: `freestyle 15x15 h8i9`."""
    return f"{setup.variant} {setup.width}x{setup.height} {''.join(moves)}"


@cache
def replies_of(setup: Setup) -> dict[tuple[str, ...], str]:
    """Book moves of one board and rule by the moves before, under every symmetry."""
    prefix = key_of(setup, ())
    return {
        tuple(line): move
        for key, reply in read_json_object(REPLIES_FILE).items()
        if key.startswith(prefix)
        for *line, move in list_images([*(split_squares(key.removeprefix(prefix)) or []), reply], setup)
    }
