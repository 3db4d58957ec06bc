"""What a network thinks of a position without a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.hex.engine import NETWORK_PARAMETERS, MctsParameters
from bots.hex.network import load_network
from bots.hex.position import HexPosition
from bots.hex.prior import load_weights
from core.native.library import new_array
from core.play.player import Setup
from core.search.mcts_tree import ROW_MOVE, ROW_PRIOR, read_row

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

TREE_WORDS = 1 << 14  # for a root on the largest board
VIEW = 1  # state of the random numbers, with which a position is always seen alike


class PriorEvaluator:
    """A record with the weights of the prior and of a network, the bot's own or one from a file."""

    def __init__(self, network: bytes | None = None) -> None:
        self._library = HexPosition(Setup(5, 5, "standard")).library
        self._state: HexPlayout = self._library.new("HexPlayout")
        self._tree = new_array("i32", TREE_WORDS)
        load_weights(self._state)
        load_network(self._state, network)

    def evaluate(
        self, position: HexPosition, parameters: MctsParameters = NETWORK_PARAMETERS
    ) -> tuple[list[int], list[int]]:
        """Cells worth a move, and the shares they begin with in such a tree, in whole numbers; there is at least one.

        In a position that is not decided a cell that is not dead is left.
        """
        parameters.copy_to(self._state)
        self._state.random = VIEW
        self._library.set_root(position.state, self._state)
        root = self._library.init_tree(self._state, self._tree)
        return read_row(self._tree, root, ROW_MOVE), read_row(self._tree, root, ROW_PRIOR)

    def win_probability(self, side: int) -> float:
        """A side's chance of winning where `evaluate` was asked last, as the network sees it."""
        win_probability = self._state.leaf_win_probability
        return win_probability if side == 0 else 1 - win_probability
