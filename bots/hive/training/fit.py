"""Fits the evaluation's weights to games against itself: `python -m bots.hive.training.fit --games 1100`.

Each position gives the features that the evaluation sees and whether its side to move went on to win. Logistic
regression gives the weights that `bots/hive/weights.py` holds, starting from the present ones and held near them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

import numpy as np

from bots.hive.engine import ENGINE_OPTIONS, HiveEngine
from bots.hive.notation import VARIANTS
from bots.hive.training.features import all_features, count_features, weight_of
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import win_distance
from core.training.fitting import fit_weights

UNITS = 160  # evaluation units to one of log-odds, where the hand-set weights fitted best
RIDGE = 0.05
MAX_PLIES = 240  # a game that goes on so long is a draw for our purpose
SEEN_WIN = 12  # plies to a proven end at which a game is called

Sample = tuple[list[int], float]


def play_samples(games: int, nodes: int, seed: int) -> Iterator[Sample]:
    """Features and result (1 won, 0 lost, 1/2 drawn, for the side to move) of half the positions of some games."""
    chance = random.Random(seed)
    engine = HiveEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 16)
    variants = [VARIANTS[0]] * 3 + [VARIANTS[-1]] * 4 + list(VARIANTS[1:-1])
    for _ in range(games):
        engine.new_game(Setup(variant=chance.choice(variants)))
        for _ in range(chance.randrange(3, 9)):
            engine.position.play(chance.choice(engine.position.legal_moves()))
        positions, winner = _play_game(engine, nodes, chance)
        for side, features in positions:
            yield features, 0.5 if winner is None else float(side == winner)


def _play_game(engine: HiveEngine, nodes: int, chance: random.Random) -> tuple[list[tuple[int, list[int]]], int | None]:
    position, order = engine.position, all_features()
    positions: list[tuple[int, list[int]]] = []
    while len(position.moves) < MAX_PLIES and position.repetitions() < 3:
        outcome = position.outcome()
        if outcome is not None:
            return positions, outcome.winner
        decision = engine.choose(Limits(nodes=nodes * chance.choice((1, 2, 4)) // 2))
        distance = win_distance(decision.progress.score)
        if distance is not None and abs(distance) < SEEN_WIN:
            return positions, position.to_move if distance > 0 else 1 - position.to_move
        if decision.note != "only move" and chance.random() < 0.5:
            counts = count_features(position.state)
            positions.append((position.to_move, [counts[feature] for feature in order]))
        engine.position.play(decision.move)
    return positions, None


def main() -> None:
    """Play, fit and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1100)
    parser.add_argument("--nodes", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    samples = list(play_samples(arguments.games, arguments.nodes, arguments.seed))
    order = all_features()
    prior = np.array([weight_of(feature) for feature in order], dtype=float)
    counts, results = np.array([sample[0] for sample in samples], dtype=float), np.array([s[1] for s in samples])
    fitted = dict(zip(order, fit_weights(counts, results, prior, units=UNITS, ridge=RIDGE), strict=True))
    print(f"{len(samples)} positions")
    for name in dict.fromkeys(name for name, _ in order):
        print(f"{name}: {[round(weight) for feature, weight in fitted.items() if feature[0] == name]}")


if __name__ == "__main__":
    main()
