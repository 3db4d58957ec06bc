"""A player that searches to the end of the game."""

from __future__ import annotations

from core.play.board_player import BoardPlayerBase
from core.play.options import OptionSet
from core.play.player import Decision, Limits, PlayerKind, Progress, ProgressCallback, ignore_progress
from tests.mocks.tic_tac_toe.position import TicTacToe

WIN = 10


class Perfect(BoardPlayerBase[TicTacToe]):
    """Never loses, and wins as soon as it can. The first move takes a moment, all later ones none."""

    def __init__(self, options: OptionSet) -> None:
        super().__init__(options, TicTacToe())
        self._known: dict[tuple[frozenset[str], frozenset[str]], int] = {}

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """The best move; of equal ones the first."""
        self._nodes = 0
        legal = self.position.legal_moves()
        moves = [move for move in legal if move not in limits.excluded_moves] or legal
        ranked = sorted(((self._value_after(move), move) for move in moves), key=lambda pair: -pair[0])
        lines = [
            Progress(len(moves), score=value, nodes=self._nodes, pv=(move,), pv_index=line)
            for line, (value, move) in enumerate(ranked, 1)
        ]
        for progress in lines[: limits.multi_pv]:
            report(progress)
        return Decision(lines[0].pv[0], lines[0]) if lines else Decision("")

    def _value_after(self, move: str) -> int:
        """For the side that makes the move."""
        self.position.play(move)
        moves = self.position.moves
        key = frozenset(moves[::2]), frozenset(moves[1::2])
        if key not in self._known:
            self._nodes += 1
            end = self.position.outcome()
            if end:
                self._known[key] = 0 if end.winner is None else WIN - len(moves)
            else:
                self._known[key] = -max(self._value_after(answer) for answer in self.position.legal_moves())
        self.position.undo()
        return self._known[key]


PLAYERS = (PlayerKind("perfect", "looks to the end of the game", Perfect),)
