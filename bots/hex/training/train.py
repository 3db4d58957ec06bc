"""Trains the network: `python -m bots.hex.training.train CHECKPOINT GAMES.jsonl ...`. Needs the extra `train`.

Policy and value are trained by cross-entropy on recorded games (samples.py). One game in twenty is held out for
validation. After each epoch a checkpoint is written, from which training resumes. The losses on the validation games
are printed, with the number of live channels of each block on their last batch.
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
BATCH_SIZE = 256  # positions
PEAK_LEARNING_RATE = 2e-3  # see `set_learning_rate`
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
        parts += [(size, order[begin : begin + BATCH_SIZE]) for begin in range(0, len(order), BATCH_SIZE)]
    for part_index in rng.permutation(len(parts)):
        size, indices = parts[part_index]
        yield make_batch(samples[size], indices, rng.random(len(indices)) < 0.5)


def compute_losses(network: Network, batch: Batch) -> tuple[Any, Any]:
    """Return the mean cross-entropies of policy and value; the first over the positions that have a policy target."""
    planes, empty, policies, values = batch
    policy_logits, value_logits = network(planes)
    policy_count = policies.sum()  # a policy target sums to 1, or to 0 if there is none
    logs = torch.log_softmax(policy_logits.masked_fill(~empty, -1e4), dim=1)
    policy_loss = -(policies * logs).sum() / policy_count.clamp(min=1)
    return policy_loss, nn.functional.binary_cross_entropy_with_logits(value_logits, values)


def evaluate_validation(network: Network, samples: Mapping[int, Samples]) -> str:
    """Return a line with the results on the validation games, by board size, and the number of live channels of each
    block on the last batch. It is empty if there are no validation games.

    The line has these numbers:
        move      fraction of positions in which the best move of the policy is the most visited one
        shares    policy loss (of the visits' shares)
        value     value loss
        proven    fraction of proven positions whose winner is right
    """
    results = []
    for size, part in samples.items():
        indices = np.flatnonzero(part.is_validation)
        if not len(indices):
            continue
        hits = policy_count = right = proven = policy_loss = value_loss = 0.0
        for begin in range(0, len(indices), BATCH_SIZE):
            chosen = indices[begin : begin + BATCH_SIZE]
            batch = make_batch(part, chosen, np.zeros(len(chosen), dtype=bool))
            planes, empty, policies, values = batch
            with torch.no_grad():
                policy_logits, value_logits = network(planes)
                batch_policy_loss, batch_value_loss = compute_losses(network, batch)
            has_policy = policies.sum(dim=1) > 0
            policy_loss += float(batch_policy_loss) * float(has_policy.sum())
            value_loss += float(batch_value_loss) * len(chosen)
            is_hit = policy_logits.masked_fill(~empty, -1e4).argmax(dim=1) == policies.argmax(dim=1)
            hits, policy_count = hits + float((is_hit & has_policy).sum()), policy_count + float(has_policy.sum())
            is_proven = torch.from_numpy(part.proven[chosen])
            right += float((((value_logits > 0) == (values > 0.5)) & is_proven).sum())
            proven += float(is_proven.sum())
        ratios = (
            hits / max(policy_count, 1),
            policy_loss / max(policy_count, 1),
            value_loss / len(indices),
            right / max(proven, 1),
        )
        results.append("{}: move {:.3f} shares {:.3f} value {:.3f} proven {:.3f}".format(size, *ratios))
        live = network.live_channels(planes)
    return "; ".join([*results, f"live channels {live}"]) if results else ""


def train(
    network: Network,
    samples: Mapping[int, Samples],
    checkpoint: Path,
    epochs: int,
    seed: int,
    peak_rate: float = PEAK_LEARNING_RATE,
) -> None:
    """Train up to epoch `epochs`, from the epoch of the checkpoint if there is one.

    The validation results are printed before the first epoch and after each.
    """
    optimizer = torch.optim.AdamW(network.parameters(), lr=peak_rate, weight_decay=WEIGHT_DECAY)
    done = restore_checkpoint(checkpoint, network, optimizer)
    print(f"epoch {done}: held back: {evaluate_validation(network, samples)}", flush=True)
    steps = sum(-(-int((~part.is_validation).sum()) // BATCH_SIZE) for part in samples.values())  # per epoch
    for epoch in range(done, epochs):
        totals = np.zeros(2)
        for step, batch in enumerate(list_batches(samples, np.random.default_rng((seed, epoch)))):
            progress = (epoch + step / steps) / epochs
            set_learning_rate(optimizer, peak_rate, progress)
            optimizer.zero_grad()
            policy_loss, value_loss = compute_losses(network, batch)
            (policy_loss + VALUE_WEIGHT * value_loss).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            totals += (policy_loss.item(), value_loss.item())
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
    parser.add_argument("--rate", type=float, default=PEAK_LEARNING_RATE, help="peak learning rate")
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
