"""Names of the games of this repository. `bots/registry.py` maps each of them to its `Game` object.

The bots' executables need only the names. They import this module because the registry imports all games.
"""

from __future__ import annotations

GAME_NAMES = ("gomoku", "hex", "hive", "pentago", "kolibrat")
