"""What training a network with torch is in any game: a falling rate, and a checkpoint that goes on. Extra `train`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import torch
from torch import nn

WARM_UP = 0.05  # of the training, in which the rate rises
LAST_SHARE = 0.01  # of the first rate, that is left at the end


def set_learning_rate(optimizer: torch.optim.Optimizer, first: float, progress: float) -> None:
    """Let the rate fall from the first one by half a cosine, as training goes on from 0 to 1, after a rise to it.

    The first steps of Adam are as long as its rate, however small the slopes are: at the full rate they break what a
    network that training goes on from has learnt, and kill what was added to it (bots/hex/generations.md).
    """
    rate = first * (LAST_SHARE + (1 - LAST_SHARE) * (1 + math.cos(math.pi * progress)) / 2)
    for group in optimizer.param_groups:
        group["lr"] = rate * min(progress / WARM_UP, 1)


def save_checkpoint(
    file: Path, network: nn.Module, optimizer: torch.optim.Optimizer, epochs: int, **further: Any
) -> None:
    """Write what training goes on from, in place of what was there only once it is whole."""
    state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "epochs": epochs, **further}
    part = file.with_suffix(".part")
    torch.save(state, part)
    part.replace(file)


def restore_checkpoint(file: Path, network: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Take up what a checkpoint holds; return the epochs that it has finished, 0 where there is none."""
    if not file.exists():
        return 0
    state = torch.load(file, weights_only=True)
    network.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["epochs"])
