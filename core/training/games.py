"""Files of recorded games, a line of JSON for each, that a broken-off recording goes on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol


class GamePlayer(Protocol):
    """Plays games to learn from."""

    def play(self, index: int) -> dict[str, Any]:
        """The game of an index, always the same one, as JSON has it."""


def keep_whole_lines(file: Path) -> int:
    """Cut off a last line that was broken off; return the number of lines left."""
    if not file.exists():
        return 0
    data = file.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        file.write_bytes(whole)
    return whole.count(b"\n")


def record_games(file: Path, player: GamePlayer, games: int) -> None:
    """Play the games that a file lacks of so many."""
    done = keep_whole_lines(file)
    with file.open("a", encoding="utf-8") as out:
        for index in range(done, games):
            out.write(json.dumps(player.play(index), separators=(",", ":")) + "\n")
            out.flush()
