"""Hive's network in PyTorch, for training, and its conversion to a network file. Needs the extra `train`."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from bots.hive.kernels.board import HIVE
from bots.hive.kernels.network import CHANNEL_MAX, WEIGHT_ONE
from bots.hive.kernels.network_fields import CHANNELS, FEATURES, HIDDEN, MAX_FEATURES, RESCUE, SPOTS
from bots.hive.network import WEIGHT_FIELDS
from bots.hive.tiles import TILE_COUNT
from bots.hive.training.fit import UNITS
from core.native.weights import read_weights, weight_bytes

WEIGHT_LIMIT = 1.25  # of a feature
assert 2 * MAX_FEATURES * WEIGHT_LIMIT * WEIGHT_ONE < 30_000  # the sum of all features fits int16


class Network(nn.Module):
    """The network of bots/hive/kernels/network.py in floating point."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.EmbeddingBag(FEATURES + 1, 2 * CHANNELS, mode="sum", padding_idx=FEATURES)
        nn.init.normal_(self.features.weight, 0, 0.05)
        self.hidden = nn.Linear(2 * CHANNELS, HIDDEN)
        self.hands = nn.Embedding(TILE_COUNT + 1, HIDDEN)  # added to the bias of `hidden`
        self.output = nn.Linear(HIDDEN, 1)
        with torch.no_grad():
            self.features.weight[SPOTS:RESCUE, :CHANNELS] += 0.3  # a bias, so that few channels are 0 at first
            self.features.weight[FEATURES] = 0  # FEATURES fills up lists of features
            self.hands.weight.zero_()
            self.output.weight *= 0.3  # the first outputs are small beside the linear evaluation

    def forward(self, features: Any, hands: Any) -> Any:
        """Return the logits that are added to the linear evaluation, (positions,).

        `features` has the shape (positions, 2, length): the features of the side to move and of the other side, filled
        up with FEATURES. `hands` is the number of tiles in both hands, (positions,).
        """
        us, them = self.features(features.flatten(0, 1)).view(-1, 2, 2, CHANNELS).unbind(1)
        channels = torch.cat([us[:, 0] + them[:, 1], them[:, 0] + us[:, 1]], 1)
        hidden = self.hidden(channels.clamp(0, CHANNEL_MAX / WEIGHT_ONE)) + self.hands(hands)
        return self.output(torch.relu(hidden)).squeeze(1)

    def limit_weights(self) -> None:
        """Limit the weights of the features to the range of the network file."""
        with torch.no_grad():
            self.features.weight.clamp_(-WEIGHT_LIMIT, WEIGHT_LIMIT)


def to_bytes(network: Network) -> bytes:
    """Return the bytes of a network's file, with the weights of the features rounded to int16."""
    weights = {
        "feature_weights": (network.features.weight[:FEATURES] * WEIGHT_ONE).round(),
        "hidden_weights": network.hidden.weight.T / WEIGHT_ONE,
        "hidden_bias": network.hidden.bias + network.hands.weight,
        "output_weights": network.output.weight * UNITS,
        "output_bias": network.output.bias * UNITS,
    }
    assert tuple(weights) == WEIGHT_FIELDS
    return weight_bytes(HIVE.dtype(), {name: values.detach().numpy() for name, values in weights.items()})


def from_bytes(data: bytes) -> Network:
    """Return the network of a network file; the weights of the features are the rounded ones.

    Raise ValueError if its size or checksum is wrong.
    """
    weights = {
        name: torch.from_numpy(values) for name, values in read_weights(HIVE.dtype(), WEIGHT_FIELDS, data).items()
    }
    network = Network()
    with torch.no_grad():
        network.features.weight[:FEATURES] = weights["feature_weights"] / WEIGHT_ONE
        network.hidden.weight.copy_(weights["hidden_weights"].T * WEIGHT_ONE)
        network.hidden.bias.zero_()  # `hands` has it
        network.hands.weight.copy_(weights["hidden_bias"])
        network.output.weight.copy_(weights["output_weights"].reshape(1, -1) / UNITS)
        network.output.bias.copy_(weights["output_bias"].reshape(1) / UNITS)
    return network
