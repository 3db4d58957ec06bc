"""Loads the evaluation network (`tables/hive.network`) into Hive's state, the ctypes structure of the kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.native.weights import load_weights

NETWORK_FILE = Path(__file__).with_name("tables") / "hive.network"
# Fields of the state that hold the weights, in the order of the file; bots/hive/kernels/network_fields.py has their
# shapes and types.
WEIGHT_FIELDS = (
    "feature_weights",
    "hidden_weights",
    "hidden_bias",
    "output_weights",
    "output_bias",
)


def load_network(state: Any) -> None:
    """Load the network into a state, which then adds its output to the linear evaluation."""
    load_weights(state, WEIGHT_FIELDS, NETWORK_FILE)
    state.network = 1
