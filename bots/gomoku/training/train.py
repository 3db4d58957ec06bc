"""Trains the network: `python -m bots.gomoku.training.train CHECKPOINT FILE.games ...`. Wants the extra `train`.

The target is the search's score, squashed, mixed with the game's result if the position was played; cross-entropy. A
twentieth of the games is held back. Positions are read anew in each epoch, so memory does not grow with their number.
The checkpoint is written after every epoch, and training goes on from it.
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
from bots.gomoku.training.samples import GAMES_AT_ONCE, GameSource, Samples, chances
from core.training.games import open_workers
from core.training.torch_training import restore_checkpoint, save_checkpoint, set_learning_rate

BATCH = 2048
FIRST_RATE = 3e-3
DECAY = 1e-6  # of the shapes' weights, which are rare for the most part


class Batches:
    """Samples as batches of tensors."""

    def __init__(self, samples: Samples) -> None:
        self._samples, self._targets = samples, chances(samples)

    def of(self, numbers: Any) -> Iterator[tuple[Any, ...]]:
        """Batches of the positions of these numbers, in this order."""
        for begin in range(0, len(numbers), BATCH):
            yield self._batch(numbers[begin : begin + BATCH])

    def _batch(self, chosen: Any) -> tuple[Any, ...]:
        samples = self._samples
        lengths = samples.starts[chosen + 1] - samples.starts[chosen]
        ends = np.cumsum(lengths)
        cells = np.repeat(samples.starts[chosen] - (ends - lengths), lengths) + np.arange(ends[-1])
        return (
            torch.from_numpy(samples.shapes[cells].astype(np.int64)),
            torch.from_numpy(lengths),
            torch.from_numpy(samples.counts[chosen].astype(np.float32)),
            torch.from_numpy(self._targets[chosen]),
        )


def loss_of(network: Network, batch: tuple[Any, ...]) -> torch.Tensor:
    """Mean cross-entropy, less the entropy of the targets themselves so that 0 is perfect."""
    *inputs, target = batch
    odds = network(*inputs)
    entropy = -(torch.xlogy(target, target) + torch.xlogy(1 - target, 1 - target)).mean()
    return nn.functional.binary_cross_entropy_with_logits(odds, target) - entropy


@dataclass(frozen=True)
class Epochs:
    """What training sees: the games of a source, read by some processes or, without an executor, by this one."""

    source: GameSource
    learnt: Any  # numbers of the games to learn from
    held: Any  # numbers of the games held back
    executor: Executor | None = None
    ahead: int = 1  # chunks of games that are read before their turn

    def batches(self, epoch: int) -> Iterator[tuple[float, tuple[Any, ...]]]:
        """The part of an epoch that is done before each batch, and the batch, in an order that the epoch decides."""
        chance = np.random.default_rng(epoch)
        order = chance.permutation(self.learnt)
        chunks = -(-len(order) // GAMES_AT_ONCE)
        for chunk, samples in enumerate(self.source.read(order, self.executor, self.ahead)):
            steps = -(-len(samples) // BATCH)
            batches = Batches(samples).of(chance.permutation(len(samples)))
            yield from (((chunk + step / steps) / chunks, batch) for step, batch in enumerate(batches))

    def held_batches(self) -> Iterator[tuple[Any, ...]]:
        """Batches of the positions held back."""
        for samples in self.source.read(self.held, self.executor, self.ahead):
            yield from Batches(samples).of(np.arange(len(samples)))


class MeanLoss:
    """Mean loss over the positions of batches."""

    def __init__(self) -> None:
        self.positions, self._total = 0, 0.0

    def add(self, loss: torch.Tensor, batch: tuple[Any, ...]) -> None:
        """Count a batch with its mean loss."""
        self.positions += len(batch[-1])
        self._total += loss.item() * len(batch[-1])

    def __str__(self) -> str:
        return f"{self._total / max(self.positions, 1):.4f} ({self.positions} positions)"


def held_loss(network: Network, epochs: Epochs) -> MeanLoss:
    """The loss over the positions held back."""
    mean = MeanLoss()
    with torch.no_grad():
        for batch in epochs.held_batches():
            mean.add(loss_of(network, batch), batch)
    return mean


def train(network: Network, data: Epochs, checkpoint: Path, epochs: int, first_rate: float = FIRST_RATE) -> None:
    """Train up to an epoch, from the one that the checkpoint has finished; print the losses before and after each."""
    groups = [{"params": [network.shapes], "weight_decay": DECAY}]
    groups.append({"params": [value for name, value in network.named_parameters() if name != "shapes"]})
    optimizer = torch.optim.Adam(groups, lr=first_rate)
    done = restore_checkpoint(checkpoint, network, optimizer)
    print(f"epoch {done}: held-out loss {held_loss(network, data)}", flush=True)
    for epoch in range(done, epochs):
        mean = MeanLoss()
        for part, batch in data.batches(epoch):
            set_learning_rate(optimizer, first_rate, (epoch + part) / epochs)
            optimizer.zero_grad()
            loss = loss_of(network, batch)
            loss.backward()
            optimizer.step()
            mean.add(loss, batch)
        print(f"epoch {epoch + 1}: loss {mean}, held-out loss {held_loss(network, data)}", flush=True)
        save_checkpoint(checkpoint, network, optimizer, epoch + 1)


def main() -> None:
    """Read the games and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--start", type=Path, help="network file to begin with, instead of random weights")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--rate", type=float, default=FIRST_RATE, help="first learning rate; less for fine-tuning")
    parser.add_argument("--rule", nargs="+", default=["freestyle"], help="rules whose games are read")
    parser.add_argument("--share", type=float, default=1.0, help="of the games to learn from, the first ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--readers", type=int, default=1, help="processes that read games; with 1 training does")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    source = GameSource(tuple(arguments.games), tuple(arguments.rule))
    network = from_bytes(arguments.start.read_bytes()) if arguments.start else Network()
    with open_workers(arguments.readers) as executor:
        data = Epochs(source, *source.numbers(arguments.share), executor, arguments.readers)
        train(network, data, arguments.checkpoint, arguments.epochs, arguments.rate)


if __name__ == "__main__":
    main()
