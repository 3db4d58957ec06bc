"""Trains the network: `python -m bots.hex.training.train CHECKPOINT GAMES.jsonl ...`. Wants the extra `train`.

It learns the shares of the visits and the chance of winning, both by cross-entropy. A twentieth of the games is held
back; each epoch's line tells how well the network judges these, and how many of each block's channels are of use. The
checkpoint is written after every epoch, and training goes on from it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from bots.hex.kernels.network_fields import BLOCKS, CHANNELS
from bots.hex.training.export import from_bytes
from bots.hex.training.model import Network, planes_of
from bots.hex.training.samples import Samples, read_samples
from core.training.torch_training import restore_checkpoint, save_checkpoint, set_learning_rate

VALUE_WEIGHT = 1.5  # of the value's loss beside that of the shares
BATCH = 256
FIRST_RATE = 2e-3
DECAY = 1e-4

Batch = tuple[Any, Any, Any, Any]  # planes, empty cells, shares, values


def make_batch(samples: Samples, numbers: Any, turned: Any) -> Batch:
    """Positions by their numbers, those that `turned` says turned by half a circle."""
    boards, shares = samples.boards[numbers], samples.shares[numbers].astype(np.float32)
    boards[turned], shares[turned] = boards[turned][:, ::-1], shares[turned][:, ::-1]
    empty = torch.from_numpy(boards == 0)
    return planes_of(boards, samples.size), empty, torch.from_numpy(shares), torch.from_numpy(samples.values[numbers])


def list_batches(samples: Mapping[int, Samples], chance: Any) -> Iterator[Batch]:
    """All that is learnt from, once, in random order and half of it turned."""
    parts = []
    for size, part in samples.items():
        order = chance.permutation(np.flatnonzero(~part.held))
        parts += [(size, order[begin : begin + BATCH]) for begin in range(0, len(order), BATCH)]
    for place in chance.permutation(len(parts)):
        size, numbers = parts[place]
        yield make_batch(samples[size], numbers, chance.random(len(numbers)) < 0.5)


def losses(network: Network, batch: Batch) -> tuple[Any, Any]:
    """Mean cross-entropies of shares and value; the first over the positions that have shares."""
    planes, empty, shares, values = batch
    strengths, odds = network(planes)
    told = shares.sum(dim=1)
    logs = torch.log_softmax(strengths.masked_fill(~empty, -1e4), dim=1)
    entropy = -(shares * logs).sum() / told.sum().clamp(min=1)
    return entropy, nn.functional.binary_cross_entropy_with_logits(odds, values)


def judge_held(network: Network, samples: Mapping[int, Samples]) -> str:
    """How well the network knows the games held back, by size: its first move is the most visited one, who wins."""
    found = []
    for size, part in samples.items():
        numbers = np.flatnonzero(part.held)
        if not len(numbers):
            continue
        hits = told = right = proven = shares_loss = loss = 0.0
        for begin in range(0, len(numbers), BATCH):
            chosen = numbers[begin : begin + BATCH]
            batch = make_batch(part, chosen, np.zeros(len(chosen), dtype=bool))
            with torch.no_grad():
                strengths, odds = network(batch[0])
                entropy, value = losses(network, batch)
            has_shares = batch[2].sum(dim=1) > 0
            shares_loss += float(entropy) * float(has_shares.sum())
            loss += float(value) * len(chosen)
            best = strengths.masked_fill(~batch[1], -1e4).argmax(dim=1) == batch[2].argmax(dim=1)
            hits, told = hits + float((best & has_shares).sum()), told + float(has_shares.sum())
            known = torch.from_numpy(part.proven[chosen])
            right += float((((odds > 0) == (batch[3] > 0.5)) & known).sum())
            proven += float(known.sum())
        ratios = (hits / max(told, 1), shares_loss / max(told, 1), loss / len(numbers), right / max(proven, 1))
        found.append("{}: move {:.3f} shares {:.3f} value {:.3f} proven {:.3f}".format(size, *ratios))
        live = network.live_channels(batch[0])
    return "; ".join([*found, f"live channels {live}"]) if found else ""


def train(
    network: Network,
    samples: Mapping[int, Samples],
    checkpoint: Path,
    epochs: int,
    seed: int,
    first_rate: float = FIRST_RATE,
) -> None:
    """Train up to an epoch, from the one that the checkpoint has finished; tell what was foretold before, too."""
    optimizer = torch.optim.AdamW(network.parameters(), lr=first_rate, weight_decay=DECAY)
    done = restore_checkpoint(checkpoint, network, optimizer)
    print(f"epoch {done}: held back: {judge_held(network, samples)}", flush=True)
    steps = sum(-(-int((~part.held).sum()) // BATCH) for part in samples.values())
    for epoch in range(done, epochs):
        totals = np.zeros(2)
        for step, batch in enumerate(list_batches(samples, np.random.default_rng((seed, epoch)))):
            progress = (epoch + step / steps) / epochs
            set_learning_rate(optimizer, first_rate, progress)
            optimizer.zero_grad()
            shares, value = losses(network, batch)
            (shares + VALUE_WEIGHT * value).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            totals += (shares.item(), value.item())
        learnt = "shares {:.3f} value {:.3f}".format(*totals / steps)
        print(f"epoch {epoch + 1}: {learnt}; held back: {judge_held(network, samples)}", flush=True)
        size = (network.channels, len(network.blocks))
        save_checkpoint(checkpoint, network, optimizer, epoch + 1, size=size)


def main() -> None:
    """Read the games and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--channels", type=int, default=CHANNELS)
    parser.add_argument("--blocks", type=int, default=BLOCKS, help="more than the file's are put between them")
    parser.add_argument("--start", type=Path, help="a network's file to begin with, instead of chance")
    parser.add_argument("--rate", type=float, default=FIRST_RATE, help="of learning at first; less to go on gently")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    samples = read_samples(arguments.games)
    print(", ".join(f"{len(part)} positions of {size}x{size}" for size, part in samples.items()), flush=True)
    if arguments.start:
        network = from_bytes(arguments.start.read_bytes()).grown(arguments.blocks)
    else:
        network = Network(arguments.channels, arguments.blocks)
    train(network, samples, arguments.checkpoint, arguments.epochs, arguments.seed, arguments.rate)


if __name__ == "__main__":
    main()
