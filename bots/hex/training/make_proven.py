"""Positions with all their winning moves, to test a network by: `python -m bots.hex.training.make_proven FILE`.

Each line of the file is a position as JSON: its index, size, moves (`y * size + x`, black first) and `wins`, the moves
that win for the side to move: at most half of all, or none, as in every third position, where it has lost. One stands
in each of as many games, played quickly from random stones, near the move from which virtual connections decide it
without a search. A file that is broken off goes on as one of make_data.py does.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hex.solver.solver_pool import immediate_win
from bots.hex.training.make_data import flat, make_engine
from core.play.player import Limits, Setup
from core.training.games import open_workers, record_games

SIZES = (7, 7, 8, 8, 9, 11)
PLAYOUTS = 400  # of a move: games that are neither perfect nor senseless
NODES = 50  # of the solver for each move
LOST_EVERY = 3
MOST_BEFORE, MOST_AFTER = 4, 4  # moves from where virtual connections decide without a search
TABLE_BYTES = 1 << 24


class Prover:
    """Finds one position a game."""

    def __init__(self, seed: int, sizes: Sequence[int] = SIZES) -> None:
        self._seed, self._sizes = seed, sizes
        self._engine = make_engine("playouts")

    def play(self, index: int) -> dict[str, Any]:
        """The position of an index, always the same one."""
        chance = random.Random(f"proven {self._seed} {index}")
        while True:
            size = chance.choice(self._sizes)
            moves, wins = self._find(size, chance) or ([], [])
            fits = 0 < 2 * len(wins) <= size * size - len(moves) if index % LOST_EVERY else not wins
            if moves and fits:
                return {"index": index, "size": size, "moves": moves, "wins": wins}

    def _find(self, size: int, chance: random.Random) -> tuple[list[int], list[int]] | None:
        """The first of a game's positions about its decision, from one by chance on, whose moves the solver judges."""
        self._engine.clear_hash()
        self._engine.set_option("seed", chance.randrange(1, 1 << 20))
        self._engine.new_game(Setup(size, size, "standard"))
        position = self._engine.position
        solver = DfpnSolver(position, TABLE_BYTES)
        after = 0
        for _ in self._moves(chance):
            after += after > 0 or solver.solve(position, Limits(nodes=1)).winner is not None
            if after > MOST_AFTER:
                break
        moves = position.moves
        for left in range(chance.randint(1, MOST_AFTER + MOST_BEFORE), 0, -1):
            position.replay(moves[: max(len(moves) - left, 0)])
            wins = list_wins(solver, position)
            if wins is not None:
                return [flat(position.parse(move), size) for move in position.moves], wins
        return None

    def _moves(self, chance: random.Random) -> Iterator[None]:
        """Play a game from two random stones until a move ends it, and stop before each move."""
        position = self._engine.position
        for move in chance.sample(position.legal_moves(), 2):
            position.play(move)
        while not immediate_win(position, ()):
            yield
            branches = [branch for branch in self._quick() if branch.visits]
            position.play(position.format(chance.choices(branches, [branch.visits for branch in branches])[0].move))

    def _quick(self) -> list[Any]:
        self._engine.choose(Limits(nodes=PLAYOUTS))
        return self._engine.move_statistics()


def list_wins(solver: DfpnSolver, position: HexPosition) -> list[int] | None:
    """The winning moves, or None where the solver cannot tell of each whether it is one."""
    wins, side, size = [], position.to_move, position.setup.width
    if solver.solve(position, Limits(nodes=NODES)).winner is None:
        return None
    for move in position.legal_moves():
        position.play(move)
        winner = solver.solve(position, Limits(nodes=NODES)).winner
        position.undo()
        if winner is None:
            return None
        if winner == side:
            wins.append(flat(position.parse(move), size))
    return wins


def main() -> None:
    """Find the positions that the file lacks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.positions, Prover, arguments.seed, executor=executor)


if __name__ == "__main__":
    main()
