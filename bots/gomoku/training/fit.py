"""Fits the evaluation's weights to games against itself: `python -m bots.gomoku.training.fit --games 5700`.

Each quiet position gives the counts that the evaluation sees and whether its side to move went on to win. Logistic
regression gives the weights that `bots/gomoku/weights.py` holds as numbers. It starts from the present ones and is held
near them: unrestrained, the fit to such quick games was better and the play worse (45 % of 90 games at 60,000 nodes).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.kernels.patterns import CODES, GRADE_FIVE, GRADE_OPEN_FOUR, GRADES
from bots.gomoku.openings import random_moves
from bots.gomoku.weights import CODE_WEIGHTS, GRADE_WEIGHTS, TEMPO, UNITS
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import UNSETTLED
from core.training.fitting import fit_weights

RIDGE = 0.05  # how firmly the fit is held to the present weights, per standard deviation of a count
MAX_STONES = 180  # a game that goes on so long is a draw for our purpose

Sample = tuple[list[int], float]


def play_samples(games: int, nodes: int, seed: int) -> Iterator[Sample]:
    """Features and result (1 won, 0 lost, 1/2 drawn, for the side to move) of the quiet positions of some games."""
    chance = random.Random(seed)
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 32)
    for _ in range(games):
        size = chance.choice((15, 15, 20))
        setup = Setup(size, size, "freestyle")
        engine.new_game(setup)
        engine.follow(random_moves(chance, setup, chance.randrange(3, 8)))
        positions, winner = _play_game(engine, nodes, chance)
        for side, features in positions:
            yield features, 0.5 if winner is None else float(side == winner)


def _play_game(
    engine: GomokuEngine, nodes: int, chance: random.Random
) -> tuple[list[tuple[int, list[int]]], int | None]:
    state, library = engine.position.state, engine.position.library
    positions: list[tuple[int, list[int]]] = []
    while state.stones < MAX_STONES:
        us, them = state.side, 1 - state.side
        settled = library.settle(state, 0)
        if settled != UNSETTLED:
            return positions, None if settled == 0 else (us if settled > 0 else them)
        quiet = not state.grade_count[them][GRADE_FIVE] and not state.grade_count[them][GRADE_OPEN_FOUR]
        decision = engine.choose(Limits(nodes=nodes * chance.choice((1, 2, 4)) // 2))
        if decision.progress.result:
            return positions, us if decision.progress.result == "win" else them
        if quiet:
            counts = (state.code_count[us], state.code_count[them], state.grade_count[us], state.grade_count[them])
            positions.append((us, [number for count in counts for number in count]))
        engine.position.place(decision.move)
    return positions, None


def present_weights() -> Any:
    """The weights that `bots/gomoku/weights.py` holds, in the order of the features, the tempo last."""
    codes, grades = np.array(CODE_WEIGHTS, dtype=float), np.array(GRADE_WEIGHTS, dtype=float)
    return np.concatenate([codes[0], -codes[1], grades[0], -grades[1], [TEMPO]])


def main() -> None:
    """Play, fit and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5700)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    samples = list(play_samples(arguments.games, arguments.nodes, arguments.seed))
    counts = np.array([[*sample[0], 1] for sample in samples], dtype=float)  # the last for the tempo
    results = np.array([sample[1] for sample in samples])
    weights = fit_weights(counts, results, present_weights(), units=UNITS, ridge=RIDGE)
    print(f"{len(samples)} positions")
    assert CODES == GRADES
    names = ("codes, side to move", "codes, the other", "grades, side to move", "grades, the other")
    for row, name in enumerate(names):
        block = weights[row * CODES : (row + 1) * CODES] * (-1) ** row
        print(f"{name}: {[round(float(weight)) for weight in block]}")
    print(f"tempo: {weights[-1]:.0f}")


if __name__ == "__main__":
    main()
