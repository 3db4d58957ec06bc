"""Converts between networks in torch (model.py) and the integers of the files that the engine loads.

`python -m bots.hex.training.export CHECKPOINT` writes a trained network to bots/hex/tables/hex.network, or to another
file. The integers' units are explained in bots/hex/kernels/tree/network.py, the layout of the file in
bots/hex/kernels/network_fields.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from bots.hex.kernels.network_fields import (
    BLOCKS,
    CHANNELS,
    LANES,
    NEAR_OFFSETS,
    STEM_RADIUS,
    WIDE_OFFSETS,
    network_fields,
)
from bots.hex.kernels.records import PLAYOUT
from bots.hex.kernels.tree.network import FIRST_SHIFT, ONE, TOP, WEIGHT_ONE
from bots.hex.network import NETWORK_FILE, WEIGHT_FIELDS
from bots.hex.training.model import Network, read_network
from core.native.state_type import StateType
from core.native.weights import CHECKSUM_SIZE, read_weights, weight_bytes

STEM_WEIGHT_ONE = ONE << FIRST_SHIFT  # integer for a stem weight of 1.0
SUM_UNIT = ONE * WEIGHT_ONE  # integer for a sum of 1.0
MAX_BLOCKS = 32  # of a network file that is read


def export_weights(network: Network) -> dict[str, Any]:
    """Return the integer weights by field of the state (bots/hex/kernels/network_fields.py)."""
    with torch.no_grad():
        blocks = [(block.first, block.second, block.whole) for block in network.blocks]
        layers = [layer for first, second, _ in blocks for layer in (first, second)]
        weights = {
            "stem_weights": to_integers(stem_rows(network.first.weight) * STEM_WEIGHT_ONE, 16),
            "stem_bias": to_integers(network.first.bias.numpy() * STEM_WEIGHT_ONE, 32),
            "global_pool_weights": to_integers(np.stack([w.weight.T.numpy() for _, _, w in blocks]) * WEIGHT_ONE, 16),
            "block_weights": to_integers(np.stack([tap_weights(layer.weight) for layer in layers]) * WEIGHT_ONE, 16),
            "block_bias": to_integers(np.stack([layer.bias.numpy() for layer in layers]) * SUM_UNIT, 32),
            "policy_weights": to_integers(network.policy.weight.numpy() * WEIGHT_ONE, 16),
            "value_hidden_weights": network.hidden.weight.T.numpy(),
            "value_hidden_bias": network.hidden.bias.numpy(),
            "value_weights": network.value.weight.numpy(),
            "value_bias": network.value.bias.numpy(),
        }
    check_overflow(weights)
    assert tuple(weights) == WEIGHT_FIELDS
    return weights


def stem_rows(weight: Any) -> Any:
    """Return the stem's weights as (content, offset, channel).

    Contents are 0 empty, 1 side to move, 2 opponent and 3 beyond a corner; 0 and 3 have weight 0.
    """
    rows = np.zeros((4, len(WIDE_OFFSETS), CHANNELS), dtype=np.float32)
    for index, (x, y) in enumerate(WIDE_OFFSETS):
        rows[1:3, index] = weight[:, :, y + STEM_RADIUS, x + STEM_RADIUS].T
    return rows


def tap_weights(weight: Any) -> Any:
    """Return a convolution's weights as (lane group, offset, pair of inputs, output lane, input of the pair)."""
    taps = np.stack([weight[:, :, y + 1, x + 1].numpy() for x, y in NEAR_OFFSETS])  # neighbours, outputs, inputs
    taps = taps.reshape(len(NEAR_OFFSETS), CHANNELS // LANES, LANES, CHANNELS // 2, 2)
    return taps.transpose(1, 0, 3, 2, 4)


def to_integers(values: Any, bits: int) -> Any:
    """Round to integers; raise ValueError if one needs more than `bits` bits."""
    rounded = np.round(values)
    largest = np.abs(rounded).max()
    if largest >= 1 << (bits - 1):
        raise ValueError(f"a weight of {largest:.0f} needs more than {bits} bits")
    return rounded


def check_overflow(weights: dict[str, Any]) -> None:
    """Raise ValueError if an int32 sum of a block's convolution could overflow for some input."""
    taps = np.abs(weights["block_weights"]).sum(axis=(2, 3)).reshape(-1, CHANNELS // LANES, LANES, 2).sum(axis=3)
    sums = taps.reshape(-1, CHANNELS) * TOP + np.abs(weights["block_bias"])
    sums[::2] += np.abs(weights["global_pool_weights"]).sum(axis=1) * TOP
    if sums.max() >= 1 << 31:
        raise ValueError(f"a sum of {sums.max():.0f} needs more than 32 bits")


def to_bytes(network: Network) -> bytes:
    """Return the contents of a network file."""
    return weight_bytes(PLAYOUT.dtype(), export_weights(network))


def from_bytes(data: bytes) -> Network:
    """Return the torch network of a network file with up to MAX_BLOCKS blocks; its size tells their number.

    The weights are multiples of the integers' units, because the rounding cannot be undone. Raise ValueError if no such
    network has the size of `data`, or if its checksum is wrong.
    """
    dtypes = {blocks: StateType("Network", network_fields(1, blocks)).dtype() for blocks in range(1, MAX_BLOCKS + 1)}
    sizes = {
        CHECKSUM_SIZE + sum(dtype[name].itemsize for name in WEIGHT_FIELDS): blocks for blocks, dtype in dtypes.items()
    }
    if len(data) not in sizes:
        raise ValueError(f"no network of {CHANNELS} channels has {len(data)} bytes")
    blocks = sizes[len(data)]
    weights = {name: torch.tensor(values) for name, values in read_weights(dtypes[blocks], WEIGHT_FIELDS, data).items()}
    network = Network(CHANNELS, blocks)
    with torch.no_grad():
        for index, (x, y) in enumerate(WIDE_OFFSETS):
            network.first.weight[:, :, y + STEM_RADIUS, x + STEM_RADIUS] = (
                weights["stem_weights"][1:3, index].T / STEM_WEIGHT_ONE
            )
        network.first.bias.copy_(weights["stem_bias"] / STEM_WEIGHT_ONE)
        for layer, convolution in enumerate(part for block in network.blocks for part in (block.first, block.second)):
            taps = weights["block_weights"][layer].reshape(
                CHANNELS // LANES, len(NEAR_OFFSETS), CHANNELS // 2, LANES, 2
            )
            taps = taps.permute(1, 0, 3, 2, 4).reshape(len(NEAR_OFFSETS), CHANNELS, CHANNELS) / WEIGHT_ONE
            for (x, y), tap in zip(NEAR_OFFSETS, taps, strict=True):
                convolution.weight[:, :, y + 1, x + 1] = tap
            convolution.bias.copy_(weights["block_bias"][layer] / SUM_UNIT)
        for block, global_pool_weights in zip(network.blocks, weights["global_pool_weights"], strict=True):
            block.whole.weight.copy_(global_pool_weights.T / WEIGHT_ONE)
        network.policy.weight.copy_(weights["policy_weights"].reshape(network.policy.weight.shape) / WEIGHT_ONE)
        network.hidden.weight.copy_(weights["value_hidden_weights"].T)
        network.hidden.bias.copy_(weights["value_hidden_bias"])
        network.value.weight.copy_(weights["value_weights"][None])
        network.value.bias.copy_(weights["value_bias"].reshape(1))
    return network


def read_checkpoint(file: Path) -> Network:
    """Load the network of a checkpoint; raise ValueError unless it has the size for which the kernels are compiled."""
    network = read_network(file)
    size = (network.channels, len(network.blocks))
    if size != (CHANNELS, BLOCKS):
        raise ValueError(f"the network must have {CHANNELS} channels and {BLOCKS} blocks, not {size[0]} and {size[1]}")
    return network


def main() -> None:
    """Read a checkpoint and write a network file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("file", type=Path, nargs="?", default=NETWORK_FILE)
    arguments = parser.parse_args()
    arguments.file.parent.mkdir(exist_ok=True)
    arguments.file.write_bytes(to_bytes(read_checkpoint(arguments.checkpoint)))


if __name__ == "__main__":
    main()
