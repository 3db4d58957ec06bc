"""Loads the network into a record of Hex's tree search; `python -m bots.hex.training.export` writes the file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.native.weights import write_weights

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

NETWORK_FILE = Path(__file__).with_name("tables") / "hex.network"
# In the order of the file, each laid out as in the record (bots/hex/kernels/network_record.py).
WEIGHT_FIELDS = (
    "stem_weights",
    "stem_bias",
    "global_pool_weights",
    "block_weights",
    "block_bias",
    "policy_weights",
    "value_hidden_weights",
    "value_hidden_bias",
    "value_weights",
    "value_bias",
)


def load_network(state: HexPlayout, weights: bytes | None = None) -> None:
    """Fill the weights of a record: a file's content, or the bot's own."""
    write_weights(state, WEIGHT_FIELDS, weights or _read())


@cache
def _read() -> bytes:
    return NETWORK_FILE.read_bytes()
