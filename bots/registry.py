"""The games that are here, in the order of listings: each is a folder whose `game.py` holds its row.

How one adds a game, here or from a package of its own, stands in `core/README.md`.
"""

from __future__ import annotations

from bots.gomoku.game import GAME as GOMOKU
from bots.hex.game import GAME as HEX
from bots.hive.game import GAME as HIVE
from bots.kolibrat.game import GAME as KOLIBRAT
from bots.pentago.game import GAME as PENTAGO
from core.play.game import Game

GAMES: dict[str, Game] = {game.name: game for game in (GOMOKU, HEX, HIVE, PENTAGO, KOLIBRAT)}
