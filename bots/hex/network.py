"""Loads the network into the state of the tree search. `python -m bots.hex.training.export` writes the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.native.weights import load_weights, write_weights

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

NETWORK_FILE = Path(__file__).with_name("tables") / "hex.network"
# Fields of the state in the order of the file; the layout of each is that in the state.
WEIGHT_FIELDS = (
    "stem_weights",
    "stem_bias",
    "global_pool_weights",
    "block_weights",
    "block_bias",
    "block_shifts",
    "input_bits",
    "policy_weights",
    "value_hidden_weights",
    "value_hidden_bias",
    "value_weights",
    "value_bias",
)


def load_network(state: HexPlayout, weights: bytes | None = None) -> None:
    """Load network weights into a search state: those given as the contents of a file, or the default network."""
    if weights is None:
        load_weights(state, WEIGHT_FIELDS, NETWORK_FILE)
    else:
        write_weights(state, WEIGHT_FIELDS, weights)
