"""Plays two networks against each other: `python -m bots.hex.training.compare FILE NEW.network OLD.network --games 60`.

Both evaluate the same number of positions per move, and each opening is played twice with colours swapped. FILE
receives a line of JSON per game: size, moves, and `won`, whether the new network won. An interrupted run resumes.
"""

from __future__ import annotations

import argparse
import math
import random
from pathlib import Path
from typing import Any

from bots.hex.network import NETWORK_FILE
from bots.hex.training.make_data import make_engine, random_opening
from core.play.player import Limits, Setup
from core.training.games import open_workers, read_games, record_games

SIZE = 11  # default board size


class NetworkDuel:
    """Plays games between a new and an old network."""

    def __init__(self, new: bytes, old: bytes, positions: int, seed: int, size: int = SIZE) -> None:
        """Take the contents of the network files, and the positions that each side evaluates per move."""
        self._new, self._old = make_engine("network", new), make_engine("network", old)
        self._positions, self._seed, self._size = positions, seed, size

    def play(self, index: int) -> dict[str, Any]:
        """Play game number `index`. Games 2k and 2k + 1 have the same opening; the new network is black in game 2k."""
        rng = random.Random(f"{self._seed} {index // 2}")
        setup = Setup(self._size, self._size, "standard")
        engines = [self._new, self._old] if index % 2 == 0 else [self._old, self._new]  # black, white
        for engine in engines:
            engine.clear_hash()
            engine.set_option("seed", rng.randrange(1, 1 << 20))
            engine.new_game(setup)
        moves = random_opening(self._old, self._size, rng, self._positions)
        self._old.clear_hash()
        while True:
            engine = engines[len(moves) % 2]
            engine.set_position(moves)
            outcome = engine.position.outcome()
            if outcome:
                return {"size": self._size, "moves": moves, "won": outcome.winner == index % 2}
            moves.append(engine.choose(Limits(nodes=self._positions)).move)


def count_wins(file: Path) -> tuple[int, int]:
    """Return the number of games won by the new network, and the number of all games."""
    won = [game["won"] for game in read_games([file])]
    return sum(won), len(won)


def elo(won: int, games: int) -> float:
    """Return the Elo difference that corresponds to `won` of `games` games; 0 without games.

    If no game or all games are won, half a game counts for the other side, because the difference would be infinite.
    """
    if not games:
        return 0.0
    score = min(max(won, 0.5), games - 0.5) / games
    return 400 * math.log10(score / (1 - score))


def main() -> None:
    """Play the games that the file does not have yet, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("old", type=Path, nargs="?", default=NETWORK_FILE)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--positions", type=int, default=400, help="positions evaluated per move")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    settings = (
        arguments.new.read_bytes(),
        arguments.old.read_bytes(),
        arguments.positions,
        arguments.seed,
        arguments.size,
    )
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.games, NetworkDuel, *settings, executor=executor)
    won, games = count_wins(arguments.file)
    print(f"{won} of {games} won, {elo(won, games):+.0f} Elo")


if __name__ == "__main__":
    main()
