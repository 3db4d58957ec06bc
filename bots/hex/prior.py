"""How likely a move looks before it is tried: factors of local features, taught by self-play.

The model is a softmax over a position's moves of sums of weights (Coulom, "Computing Elo ratings of move patterns",
2007): the ring of six neighbours; what lies a bridge away in each of six directions, and whether the two cells between
are empty; where the last move of either side lies. The weights in `weights.json`, which `bots/hex/training/fit.py`
makes, are for black; for white columns and rows are exchanged, and the colours.
"""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

from core.system.files import read_json_object

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

WEIGHTS_FILE = Path(__file__).with_name("weights.json")
_SWAPPED_CONTENT = (0, 2, 1, 3)  # contents as the other side sees them
WEIGHT_UNIT = 0.01  # of the weights


def mirror_ring(ring: int) -> int:
    """A ring with columns and rows exchanged, and the colours."""
    contents = [(ring >> (2 * direction)) & 3 for direction in range(6)]
    return sum(_SWAPPED_CONTENT[content] << (2 * (5 - direction)) for direction, content in enumerate(contents))


def mirror_bridge(index: int) -> int:
    """The same for a direction, content and way between."""
    direction, content = divmod(index, 8)
    return (4 - direction) % 6 * 8 + (content & 4) + _SWAPPED_CONTENT[content & 3]


def mirror_offset(index: int) -> int:
    """The same for a place near another."""
    return index % 5 * 5 + index // 5 if index < 25 else index


def load_weights(state: HexPlayout) -> None:
    """Fill the factors of a playout record."""
    weights = read_json_object(WEIGHTS_FILE)
    black, white = state.ring_gamma
    black[:] = white[:] = [1.0] * len(black)
    for ring, weight in weights["ring"].items():
        black[int(ring)] = white[mirror_ring(int(ring))] = exp(WEIGHT_UNIT * weight)
    for index, weight in enumerate(weights["bridge"]):
        state.bridge_gamma[0][index] = state.bridge_gamma[1][mirror_bridge(index)] = exp(WEIGHT_UNIT * weight)
    for index, (reply, follow) in enumerate(zip(weights["reply"], weights["follow"], strict=True)):
        state.reply_gamma[0][index] = state.reply_gamma[1][mirror_offset(index)] = exp(WEIGHT_UNIT * reply)
        state.follow_gamma[0][index] = state.follow_gamma[1][mirror_offset(index)] = exp(WEIGHT_UNIT * follow)
