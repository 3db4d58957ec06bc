"""Loads the evaluation networks in tables/ into Gomoku's state."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from core.native.weights import write_weights

FOLDER = Path(__file__).with_name("tables")
# In the order of the file; each is stored as in the state (bots/gomoku/kernels/network_record.py).
WEIGHT_FIELDS = (
    "shape_weights",
    "input_weights",
    "input_bias",
    "hidden_weights",
    "hidden_bias",
    "output_weights",
    "output_bias",
)
# Networks by rule number; the other rules use the linear evaluation.
NETWORKS = {0: "freestyle", 1: "standard", 4: "renju"}

_read_bytes = cache(Path.read_bytes)


def load_network(state: Any, name: str) -> None:
    """Load a network into a state to evaluate its positions; "" selects the linear evaluation."""
    if name:
        write_weights(state, WEIGHT_FIELDS, _read_bytes(FOLDER / f"{name}.network"))
        state.net_stones = -1
    state.network = 1 if name else 0
