"""The player `mcts`: plain Monte-Carlo tree search with random playouts (UCT; Kocsis and Szepesvári, 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from bots.pentago.layout import DRAW
from bots.pentago.paper.player import SeededPlayer
from core.play.board_player import SEED
from core.play.options import Option
from core.play.player import Limits, Progress, ProgressCallback

EXPLORATION = 0.5  # weight of the exploration term of UCB1, chosen by hand
MAX_PLAYOUTS = 100_000_000
MCTS_OPTIONS = (Option("playouts", 5000, "random playouts per move", minimum=1, maximum=MAX_PLAYOUTS), SEED)


@dataclass
class TreeNode:
    """A node of the tree."""

    untried: list[int] | None = None  # moves without a child so far; None before the node is first expanded
    children: dict[int, TreeNode] = field(default_factory=dict)  # by move
    visits: int = 0
    wins: float = 0.0  # of the side that moved to this node; a draw counts one half

    def select(self) -> tuple[int, TreeNode]:
        """Return the move and child with the highest upper confidence bound (UCB1)."""
        log_visits = math.log(self.visits)
        return max(
            self.children.items(),
            key=lambda item: item[1].wins / item[1].visits + EXPLORATION * math.sqrt(log_visits / item[1].visits),
        )


class MctsPlayer(SeededPlayer):
    """The player `mcts`. It builds a new tree for each move."""

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:  # noqa: ARG002
        root = TreeNode(moves)
        state = self.position.state
        max_playouts = min(self.options.get_int("playouts"), limits.nodes or MAX_PLAYOUTS)
        # A playout counts as a node.
        while state.nodes < max_playouts and not (self._should_stop() and root.visits):
            self._visit(root)
        move, best = max(root.children.items(), key=lambda item: item[1].visits)
        return self._progress(1, round(1000 * best.wins / best.visits) - 500, [move])  # score: -500 loss to 500 win

    def _visit(self, root: TreeNode) -> None:
        """Select a leaf, expand it by one node, play out, and back up the result."""
        state, library = self.position.state, self.position.library
        # sides[i] has made the move to path[i]. Nobody has moved to the root, whose `wins` are not used.
        path, sides, node = [root], [0], root
        while not state.result:
            if node.untried is None:
                node.untried = self.position.legal_numbers()
                self._random.shuffle(node.untried)
            is_expansion = bool(node.untried)
            move, child = (node.untried.pop(), TreeNode()) if is_expansion else node.select()
            node.children[move] = child
            sides.append(state.side)
            library.apply(state, move)
            path.append(child)
            node = child
            if is_expansion:
                break
        result = library.play_out(state)
        for node, side in zip(path, sides, strict=True):
            node.visits += 1
            node.wins += 0.5 if result == DRAW else float(result == side + 1)
        for _ in path[1:]:
            library.undo(state)
