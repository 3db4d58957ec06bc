"""Loads a network into Gomoku's record; `python -m bots.gomoku.training.export` writes the files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from core.native.weights import write_weights

FOLDER = Path(__file__).with_name("tables")
# In the order of a file, each laid out as in the record (bots/gomoku/kernels/network_record.py).
WEIGHT_FIELDS = (
    "shape_weights",
    "input_weights",
    "input_bias",
    "hidden_weights",
    "hidden_bias",
    "output_weights",
    "output_bias",
)
# The network that judges under a rule's number; under the others the counts do.
NETWORKS = {0: "freestyle", 1: "standard", 4: "renju"}


def load_network(state: Any, name: str) -> None:
    """Have a network judge the positions of a record; with an empty name the counts do."""
    if name:
        write_weights(state, WEIGHT_FIELDS, _read(name))
        state.net_stones = -1
    state.network = 1 if name else 0


@cache
def _read(name: str) -> bytes:
    return (FOLDER / f"{name}.network").read_bytes()
