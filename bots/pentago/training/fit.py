"""Fits the evaluation's weights to games against itself: `python -m bots.pentago.training.fit --games 4500`.

Each position of up to MAX_MARBLES gives the shapes that the evaluation counts and whether its side to move won: the
search's word where it sees an end, else the solver's at SOLVED_MARBLES. Logistic regression, held a little to 0, gives
weights; those that `bots/pentago/weights.py` holds came from games of an engine with earlier ones.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence

import numpy as np

from bots.pentago.engine import ENGINE_OPTIONS, PentagoEngine
from bots.pentago.kernels.evaluate import PARTS
from bots.pentago.layout import CENTRES, DRAW, LINES, QUADRANTS
from bots.pentago.solver import prove
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.training.fitting import fit_weights

UNITS = 100  # evaluation units to one of log-odds
RIDGE = 0.0005
MAX_MARBLES = 20
SOLVED_MARBLES = 24
RANDOM_PLIES = (1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 10)  # with which games begin, one of them each

# What a weight of bots/pentago/weights.py stands for: parts of a quadrant, and the least marbles that count there.
SHAPES = (
    ("EDGES", PARTS[:4], 1, 3),
    ("MIDDLES", PARTS[4:6], 1, 3),
    ("DIAGONALS", PARTS[6:8], 1, 3),
    ("SLANT", PARTS[8:12], 2, 2),
    ("CORNER", PARTS[12:20:2], 1, 1),
    ("EDGE", PARTS[13:20:2], 1, 1),
    ("CENTRE", PARTS[20:], 1, 1),
)
LINE_SHAPE = 2, 4  # marbles of an open line that count

Sample = tuple[list[int], float]


def _mask(bits: Sequence[int], quadrant: int) -> int:
    return sum(1 << (8 * quadrant + bit if bit < 8 else CENTRES + quadrant) for bit in bits)


PART_MASKS = tuple(
    ([_mask(bits, quadrant) for bits, _ in parts for quadrant in range(QUADRANTS)], least, most)
    for _, parts, least, most in SHAPES
)
LINE_MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)


def count_shapes(masks: Sequence[int], own: int, other: int, least: int, most: int) -> list[int]:
    """How many of the masks without an enemy's marble hold `least` to `most` of one's own."""
    counts = [0] * (most + 1)
    for mask in masks:
        if not mask & other and (held := (mask & own).bit_count()) <= most:
            counts[held] += 1
    return counts[least:]


def count_features(own: int, other: int) -> list[int]:
    """In the order of the weights; the last is the tempo's."""
    counts: list[int] = []
    for masks, least, most in PART_MASKS:
        mine, theirs = (count_shapes(masks, *pair, least, most) for pair in ((own, other), (other, own)))
        counts += [first - second for first, second in zip(mine, theirs, strict=True)]
    counts += count_shapes(LINE_MASKS, own, other, *LINE_SHAPE)
    counts += [-count for count in count_shapes(LINE_MASKS, other, own, *LINE_SHAPE)]
    return [*counts, 1]


def play_samples(games: int, nodes: int, seed: int) -> Iterator[Sample]:
    """Features and result (1 won, 0 lost, 1/2 drawn, for the side to move) of the positions of some games."""
    chance = random.Random(seed)
    engine = PentagoEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 32)
    for _ in range(games):
        engine.new_game(Setup())
        for _ in range(chance.choice(RANDOM_PLIES)):
            if engine.position.outcome() is None:
                engine.position.play(chance.choice(engine.position.legal_moves()))
        positions, white_score = _play_game(engine, nodes)
        for side, features in positions:
            yield features, white_score if side == 0 else 1 - white_score


def _play_game(engine: PentagoEngine, nodes: int) -> tuple[list[tuple[int, list[int]]], float]:
    """The positions by side to move, and white's score."""
    position, state = engine.position, engine.position.state
    positions: list[tuple[int, list[int]]] = []
    while not state.result:
        side = state.side
        if position.stones >= SOLVED_MARBLES:
            proof = prove(position.library, state, position.legal_numbers(), 0)
            assert proof is not None
            return positions, (1 + (proof.value if side == 0 else -proof.value)) / 2
        if position.stones <= MAX_MARBLES:
            own, other = (state.white, state.black) if side == 0 else (state.black, state.white)
            positions.append((side, count_features(int(own), int(other))))
        decision = engine.choose(Limits(nodes=nodes))
        if decision.progress.result:
            return positions, float((decision.progress.result == "win") == (side == 0))
        engine.position.play(decision.move)
    return positions, 0.5 if state.result == DRAW else float(state.result == 1)


def main() -> None:
    """Play, fit and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4500)
    parser.add_argument("--nodes", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    samples = list(play_samples(arguments.games, arguments.nodes, arguments.seed))
    counts = np.array([sample[0] for sample in samples], dtype=float)
    results = np.array([sample[1] for sample in samples])
    weights = fit_weights(counts, results, np.zeros(counts.shape[1]), units=UNITS, ridge=RIDGE)
    print(f"{len(samples)} positions")
    rows = [(name, most - least + 1) for name, _, least, most in SHAPES] + [("OWN", 3), ("THEIRS", 3), ("TEMPO", 1)]
    for name, length in rows:
        print(f"{name}: {[round(float(weight)) for weight in weights[:length]]}")
        weights = weights[length:]


if __name__ == "__main__":
    main()
