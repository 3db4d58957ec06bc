"""The games: one row each. A sixth game is one folder here, one row here and one in `build.spec`."""

from __future__ import annotations

from bots.gomoku.notation import VARIANTS as GOMOKU_VARIANTS
from bots.gomoku.notation import format_position as format_gomoku_position
from bots.gomoku.notation import parse_opening as parse_gomoku_opening
from bots.gomoku.openings import balanced_openings
from bots.gomoku.players import PLAYERS as GOMOKU_PLAYERS
from bots.gomoku.position import GomokuPosition
from core.game import Game
from core.player import Setup

GOMOKU_BENCH = (
    "h8i9g7i7j8",
    "h8h9g7i9j8g9f9i6",
    "h8i8h9h10i9g9j10k11",
    "h8g9i9i7g8j8h10h7f8e8",
    "h8i7i9g7h10h7j9j7f7g10",
    "h8h7i7g9j6k5i9i8g8f7h10k8",
)

GAMES: dict[str, Game] = {
    "gomoku": Game(
        name="gomoku",
        title="Gomoku",
        protocol="gomocup",
        executable="pbrain-pentad",
        variants=tuple(GOMOKU_VARIANTS),
        default_setup=Setup(15, 15, "freestyle"),
        new_position=GomokuPosition,
        players=lambda: GOMOKU_PLAYERS,
        max_plies=lambda setup: setup.width * setup.height,
        parse_opening=parse_gomoku_opening,
        format_opening=lambda moves, _: format_gomoku_position(moves),
        make_openings=balanced_openings,
        book="gomoku-freestyle-15.txt",
        record="psq",
        bench_positions=GOMOKU_BENCH,
        bench_depth=10,
    ),
}
