"""What every Hex player shares: its board and the solver. A player adds how it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from bots.hex.position import SWAP_CELL, HexPosition
from bots.hex.solver import Solver
from core.options import OptionSet
from core.player import IllegalMove, Limits, Player, Setup, Solution


class BoardPlayer(Player):
    """A player with a board of its own, at first an empty one of 11 by 11 without swap.

    It takes `white:c2`, a stone put out of turn or after the end, beside the moves of the rules.
    """

    def __init__(self, options: OptionSet):
        self.options = options
        self.position = HexPosition(Setup(11, 11, "standard"))
        self._solver: Solver | None = None  # made when it is asked for, as few ever need it

    def new_game(self, setup: Setup) -> None:
        """Begin a game."""
        self.position.restart(setup)

    def set_moves(self, moves: Sequence[str]) -> None:
        """Replace the position; on IllegalMove the old one stands again."""
        before = self.position.moves
        try:
            self.position.replay(moves)
        except IllegalMove:
            self.position.replay(before)
            raise

    def play(self, move: str) -> None:
        """Play a move."""
        self.position.play(move)

    def undo(self) -> None:
        """Take a move back."""
        self.position.undo()

    def stop(self) -> None:
        """End a running choice or proof."""
        self.position.state.stop = 1
        if self._solver:
            self._solver.stop()

    def solve(self, limits: Limits) -> Solution:
        """Try to prove who wins the present position; raise BadSetup on boards that the solver cannot take."""
        if self.position.outcome() is not None:
            lost = int(self.position.state.winner) - 1 != self.position.to_move
            return Solution("loss" if lost else "win", distance=0)
        self._solver = self._solver or Solver(self.position.library)
        return self._solver.solve(self.position, limits)

    def _numbers(self, moves: Sequence[str]) -> list[int]:
        """Moves as the kernels number them, such as those that limits exclude; raise IllegalMove."""
        return [self.position.parse(move) for move in moves]

    def _cells(self, exclude: Sequence[str]) -> list[int]:
        """The cells that may be played, without the excluded ones unless nothing else is left."""
        count = self.position.library.list_legal(self.position.state)
        legal = [move for move in self.position.state.list[:count] if move != SWAP_CELL]
        excluded = self._numbers(exclude)
        return [cell for cell in legal if cell not in excluded] or legal
