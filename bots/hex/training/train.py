"""Trains the network: `python -m bots.hex.training.train CHECKPOINT GAMES.jsonl ...`. Wants the extra `train`.

It learns the shares of the visits and the chance of winning, both by cross-entropy. A twentieth of the games is held
back; each epoch's line tells how well the network judges these. The checkpoint is written after every epoch, and
training goes on from it.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from bots.hex.training.samples import OTHER, OWN, Samples, read_samples
from core.training.steps import restore_checkpoint, save_checkpoint, set_rate

REACH = 2  # of the first layer, in cells
TOP = 4095 / 256  # of an activation, which the kernels hold in 1/256
VALUE_HIDDEN = 32
VALUE_WEIGHT = 1.5  # of the value's loss beside that of the shares
BATCH = 256
FIRST_RATE = 2e-3
DECAY = 1e-4


def hexagon(reach: int) -> torch.Tensor:
    """1 for the cells of a square that are at most so many steps from its centre, by rows."""
    steps = range(-reach, reach + 1)
    return torch.tensor([[float(abs(x + y) <= reach) for x in steps] for y in steps])


class HexConvolution(nn.Module):
    """A convolution over the cells within some steps."""

    def __init__(self, inputs: int, outputs: int, reach: int, pad: bool, gain: float = 1.0) -> None:
        super().__init__()
        side = 2 * reach + 1
        self._padding = reach if pad else 0
        self.register_buffer("shape", hexagon(reach), persistent=False)
        spread = gain * math.sqrt(2 / (inputs * float(hexagon(reach).sum())))
        self.weight = nn.Parameter(torch.randn(outputs, inputs, side, side) * spread)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, planes: Any) -> Any:
        """The sums, not cut."""
        return nn.functional.conv2d(planes, self.weight * self.get_buffer("shape"), self.bias, padding=self._padding)


def cut(planes: Any) -> Any:
    """The activation."""
    return planes.clamp(0, TOP)


def pool(planes: Any) -> Any:
    """Mean and greatest of each channel over the board, (positions, 2 x channels)."""
    return torch.cat([planes.mean(dim=(2, 3)), planes.amax(dim=(2, 3))], dim=1)


class ResidualBlock(nn.Module):
    """Two convolutions beside a way past them; what the whole board holds joins the first one's bias."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = HexConvolution(channels, channels, 1, True)
        self.second = HexConvolution(channels, channels, 1, True, gain=0.2)
        self.whole = nn.Linear(2 * channels, channels, bias=False)
        nn.init.zeros_(self.whole.weight)

    def forward(self, planes: Any) -> Any:
        """Planes of the same shape."""
        inner = cut(self.first(planes) + self.whole(pool(planes))[:, :, None, None])
        return cut(planes + self.second(inner))


class Network(nn.Module):
    """The network of bots/hex/kernels/network.py, in floats."""

    def __init__(self, channels: int, blocks: int) -> None:
        super().__init__()
        self.channels = channels
        self.first = HexConvolution(2, channels, REACH, False)
        self.blocks: Any = nn.ModuleList(ResidualBlock(channels) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1, bias=False)
        self.hidden = nn.Linear(2 * channels, VALUE_HIDDEN)
        self.value = nn.Linear(VALUE_HIDDEN, 1)

    def forward(self, planes: Any) -> tuple[Any, Any]:
        """Log-strengths of the cells, (positions, cells), and log-odds of winning; planes come from `planes_of`."""
        planes = cut(self.first(planes))
        for block in self.blocks:
            planes = block(planes)
        value = self.value(torch.relu(self.hidden(pool(planes))))
        return self.policy(planes).flatten(1), value.squeeze(1)


def planes_of(boards: Any, size: int) -> torch.Tensor:
    """Own and other stones, (positions, 2, size + 4, size + 4): edges are stones, too, beyond corners is nothing."""
    cells = torch.from_numpy(boards).view(-1, size, size)
    planes = torch.zeros(len(cells), 2, size + 2 * REACH, size + 2 * REACH)
    inside = slice(REACH, REACH + size)
    for plane, stone in enumerate((OWN, OTHER)):
        planes[:, plane, inside, inside] = (cells == stone).float()
    for edge in (slice(0, REACH), slice(REACH + size, None)):
        planes[:, 0, edge, inside] = 1
        planes[:, 1, inside, edge] = 1
    return planes


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
        hits = told = right = proven = loss = 0.0
        for begin in range(0, len(numbers), BATCH):
            chosen = numbers[begin : begin + BATCH]
            batch = make_batch(part, chosen, np.zeros(len(chosen), dtype=bool))
            with torch.no_grad():
                strengths, odds = network(batch[0])
                loss += float(losses(network, batch)[1]) * len(chosen)
            has_shares = batch[2].sum(dim=1) > 0
            best = strengths.masked_fill(~batch[1], -1e4).argmax(dim=1) == batch[2].argmax(dim=1)
            hits, told = hits + float((best & has_shares).sum()), told + float(has_shares.sum())
            known = torch.from_numpy(part.proven[chosen])
            right += float((((odds > 0) == (batch[3] > 0.5)) & known).sum())
            proven += float(known.sum())
        ratios = (hits / max(told, 1), loss / len(numbers), right / max(proven, 1))
        found.append("{}: move {:.3f} value {:.3f} proven {:.3f}".format(size, *ratios))
    return "; ".join(found)


def train(network: Network, samples: Mapping[int, Samples], checkpoint: Path, epochs: int, seed: int) -> None:
    """Train up to an epoch, from the one that the checkpoint has finished."""
    optimizer = torch.optim.AdamW(network.parameters(), lr=FIRST_RATE, weight_decay=DECAY)
    done = restore_checkpoint(checkpoint, network, optimizer)
    steps = sum(-(-int((~part.held).sum()) // BATCH) for part in samples.values())
    for epoch in range(done, epochs):
        totals = np.zeros(2)
        for step, batch in enumerate(list_batches(samples, np.random.default_rng((seed, epoch)))):
            progress = (epoch + step / steps) / epochs
            set_rate(optimizer, FIRST_RATE, progress)
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
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--start", type=Path, help="checkpoint of a network of this size to begin with")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    samples = read_samples(arguments.games)
    print(", ".join(f"{len(part)} positions of {size}x{size}" for size, part in samples.items()), flush=True)
    network = Network(arguments.channels, arguments.blocks)
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start, weights_only=True)["network"])
    train(network, samples, arguments.checkpoint, arguments.epochs, arguments.seed)


if __name__ == "__main__":
    main()
