"""Makes the book of first replies, tables/replies.json: `python -m bots.gomoku.training.make_replies` (15 minutes).

The positions of each board are the empty one, every first stone, and the book's first stone with a second one within
SPREAD squares. Of positions that are equal by symmetry, one is searched. Every search has NODES nodes. An interrupted
run continues; delete the file to start again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.replies import REPLIES_FILE, book_key
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
SPREAD = 4  # greatest distance of the second stone from the first, in columns and in rows
NODES = 2_500_000  # of each search
HASH = 512  # size of the transposition table in MiB


def list_positions(setup: Setup, book_opening: str) -> Iterator[list[str]]:
    """Yield positions as lists of moves, one of each symmetry class.

    They have one stone, or two: the book's opening move and a second stone near it.
    """
    squares = [format_square(x, y) for y in range(setup.height) for x in range(setup.width)]
    seen = set()
    for line in [[square] for square in squares] + [
        [book_opening, square] for square in squares if is_near(book_opening, square)
    ]:
        key = canonical_form(line, setup)
        if key not in seen:
            seen.add(key)
            yield line


def is_near(one: str, other: str) -> bool:
    """Return True if two squares are different and within SPREAD of each other."""
    (x, y), (u, v) = parse_square(one) or (0, 0), parse_square(other) or (0, 0)
    return 0 < max(abs(x - u), abs(y - v)) <= SPREAD


def choose_reply(engine: GomokuEngine, setup: Setup, line: list[str], book_opening: str, nodes: int) -> str:
    """Return the reply after `line`: the move of a long search, or the book's opening move if that one is better.

    The engine considers only squares near the stones, so after a first stone at the edge it would stay there. The two
    moves are compared by a search after each of them.
    """
    chosen = search(engine, setup, line, nodes).move
    if chosen == book_opening or book_opening in ("", *line):
        return chosen
    return min((chosen, book_opening), key=lambda move: search(engine, setup, [*line, move], nodes).progress.score)


def search(engine: GomokuEngine, setup: Setup, line: list[str], nodes: int) -> Decision:
    """Search with an empty transposition table, independent of earlier searches."""
    engine.new_game(setup)
    engine.clear_hash()
    engine.set_position(line)
    return engine.choose(Limits(nodes=nodes))


def add_board(engine: GomokuEngine, setup: Setup, replies: dict[str, str], path: Path, nodes: int) -> None:
    """Search the positions of a board that the book lacks; write the file after each one."""

    def find_or_add(line: list[str], book_opening: str = "") -> str:
        key = book_key(setup, line)
        if key not in replies:
            replies[key] = choose_reply(engine, setup, line, book_opening, nodes)
            write_json_object(path, replies)
        return replies[key]

    book_opening = find_or_add([])
    for line in list_positions(setup, book_opening):
        find_or_add(line, book_opening)
    print(f"{setup.variant} {setup.width}x{setup.height} done", file=sys.stderr)


def main(path: Path = REPLIES_FILE, nodes: int = NODES) -> None:
    """Make the book, or complete it if the file exists."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", HASH)
    replies = read_json_object(path) if path.exists() else {}
    for setup in BOARDS:
        add_board(engine, setup, replies, path, nodes)


if __name__ == "__main__":
    main()
