"""Gomoku's network in PyTorch, for training, and its conversion to and from network files. Needs the extra `train`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from bots.gomoku.kernels.network import CHANNEL_MAX, COUNT_SCALE, TOTAL_SCALE, WEIGHT_SCALE
from bots.gomoku.kernels.network_record import CHANNELS, HIDDEN, INPUTS
from bots.gomoku.kernels.rules import GOMOKU
from bots.gomoku.kernels.shapes import OPPOSITE, SHAPES
from bots.gomoku.network import WEIGHT_FIELDS
from core.native.weights import read_weights, weight_bytes

WEIGHT_LIMIT = 127 / WEIGHT_SCALE  # the largest weight that fits int8
SHAPE_WEIGHT_DECAY = 1e-6  # of the shapes' weights only, because most shapes are rare


class Network(nn.Module):
    """The network of bots/gomoku/kernels/network.py in floating point.

    A shape is the pattern of stones around an empty cell in one direction, numbered by bots/gomoku/kernels/shapes.py.
    Only the weights of the side to move's channels are trained; the opponent's follow by exchanging the colours.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shapes = nn.Parameter(torch.randn(SHAPES, CHANNELS) * 0.1)
        self.first = nn.Linear(INPUTS, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        self._opposite = torch.tensor(OPPOSITE.astype(np.int64))

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return the weights in groups with their weight decay, for an optimizer."""
        others = [value for name, value in self.named_parameters() if name != "shapes"]
        return [{"params": [self.shapes], "weight_decay": SHAPE_WEIGHT_DECAY}, {"params": others}]

    def shape_weights(self) -> torch.Tensor:
        """Return the weights of every shape, (SHAPES, WIDTH): the side to move's channels, then the opponent's.

        Shape 0, a window without stones, has weights 0.
        """
        own = self.shapes.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT)
        own = torch.cat([torch.zeros_like(own[:1]), own[1:]])
        return torch.cat([own, own[self._opposite]], dim=1)

    def forward(self, shapes: Any, lengths: Any, counts: Any) -> Any:
        """Return the logits of winning, (positions,).

        `shapes` are the numbers of the four shapes of each cell, (cells, 4), `lengths` the number of cells of each
        position, (positions,), and `counts` its counts of patterns and grades, as in `Samples`.
        """
        cells = nn.functional.embedding_bag(shapes, self.shape_weights(), mode="sum")
        cells = cells.clamp(0, CHANNEL_MAX / WEIGHT_SCALE)
        total = torch.segment_reduce(cells, "sum", lengths=lengths, unsafe=True)
        inputs = torch.cat([total * (WEIGHT_SCALE * float(TOTAL_SCALE)), counts * float(COUNT_SCALE)], dim=1)
        hidden = torch.relu(self.second(torch.relu(self.first(inputs))))
        return self.last(hidden).squeeze(1)


def to_bytes(network: Network) -> bytes:
    """Return the bytes of a network's file, with the weights of the shapes rounded to int8."""
    weights = {
        "shape_weights": (network.shape_weights() * WEIGHT_SCALE).round(),
        "input_weights": network.first.weight.T,
        "input_bias": network.first.bias,
        "hidden_weights": network.second.weight.T,
        "hidden_bias": network.second.bias,
        "output_weights": network.last.weight,
        "output_bias": network.last.bias,
    }
    assert tuple(weights) == WEIGHT_FIELDS
    return weight_bytes(GOMOKU.dtype(), {name: values.detach().numpy() for name, values in weights.items()})


def from_bytes(data: bytes) -> Network:
    """Return the network of a file, for further training. Its weights of the shapes start from the rounded values."""
    weights = {name: torch.tensor(values) for name, values in read_weights(GOMOKU.dtype(), WEIGHT_FIELDS, data).items()}
    network = Network()
    state = network.state_dict() | {
        "shapes": weights["shape_weights"][:, :CHANNELS] / WEIGHT_SCALE,
        "first.weight": weights["input_weights"].T,
        "first.bias": weights["input_bias"],
        "second.weight": weights["hidden_weights"].T,
        "second.bias": weights["hidden_bias"],
        "last.weight": weights["output_weights"][None],
        "last.bias": weights["output_bias"].reshape(1),
    }
    network.load_state_dict(state)
    return network
