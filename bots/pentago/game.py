"""Pentago's entry in the game registry (bots/registry.py). `Game` in core/play/game.py explains the fields."""

from __future__ import annotations

from bots.pentago.notation import check_setup, parse_opening
from bots.pentago.openings import balanced_openings
from bots.pentago.players import PLAYERS
from bots.pentago.position import PentagoPosition
from bots.pentago.symmetry import list_symmetric_lines
from core.play.game import Game, lazy_attribute
from core.play.player import Setup

# Positions of `pentad bench`, as moves: square, then a letter for the rotation (bots/pentago/notation.py).
BENCH = (
    "",
    "c3t d4v",
    "b1s e2u a4y d5w",
    "c2t c4s a2s e5v d1u b6y",
    "e3v a3t d4x c5z f2u b1s a6y e6w",
)
GAME = Game(
    name="pentago",
    title="Pentago",
    protocol="gtp",  # Go Text Protocol
    executable="pentad-pentago",
    variants=("pentago",),
    default_setup=Setup(6, 6, "pentago"),
    check_setup=check_setup,
    new_position=PentagoPosition,
    players=lambda: PLAYERS,
    max_plies=lambda _: 36,
    parse_opening=parse_opening,
    make_openings=balanced_openings,
    book="pentago.txt",
    symmetries=list_symmetric_lines,  # a "line" is a sequence of moves
    gtp=lazy_attribute("bots.pentago.gtp", "GTP"),  # how GTP sessions read and write this game
    painter=lazy_attribute("bots.pentago.pages.painter", "PAINTER"),
    rules_page=lazy_attribute("bots.pentago.pages.rules", "SECTIONS"),
    loadable_formats="moves (b2s c3t) and positions (6/6/6/6/6/6 w)",
    bench_positions=BENCH,
    bench_depth=9,
)
