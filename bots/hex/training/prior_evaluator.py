"""Evaluates positions without a search: priors of the moves, and the network's win probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.hex.network import load_network
from bots.hex.position import HexPosition
from bots.hex.prior import load_weights
from bots.hex.search_parameters import NETWORK_PARAMETERS, MctsParameters
from core.native.library import new_array
from core.play.player import Setup
from core.search.mcts_tree import ROW_MOVE, ROW_PRIOR, read_row

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

TREE_WORDS = 1 << 14  # room for a root node on the largest board
RANDOM_STATE = 1  # fixed, so that the network always sees a position the same way up


class PriorEvaluator:
    """A search state with the weights of the patterns and of a network.

    `network` has the contents of a network file; None stands for the engine's network.
    """

    def __init__(self, network: bytes | None = None) -> None:
        self._library = HexPosition(Setup(5, 5, "standard")).library
        self._state: HexPlayout = self._library.new("HexPlayout")
        self._tree = new_array("i32", TREE_WORDS)
        load_weights(self._state)
        load_network(self._state, network)

    def evaluate(
        self, position: HexPosition, parameters: MctsParameters = NETWORK_PARAMETERS
    ) -> tuple[list[int], list[int]]:
        """Return the cells that are not dead, and their priors as integers (core/search/mcts_tree.py).

        The position must not be decided, so there is at least one cell. The parameters decide whether the priors come
        from the network or the patterns. With the network, `win_probability` refers to this position afterwards.
        """
        parameters.copy_to(self._state)
        self._state.random = RANDOM_STATE
        self._library.set_root(position.state, self._state)
        root = self._library.init_tree(self._state, self._tree)
        return read_row(self._tree, root, ROW_MOVE), read_row(self._tree, root, ROW_PRIOR)

    def win_probability(self, side: int) -> float:
        """Return a side's win probability in the position that the network evaluated last."""
        win_probability = self._state.leaf_win_probability
        return win_probability if side == 0 else 1 - win_probability
