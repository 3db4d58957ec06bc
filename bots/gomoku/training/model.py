"""Gomoku's network in PyTorch, for training, and its conversion to and from network files. Needs the extra `train`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import torch
from torch import nn

from bots.gomoku.kernels.network import COUNT_SCALE, STAR_SCALE, TOTAL_SCALE, WEIGHT_SCALE
from bots.gomoku.kernels.network_record import CHANNELS, COUNTS, HIDDEN, INPUTS, STAR_OUTPUTS, STAR_WIDTH, WIDTH
from bots.gomoku.kernels.network_vectors import CENTRE_FACTOR, CHANNEL_MAX, FAR_FACTOR, NEAR_FACTOR
from bots.gomoku.kernels.rules import GOMOKU
from bots.gomoku.kernels.shapes import OPPOSITE, SHAPES
from bots.gomoku.network import WEIGHT_FIELDS
from core.native.weights import read_weights, weight_bytes

# Numbers of a shape's weights for the side to move: for the channels, for the star layer at its cell and around it.
KINDS = (CHANNELS, STAR_OUTPUTS, STAR_OUTPUTS)
WEIGHT_LIMIT = 127 / WEIGHT_SCALE  # the largest weight that fits int8
STAR_BIAS_LIMIT = 8.0  # 2,048 in the kernels; with it the outputs of the star layer fit 16 bits (CENTRE_FACTOR)
SHAPE_WEIGHT_DECAY = 1e-6  # of the shapes' weights only, because most shapes are rare


def _star_kernel() -> torch.Tensor:
    """Return the kernel of the star layer for the weights of the cells around, (5, 5), relative to CENTRE_FACTOR."""
    kernel = torch.zeros(5, 5)
    for factor, distance in ((NEAR_FACTOR, 1), (FAR_FACTOR, 2)):
        for row, column in itertools.product((-distance, 0, distance), repeat=2):
            kernel[2 + row, 2 + column] = factor / CENTRE_FACTOR
    kernel[2, 2] = 0
    return kernel


class Network(nn.Module):
    """The network of bots/gomoku/kernels/network.py in floating point.

    A shape is the pattern of stones around an empty cell in one direction, numbered by bots/gomoku/kernels/shapes.py.
    Only the weights for the side to move's channels and outputs of the star layer are trained; the opponent's follow by
    exchanging the colours. `lazy_weights` are not trained here, but fitted by fit_lazy.py.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shapes = nn.Parameter(torch.randn(SHAPES, sum(KINDS)) * 0.1)
        self.star_bias = nn.Parameter(torch.zeros(STAR_OUTPUTS))
        self.first = nn.Linear(INPUTS, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        self.register_buffer("lazy_weights", torch.zeros(2, COUNTS + 1))
        self.register_buffer("_star", _star_kernel().expand(STAR_WIDTH, 1, 5, 5), persistent=False)
        self._opposite = torch.tensor(OPPOSITE.astype(np.int64))

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return the weights in groups with their weight decay, for an optimizer."""
        others = [value for name, value in self.named_parameters() if name != "shapes"]
        return [{"params": [self.shapes], "weight_decay": SHAPE_WEIGHT_DECAY}, {"params": others}]

    def freeze_shapes(self) -> None:
        """Keep the weights of the shapes and the star layer's biases: only the dense layers are trained from now on."""
        self.shapes.requires_grad_(False)
        self.star_bias.requires_grad_(False)

    def shape_weights(self) -> torch.Tensor:
        """Return the weights of every shape, (SHAPES, SHAPE_WEIGHTS); of each kind, the side to move's come first.

        Shape 0, a window without stones, has weights 0.
        """
        own = self.shapes.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT)
        own = torch.cat([torch.zeros_like(own[:1]), own[1:]])
        kinds = zip(own.split(KINDS, 1), own[self._opposite].split(KINDS, 1), strict=True)
        return torch.cat([half for kind in kinds for half in kind], dim=1)

    def star_biases(self) -> torch.Tensor:
        """Return the bias of each output of the star layer, (STAR_WIDTH,)."""
        return self.star_bias.clamp(-STAR_BIAS_LIMIT, STAR_BIAS_LIMIT).repeat(2)

    def forward(self, shapes: Any, cell_indices: Any, lengths: Any, sizes: Any, counts: Any) -> Any:
        """Return the logits of winning, (positions,).

        `shapes`, `cell_indices`, `sizes` and `counts` are those of `Samples`, and `lengths` is the number of listed
        cells of each position, (positions,). Cells that are not listed have sums of 0.
        """
        sums = nn.functional.embedding_bag(shapes, self.shape_weights(), mode="sum")
        channels = sums[:, :WIDTH].clamp(0, CHANNEL_MAX / WEIGHT_SCALE)
        total = torch.segment_reduce(channels, "sum", lengths=lengths, unsafe=True)
        peaks = self._peaks(sums[:, WIDTH:], cell_indices, torch.repeat_interleave(lengths), sizes)
        scaled_total = total * (WEIGHT_SCALE * float(TOTAL_SCALE))
        inputs = torch.cat([scaled_total, peaks, counts * float(COUNT_SCALE)], dim=1)
        hidden = torch.relu(self.second(torch.relu(self.first(inputs))))
        return self.last(hidden).squeeze(1)

    def _peaks(self, sums: Any, cell_indices: Any, position_of_cell: Any, sizes: Any) -> Any:
        """Return the maximum of each output of the star layer over the board, at least 0, (positions, STAR_WIDTH).

        `sums` are each cell's sums of its shapes' weights for the star layer at the cell and around it, (cells, 2 *
        STAR_WIDTH).
        """
        bias = self.star_biases()
        peaks = torch.zeros(len(sizes), STAR_WIDTH, device=sums.device)
        for size in sizes.unique().tolist():  # boards of one size fill one tensor
            is_size = sizes == size
            rows = torch.cumsum(is_size, 0) - 1  # index of each position in that tensor
            is_chosen = is_size[position_of_cell]
            boards = torch.zeros(int(is_size.sum()), size * size, 2 * STAR_WIDTH, device=sums.device)
            places = rows[position_of_cell[is_chosen]], cell_indices[is_chosen]
            boards = boards.index_put(places, sums[is_chosen])
            centre, around = boards.transpose(1, 2).unflatten(2, (size, size)).chunk(2, dim=1)
            around = nn.functional.conv2d(around, self._star, bias, padding=2, groups=STAR_WIDTH)
            peaks = peaks.index_put((is_size,), torch.relu((centre + around).amax((2, 3))))
        return peaks


def to_bytes(network: Network) -> bytes:
    """Return the bytes of a network's file, with the weights of the shapes rounded to int8."""
    weights = {
        "shape_weights": (network.shape_weights() * WEIGHT_SCALE).round(),
        "star_bias": (network.star_biases() / float(STAR_SCALE)).round(),
        "input_weights": network.first.weight.T,
        "input_bias": network.first.bias,
        "hidden_weights": network.second.weight.T,
        "hidden_bias": network.second.bias,
        "output_weights": network.last.weight,
        "output_bias": network.last.bias,
        "lazy_weights": network.lazy_weights,
    }
    assert tuple(weights) == WEIGHT_FIELDS
    return weight_bytes(GOMOKU.dtype(), {name: values.detach().numpy() for name, values in weights.items()})


def from_bytes(data: bytes) -> Network:
    """Return the network of a file, for further training. Its weights of the shapes start from the rounded values."""
    weights = {name: torch.tensor(values) for name, values in read_weights(GOMOKU.dtype(), WEIGHT_FIELDS, data).items()}
    halves = [width for width in KINDS for _ in range(2)]  # the side to move's, then the opponent's
    network = Network()
    state = network.state_dict() | {
        "shapes": torch.cat(weights["shape_weights"].split(halves, 1)[::2], 1) / WEIGHT_SCALE,
        "star_bias": weights["star_bias"][:STAR_OUTPUTS] * float(STAR_SCALE),
        "first.weight": weights["input_weights"].T,
        "first.bias": weights["input_bias"],
        "second.weight": weights["hidden_weights"].T,
        "second.bias": weights["hidden_bias"],
        "last.weight": weights["output_weights"][None],
        "last.bias": weights["output_bias"].reshape(1),
        "lazy_weights": weights["lazy_weights"].float(),
    }
    network.load_state_dict(state)
    return network
