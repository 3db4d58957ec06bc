"""Loads the evaluation networks (`tables/*.network`) into Gomoku's state, the ctypes structure of the kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.native.weights import load_weights

FOLDER = Path(__file__).with_name("tables")
# Fields of the state that hold the weights, in the order of the file. bots/gomoku/kernels/network_record.py has their
# shapes and types.
WEIGHT_FIELDS = (
    "shape_weights",
    "star_bias",
    "input_weights",
    "input_bias",
    "hidden_weights",
    "hidden_bias",
    "output_weights",
    "output_bias",
    "lazy_weights",
)
# Networks by rule number; the other rules use the linear evaluation.
NETWORKS = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "caro"}


def load_network(state: Any, name: str) -> None:
    """Load the network `name` into a state, which then evaluates by it; "" selects the linear evaluation."""
    state.network = 0  # stays 0 if `load_weights` raises
    if name:
        load_weights(state, WEIGHT_FIELDS, FOLDER / f"{name}.network")
        state.net_stones = -1  # the accumulator must be computed anew
        state.network = 1
