"""Entry point of the tic-tac-toe engine, a GTP engine."""

from __future__ import annotations

from protocols.gtp.program import run_gtp_bot
from tests.mocks.tic_tac_toe.game import GAME, GTP
from tests.mocks.tic_tac_toe.player import PLAYERS

if __name__ == "__main__":
    run_gtp_bot(GAME.name, GTP, PLAYERS, GAME.title, name=GAME.title)
