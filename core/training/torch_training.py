"""Shared parts of network training with torch: learning-rate schedule and checkpoints. Needs the extra `train`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import torch
from torch import nn

WARM_UP_FRACTION = 0.05  # part of the training in which the learning rate rises from 0
LAST_FRACTION = 0.01  # learning rate at the end / greatest learning rate


def set_learning_rate(optimizer: torch.optim.Optimizer, peak: float, progress: float) -> None:
    """Set the learning rate: a linear warm-up times a cosine decay from `peak`. `progress` goes from 0 to 1.

    Adam's first steps are as long as the learning rate, however small the gradients are. Without warm-up they damage a
    network that has been trained before, and new layers in it (bots/hex/generations.md).
    """
    rate = peak * (LAST_FRACTION + (1 - LAST_FRACTION) * (1 + math.cos(math.pi * progress)) / 2)
    for group in optimizer.param_groups:
        group["lr"] = rate * min(progress / WARM_UP_FRACTION, 1)


def save_checkpoint(
    file: Path, network: nn.Module, optimizer: torch.optim.Optimizer, epochs: int, **extra: Any
) -> None:
    """Write a checkpoint after `epochs` finished epochs; `extra` entries are stored too.

    The old file is replaced when the new one is complete.
    """
    checkpoint = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "epochs": epochs, **extra}
    temporary = file.with_suffix(".part")
    torch.save(checkpoint, temporary)
    temporary.replace(file)


def restore_checkpoint(file: Path, network: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Load a checkpoint into network and optimizer; return the number of finished epochs, 0 if there is no file."""
    if not file.exists():
        return 0
    checkpoint = torch.load(file, weights_only=True, map_location="cpu")
    network.load_state_dict(checkpoint["network"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return int(checkpoint["epochs"])
