"""Converts between networks in torch (model.py) and the integers of the files that the engine loads.

`python -m bots.hex.training.export CHECKPOINT` writes a trained network to bots/hex/tables/hex.network, or to another
file. The integers' units are explained in bots/hex/kernels/tree/network.py, the layout of the file in
bots/hex/kernels/network_fields.py.
"""

from __future__ import annotations

import argparse
from functools import partial
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
from bots.hex.kernels.tree.network import FIRST_SHIFT, ONE, ONE_BITS, TOP, WEIGHT_ONE
from bots.hex.network import NETWORK_FILE, WEIGHT_FIELDS
from bots.hex.training.model import Network, clip, encode_boards, read_network
from bots.hex.training.side_view import OPPONENT, OWN
from core.native.byte_dots import POSITIVE_TOP, SIGNED_TOP
from core.native.state_type import StateType
from core.native.weights import CHECKSUM_SIZE, read_weights, weight_bytes

STEM_WEIGHT_ONE = ONE << FIRST_SHIFT  # integer for a stem weight of 1.0
MAX_BLOCKS = 32  # of a network file that is read
INPUT_BITS = range(3, 7)  # binary digits after the point of a convolution's inputs, from which one is chosen
MAX_BITS = 10  # binary digits after the point of a convolution's weights, at most
SAMPLE_SIZE, SAMPLE_COUNT = 11, 100  # board size and number of random positions by which it is chosen


def export_weights(network: Network) -> dict[str, Any]:
    """Return the integer weights by field of the state (bots/hex/kernels/network_fields.py).

    Raise ValueError if a weight is too large.
    """
    with torch.no_grad():
        layers = [layer for block in network.blocks for layer in (block.first, block.second)]
        taps = [tap_weights(layer.weight) for layer in layers]  # of each: offsets, outputs, inputs
        input_bits = choose_input_bits(network)
        output_bits = [input_bits[index + 1] if index % 2 == 0 else ONE_BITS for index in range(len(layers))]
        weight_bits = np.stack([choose_weight_bits(layer_taps) for layer_taps in taps])  # layer, output
        sum_bits = weight_bits + np.array(input_bits)[:, None]
        shifts = sum_bits - np.array(output_bits)[:, None]
        if shifts.min() < 0:
            raise ValueError(f"a weight of {max(np.abs(layer_taps).max() for layer_taps in taps):.1f} is too large")
        bytes_by_layer = [
            to_integers(group_taps(layer_taps * 2.0 ** bits[:, None]), SIGNED_TOP.bit_length() + 1)
            for layer_taps, bits in zip(taps, weight_bits, strict=True)
        ]
        biases = np.stack([layer.bias.numpy() for layer in layers])
        global_pool = np.stack([block.whole.weight.T.numpy() for block in network.blocks])
        weights = {
            "stem_weights": to_integers(stem_rows(network.first.weight) * STEM_WEIGHT_ONE, 16),
            "stem_bias": to_integers(network.first.bias.numpy() * STEM_WEIGHT_ONE, 32),
            "global_pool_weights": to_integers(global_pool * WEIGHT_ONE, 16),
            "block_weights": np.stack(bytes_by_layer),
            "block_bias": to_integers(biases * 2.0**sum_bits, 24),
            "block_shifts": shifts,
            "input_bits": np.array(input_bits),
            "policy_weights": to_integers(network.policy.weight.numpy() * WEIGHT_ONE, 16),
            "value_hidden_weights": network.hidden.weight.T.numpy(),
            "value_hidden_bias": network.hidden.bias.numpy(),
            "value_weights": network.value.weight.numpy(),
            "value_bias": network.value.bias.numpy(),
        }
    check_overflow(weights)
    assert tuple(weights) == WEIGHT_FIELDS
    return weights


def choose_input_bits(network: Network) -> list[int]:
    """Return the number of digits for the inputs of each convolution that has the least mean square error.

    It is measured on positions with random stones, where activations are about as large as in games.
    """
    rng = np.random.default_rng(1)
    boards = np.zeros((SAMPLE_COUNT, SAMPLE_SIZE * SAMPLE_SIZE), dtype=np.uint8)
    for board in boards:
        cells = rng.permutation(board.size)[: rng.integers(2, board.size * 3 // 4)]
        board[cells[::2]], board[cells[1::2]] = OWN, OPPONENT
    planes, chosen = clip(network.first(encode_boards(boards, SAMPLE_SIZE))), []
    for block in network.blocks:
        chosen += [min(INPUT_BITS, key=partial(_rounding_error, inputs)) for inputs in (planes, block.inner(planes))]
        planes = block(planes)
    return chosen


def _rounding_error(inputs: Any, bits: int) -> float:
    """Return the mean square error of inputs in bytes with `bits` digits after the point."""
    rounded = (inputs * 2**bits).round().clamp(max=POSITIVE_TOP) / 2**bits
    return float(((rounded - inputs) ** 2).mean())


def choose_weight_bits(taps: Any) -> Any:
    """Return the number of digits with which the weights of each output fit into bytes, at most MAX_BITS."""
    largest = np.maximum(np.abs(taps).max(axis=(0, 2)), 2.0**-MAX_BITS)
    return np.minimum(np.floor(np.log2((SIGNED_TOP + 0.49) / largest)), MAX_BITS).astype(np.int64)


def stem_rows(weight: Any) -> Any:
    """Return the stem's weights as (content, offset, channel).

    Contents are 0 empty, 1 side to move, 2 opponent and 3 beyond a corner; 0 and 3 have weight 0.
    """
    rows = np.zeros((4, len(WIDE_OFFSETS), CHANNELS), dtype=np.float32)
    for index, (x, y) in enumerate(WIDE_OFFSETS):
        rows[1:3, index] = weight[:, :, y + STEM_RADIUS, x + STEM_RADIUS].T
    return rows


def tap_weights(weight: Any) -> Any:
    """Return a convolution's weights as (offset, output, input)."""
    return np.stack([weight[:, :, y + 1, x + 1].numpy() for x, y in NEAR_OFFSETS])


def group_taps(taps: Any) -> Any:
    """Return such weights in the order of the state: (lane group, offset, group of inputs, output lane, input)."""
    parts = taps.reshape(len(NEAR_OFFSETS), CHANNELS // LANES, LANES, CHANNELS // 4, 4)
    return parts.transpose(1, 0, 3, 2, 4)


def to_integers(values: Any, bits: int) -> Any:
    """Round to integers; raise ValueError if one needs more than `bits` bits."""
    rounded = np.round(values)
    largest = np.abs(rounded).max()
    if largest >= 1 << (bits - 1):
        raise ValueError(f"a weight of {largest:.0f} needs more than {bits} bits")
    return rounded


def check_overflow(weights: dict[str, Any]) -> None:
    """Raise ValueError if the int32 sum of a global-pooling term could overflow for some input.

    The sums of the convolutions cannot: they are below 7 x 64 x 127 x 63, and biases have 24 bits.
    """
    sums = np.abs(weights["global_pool_weights"]).sum(axis=1) * TOP
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
        input_bits = weights["input_bits"].tolist()
        for layer, convolution in enumerate(part for block in network.blocks for part in (block.first, block.second)):
            output_bits = input_bits[layer + 1] if layer % 2 == 0 else ONE_BITS
            sum_bits = weights["block_shifts"][layer] + output_bits
            taps = weights["block_weights"][layer].reshape(
                CHANNELS // LANES, len(NEAR_OFFSETS), CHANNELS // 4, LANES, 4
            )
            taps = taps.permute(1, 0, 3, 2, 4).reshape(len(NEAR_OFFSETS), CHANNELS, CHANNELS)
            taps = taps / 2.0 ** (sum_bits - input_bits[layer])[:, None]
            for (x, y), tap in zip(NEAR_OFFSETS, taps, strict=True):
                convolution.weight[:, :, y + 1, x + 1] = tap
            convolution.bias.copy_(weights["block_bias"][layer] / 2.0**sum_bits)
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
