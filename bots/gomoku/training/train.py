"""Trains the network: `python -m bots.gomoku.training.train CHECKPOINT FILE.games ...`. Needs the extra `train`.

The loss is the cross-entropy with the targets of samples.py. A twentieth of the games is for validation. Games are read
again in each epoch, so that memory does not grow with their number. The checkpoint is written after every epoch. If it
exists at the start, training continues from it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from bots.gomoku.training.model import Network, from_bytes
from bots.gomoku.training.samples import GAMES_AT_ONCE, GameSource, Samples, value_targets
from core.training.games import open_workers
from core.training.torch_training import restore_checkpoint, save_checkpoint, set_learning_rate

BATCH_SIZE = 2048  # positions
INITIAL_LEARNING_RATE = 3e-3  # the peak, at the end of the warm-up; see `set_learning_rate`
WEIGHT_DECAY = 1e-6  # of the shapes' weights only, because most shapes are rare

# Tensors for the positions of a batch: the three arguments of `Network.forward` (shapes, lengths, counts), and targets.
Batch = tuple[Any, ...]


class Batches:
    """Turns samples into batches of tensors."""

    def __init__(self, samples: Samples) -> None:
        self._samples, self._targets = samples, value_targets(samples)

    def of(self, indices: Any) -> Iterator[Batch]:
        """Yield batches of the positions with these indices, in this order."""
        for begin in range(0, len(indices), BATCH_SIZE):
            yield self._batch(indices[begin : begin + BATCH_SIZE])

    def _batch(self, indices: Any) -> Batch:
        samples = self._samples
        lengths = samples.starts[indices + 1] - samples.starts[indices]
        ends = np.cumsum(lengths)
        # Indices in `samples.shapes` of the cells of all chosen positions, one position after the other.
        cells = np.repeat(samples.starts[indices] - (ends - lengths), lengths) + np.arange(ends[-1])
        return (
            torch.from_numpy(samples.shapes[cells].astype(np.int64)),
            torch.from_numpy(lengths),
            torch.from_numpy(samples.counts[indices].astype(np.float32)),
            torch.from_numpy(self._targets[indices]),
        )


def loss_of(network: Network, batch: Batch) -> torch.Tensor:
    """Return the mean cross-entropy minus the entropy of the targets, so that 0 is perfect."""
    *inputs, target = batch
    logit = network(*inputs)
    entropy = -(torch.xlogy(target, target) + torch.xlogy(1 - target, 1 - target)).mean()
    return nn.functional.binary_cross_entropy_with_logits(logit, target) - entropy


@dataclass(frozen=True)
class TrainingData:
    """The games to train on, read by other processes or, without an executor, by this one."""

    source: GameSource
    training: Any  # numbers of the training games
    validation: Any  # numbers of the validation games
    executor: Executor | None = None
    ahead: int = 1  # chunks of games that are read in advance

    def batches(self, epoch: int) -> Iterator[tuple[float, Batch]]:
        """Yield (fraction of the epoch that is done, batch); the order depends on the epoch's number."""
        rng = np.random.default_rng(epoch)
        order = rng.permutation(self.training)
        chunk_count = -(-len(order) // GAMES_AT_ONCE)  # rounded up
        for chunk, samples in enumerate(self.source.read(order, self.executor, self.ahead)):
            batch_count = -(-len(samples) // BATCH_SIZE)
            batches = Batches(samples).of(rng.permutation(len(samples)))
            yield from (((chunk + i / batch_count) / chunk_count, batch) for i, batch in enumerate(batches))

    def validation_batches(self) -> Iterator[Batch]:
        """Yield batches of the validation positions."""
        for samples in self.source.read(self.validation, self.executor, self.ahead):
            yield from Batches(samples).of(np.arange(len(samples)))


class MeanLoss:
    """Mean loss over the positions of batches."""

    def __init__(self) -> None:
        self.position_count, self._total = 0, 0.0

    def add(self, loss: torch.Tensor, batch: Batch) -> None:
        """Add a batch with its mean loss."""
        self.position_count += len(batch[-1])
        self._total += loss.item() * len(batch[-1])

    def __str__(self) -> str:
        return f"{self._total / max(self.position_count, 1):.4f} ({self.position_count} positions)"


def validation_loss(network: Network, data: TrainingData) -> MeanLoss:
    """Return the mean loss over the validation positions."""
    mean = MeanLoss()
    with torch.no_grad():
        for batch in data.validation_batches():
            mean.add(loss_of(network, batch), batch)
    return mean


def train(
    network: Network, data: TrainingData, checkpoint: Path, epochs: int, peak_rate: float = INITIAL_LEARNING_RATE
) -> None:
    """Train until `epochs` epochs are done, those of the checkpoint included; print the losses of each epoch."""
    groups = [{"params": [network.shapes], "weight_decay": WEIGHT_DECAY}]
    groups.append({"params": [value for name, value in network.named_parameters() if name != "shapes"]})
    optimizer = torch.optim.Adam(groups, lr=peak_rate)
    epochs_done = restore_checkpoint(checkpoint, network, optimizer)
    print(f"epoch {epochs_done}: validation loss {validation_loss(network, data)}", flush=True)
    for epoch in range(epochs_done, epochs):
        mean = MeanLoss()
        for progress, batch in data.batches(epoch):
            set_learning_rate(optimizer, peak_rate, (epoch + progress) / epochs)
            optimizer.zero_grad()
            loss = loss_of(network, batch)
            loss.backward()
            optimizer.step()
            mean.add(loss, batch)
        print(f"epoch {epoch + 1}: loss {mean}, validation loss {validation_loss(network, data)}", flush=True)
        save_checkpoint(checkpoint, network, optimizer, epoch + 1)


def main() -> None:
    """Read the games and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--start", type=Path, help="network file to start from instead of random weights")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument(
        "--rate", type=float, default=INITIAL_LEARNING_RATE, help="peak learning rate; lower it for fine-tuning"
    )
    parser.add_argument("--rule", nargs="+", default=["freestyle"], help="rules whose games are read")
    parser.add_argument(
        "--share", type=float, default=1.0, help="fraction of the training games to use, the first ones"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--readers", type=int, default=1, help="processes that read games; 1 reads in the training process"
    )
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    source = GameSource(tuple(arguments.games), tuple(arguments.rule))
    network = from_bytes(arguments.start.read_bytes()) if arguments.start else Network()
    with open_workers(arguments.readers) as executor:
        data = TrainingData(source, *source.split_games(arguments.share), executor, arguments.readers)
        train(network, data, arguments.checkpoint, arguments.epochs, arguments.rate)


if __name__ == "__main__":
    main()
