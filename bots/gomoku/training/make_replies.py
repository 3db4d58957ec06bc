"""Makes bots/gomoku/tables/replies.json: `python -m bots.gomoku.training.make_replies`, a quarter of an hour of a core.

The positions of each board are the empty one, every first stone, and black's first stone of the book with white's
within SPREAD squares of it, one of those that are alike under the board's symmetries. Every search has the same number
of nodes. It goes on where it was broken off; delete the file to make it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.replies import REPLIES_FILE, key_of
from bots.gomoku.symmetry import canonical_form
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Setup
from core.play.squares import format_square, parse_square
from core.system.files import read_json_object, write_json_object

BOARDS = (
    Setup(15, 15, "freestyle"),
    Setup(20, 20, "freestyle"),
    Setup(15, 15, "standard"),
    Setup(15, 15, "renju"),
)
SPREAD = 4
NODES = 2_500_000
HASH = 512


def list_positions(setup: Setup, first: str) -> Iterator[list[str]]:
    """The positions of one stone and of two, the first of them where the book begins, no two alike."""
    squares = [format_square(x, y) for y in range(setup.height) for x in range(setup.width)]
    seen = set()
    for line in [[square] for square in squares] + [[first, square] for square in squares if is_near(first, square)]:
        form = canonical_form(line, setup)
        if form not in seen:
            seen.add(form)
            yield line


def is_near(one: str, other: str) -> bool:
    """Whether another square is within SPREAD."""
    (x, y), (u, v) = parse_square(one) or (0, 0), parse_square(other) or (0, 0)
    return 0 < max(abs(x - u), abs(y - v)) <= SPREAD


def reply_to(engine: GomokuEngine, setup: Setup, line: list[str], first: str, nodes: int) -> str:
    """What a long search chooses after a line, or `first` where that is free and a search after each calls it better.

    The search considers squares near the stones alone; of a first stone at the edge it would stay in the corner.
    """
    chosen = search(engine, setup, line, nodes).move
    if chosen == first or first in ("", *line):
        return chosen
    return min((chosen, first), key=lambda move: search(engine, setup, [*line, move], nodes).progress.score)


def search(engine: GomokuEngine, setup: Setup, line: list[str], nodes: int) -> Decision:
    """A search that knows nothing of the ones before."""
    engine.new_game(setup)
    engine.clear_hash()
    engine.set_position(line)
    return engine.choose(Limits(nodes=nodes))


def add_board(engine: GomokuEngine, setup: Setup, replies: dict[str, str], path: Path, nodes: int) -> None:
    """Search what the book lacks of a board, and write it after each position."""

    def add(line: list[str], first: str = "") -> str:
        key = key_of(setup, line)
        if key not in replies:
            replies[key] = reply_to(engine, setup, line, first, nodes)
            write_json_object(path, replies)
        return replies[key]

    first = add([])
    for line in list_positions(setup, first):
        add(line, first)
    print(f"{setup.variant} {setup.width}x{setup.height} done", file=sys.stderr)


def main(path: Path = REPLIES_FILE, nodes: int = NODES) -> None:
    """Write the file."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", HASH)
    replies = read_json_object(path) if path.exists() else {}
    for setup in BOARDS:
        add_board(engine, setup, replies, path, nodes)


if __name__ == "__main__":
    main()
