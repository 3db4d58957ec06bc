"""The game of a GTP session: a position, and how many plies each command added, so that `undo` takes back commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.player import BadSetup, IllegalMove, Setup
from protocols.gtp_game import GtpGame, GtpPosition, Plays


class GtpBoard:
    """A game in progress in which the controller names the colours. Moves here are in the game's own notation."""

    def __init__(self, game: GtpGame, setup: Setup) -> None:
        """The start of a game; raise BadSetup."""
        self._game = game
        self.position: GtpPosition = game.new_position(setup)
        self._plies: list[int] = []

    def play(self, side: int, move: str) -> None:
        """Play a move of a side; raise IllegalMove and change nothing."""
        if move == self._game.skip_word and self._is_skipped(side):
            self._plies.append(0)
            return
        self._plies.append(self._make_plies(side, move))

    def play_all(self, plays: Plays) -> None:
        """Play what a record holds; raise BadSetup naming the move."""
        setup = self.position.setup
        for number, (colour, text) in enumerate(plays, 1):
            try:
                self.play(self._game.parse_colour(colour), self._game.parse_move(text, setup))
            except ValueError as error:
                raise BadSetup(f"move {number} of the record: {error}") from None

    def undo(self) -> None:
        """Take back what the last command played; raise IllegalMove where there is nothing."""
        if not self._plies:
            raise IllegalMove("there is no move to take back")
        self._take_back(len(self.position.moves) - self._plies.pop())

    @contextmanager
    def turn_of(self, side: int | None) -> Iterator[None]:
        """Look at the position with a side to move, None for whose turn it is; raise IllegalMove."""
        before = len(self.position.moves)
        if side is not None and side != self.position.to_move:
            self._make_plies(side, "")
        try:
            yield
        finally:
            self._take_back(before)

    def restarted(self, setup: Setup) -> GtpBoard:
        """The same moves from another start; raise BadSetup or IllegalMove."""
        board = GtpBoard(self._game, setup)
        for move in self.position.moves:
            board.position.play(move)
        board._plies = list(self._plies)
        return board

    def _make_plies(self, side: int, move: str) -> int:
        """Play the plies of a side's move, and return their number; raise IllegalMove and change nothing."""
        before = len(self.position.moves)
        try:
            for ply in self._game.plies(self.position, side, move):
                self.position.play(ply)
        except IllegalMove:
            self._take_back(before)
            raise
        return len(self.position.moves) - before

    def _is_skipped(self, side: int) -> bool:
        """Whether a side was passed over: the other one has moved last and moves again."""
        position = self.position
        if position.to_move == side or not position.moves or position.outcome() is not None:
            return False
        last = position.moves[-1]
        position.undo()
        moved_last = position.to_move
        position.play(last)
        return moved_last == position.to_move

    def _take_back(self, plies: int) -> None:
        while len(self.position.moves) > plies:
            self.position.undo()
