"""The description of Gomoku for the registry of games (bots/registry.py).

`core.play.game.Game` explains the fields. Moves are squares such as `h8`: column letter, and row number from the top.
"""

from __future__ import annotations

from bots.gomoku.notation import VARIANTS, check_setup, join_squares, parse_opening
from bots.gomoku.openings import balanced_openings
from bots.gomoku.players import PLAYERS
from bots.gomoku.position import GomokuPosition
from bots.gomoku.symmetry import list_symmetric_lines
from core.play.game import Game, SgfDialect, lazy_attribute
from core.play.player import Setup
from core.play.squares import COLUMN_LETTERS, parse_square

BENCH = (  # positions that `pentad bench` searches, each as the moves that lead to it
    "h8i9g7i7j8",
    "h8h9g7i9j8g9f9i6",
    "h8i8h9h10i9g9j10k11",
    "h8g9i9i7g8j8h10h7f8e8",
    "h8i7i9g7h10h7j9j7f7g10",
    "h8h7i7g9j6k5i9i8g8f7h10k8",
)


def format_point(move: str) -> str:
    """Return a square as SGF writes it: letters for column and row, from the top left. `h8` is `hh`."""
    square = parse_square(move)
    return move if square is None else COLUMN_LETTERS[square[0]] + COLUMN_LETTERS[square[1]]


GAME = Game(
    name="gomoku",
    title="Gomoku",
    protocol="gomocup",
    executable="pbrain-pentad",
    variants=tuple(VARIANTS),
    default_setup=Setup(15, 15, "freestyle"),
    check_setup=check_setup,
    new_position=GomokuPosition,
    players=lambda: PLAYERS,
    max_plies=lambda setup: setup.width * setup.height,
    default_tc="30/180",  # as in Gomocup: at most 30 s per move and 180 s per game
    default_margin_ms=1000,
    symbols=("X", "O"),
    parse_opening=parse_opening,
    format_opening=lambda moves, _: join_squares(moves),
    make_openings=balanced_openings,
    symmetries=list_symmetric_lines,
    book="gomoku-freestyle-15.txt",
    painter=lazy_attribute("bots.gomoku.pages.painter", "PAINTER"),
    rules_page=lazy_attribute("bots.gomoku.pages.rules", "SECTIONS"),
    loadable_formats="squares (h8i9g7) and Piskvork's .psq",
    sgf=SgfDialect(number=4, format_point=format_point),
    records=("psq", "sgf"),
    bench_positions=BENCH,
    bench_depth=10,
)
