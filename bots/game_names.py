"""Names of the games of this repository. `bots/registry.py` has their `Game` objects, in the same order.

The bots' executables import this module, because the registry would import all games.
"""

from __future__ import annotations

GAME_NAMES = ("gomoku", "hex", "hive", "pentago", "kolibrat")
