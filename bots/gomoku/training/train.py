"""Trains the network: `python -m bots.gomoku.training.train CHECKPOINT GAMES.jsonl ...`. Wants the extra `train`.

The value to learn is the search's score, squashed, mixed with the game's result where there is one; cross-entropy. A
twentieth of the positions is held back. The checkpoint is written after every epoch, and training goes on from it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from bots.gomoku.training.model import Network, from_bytes
from bots.gomoku.training.samples import Samples, chances, read_samples
from core.training.steps import restore_checkpoint, save_checkpoint, set_rate

STRETCHES, HELD_BACK = 100, 20  # the positions in stretches, so that those of a game stay together; each 20th is held
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


def mean_loss(network: Network, batches: Iterator[tuple[Any, ...]]) -> float:
    """The loss over some batches."""
    with torch.no_grad():
        return float(np.mean([loss_of(network, batch).item() for batch in batches]))


def train(network: Network, samples: Samples, checkpoint: Path, epochs: int, first_rate: float = FIRST_RATE) -> None:
    """Train up to an epoch, from the one that the checkpoint has finished; tell what was foretold before, too."""
    batches = Batches(samples)
    is_held = np.arange(len(samples)) * STRETCHES // len(samples) % HELD_BACK == HELD_BACK - 1
    learnt, tested = np.flatnonzero(~is_held), np.flatnonzero(is_held)
    groups = [{"params": [network.shapes], "weight_decay": DECAY}]
    groups.append({"params": [value for name, value in network.named_parameters() if name != "shapes"]})
    optimizer = torch.optim.Adam(groups, lr=first_rate)
    done = restore_checkpoint(checkpoint, network, optimizer)
    print(f"epoch {done}: loss of the positions held back {mean_loss(network, batches.of(tested)):.4f}", flush=True)
    for epoch in range(done, epochs):
        order = np.random.default_rng(epoch).permutation(learnt)
        total = 0.0
        for step, batch in enumerate(batches.of(order)):
            progress = (epoch + step * BATCH / len(order)) / epochs
            set_rate(optimizer, first_rate, progress)
            optimizer.zero_grad()
            loss = loss_of(network, batch)
            loss.backward()
            optimizer.step()
            total += loss.item()
        held = mean_loss(network, batches.of(tested))
        print(f"epoch {epoch + 1}: loss {total / (step + 1):.4f}, of the positions held back {held:.4f}", flush=True)
        save_checkpoint(checkpoint, network, optimizer, epoch + 1)


def main() -> None:
    """Read the games and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--start", type=Path, help="a network's file to begin with, instead of chance")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--rate", type=float, default=FIRST_RATE, help="of learning at first; less to go on gently")
    parser.add_argument("--rule", default="freestyle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    samples = read_samples(arguments.games, arguments.rule)
    print(f"{len(samples)} positions")
    network = from_bytes(arguments.start.read_bytes()) if arguments.start else Network()
    train(network, samples, arguments.checkpoint, arguments.epochs, arguments.rate)


if __name__ == "__main__":
    main()
