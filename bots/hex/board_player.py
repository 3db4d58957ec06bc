"""Base class of all Hex players: it holds the board and the solver. A subclass implements `choose`."""

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

PROOF_MARGIN_MS = 25  # subtracted from the time limit of a proof
EXPECTED_MOVES_LEFT = 20  # number of moves among which the time on the clock is divided; a proof gets one share


class BoardPlayer(board_player.BoardPlayerBase[HexPosition]):
    """A player whose board is at first empty, 11x11 and without the swap rule.

    Moves are legal moves, or stones placed out of turn or after the end, which are written with their colour:
    `white:c2`.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options, HexPosition(Setup(11, 11, "standard")))
        self._solver: DfpnSolver | None = None  # allocated when first needed

    def solve(self, limits: Limits) -> Solution:
        """Try to prove who wins the present position; raise MemoryError if there is no memory for the solver.

        The move wins if a winning move is known. Otherwise it is a fair first stone if the opponent may swap it, the
        reply in the table of openings, or the cell with the least cost by two-distance potentials. It is empty if the
        game is over.
        """
        position = self.position
        outcome = position.outcome()
        if outcome is not None:
            return Solution("win" if outcome.winner == position.to_move else "loss", distance=0)
        if position.first_stone_may_be_swapped and position.setup.height > 1:
            # After any first stone one side wins, and the second player chooses which side to be.
            return Solution("loss", choose_opening(position.setup.width, random.Random(0)))
        solution = find_solved(position) or self._prove(limits)
        if solution.result == "loss" and position.library.is_legal(position.state, SWAP_CELL):
            return Solution("win", SWAP)  # after the swap the second player has the winning stone
        if solution.move:
            return solution
        position.library.paper_costs(position.state)
        return Solution(solution.result, format_cell(position.state.root_moves[0]))

    def _prove(self, limits: Limits) -> Solution:
        """Return the solver's result; it has a move only for a win."""
        position = self.position
        self._solver = self._solver or DfpnSolver(position)
        hard_ms = allocate_time(limits, PROOF_MARGIN_MS, EXPECTED_MOVES_LEFT).hard_ms
        move_time_ms = None if hard_ms is None else max(int(hard_ms), 1)
        proven = self._solver.solve(position, Limits(move_time_ms=move_time_ms, nodes=limits.nodes, stop=limits.stop))
        if proven.winner is None:
            return Solution()
        return Solution("win" if proven.winner == position.to_move else "loss", proven.move)

    def _allowed_cells(self, exclude: Sequence[str]) -> list[int]:
        """Return the empty cells that are not excluded; raise AllMovesExcluded if none is left."""
        legal = [move for move in self.position.legal_numbers() if move != SWAP_CELL]
        return allowed_moves(legal, self.position.parse_moves(exclude))
