"""The game of a GTP session: a position, and the number of plies of each command, so that `undo` undoes one command."""

from __future__ import annotations

from core.play.player import BadSetup, IllegalMove, Setup
from protocols.gtp.game import NOT_TO_MOVE, ColouredMoves, GtpGame, GtpPosition


class GtpBoard:
    """A game in progress whose moves come with a colour. Moves are in the game's own notation."""

    def __init__(self, game: GtpGame, setup: Setup) -> None:
        """Set up the start position; raise BadSetup."""
        self._game = game
        self.position: GtpPosition = game.new_position(setup)
        self._plies: list[int] = []  # of each command: 1, or 0 for the pass of a skipped side

    def play(self, side: int, move: str) -> None:
        """Play a move of a side; if it is illegal, raise IllegalMove and change nothing."""
        is_skipped = move == self._game.skip_word and self._is_skipped(side)
        if not is_skipped:
            self.position.play(self._game.move_for_side(self.position, side, move))
        self._plies.append(int(not is_skipped))

    def play_all(self, plays: ColouredMoves) -> None:
        """Play the moves of a game record; raise BadSetup with the number of an illegal one."""
        setup = self.position.setup
        for number, (colour, text) in enumerate(plays, 1):
            try:
                self.play(self._game.parse_colour(colour), self._game.parse_move(text, setup))
            except ValueError as error:
                raise BadSetup(f"move {number} of the record: {error}") from None

    def undo(self) -> None:
        """Take back what the last command played; raise IllegalMove if there is nothing to take back."""
        if not self._plies:
            raise IllegalMove("there is no move to take back")
        for _ in range(self._plies.pop()):
            self.position.undo()

    def turn_of(self, side: int | None) -> GtpPosition:
        """The position with a side to move, None for whose turn it is; raise IllegalMove where the rules say who moves.

        It is for looking at and searching; what is played there does not belong to the game.
        """
        if side is None or side == self.position.to_move:
            return self.position
        if self._game.with_side_to_move is None:
            raise IllegalMove(NOT_TO_MOVE)
        return self._game.new_position(self._game.with_side_to_move(self.position, side))

    def restarted(self, setup: Setup) -> GtpBoard:
        """Return a board with the same moves from another setup; raise BadSetup or IllegalMove."""
        board = GtpBoard(self._game, setup)
        for move in self.position.moves:
            board.position.play(move)
        board._plies = list(self._plies)
        return board

    def _is_skipped(self, side: int) -> bool:
        """True if a side without moves was skipped: the other side moved last and is to move again."""
        position = self.position
        if position.to_move == side or not position.moves or position.outcome() is not None:
            return False
        last = position.moves[-1]
        position.undo()
        moved_last = position.to_move
        position.play(last)
        return moved_last == position.to_move
