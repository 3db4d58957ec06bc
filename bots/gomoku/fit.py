"""Fits the evaluation's weights to games that the engine plays against itself: `python -m bots.gomoku.fit --games 5700`.

Each quiet position gives the counts that the evaluation sees and whether its side to move went on to win. Logistic
regression, its signs held to what each count means, gives the weights that `bots/gomoku/evaluate.py` holds as numbers.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import minimize

from bots.gomoku.engine import ENGINE_OPTIONS, Engine
from bots.gomoku.openings import random_moves
from bots.gomoku.patterns import CODES, GRADE_FIVE, GRADE_OPEN_FOUR, GRADE_QUIET, GRADES
from core.options import OptionSet
from core.player import IllegalMove, Limits, Setup
from core.scores import UNSETTLED

UNITS = 160  # evaluation units of one unit of log-odds
RIDGE = 1e-4
MAX_STONES = 180  # a game that goes on so long is a draw for our purpose

Sample = tuple[list[int], float]


def play_samples(games: int, nodes: int, seed: int) -> Iterator[Sample]:
    """Features and result (1 won, 0 lost, 1/2 drawn, for the side to move) of the quiet positions of some games."""
    chance = random.Random(seed)
    engine = Engine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 32)
    for _ in range(games):
        size = chance.choice((15, 15, 20))
        setup = Setup(size, size, "freestyle")
        engine.new_game(setup)
        try:
            engine.set_moves(random_moves(chance, setup, chance.randrange(3, 8)))
        except IllegalMove:
            continue
        positions, winner = _play_game(engine, nodes, chance)
        for side, features in positions:
            yield features, 0.5 if winner is None else float(side == winner)


def _play_game(engine: Engine, nodes: int, chance: random.Random) -> tuple[list[tuple[int, list[int]]], int | None]:
    state, library = engine.position.state, engine.position.library
    positions = []
    while state.stones < MAX_STONES:
        us, them = state.side, 1 - state.side
        settled = library.settle(state, 0)
        if settled != UNSETTLED:
            return positions, None if settled == 0 else (us if settled > 0 else them)
        quiet = not state.grade_count[them][GRADE_FIVE] and not state.grade_count[them][GRADE_OPEN_FOUR]
        decision = engine.choose(Limits(nodes=nodes * chance.choice((1, 2, 4)) // 2))
        if decision.progress.win_in is not None:
            return positions, us if decision.progress.win_in > 0 else them
        if quiet:
            counts = (state.code_count[us], state.code_count[them], state.grade_count[us], state.grade_count[them])
            positions.append((us, [number for count in counts for number in count]))
        engine.play(decision.move)
    return positions, None


def fit_weights(features: Any, results: Any) -> Any:
    """Weights of all counts, the tempo last, in evaluation units. Counts that tell nothing get 0."""
    width = features.shape[1]
    quiet_grades = {2 * CODES + grade for grade in range(GRADE_QUIET + 1)}
    quiet_grades |= {2 * CODES + GRADES + grade for grade in range(GRADE_QUIET + 1)}
    used = [i for i in range(width) if features[:, i].std() > 0 and i % CODES and i not in quiet_grades]
    scale = np.append(features[:, used].std(axis=0), 1.0)
    columns = np.column_stack([features[:, used], np.ones(len(features))]) / scale

    def loss(weights: Any) -> tuple[float, Any]:
        odds = columns @ weights
        error = np.mean(np.logaddexp(0, odds) - results * odds) + RIDGE * np.sum(weights**2)
        slope = columns.T @ (1 / (1 + np.exp(-odds)) - results) / len(results) + 2 * RIDGE * weights
        return float(error), slope

    ours = [(i // CODES) % 2 == 0 for i in used]
    bounds = [(0.0, None) if own else (None, 0.0) for own in ours] + [(None, None)]
    found = minimize(loss, np.zeros(len(used) + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    weights = np.zeros(width + 1)
    weights[[*used, width]] = found.x / scale * UNITS
    return weights


def main() -> None:
    """Play, fit and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5700)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    samples = list(play_samples(arguments.games, arguments.nodes, arguments.seed))
    features = np.array([sample[0] for sample in samples], dtype=float)
    weights = fit_weights(features, np.array([sample[1] for sample in samples]))
    print(f"{len(samples)} positions")
    for name, start, sign in (("codes, side to move", 0, 1), ("codes, the other", CODES, -1)):
        print(f"{name}: {[round(sign * float(w)) for w in weights[start : start + CODES]]}")
    for name, start, sign in (("grades, side to move", 2 * CODES, 1), ("grades, the other", 2 * CODES + GRADES, -1)):
        print(f"{name}: {[round(sign * float(w)) for w in weights[start : start + GRADES]]}")
    print(f"tempo: {weights[-1]:.0f}")


if __name__ == "__main__":
    main()
