"""Move priors from local patterns: a Bradley-Terry model whose weights were fitted to self-play games.

The prior of a move is a softmax over the sum of its pattern weights (Coulom, "Computing Elo ratings of move patterns",
2007). The kernels use gammas, which are exp(weight). A move has these patterns:

    ring     the contents of its six neighbours, 2 bits per direction: 0 empty, 1 black, 2 white, 3 neither
    bridge   six times: 8 * direction + content of the cell a bridge away + 4 if both cells between are empty
    reply    its place in the 5x5 square around the opponent's last move, 5 * row + column; 25 if it lies outside
    follow   the same for its own side's last move

`bots/hex/training/fit.py` writes the weights to `weights.json`, for black. For white the board is mirrored: columns and
rows are exchanged, and the colours.
"""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

from core.system.files import read_json_object

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

WEIGHTS_FILE = Path(__file__).with_name("weights.json")
_SWAPPED_CONTENT = (0, 2, 1, 3)  # cell contents with the colours exchanged
WEIGHT_UNIT = 0.01  # unit of the integers in the file


def mirror_ring(ring: int) -> int:
    """Mirror a ring code."""
    contents = [(ring >> (2 * direction)) & 3 for direction in range(6)]
    return sum(_SWAPPED_CONTENT[content] << (2 * (5 - direction)) for direction, content in enumerate(contents))


def mirror_bridge(index: int) -> int:
    """Mirror the index of a bridge pattern."""
    direction, content = divmod(index, 8)
    return (4 - direction) % 6 * 8 + (content & 4) + _SWAPPED_CONTENT[content & 3]


def mirror_offset(index: int) -> int:
    """Mirror the index of a reply or follow pattern."""
    return index % 5 * 5 + index // 5 if index < 25 else index


def load_weights(state: HexPlayout) -> None:
    """Fill the gammas of a search state from the file."""
    weights = read_json_object(WEIGHTS_FILE)
    black, white = state.ring_gamma
    black[:] = white[:] = [1.0] * len(black)  # rings that are not in the file have weight 0
    for ring, weight in weights["ring"].items():
        black[int(ring)] = white[mirror_ring(int(ring))] = exp(WEIGHT_UNIT * weight)
    for index, weight in enumerate(weights["bridge"]):
        state.bridge_gamma[0][index] = state.bridge_gamma[1][mirror_bridge(index)] = exp(WEIGHT_UNIT * weight)
    for index, (reply, follow) in enumerate(zip(weights["reply"], weights["follow"], strict=True)):
        state.reply_gamma[0][index] = state.reply_gamma[1][mirror_offset(index)] = exp(WEIGHT_UNIT * reply)
        state.follow_gamma[0][index] = state.follow_gamma[1][mirror_offset(index)] = exp(WEIGHT_UNIT * follow)
