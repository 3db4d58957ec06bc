"""Fits the prior (bots/hex/prior.py) to games of make_data.py: `python -m bots.hex.training.fit FILE ...`.

It writes `bots/hex/weights.json`: weights whose softmax comes nearest to the shares of the visits, in cross-entropy,
with a penalty on their squares. The present ones come from 3,190 positions: cross-entropy 2.92 on those held back,
where equal shares have about 4.5.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bots.hex.position import HexPosition, format_cell
from bots.hex.prior import WEIGHT_UNIT, WEIGHTS_FILE, mirror_bridge, mirror_offset, mirror_ring
from bots.hex.training.make_data import padded
from core.play.player import Setup
from core.system.files import write_json_object

RING_CODES, BRIDGES, NEAR = 1 << 12, 48, 26
STARTS = (0, RING_CODES, RING_CODES + BRIDGES, RING_CODES + BRIDGES + NEAR)  # of ring, bridge, reply and follow weights
WEIGHTS = RING_CODES + BRIDGES + 2 * NEAR
NEIGHBOUR_OFFSETS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
PENALTY, ROUNDS, RATE = 3e-6, 400, 0.05


def features(position: HexPosition, cell: int, last: list[int]) -> list[int]:
    """Indices of a move's nine weights, as for black; `last` are the last moves, the opponent's first."""
    side, width, height = position.to_move, position.setup.width, position.setup.height
    x, y = cell % 21, cell // 21

    def content(dx: int, dy: int) -> int:
        inside = 0 <= x + dx <= width + 1 and 0 <= y + dy <= height + 1
        corner = (x + dx, y + dy)
        if corner in ((width + 1, 0), (0, height + 1)):  # as on the playout board
            return 2 if corner[1] == 0 else 1
        return position.state.cells[cell + dx + 21 * dy] if inside else 3

    contents = [content(dx, dy) for dx, dy in NEIGHBOUR_OFFSETS]
    ring = sum(value << (2 * direction) for direction, value in enumerate(contents))
    bridges = []
    for direction in range(6):
        (dx, dy), (to_x, to_y) = NEIGHBOUR_OFFSETS[direction], NEIGHBOUR_OFFSETS[direction - 5]
        free = contents[direction] == contents[direction - 5] == 0
        bridges.append(8 * direction + content(dx + to_x, dy + to_y) + 4 * free)
    near = []
    for other in last[:2]:
        dx, dy = x - other % 21 + 2, y - other // 21 + 2
        near.append(dy * 5 + dx if other and 0 <= dx < 5 and 0 <= dy < 5 else NEAR - 1)
    if side == 1:
        ring, bridges, near = mirror_ring(ring), [mirror_bridge(i) for i in bridges], [mirror_offset(i) for i in near]
    indices = [turn_ring(ring), *(STARTS[1] + turn_bridge(index) for index in bridges)]
    return indices + [start + turn_near(index) for start, index in zip(STARTS[2:], near, strict=True)]


def turn_ring(ring: int) -> int:
    """The same weight for a ring and for what it is with the board turned by half a circle."""
    return min(ring, (ring >> 6) | (ring & 63) << 6)


def turn_bridge(index: int) -> int:
    """The same for a direction and content a bridge away."""
    return min(index, (index + 24) % 48)


def turn_near(index: int) -> int:
    """The same for a place near another."""
    return min(index, 24 - index) if index < NEAR - 1 else index


def read_positions(files: list[str]) -> Iterator[tuple[list[list[int]], list[int]]]:
    """The weights of each empty cell of each position that was searched at length, and its visits."""
    for file in files:
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            game = json.loads(line)
            size = game["size"]
            position = HexPosition(Setup(size, size, "standard"))
            moves = [padded(move, size) for move in game["moves"]]
            for ply, cells, counts in game["visits"]:
                position.replay([format_cell(move) for move in moves[:ply]])
                visits = dict(zip(cells, counts, strict=True))
                last = [*moves[:ply][::-1], 0, 0][:2]
                empty = [move for move in range(size * size) if not position.state.cells[padded(move, size)]]
                rows = [features(position, padded(move, size), last) for move in empty]
                yield rows, [visits.get(move, 0) for move in empty]


def fit(files: list[str]) -> Any:
    """The weights; a line on standard error tells how well they fit what they were not taught, a tenth of all."""
    rows: list[list[int]] = []
    shares: list[float] = []
    starts = [0]
    for indices, visits in read_positions(files):
        rows += indices
        shares += [count / sum(visits) for count in visits]
        starts.append(len(rows))
    inputs, targets = np.array(rows), np.array(shares)
    groups = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    taught = groups % 10 != 0
    weights = np.zeros(WEIGHTS)
    mean, square = np.zeros(WEIGHTS), np.zeros(WEIGHTS)
    for step in range(1, ROUNDS + 1):  # Adam (Kingma and Ba 2015)
        error = softmax(weights[inputs].sum(axis=1), starts) - targets
        gradient = np.zeros(WEIGHTS)
        for column in inputs[taught].T:
            gradient += np.bincount(column, error[taught], WEIGHTS)
        gradient = gradient / len(starts) + PENALTY * len(NEIGHBOUR_OFFSETS) * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    guess = softmax(weights[inputs].sum(axis=1), starts)
    for name, part in (("taught", taught), ("others", ~taught)):
        entropy = -(targets * np.log(guess))[part].sum() / len(set(groups[part]))
        print(f"{name}: cross-entropy {entropy:.3f}", file=sys.stderr)
    return weights


def softmax(values: Any, starts: list[int]) -> Any:
    """Shares of the cells within each position."""
    powers = np.exp(np.clip(values, -30, 30))
    return powers / np.repeat(np.add.reduceat(powers, starts[:-1]), np.diff(starts))


def main() -> None:
    """Fit to the games of the files that the command line names."""
    write_json_object(WEIGHTS_FILE, list_weights(fit(sys.argv[1:])))


def list_weights(fitted: Any) -> dict[str, Any]:
    """Fitted weights as the file has them, in units: those of rings that are not 0, and for each other place one."""
    weights = [int(weight) for weight in np.round(fitted / WEIGHT_UNIT)]
    rings = {str(ring): weights[turn_ring(ring)] for ring in range(RING_CODES)}
    return {
        "ring": {ring: weight for ring, weight in rings.items() if weight},
        "bridge": [weights[STARTS[1] + turn_bridge(index)] for index in range(BRIDGES)],
        "reply": [weights[STARTS[2] + turn_near(index)] for index in range(NEAR)],
        "follow": [weights[STARTS[3] + turn_near(index)] for index in range(NEAR)],
    }


if __name__ == "__main__":
    main()
