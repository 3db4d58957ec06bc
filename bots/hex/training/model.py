"""Hex's network in torch. Wants the extra `train`."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from bots.hex.training.samples import OTHER, OWN

STEM_RADIUS = 2  # of the first layer, in cells
TOP = 4095 / 256  # of an activation, which the kernels hold in 1/256
VALUE_HIDDEN = 32
LIVE_SHARE = 0.01  # of the cells, on which a channel is above zero


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

    def inner(self, planes: Any) -> Any:
        """The planes between the two convolutions."""
        return cut(self.first(planes) + self.whole(pool(planes))[:, :, None, None])

    def forward(self, planes: Any) -> Any:
        """Planes of the same shape."""
        return cut(planes + self.second(self.inner(planes)))


class Network(nn.Module):
    """The network of bots/hex/kernels/tree/network.py, in floats."""

    def __init__(self, channels: int, blocks: int) -> None:
        super().__init__()
        self.channels = channels
        self.first = HexConvolution(2, channels, STEM_RADIUS, False)
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

    def live_channels(self, planes: Any) -> list[int]:
        """By block, how many of its inner channels are above zero on a hundredth of the cells or more.

        A channel that never is adds nothing and learns nothing any more.
        """
        planes, found = cut(self.first(planes)), []
        for block in self.blocks:
            found.append(int(((block.inner(planes) > 0).float().mean(dim=(0, 2, 3)) >= LIVE_SHARE).sum()))
            planes = block(planes)
        return found

    def grown(self, blocks: int) -> Network:
        """The same with so many blocks: further ones between its own, which as yet let everything pass unchanged.

        Raise ValueError where it has more already.
        """
        network, own = Network(self.channels, blocks), len(self.blocks)
        if blocks < own:
            raise ValueError(f"a network of {own} blocks does not become one of {blocks}")
        for name in ("first", "policy", "hidden", "value"):
            getattr(network, name).load_state_dict(getattr(self, name).state_dict())
        for number, block in enumerate(network.blocks):
            before, beyond = divmod(number * own, blocks)
            if beyond < own:  # the first place from that of an old block on
                block.load_state_dict(self.blocks[before].state_dict())
            else:
                nn.init.zeros_(block.second.weight)
        return network


def planes_of(boards: Any, size: int) -> torch.Tensor:
    """Own and other stones, (positions, 2, size + 4, size + 4): edges are stones, too, beyond corners is nothing."""
    cells = torch.from_numpy(boards).view(-1, size, size)
    planes = torch.zeros(len(cells), 2, size + 2 * STEM_RADIUS, size + 2 * STEM_RADIUS)
    inside = slice(STEM_RADIUS, STEM_RADIUS + size)
    for plane, stone in enumerate((OWN, OTHER)):
        planes[:, plane, inside, inside] = (cells == stone).float()
    for edge in (slice(0, STEM_RADIUS), slice(STEM_RADIUS + size, None)):
        planes[:, 0, edge, inside] = 1
        planes[:, 1, inside, edge] = 1
    return planes
