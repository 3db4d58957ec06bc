"""The games of this repository: each is a folder of `bots/` whose `game.py` describes it in a `Game` object.

core/README.md explains how to add a game, here or in a package of its own.
"""

from __future__ import annotations

from bots.gomoku.game import GAME as GOMOKU
from bots.hex.game import GAME as HEX
from bots.hive.game import GAME as HIVE
from bots.kolibrat.game import GAME as KOLIBRAT
from bots.pentago.game import GAME as PENTAGO
from core.play.game import Game

# Games by name, in the order in which commands list them.
GAMES: dict[str, Game] = {game.name: game for game in (GOMOKU, HEX, HIVE, PENTAGO, KOLIBRAT)}
