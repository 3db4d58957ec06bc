"""Plays one network against another: `python -m bots.hex.training.compare FILE NEW.network OLD.network --games 60`.

Equal numbers of judged positions a move, each opening twice with colours swapped. Each line of the file is a game as
JSON: its size, moves, and `won`, whether the new network did. A file that is broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from pathlib import Path
from typing import Any

from bots.hex.network import NETWORK_FILE
from bots.hex.training.make_data import draw_opening, make_engine
from core.play.player import Limits, Setup
from core.training.games import open_workers, record_games

SIZE = 11


class NetworkDuel:
    """The new network against the old one."""

    def __init__(self, new: bytes, old: bytes, positions: int, seed: int, size: int = SIZE) -> None:
        self._new, self._old = make_engine("network", new), make_engine("network", old)
        self._positions, self._seed, self._size = positions, seed, size

    def play(self, index: int) -> dict[str, Any]:
        """The game of an index; an even one and the next have the same opening, and the new one begins the former."""
        chance = random.Random(f"{self._seed} {index // 2}")
        setup = Setup(self._size, self._size, "standard")
        players = [self._new, self._old] if index % 2 == 0 else [self._old, self._new]
        for player in players:
            player.clear_hash()
            player.set_option("seed", chance.randrange(1, 1 << 20))
            player.new_game(setup)
        moves = draw_opening(self._old, self._size, chance, self._positions)
        self._old.clear_hash()
        while True:
            player = players[len(moves) % 2]
            player.set_position(moves)
            outcome = player.position.outcome()
            if outcome:
                return {"size": self._size, "moves": moves, "won": outcome.winner == index % 2}
            moves.append(player.choose(Limits(nodes=self._positions)).move)


def tell(file: Path) -> tuple[int, int]:
    """Games won by the new network, and games."""
    won = [json.loads(line)["won"] for line in file.read_text(encoding="utf-8").splitlines()]
    return sum(won), len(won)


def elo(won: int, games: int) -> float:
    """Difference by a score, kept finite by half a game; none where none is played."""
    if not games:
        return 0.0
    share = min(max(won, 0.5), games - 0.5) / games
    return 400 * math.log10(share / (1 - share))


def main() -> None:
    """Play the games that the file lacks, and tell the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("old", type=Path, nargs="?", default=NETWORK_FILE)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--positions", type=int, default=400, help="that each move may judge")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    how = (arguments.new.read_bytes(), arguments.old.read_bytes(), arguments.positions, arguments.seed, arguments.size)
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.games, NetworkDuel, *how, executor=executor)
    won, games = tell(arguments.file)
    print(f"{won} of {games} won, {elo(won, games):+.0f} Elo")


if __name__ == "__main__":
    main()
