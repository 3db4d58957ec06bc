"""Makes proven test positions for the network: `python -m bots.hex.training.make_proven FILE`.

FILE receives a line of JSON per position: index, size, moves (`y * size + x`, black first) and `wins`, all moves that
win for the side to move. They are at most half of all moves; in every third position there are none. Each position
comes from a game of its own, which fast searches play from two random stones. It lies near the first position of this
game that virtual connections decide. An interrupted run resumes.
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
from bots.hex.training.make_data import flat_index, make_engine
from core.play.player import Limits, Setup
from core.training.games import open_workers, record_games

SIZES = (7, 7, 8, 8, 9, 11)  # drawn at random for each position
PLAYOUTS_PER_MOVE = 400  # so that games are neither perfect nor random
SOLVER_NODES = 50  # node limit of each proof
LOST_EVERY = 3  # one in this many positions is lost
MAX_BEFORE, MAX_AFTER = 4, 4  # distance in moves from the first position that virtual connections decide
TABLE_BYTES = 1 << 24  # the solver's transposition table


class ProvenPositionFinder:
    """Finds one position per game."""

    def __init__(self, seed: int, sizes: Sequence[int] = SIZES) -> None:
        self._seed, self._sizes = seed, sizes
        self._engine = make_engine("playouts")

    def play(self, index: int) -> dict[str, Any]:
        """Return position number `index`; it is always the same one."""
        rng = random.Random(f"proven {self._seed} {index}")
        while True:
            size = rng.choice(self._sizes)
            moves, wins = self._find(size, rng) or ([], [])
            fits = 0 < 2 * len(wins) <= size * size - len(moves) if index % LOST_EVERY else not wins
            if moves and fits:
                return {"index": index, "size": size, "moves": moves, "wins": wins}

    def _find(self, size: int, rng: random.Random) -> tuple[list[int], list[int]] | None:
        """Play a game; return the moves and the winning moves of a position near its decision, or None.

        The position is the first one, from a random start near the decision, in which the solver knows the result of
        every move.
        """
        self._engine.clear_hash()
        self._engine.set_option("seed", rng.randrange(1, 1 << 20))
        self._engine.new_game(Setup(size, size, "standard"))
        position = self._engine.position
        solver = DfpnSolver(position, TABLE_BYTES)
        decided_count = 0  # positions from the first decided one on
        for _ in self._play_game(rng):
            decided_count += decided_count > 0 or solver.solve(position, Limits(nodes=1)).winner is not None
            if decided_count > MAX_AFTER:
                break
        moves = position.moves
        for removed in range(rng.randint(1, MAX_AFTER + MAX_BEFORE), 0, -1):
            position.replay(moves[: max(len(moves) - removed, 0)])
            wins = list_winning_moves(solver, position)
            if wins is not None:
                return [flat_index(position.parse(move), size) for move in position.moves], wins
        return None

    def _play_game(self, rng: random.Random) -> Iterator[None]:
        """Play a game from two random stones until a move can end it; yield before each move of a search."""
        position = self._engine.position
        for move in rng.sample(position.legal_moves(), 2):
            position.play(move)
        while not immediate_win(position, ()):
            yield
            statistics = [entry for entry in self._play_quick_search() if entry.visits]
            position.play(position.format(rng.choices(statistics, [entry.visits for entry in statistics])[0].move))

    def _play_quick_search(self) -> list[Any]:
        self._engine.choose(Limits(nodes=PLAYOUTS_PER_MOVE))
        return self._engine.move_statistics()


def list_winning_moves(solver: DfpnSolver, position: HexPosition) -> list[int] | None:
    """Return the winning moves as `y * size + x`, or None if the solver cannot decide every move."""
    wins, side, size = [], position.to_move, position.setup.width
    if solver.solve(position, Limits(nodes=SOLVER_NODES)).winner is None:
        return None
    for move in position.legal_moves():
        position.play(move)
        winner = solver.solve(position, Limits(nodes=SOLVER_NODES)).winner
        position.undo()
        if winner is None:
            return None
        if winner == side:
            wins.append(flat_index(position.parse(move), size))
    return wins


def main() -> None:
    """Find the positions that the file does not have yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.positions, ProvenPositionFinder, arguments.seed, executor=executor)


if __name__ == "__main__":
    main()
