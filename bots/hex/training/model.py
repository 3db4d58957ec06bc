"""The network in torch, in floats, for training; needs the extra `train`.

bots/hex/kernels/tree/network.py describes the architecture. Planes are tensors (positions, channels, rows, columns).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import torch
from torch import nn

from bots.hex.training.side_view import OPPONENT, OWN

STEM_RADIUS = 2  # radius of the first convolution (the stem), in cells
TOP = 4095 / 256  # largest activation; the kernels compute with integers in units of 1/256
VALUE_HIDDEN = 32  # units in the hidden layer of the value head
LIVE_FRACTION = 0.01  # a channel is live if it is above zero on at least this fraction of the cells


def hexagon_mask(radius: int) -> torch.Tensor:
    """Return a square of zeros with ones for the cells within `radius` steps of its centre."""
    steps = range(-radius, radius + 1)
    return torch.tensor([[float(abs(x + y) <= radius) for x in steps] for y in steps])


class HexConvolution(nn.Module):
    """A convolution over the cells within `radius` steps."""

    def __init__(self, inputs: int, outputs: int, radius: int, pad: bool, init_scale: float = 1.0) -> None:
        super().__init__()
        side = 2 * radius + 1
        self._padding = radius if pad else 0
        self.register_buffer("shape", hexagon_mask(radius), persistent=False)
        deviation = init_scale * math.sqrt(2 / (inputs * float(hexagon_mask(radius).sum())))
        self.weight = nn.Parameter(torch.randn(outputs, inputs, side, side) * deviation)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, planes: Any) -> Any:
        """Return the sums, before the activation."""
        return nn.functional.conv2d(planes, self.weight * self.get_buffer("shape"), self.bias, padding=self._padding)


def clip(planes: Any) -> Any:
    """The activation: clip to 0..TOP."""
    return planes.clamp(0, TOP)


def pool(planes: Any) -> Any:
    """Global pooling: mean and maximum of each channel over the board, (positions, 2 x channels)."""
    return torch.cat([planes.mean(dim=(2, 3)), planes.amax(dim=(2, 3))], dim=1)


class ResidualBlock(nn.Module):
    """Two convolutions with a residual connection; a global-pooling term is added to the bias of the first.

    `whole` is the linear layer of the global pooling. The attribute names are keys of the checkpoint files.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = HexConvolution(channels, channels, 1, True)
        self.second = HexConvolution(channels, channels, 1, True, init_scale=0.2)
        self.whole = nn.Linear(2 * channels, channels, bias=False)
        nn.init.zeros_(self.whole.weight)

    def inner(self, planes: Any) -> Any:
        """Return the activations between the two convolutions."""
        return clip(self.first(planes) + self.whole(pool(planes))[:, :, None, None])

    def forward(self, planes: Any) -> Any:
        """Return activations of the same shape."""
        return clip(planes + self.second(self.inner(planes)))


class Network(nn.Module):
    """The network as torch trains it."""

    def __init__(self, channels: int, blocks: int) -> None:
        super().__init__()
        self.channels = channels
        self.first = HexConvolution(2, channels, STEM_RADIUS, False)
        self.blocks: Any = nn.ModuleList(ResidualBlock(channels) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1, bias=False)
        self.hidden = nn.Linear(2 * channels, VALUE_HIDDEN)
        self.value = nn.Linear(VALUE_HIDDEN, 1)

    def forward(self, planes: Any) -> tuple[Any, Any]:
        """Return policy logits, (positions, cells), and value logits, (positions,). Inputs come from
        `encode_boards`.
        """
        planes = clip(self.first(planes))
        for block in self.blocks:
            planes = block(planes)
        value = self.value(torch.relu(self.hidden(pool(planes))))
        return self.policy(planes).flatten(1), value.squeeze(1)

    def live_channels(self, planes: Any) -> list[int]:
        """Return, by block, the number of live channels between its convolutions.

        A channel that is never above zero contributes nothing and cannot learn any more.
        """
        planes, counts = clip(self.first(planes)), []
        for block in self.blocks:
            counts.append(int(((block.inner(planes) > 0).float().mean(dim=(0, 2, 3)) >= LIVE_FRACTION).sum()))
            planes = block(planes)
        return counts

    def grow(self, blocks: int) -> Network:
        """Return a network with `blocks` blocks that computes the same; the new blocks lie between the old ones.

        Raise ValueError if this network has more blocks.
        """
        network, old_blocks = Network(self.channels, blocks), len(self.blocks)
        if blocks < old_blocks:
            raise ValueError(f"a network of {old_blocks} blocks does not become one of {blocks}")
        for name in ("first", "policy", "hidden", "value"):
            getattr(network, name).load_state_dict(getattr(self, name).state_dict())
        for index, block in enumerate(network.blocks):
            old_index, remainder = divmod(index * old_blocks, blocks)
            if remainder < old_blocks:  # the first block that maps to this old one
                block.load_state_dict(self.blocks[old_index].state_dict())
            else:  # a new block: it adds nothing to its input
                nn.init.zeros_(block.second.weight)
        return network


def read_network(file: Path) -> Network:
    """Load the network of a checkpoint. Checkpoints of self-play have the moving average of the weights: load this."""
    state = torch.load(file, weights_only=True, map_location="cpu")
    network = Network(*state["size"])
    network.load_state_dict(state.get("average", state["network"]))
    return network


def encode_boards(boards: Any, size: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return the input planes, (positions, 2, size + 4, size + 4): stones of the side to move, and of the opponent.

    `boards` is a numpy array or a tensor, (positions, cells), in the view of the side to move (side_view.py). The two
    rows beyond an edge count as stones of its owner, and the squares beyond the corners are empty.
    """
    cells = torch.as_tensor(boards).view(-1, size, size)
    side = size + 2 * STEM_RADIUS
    planes = torch.zeros(len(cells), 2, side, side, dtype=dtype, device=cells.device)
    inside = slice(STEM_RADIUS, STEM_RADIUS + size)
    for plane, stone in enumerate((OWN, OPPONENT)):
        planes[:, plane, inside, inside] = (cells == stone).to(dtype)
    for beyond in (slice(0, STEM_RADIUS), slice(STEM_RADIUS + size, None)):
        planes[:, 0, beyond, inside] = 1
        planes[:, 1, inside, beyond] = 1
    return planes
