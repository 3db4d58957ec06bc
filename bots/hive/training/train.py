"""Trains the network: `python -m bots.hive.training.train NETWORK_FILE FILE.games ...`. Needs the extra `train`.

The network's output is added to the linear evaluation, whose weights stay as they are. The loss is the cross-entropy
with the targets of samples.py at the quiet positions. It is reported on standard error, with that of the games that
are held out. Two epochs are enough: in a third one the loss on the games that are held out rises. With --start the
training continues from a network file, such as the present one if only games of its own are at hand.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from bots.hive.kernels.board import HIVE
from bots.hive.kernels.network_fields import FEATURES, MAX_FEATURES
from bots.hive.training.fit import UNITS
from bots.hive.training.game_record import GameRecord
from bots.hive.training.model import Network, from_bytes, to_bytes
from bots.hive.training.samples import GameReplayer, is_validation, recorded_games, value_target
from core.training.recording import RecordedGames
from core.training.torch_training import set_learning_rate

BATCH_SIZE = 4096  # positions
PEAK_RATE = 3e-3  # default; see `set_learning_rate`


@dataclass(frozen=True)
class TrainingSamples:
    """Arrays of quiet positions, from the side to move's point of view."""

    features: Any  # (positions, 2, MAX_FEATURES) i16: as in `Network.forward`
    hands: Any  # (positions,) u8: tiles in both hands
    evaluations: Any  # (positions,) i16: linear evaluation
    targets: Any  # (positions,) f32: probability of winning

    def __len__(self) -> int:
        return len(self.targets)

    def batches(self, order: Any) -> list[Any]:
        """Return the indices of the positions in `order` in batches, each sorted for faster access."""
        return [np.sort(order[begin : begin + BATCH_SIZE]) for begin in range(0, len(order), BATCH_SIZE)]


def read_samples(games: RecordedGames[GameRecord], *, validation: bool) -> TrainingSamples:
    """Return the quiet positions of the games that are held out, or of the others."""
    replayer = GameReplayer()
    state, kernels = replayer.state, replayer.library
    view: Any = np.frombuffer(state, dtype=HIVE.dtype())[0]  # type: ignore[call-overload]
    chosen = [game for game in games if is_validation(game) == validation]
    size = sum(game.positions for game in chosen)
    features = np.empty((size, 2, MAX_FEATURES), dtype=np.int16)
    hands, evaluations = np.empty(size, dtype=np.uint8), np.empty(size, dtype=np.int16)
    targets = np.empty(size, dtype=np.float32)
    count = 0
    for game in chosen:
        for sample in replayer.replay(game):
            if not sample.is_quiet:
                continue
            evaluations[count] = kernels.evaluate(state)
            listed, lengths = view["features"].reshape(2, MAX_FEATURES), view["feature_count"]
            for row, side in enumerate((state.side, 1 - state.side)):
                features[count, row] = listed[side]
                features[count, row, lengths[side] :] = FEATURES
            hands[count], targets[count] = view["in_hand"].sum(), value_target(sample)
            count += 1
    return TrainingSamples(features[:count], hands[:count], evaluations[:count], targets[:count])


def loss_of(network: Network, samples: TrainingSamples, indices: Any) -> torch.Tensor:
    """Return the mean cross-entropy of some positions."""
    features = torch.from_numpy(samples.features[indices].astype(np.int32))
    hands = torch.from_numpy(samples.hands[indices].astype(np.int32))
    linear = torch.from_numpy(samples.evaluations[indices].astype(np.float32) / UNITS)
    targets = torch.from_numpy(samples.targets[indices])
    return nn.functional.binary_cross_entropy_with_logits(network(features, hands) + linear, targets)


def mean_loss(network: Network, samples: TrainingSamples) -> float:
    """Return the mean cross-entropy of all positions."""
    with torch.no_grad():
        batches = samples.batches(np.arange(len(samples)))
        total = sum(float(loss_of(network, samples, batch)) * len(batch) for batch in batches)
        return total / max(len(samples), 1)


def train(
    network: Network, samples: TrainingSamples, held_out: TrainingSamples, epochs: int, rate: float = PEAK_RATE
) -> None:
    """Train for some epochs and print the losses of each. `rate` is the greatest learning rate."""
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    rng = np.random.default_rng(1)
    for epoch in range(epochs):
        batches, total = samples.batches(rng.permutation(len(samples))), 0.0
        for number, batch in enumerate(batches):
            set_learning_rate(optimizer, rate, (epoch + (number + 0.5) / len(batches)) / epochs)
            optimizer.zero_grad()
            loss = loss_of(network, samples, batch)
            loss.backward()
            optimizer.step()
            network.limit_weights()
            total += loss.item() * len(batch)
        losses = f"loss {total / len(samples):.5f}, on games held out {mean_loss(network, held_out):.5f}"
        print(f"epoch {epoch + 1}: {losses}", file=sys.stderr, flush=True)


def main() -> None:
    """Read the games, train and write the network file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", type=Path, metavar="NETWORK_FILE")
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--epochs", type=int, default=2, help="(default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first weights (default %(default)s)")
    parser.add_argument("--start", type=Path, help="network file to continue from, instead of random weights")
    parser.add_argument("--rate", type=float, default=PEAK_RATE, help="greatest learning rate (default %(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="(default %(default)s)")
    arguments = parser.parse_args()
    if not arguments.network.parent.is_dir():
        parser.error(f"no folder {arguments.network.parent}")
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    try:
        network = Network() if arguments.start is None else from_bytes(arguments.start.read_bytes())
    except OSError as error:
        parser.error(str(error))
    except ValueError as error:
        parser.error(f"{arguments.start}: {error}")
    games = recorded_games(arguments.games)
    samples, held_out = (read_samples(games, validation=validation) for validation in (False, True))
    if len(samples) == 0 or len(held_out) == 0:
        parser.error(f"too few games: {len(samples)} quiet positions, and {len(held_out)} of games held out")
    linear = np.mean(np.logaddexp(0, held_out.evaluations / UNITS) - held_out.targets * held_out.evaluations / UNITS)
    print(
        f"{len(samples)} positions, {len(held_out)} held out; loss of the linear evaluation {linear:.5f}, "
        f"of the first weights {mean_loss(network, held_out):.5f}",
        file=sys.stderr,
        flush=True,
    )
    train(network, samples, held_out, arguments.epochs, arguments.rate)
    arguments.network.write_bytes(to_bytes(network))


if __name__ == "__main__":
    main()
