"""A perfect player of tic-tac-toe: a full negamax search with a cache."""

from __future__ import annotations

from core.play.board_player import BoardPlayerBase
from core.play.options import OptionSet
from core.play.player import Decision, Limits, PlayerKind, Progress, ProgressCallback, ignore_progress
from tests.mocks.tic_tac_toe.position import TicTacToe

WIN = 10  # the score of a win is WIN minus its ply, so earlier wins score more


class PerfectPlayer(BoardPlayerBase[TicTacToe]):
    """Never loses, and wins as soon as it can. Only the first move takes time, because positions are cached."""

    def __init__(self, options: OptionSet) -> None:
        super().__init__(options, TicTacToe())
        # Score for the side that has just moved, by the squares of both sides
        self._scores: dict[tuple[frozenset[str], frozenset[str]], int] = {}

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Return the best move, the first one of equal moves.

        Excluded moves are left out, unless all legal moves are excluded.
        """
        self._nodes = 0
        legal = self.position.legal_moves()
        moves = [move for move in legal if move not in limits.excluded_moves] or legal
        ranked = sorted(((self._value_after(move), move) for move in moves), key=lambda pair: -pair[0])
        reports = [
            Progress(depth=len(moves), score=value, nodes=self._nodes, pv=(move,), pv_index=pv_index)
            for pv_index, (value, move) in enumerate(ranked, 1)
        ]
        for progress in reports[: limits.multi_pv]:
            report(progress)
        return Decision(reports[0].pv[0], reports[0]) if reports else Decision("")

    def _value_after(self, move: str) -> int:
        """Return the score of a move for the side that makes it."""
        self.position.play(move)
        moves = self.position.moves
        key = frozenset(moves[::2]), frozenset(moves[1::2])
        if key not in self._scores:
            self._nodes += 1
            outcome = self.position.outcome()
            if outcome:
                self._scores[key] = 0 if outcome.winner is None else WIN - len(moves)
            else:
                self._scores[key] = -max(self._value_after(answer) for answer in self.position.legal_moves())
        self.position.undo()
        return self._scores[key]


PLAYERS = (PlayerKind("perfect", "searches to the end of the game", PerfectPlayer),)
