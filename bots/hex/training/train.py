"""Trains the network: `python -m bots.hex.training.train CHECKPOINT GAMES.jsonl ...`. Needs the extra `train`.

Policy and value are trained by cross-entropy. One game in twenty is held out for validation. After each epoch a
checkpoint is written, from which training resumes, and the losses on the validation games are printed, with the number
of live channels of each block on their last batch.
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
from bots.hex.training.model import Network, encode_boards
from bots.hex.training.samples import Samples, read_samples
from core.training.torch_training import restore_checkpoint, save_checkpoint, set_learning_rate

VALUE_WEIGHT = 1.5  # weight of the value loss; the policy loss has 1
BATCH = 256
INITIAL_LEARNING_RATE = 2e-3
WEIGHT_DECAY = 1e-4

Batch = tuple[Any, Any, Any, Any]  # input planes, mask of empty cells, policy targets, value targets


def make_batch(samples: Samples, indices: Any, rotated: Any) -> Batch:
    """Return the positions with these indices; those for which `rotated` is true are rotated by 180 degrees."""
    boards, policies = samples.boards[indices], samples.policies[indices].astype(np.float32)
    boards[rotated], policies[rotated] = boards[rotated][:, ::-1], policies[rotated][:, ::-1]
    empty = torch.from_numpy(boards == 0)
    return (
        encode_boards(boards, samples.size),
        empty,
        torch.from_numpy(policies),
        torch.from_numpy(samples.value_targets[indices]),
    )


def list_batches(samples: Mapping[int, Samples], rng: Any) -> Iterator[Batch]:
    """Yield batches of all training positions, once, in random order, half of them rotated."""
    parts = []
    for size, part in samples.items():
        order = rng.permutation(np.flatnonzero(~part.is_validation))
        parts += [(size, order[begin : begin + BATCH]) for begin in range(0, len(order), BATCH)]
    for part_index in rng.permutation(len(parts)):
        size, indices = parts[part_index]
        yield make_batch(samples[size], indices, rng.random(len(indices)) < 0.5)


def compute_losses(network: Network, batch: Batch) -> tuple[Any, Any]:
    """Return the mean cross-entropies of policy and value; the first over the positions that have a policy target."""
    planes, empty, policies, values = batch
    policy_logits, value_logits = network(planes)
    policy_count = policies.sum(dim=1)
    logs = torch.log_softmax(policy_logits.masked_fill(~empty, -1e4), dim=1)
    entropy = -(policies * logs).sum() / policy_count.sum().clamp(min=1)
    return entropy, nn.functional.binary_cross_entropy_with_logits(value_logits, values)


def evaluate_validation(network: Network, samples: Mapping[int, Samples]) -> str:
    """Return a line with the results on the validation games, by board size, and the live channels of each
    block on the last batch.

    `move`: how often the best policy move is the most visited one; `shares` and `value`: losses; `proven`: how often
    the winner of a proven position is right.
    """
    found = []
    for size, part in samples.items():
        indices = np.flatnonzero(part.is_validation)
        if not len(indices):
            continue
        hits = policy_count = right = proven = policy_loss = value_loss = 0.0
        for begin in range(0, len(indices), BATCH):
            chosen = indices[begin : begin + BATCH]
            batch = make_batch(part, chosen, np.zeros(len(chosen), dtype=bool))
            with torch.no_grad():
                policy_logits, value_logits = network(batch[0])
                entropy, value = compute_losses(network, batch)
            has_policy = batch[2].sum(dim=1) > 0
            policy_loss += float(entropy) * float(has_policy.sum())
            value_loss += float(value) * len(chosen)
            best = policy_logits.masked_fill(~batch[1], -1e4).argmax(dim=1) == batch[2].argmax(dim=1)
            hits, policy_count = hits + float((best & has_policy).sum()), policy_count + float(has_policy.sum())
            is_proven = torch.from_numpy(part.proven[chosen])
            right += float((((value_logits > 0) == (batch[3] > 0.5)) & is_proven).sum())
            proven += float(is_proven.sum())
        ratios = (
            hits / max(policy_count, 1),
            policy_loss / max(policy_count, 1),
            value_loss / len(indices),
            right / max(proven, 1),
        )
        found.append("{}: move {:.3f} shares {:.3f} value {:.3f} proven {:.3f}".format(size, *ratios))
        live = network.live_channels(batch[0])
    return "; ".join([*found, f"live channels {live}"]) if found else ""


def train(
    network: Network,
    samples: Mapping[int, Samples],
    checkpoint: Path,
    epochs: int,
    seed: int,
    first_rate: float = INITIAL_LEARNING_RATE,
) -> None:
    """Train up to epoch `epochs`, from the epoch of the checkpoint if there is one; print the validation results
    before.
    """
    optimizer = torch.optim.AdamW(network.parameters(), lr=first_rate, weight_decay=WEIGHT_DECAY)
    done = restore_checkpoint(checkpoint, network, optimizer)
    print(f"epoch {done}: held back: {evaluate_validation(network, samples)}", flush=True)
    steps = sum(-(-int((~part.is_validation).sum()) // BATCH) for part in samples.values())
    for epoch in range(done, epochs):
        totals = np.zeros(2)
        for step, batch in enumerate(list_batches(samples, np.random.default_rng((seed, epoch)))):
            progress = (epoch + step / steps) / epochs
            set_learning_rate(optimizer, first_rate, progress)
            optimizer.zero_grad()
            policies, value = compute_losses(network, batch)
            (policies + VALUE_WEIGHT * value).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            totals += (policies.item(), value.item())
        losses = "shares {:.3f} value {:.3f}".format(*totals / steps)
        print(f"epoch {epoch + 1}: {losses}; held back: {evaluate_validation(network, samples)}", flush=True)
        size = (network.channels, len(network.blocks))
        save_checkpoint(checkpoint, network, optimizer, epoch + 1, size=size)


def main() -> None:
    """Read the games and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--channels", type=int, default=CHANNELS)
    parser.add_argument(
        "--blocks",
        type=int,
        default=BLOCKS,
        help="residual blocks; a start network with fewer gets new ones in between",
    )
    parser.add_argument("--start", type=Path, help="network file to start from; default: random weights")
    parser.add_argument("--rate", type=float, default=INITIAL_LEARNING_RATE, help="initial learning rate")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    samples = read_samples(arguments.games)
    print(", ".join(f"{len(part)} positions of {size}x{size}" for size, part in samples.items()), flush=True)
    if arguments.start:
        network = from_bytes(arguments.start.read_bytes()).grow(arguments.blocks)
    else:
        network = Network(arguments.channels, arguments.blocks)
    train(network, samples, arguments.checkpoint, arguments.epochs, arguments.seed, arguments.rate)


if __name__ == "__main__":
    main()
