"""What every Hex player shares: its board and the solver. A player adds how it chooses."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.hex.notation import SWAP
from bots.hex.opening.first_moves import find_solved
from bots.hex.opening.swap import choose_opening
from bots.hex.position import SWAP_CELL, HexPosition, format_cell
from bots.hex.solver.solve import DfpnSolver
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Limits, Setup, Solution, allowed_moves
from core.search.time_budget import allocate_time

PROOF_MARGIN_MS = 25  # kept back of a proof's time limit
EXPECTED_MOVES_LEFT = 20  # that a proof leaves time for


class BoardPlayer(board_player.BoardPlayerBase[HexPosition]):
    """A player with a board of its own, at first an empty one of 11 by 11 without swap.

    It takes `white:c2`, a stone put out of turn or after the end, beside the moves of the rules.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options, HexPosition(Setup(11, 11, "standard")))
        self._solver: DfpnSolver | None = None  # made when it is asked for, as few ever need it

    def solve(self, limits: Limits) -> Solution:
        """Try to prove who wins the present position; raise MemoryError if there is none for the solver.

        A lost side's move, and the move where nothing is proven, is that of least cost by potentials, or the table's.
        """
        position = self.position
        outcome = position.outcome()
        if outcome is not None:
            return Solution("win" if outcome.winner == position.to_move else "loss", distance=0)
        if position.first_stone_may_be_swapped and position.setup.height > 1:
            # after any first stone one of the sides wins, and the second player chooses which to be
            return Solution("loss", choose_opening(position.setup.width, random.Random(0)))
        found = find_solved(position) or self._prove(limits)
        if found.result == "loss" and position.library.is_legal(position.state, SWAP_CELL):
            return Solution("win", SWAP)  # what the first stone has won is the second player's after the swap
        if found.move:
            return found
        position.library.paper_costs(position.state)
        return Solution(found.result, format_cell(position.state.root_moves[0]))

    def _prove(self, limits: Limits) -> Solution:
        """What the solver finds; a move only where it wins."""
        position = self.position
        self._solver = self._solver or DfpnSolver(position)
        hard_ms = allocate_time(limits, PROOF_MARGIN_MS, EXPECTED_MOVES_LEFT).hard_ms
        move_time_ms = None if hard_ms is None else max(int(hard_ms), 1)
        found = self._solver.solve(position, Limits(move_time_ms=move_time_ms, nodes=limits.nodes, stop=limits.stop))
        if found.winner is None:
            return Solution()
        return Solution("win" if found.winner == position.to_move else "loss", found.move)

    def _parse_moves(self, moves: Sequence[str]) -> list[int]:
        """Moves as the kernels number them, such as those that limits exclude; raise IllegalMove."""
        return [self.position.parse(move) for move in moves]

    def _allowed_cells(self, exclude: Sequence[str]) -> list[int]:
        """Return the cells that may be played, without the excluded ones; raise AllExcluded if none is left."""
        count = self.position.library.list_legal(self.position.state)
        legal = [move for move in self.position.state.list[:count] if move != SWAP_CELL]
        return allowed_moves(legal, self._parse_moves(exclude))
