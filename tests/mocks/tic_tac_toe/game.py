"""The description of tic-tac-toe for Pentad: `GAME`, named by the entry point of a package that adds a game."""

from __future__ import annotations

from core.play.game import Game, lazy_attribute
from core.play.rules_page import Picture, Section
from protocols.gtp.game import GtpGame
from tests.mocks.tic_tac_toe.player import PLAYERS
from tests.mocks.tic_tac_toe.position import START, SYMBOLS, TicTacToe, check_setup

GTP = GtpGame(title="Tic-tac-toe", default_setup=START, new_position=TicTacToe, colours=("crosses", "noughts"))
RULES = (
    Section("The game", ("Three in a row win.",), (Picture("Crosses have won.", ("a1", "b1", "a2", "b2", "a3")),)),
)
GAME = Game(
    name="tic-tac-toe",
    title="Tic-tac-toe",
    protocol="gtp",
    variants=(START.variant,),
    default_setup=START,
    check_setup=check_setup,
    new_position=TicTacToe,
    players=lambda: PLAYERS,
    max_plies=lambda _: 9,
    symbols=(SYMBOLS[0], SYMBOLS[1]),
    gtp=lambda: GTP,
    painter=lazy_attribute("tests.mocks.tic_tac_toe.painter", "PAINTER"),
    rules_page=lambda: RULES,
)
