"""Trains the network: `python -m bots.gomoku.training.train CHECKPOINT FILE.games ...`. Needs the extra `train`.

With `--train-teacher` it trains a teacher (teacher.py) instead. The loss is the cross-entropy with the targets of
samples.py. A twentieth of the games is for validation. Games are read again in each epoch, so that memory does not grow
with their number. The checkpoint is written after every epoch. If it exists at the start, training continues from it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from bots.gomoku.training.model import Network, from_bytes
from bots.gomoku.training.samples import GAMES_AT_ONCE, GameSource, Samples, value_targets
from bots.gomoku.training.teacher import Teacher, TeacherTargets, board_planes, read_teacher
from core.training.games import open_workers
from core.training.torch_training import restore_checkpoint, save_checkpoint, set_learning_rate

BATCH_SIZE = 2048  # positions
PEAK_LEARNING_RATE = 3e-3  # at the end of the warm-up; see `set_learning_rate`

# Tensors for the positions of a batch: the arguments of the network's `forward`, and last the targets.
Batch = tuple[Any, ...]
InputsOf = Callable[[Samples, Any], tuple[Any, ...]]  # tensors of the positions with some indices: those arguments
TargetsOf = Callable[[Samples, Any], Any]  # win probabilities of the positions with some indices, (positions,) f32


def network_inputs(samples: Samples, indices: Any) -> tuple[Any, ...]:
    """Return the arguments of `Network.forward` for some positions."""
    lengths = samples.starts[indices + 1] - samples.starts[indices]
    ends = np.cumsum(lengths)
    # Indices in `samples.shapes` and `samples.cell_indices` of the cells of all chosen positions, one after the other.
    chosen = np.repeat(samples.starts[indices] - (ends - lengths), lengths) + np.arange(ends[-1])
    return (
        torch.from_numpy(samples.shapes[chosen].astype(np.int64)),
        torch.from_numpy(samples.cell_indices[chosen].astype(np.int64)),
        torch.from_numpy(lengths),
        torch.from_numpy(samples.sizes[indices]),
        torch.from_numpy(samples.counts[indices].astype(np.float32)),
    )


def loss_of(network: nn.Module, batch: Batch) -> torch.Tensor:
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
    inputs_of: InputsOf = network_inputs
    targets_of: TargetsOf = value_targets  # for training; validation has the recorded targets

    def batches(self, epoch: int) -> Iterator[tuple[float, Batch]]:
        """Yield (fraction of the epoch that is done, batch); the order depends on the epoch's number."""
        rng = np.random.default_rng(epoch)
        order = rng.permutation(self.training)
        chunk_count = -(-len(order) // GAMES_AT_ONCE)  # rounded up
        for chunk, samples in enumerate(self.source.read(order, self.executor, self.ahead)):
            batch_count = -(-len(samples) // BATCH_SIZE)
            batches = self._split(samples, rng.permutation(len(samples)), self.targets_of)
            yield from (((chunk + i / batch_count) / chunk_count, batch) for i, batch in enumerate(batches))

    def validation_batches(self) -> Iterator[Batch]:
        """Yield batches of the validation positions."""
        for samples in self.source.read(self.validation, self.executor, self.ahead):
            yield from self._split(samples, np.arange(len(samples)), value_targets)

    def _split(self, samples: Samples, order: Any, targets_of: TargetsOf) -> Iterator[Batch]:
        """Yield batches of the positions with the indices in `order`."""
        for begin in range(0, len(order), BATCH_SIZE):
            indices = order[begin : begin + BATCH_SIZE]
            yield *self.inputs_of(samples, indices), torch.from_numpy(targets_of(samples, indices))


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


def validation_loss(network: nn.Module, data: TrainingData, device: str) -> MeanLoss:
    """Return the mean loss over the validation positions."""
    mean = MeanLoss()
    network.eval()
    with torch.no_grad():
        for batch in data.validation_batches():
            mean.add(loss_of(network, to_device(batch, device)), batch)
    network.train()
    return mean


def to_device(batch: Batch, device: str) -> Batch:
    """Return the batch with its tensors on a device."""
    return tuple(tensor.to(device) for tensor in batch)


def train(
    network: Network | Teacher,
    data: TrainingData,
    checkpoint: Path,
    epochs: int,
    peak_rate: float = PEAK_LEARNING_RATE,
    device: str = "cpu",
) -> None:
    """Train until `epochs` epochs are done, those of the checkpoint included; print the losses of each epoch."""
    network.to(device)
    optimizer = torch.optim.Adam(network.parameter_groups(), lr=peak_rate)
    epochs_done = restore_checkpoint(checkpoint, network, optimizer)
    print(f"epoch {epochs_done}: validation loss {validation_loss(network, data, device)}", flush=True)
    for epoch in range(epochs_done, epochs):
        mean = MeanLoss()
        for progress, batch in data.batches(epoch):
            set_learning_rate(optimizer, peak_rate, (epoch + progress) / epochs)
            optimizer.zero_grad()
            loss = loss_of(network, to_device(batch, device))
            loss.backward()
            optimizer.step()
            mean.add(loss, batch)
        print(f"epoch {epoch + 1}: loss {mean}, validation loss {validation_loss(network, data, device)}", flush=True)
        save_checkpoint(checkpoint, network, optimizer, epoch + 1)


def main() -> None:
    """Read the games and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--start", type=Path, help="network file to start from instead of random weights")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument(
        "--rate", type=float, default=PEAK_LEARNING_RATE, help="peak learning rate; lower it for fine-tuning"
    )
    parser.add_argument("--rule", nargs="+", default=["freestyle"], help="rules whose games are read")
    parser.add_argument(
        "--share", type=float, default=1.0, help="fraction of the training games to use, the first ones"
    )
    parser.add_argument(
        "--dense-only", action="store_true", help="train the dense layers, not the weights of the shapes"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="where torch computes, such as `cuda`")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--readers", type=int, default=1, help="processes that read games; 1 reads in the training process"
    )
    parser.add_argument("--teacher", type=Path, help="checkpoint of a teacher, whose outputs join the targets")
    parser.add_argument("--teacher-weight", type=float, default=0.5, help="of the teacher's outputs, from 0 to 1")
    parser.add_argument(
        "--train-teacher",
        type=int,
        nargs=2,
        metavar=("BLOCKS", "CHANNELS"),
        help="train a teacher of this size instead of the network; 6 96 is for a GPU",
    )
    arguments = parser.parse_args()
    if arguments.train_teacher and (arguments.start or arguments.teacher):
        parser.error("--train-teacher trains from random weights and recorded labels: no --start or --teacher")
    if not 0 <= arguments.teacher_weight <= 1:
        parser.error(f"--teacher-weight must be a number from 0 to 1, not {arguments.teacher_weight}")
    if arguments.dense_only and not arguments.start:
        parser.error("--dense-only needs trained weights of the shapes: give --start")
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    source = GameSource(tuple(arguments.games), tuple(arguments.rule))
    network: Network | Teacher = from_bytes(arguments.start.read_bytes()) if arguments.start else Network()
    if arguments.dense_only:
        network.freeze_shapes()
    inputs_of: InputsOf = network_inputs
    targets_of: TargetsOf = value_targets
    if arguments.train_teacher:
        network, inputs_of = Teacher(*arguments.train_teacher), board_planes
    if arguments.teacher:
        targets_of = TeacherTargets(read_teacher(arguments.teacher), arguments.teacher_weight, arguments.device)
    with open_workers(arguments.readers) as executor:
        numbers = source.split_games(arguments.share)
        data = TrainingData(source, *numbers, executor, arguments.readers, inputs_of, targets_of)
        train(network, data, arguments.checkpoint, arguments.epochs, arguments.rate, arguments.device)


if __name__ == "__main__":
    main()
