"""Fits the pattern weights (bots/hex/prior.py) to games of make_data.py: `python -m bots.hex.training.fit FILE ...`.

It minimises the cross-entropy between the softmax of the moves' weights and the distributions of their visits, with L2
regularisation, and writes `bots/hex/weights.json`. The present weights come from 3,190 positions. Their cross-entropy
is 2.92 on held-out positions; that of a uniform distribution is about 4.5.

A move has nine weights: one of its ring, six of bridges, and two of its offset from the opponent's last move (`reply`)
and from that of the side to move (`follow`). Patterns that differ by a rotation of the board by 180 degrees share a
weight, whose index is the smaller one (canonical).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bots.hex.position import STRIDE, HexPosition, format_cell
from bots.hex.prior import WEIGHT_UNIT, WEIGHTS_FILE, mirror_bridge, mirror_offset, mirror_ring
from bots.hex.training.make_data import padded_cell
from core.play.player import Setup
from core.system.files import write_json_object
from core.training.games import read_games

RING_COUNT, BRIDGE_COUNT, OFFSET_COUNT = 1 << 12, 48, 26  # codes of a ring, of a bridge, of a reply or follow pattern
# Index of the first ring, bridge, reply and follow weight.
FIRST_INDEX = (0, RING_COUNT, RING_COUNT + BRIDGE_COUNT, RING_COUNT + BRIDGE_COUNT + OFFSET_COUNT)
WEIGHT_COUNT = RING_COUNT + BRIDGE_COUNT + 2 * OFFSET_COUNT
NEIGHBOUR_OFFSETS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # (dx, dy) in the order of the ring's bits
PENALTY, STEPS, LEARNING_RATE = 3e-6, 400, 0.05  # L2 penalty, steps of Adam, learning rate; chosen by hand
HELD_OUT_EVERY = 10  # one in this many positions is held out


def features(position: HexPosition, cell: int, last_moves: list[int]) -> list[int]:
    """Return the indices of a move's nine weights, from black's view.

    `last_moves` has the opponent's last move and that of the side to move, as cells of the padded board; 0 for none.
    """
    side, width, height = position.to_move, position.setup.width, position.setup.height
    x, y = cell % STRIDE, cell // STRIDE  # on the padded board: from 1

    def content(dx: int, dy: int) -> int:
        """Return the content of a cell near the move: 0 empty, 1 black, 2 white, 3 neither."""
        inside = 0 <= x + dx <= width + 1 and 0 <= y + dy <= height + 1
        # The search gives these two corners of the padding a colour (`set_root` in kernels/tree/mcts_game.py).
        if (x + dx, y + dy) in ((width + 1, 0), (0, height + 1)):
            return 2 if y + dy == 0 else 1
        return position.state.cells[cell + dx + STRIDE * dy] if inside else 3

    contents = [content(dx, dy) for dx, dy in NEIGHBOUR_OFFSETS]
    ring = sum(value << (2 * direction) for direction, value in enumerate(contents))
    bridges = []
    for direction in range(6):
        (dx, dy), (to_x, to_y) = NEIGHBOUR_OFFSETS[direction], NEIGHBOUR_OFFSETS[direction - 5]
        free = contents[direction] == contents[direction - 5] == 0
        bridges.append(8 * direction + content(dx + to_x, dy + to_y) + 4 * free)
    offsets = []
    for other in last_moves[:2]:
        dx, dy = x - other % STRIDE + 2, y - other // STRIDE + 2
        offsets.append(dy * 5 + dx if other and 0 <= dx < 5 and 0 <= dy < 5 else OFFSET_COUNT - 1)
    if side == 1:
        ring, bridges, offsets = (
            mirror_ring(ring),
            [mirror_bridge(i) for i in bridges],
            [mirror_offset(i) for i in offsets],
        )
    indices = [canonical_ring(ring), *(FIRST_INDEX[1] + canonical_bridge(index) for index in bridges)]
    return indices + [start + canonical_offset(index) for start, index in zip(FIRST_INDEX[2:], offsets, strict=True)]


def canonical_ring(ring: int) -> int:
    """Return the smaller of a ring code and its rotation by 180 degrees."""
    return min(ring, (ring >> 6) | (ring & 63) << 6)


def canonical_bridge(index: int) -> int:
    """Return the smaller of a bridge feature and its rotation by 180 degrees."""
    return min(index, (index + 24) % 48)


def canonical_offset(index: int) -> int:
    """Return the smaller of an offset index and its rotation by 180 degrees."""
    return min(index, 24 - index) if index < OFFSET_COUNT - 1 else index


def read_positions(files: list[str]) -> Iterator[tuple[list[list[int]], list[int]]]:
    """Yield, for each position with visits, the weight indices of each empty cell, and the visits of each."""
    for game in read_games(map(Path, files)):
        size = game["size"]
        position = HexPosition(Setup(size, size, "standard"))
        moves = [padded_cell(move, size) for move in game["moves"]]
        for ply, cells, counts in game["visits"]:
            position.replay([format_cell(move) for move in moves[:ply]])
            visits = dict(zip(cells, counts, strict=True))
            last_moves = [*moves[:ply][::-1], 0, 0][:2]
            empty = [move for move in range(size * size) if not position.state.cells[padded_cell(move, size)]]
            rows = [features(position, padded_cell(move, size), last_moves) for move in empty]
            yield rows, [visits.get(move, 0) for move in empty]


def fit(files: list[str]) -> Any:
    """Return the fitted weights; print the cross-entropy on the training positions and on those held out."""
    rows: list[list[int]] = []  # weight indices of each move; the moves of all positions one after the other
    targets_list: list[float] = []  # fraction of the visits of each move
    starts = [0]  # index of the first move of each position, and of the end
    for indices, visits in read_positions(files):
        rows += indices
        targets_list += [count / sum(visits) for count in visits]
        starts.append(len(rows))
    inputs, targets = np.array(rows), np.array(targets_list)
    position_numbers = np.repeat(np.arange(len(starts) - 1), np.diff(starts))  # of each move
    is_training = position_numbers % HELD_OUT_EVERY != 0
    weights = np.zeros(WEIGHT_COUNT)
    mean, square = np.zeros(WEIGHT_COUNT), np.zeros(WEIGHT_COUNT)
    for step in range(1, STEPS + 1):  # Adam (Kingma and Ba 2015)
        error = softmax(weights[inputs].sum(axis=1), starts) - targets
        gradient = np.zeros(WEIGHT_COUNT)
        for column in inputs[is_training].T:
            gradient += np.bincount(column, error[is_training], WEIGHT_COUNT)
        gradient = gradient / len(starts) + PENALTY * len(NEIGHBOUR_OFFSETS) * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        weights -= LEARNING_RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    predicted = softmax(weights[inputs].sum(axis=1), starts)
    for name, part in (("training", is_training), ("held out", ~is_training)):
        entropy = -(targets * np.log(predicted))[part].sum() / len(set(position_numbers[part]))
        print(f"{name}: cross-entropy {entropy:.3f}", file=sys.stderr)
    return weights


def softmax(values: Any, starts: list[int]) -> Any:
    """Return the softmax over the moves of each position; `starts` has the index of the first move of each, and the
    end.
    """
    powers = np.exp(np.clip(values, -30, 30))
    return powers / np.repeat(np.add.reduceat(powers, starts[:-1]), np.diff(starts))


def main() -> None:
    """Fit the weights to the games of the files given on the command line."""
    write_json_object(WEIGHTS_FILE, list_weights(fit(sys.argv[1:])))


def list_weights(fitted: Any) -> dict[str, Any]:
    """Return the weights as the file stores them, in units of WEIGHT_UNIT. Rings with weight 0 are left out."""
    weights = [int(weight) for weight in np.round(fitted / WEIGHT_UNIT)]
    rings = {str(ring): weights[canonical_ring(ring)] for ring in range(RING_COUNT)}
    return {
        "ring": {ring: weight for ring, weight in rings.items() if weight},
        "bridge": [weights[FIRST_INDEX[1] + canonical_bridge(index)] for index in range(BRIDGE_COUNT)],
        "reply": [weights[FIRST_INDEX[2] + canonical_offset(index)] for index in range(OFFSET_COUNT)],
        "follow": [weights[FIRST_INDEX[3] + canonical_offset(index)] for index in range(OFFSET_COUNT)],
    }


if __name__ == "__main__":
    main()
