"""Shared parts of network training with torch: learning-rate schedule and checkpoints. Needs the extra `train`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import torch
from torch import nn

WARM_UP = 0.05  # fraction of the training in which the learning rate rises from 0
LAST_SHARE = 0.01  # final learning rate as a fraction of the peak


def set_learning_rate(optimizer: torch.optim.Optimizer, first: float, progress: float) -> None:
    """Set the learning rate: linear warm-up to about `first`, then cosine decay. `progress` runs from 0 to 1.

    Adam's first steps are as long as the learning rate, however small the gradients are. Without warm-up they damage a
    network that has been trained before, and new layers in it (bots/hex/generations.md).
    """
    rate = first * (LAST_SHARE + (1 - LAST_SHARE) * (1 + math.cos(math.pi * progress)) / 2)
    for group in optimizer.param_groups:
        group["lr"] = rate * min(progress / WARM_UP, 1)


def save_checkpoint(
    file: Path, network: nn.Module, optimizer: torch.optim.Optimizer, epochs: int, **further: Any
) -> None:
    """Write a checkpoint; it replaces the old file only once it is complete."""
    state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "epochs": epochs, **further}
    part = file.with_suffix(".part")
    torch.save(state, part)
    part.replace(file)


def restore_checkpoint(file: Path, network: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Load a checkpoint, if the file exists, into network and optimizer; return the number of finished epochs."""
    if not file.exists():
        return 0
    state = torch.load(file, weights_only=True, map_location="cpu")
    network.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["epochs"])
