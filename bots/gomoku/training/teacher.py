"""A teacher: a residual network that sees the whole board. Needs the extra `train`.

It is too slow to play, but may judge positions better than the recorded labels; train.py trains one with
`--train-teacher BLOCKS CHANNELS`. With `--teacher CHECKPOINT` it then trains the small network towards the teacher's
outputs (distillation).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from bots.gomoku.notation import MAX_SIZE
from bots.gomoku.training.samples import Samples, value_targets

HEAD = 64  # units of the layer between the pooled channels and the output
RESIDUAL_SCALE = 0.2  # factor of a block's initial second weights, so that it begins close to the identity


class TeacherBlock(nn.Module):
    """Two 3x3 convolutions with a residual connection."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        with torch.no_grad():
            self.second.weight *= RESIDUAL_SCALE

    def forward(self, planes: Any, board: Any) -> Any:
        """Return activations of the same shape; those outside of the board stay 0, as if it ended there."""
        return board * torch.relu(planes + self.second(board * torch.relu(self.first(planes))))


class Teacher(nn.Module):
    """A residual network for boards of any size."""

    def __init__(self, blocks: int, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, channels, 3, padding=1)
        self.blocks = nn.ModuleList(TeacherBlock(channels) for _ in range(blocks))
        self.head = nn.Sequential(nn.Linear(2 * channels, HEAD), nn.ReLU(), nn.Linear(HEAD, 1))

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return the weights in groups for an optimizer."""
        return [{"params": list(self.parameters())}]

    def forward(self, planes: Any) -> Any:
        """Return the logits of winning, (positions,), for the planes of `board_planes`.

        In training mode a random symmetry of the board is applied to all positions.
        """
        if self.training:
            quarter_turns, is_transposed = divmod(int(torch.randint(8, ())), 2)
            planes = torch.rot90(planes, quarter_turns, (2, 3))
            planes = planes.transpose(2, 3) if is_transposed else planes
        with torch.autocast(planes.device.type, torch.bfloat16, enabled=planes.is_cuda):
            board = planes[:, 2:]
            hidden = board * torch.relu(self.first(planes))
            for block in self.blocks:
                hidden = block(hidden, board)
            mean = hidden.sum((2, 3)) / board.sum((2, 3))
            logits = self.head(torch.cat([mean, hidden.amax((2, 3))], dim=1))
        return logits.float().squeeze(1)


def board_planes(samples: Samples, indices: Any) -> tuple[torch.Tensor]:
    """Return the input of a teacher, (positions, 3, height, width) f32: the planes of `Samples.boards`.

    The planes are cut to the largest of the boards.
    """
    bits = np.unpackbits(samples.boards[indices], axis=1, count=3 * MAX_SIZE**2)
    planes: Any = bits.reshape(-1, 3, MAX_SIZE, MAX_SIZE)
    is_used = planes[:, 2].any(axis=0)
    height, width = is_used.any(axis=1).sum(), is_used.any(axis=0).sum()
    return (torch.from_numpy(planes[:, :, :height, :width].astype(np.float32)),)


def read_teacher(file: Path) -> Teacher:
    """Return the teacher of a checkpoint, ready to judge positions."""
    weights = torch.load(file, weights_only=True, map_location="cpu")["network"]
    blocks = sum(name.startswith("blocks.") and name.endswith(".first.weight") for name in weights)
    teacher = Teacher(blocks, len(weights["first.weight"]))
    teacher.load_state_dict(weights)
    teacher.eval()
    return teacher


class TeacherTargets:
    """Targets for the small network: a mean of the teacher's win probability and the recorded target."""

    def __init__(self, teacher: Teacher, weight: float, device: str) -> None:
        """`weight`, from 0 to 1, is that of the teacher."""
        self._teacher, self._weight, self._device = teacher.to(device), weight, device

    def __call__(self, samples: Samples, indices: Any) -> Any:
        """Return the targets of some positions, (positions,) f32."""
        with torch.no_grad():
            taught = torch.sigmoid(self._teacher(board_planes(samples, indices)[0].to(self._device))).cpu().numpy()
        return self._weight * taught + np.float32(1 - self._weight) * value_targets(samples, indices)
