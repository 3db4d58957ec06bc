"""Fits the evaluation weights to self-play games: `python -m bots.hive.training.fit --games 1100`.

Each sample is the feature vector of a position and the result of its game for the side to move. Ridge-regularised
logistic regression starts from the weights of bots/hive/weights.py and stays near them. The fitted weights are printed.
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

UNITS = 160  # evaluation units per unit of log-odds of winning; the hand-set weights fitted best at this scale
RIDGE = 0.05  # strength of the regularisation towards the present weights
MAX_PLIES = 240  # a longer game counts as a draw
ADJUDICATE_PLIES = 12  # a game ends early when a win or loss is proven in fewer plies

Sample = tuple[list[int], float]  # feature counts; result for the side to move: 1 win, 0.5 draw, 0 loss


def play_samples(games: int, nodes: int, seed: int) -> Iterator[Sample]:
    """Play games and yield a sample for about half of the positions in which a side has several moves.

    A game begins with 3 to 8 random moves. Its type is drawn at random; Base and Base+MLP are the most frequent.
    `nodes` is the node limit of a search; half of it, all of it and twice as much are used with equal probability.
    """
    rng = random.Random(seed)
    engine = HiveEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 16)
    variants = [VARIANTS[0]] * 3 + [VARIANTS[-1]] * 4 + list(VARIANTS[1:-1])
    for _ in range(games):
        engine.new_game(Setup(variant=rng.choice(variants)))
        for _ in range(rng.randrange(3, 9)):
            engine.position.play(rng.choice(engine.position.legal_moves()))
        positions, winner = _play_game(engine, nodes, rng)
        for side, counts in positions:
            yield counts, 0.5 if winner is None else float(side == winner)


def _play_game(engine: HiveEngine, nodes: int, rng: random.Random) -> tuple[list[tuple[int, list[int]]], int | None]:
    """Play a game; return side to move and feature counts of each sampled position, and the winner (None for a draw).

    A game ends by its rules, when a position occurs for the third time, after MAX_PLIES, or when the search proves a
    result in fewer than ADJUDICATE_PLIES plies.
    """
    position, features = engine.position, all_features()
    positions: list[tuple[int, list[int]]] = []
    while len(position.moves) < MAX_PLIES and position.repetitions() < 3:
        outcome = position.outcome()
        if outcome is not None:
            return positions, outcome.winner
        decision = engine.choose(Limits(nodes=nodes * rng.choice((1, 2, 4)) // 2))
        distance = win_distance(decision.progress.score)
        if distance is not None and abs(distance) < ADJUDICATE_PLIES:
            return positions, position.to_move if distance > 0 else 1 - position.to_move
        if decision.note != "only move" and rng.random() < 0.5:
            counts = count_features(position.state)
            positions.append((position.to_move, [counts[feature] for feature in features]))
        engine.position.play(decision.move)
    return positions, None


def main() -> None:
    """Play the games, fit the weights and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1100, help="self-play games (default %(default)s)")
    parser.add_argument(
        "--nodes",
        type=int,
        default=1500,
        help="nodes per move; each move gets a half of them, all or twice as many (default %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the random generator (default %(default)s)")
    arguments = parser.parse_args()
    samples = list(play_samples(arguments.games, arguments.nodes, arguments.seed))
    features = all_features()
    prior = np.array([weight_of(feature) for feature in features], dtype=float)
    counts = np.array([counts for counts, _ in samples], dtype=float)
    results = np.array([result for _, result in samples])
    fitted = dict(zip(features, fit_weights(counts, results, prior, units=UNITS, ridge=RIDGE), strict=True))
    print(f"{len(samples)} positions")
    for name in dict.fromkeys(name for name, _ in features):
        print(f"{name}: {[round(weight) for feature, weight in fitted.items() if feature[0] == name]}")


if __name__ == "__main__":
    main()
