"""Kolibrat's entry in the game registry (bots/registry.py). `Game` in core/play/game.py explains the fields."""

from __future__ import annotations

from bots.kolibrat.notation import DEFAULT_VARIANT, VARIANTS, check_setup
from bots.kolibrat.openings import balanced_openings
from bots.kolibrat.players import PLAYERS
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.squares import DRAW_PLIES
from core.play.game import Game, lazy_attribute
from core.play.player import Setup

BENCH = (  # positions of `pentad bench`, as moves from the start of the standard game
    "b1 c4 b1a2 c4b3 c1 a4 b1 b4 c1b2 c4 c1 b4a3",
    "b1 a4 b1c2 a4b3 a1 b4 b1 c4",
    "b1 a4 b1c2 b4 a1 a4b3 a1b2 b3a2 b2a3",
    "a1 a4 b1 b4 a1b2",
    "a1 b4 c1 c4 c1b2",
    "c1 a4 a1 a4b3 b1 b3a2 a1a3 a4 c1b2 a4a3 c1 a4 b1c2",
)

GAME = Game(
    name="kolibrat",
    title="Kolibrat",
    protocol="gtp",
    executable="pentad-kolibrat",
    variants=VARIANTS,
    default_setup=Setup(variant=DEFAULT_VARIANT),
    check_setup=check_setup,
    new_position=KolibratPosition,
    players=lambda: PLAYERS,
    max_plies=lambda _: DRAW_PLIES,
    symbols=("r", "b"),  # red and black pieces in `KolibratPosition.board`
    make_openings=balanced_openings,
    gtp=lazy_attribute("bots.kolibrat.gtp", "GTP"),
    painter=lazy_attribute("bots.kolibrat.pages.painter", "PAINTER"),
    rules_page=lazy_attribute("bots.kolibrat.pages.rules", "SECTIONS"),
    loadable_formats="moves (b1 c4) and positions (3/3/3/3 r 0 0 4 5)",
    bench_positions=BENCH,
    bench_depth=12,
)
