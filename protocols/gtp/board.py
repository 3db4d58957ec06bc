"""The game in progress of a GTP session: its position, and how many plies each command played, for `undo`.

In GTP's terms the host that sends the commands is the controller. It names the colour of every move, and may let one
side move twice in a row; `GtpGame` (protocols/gtp/game.py) defines whether that is legal.
"""

from __future__ import annotations

from core.play.player import BadSetup, IllegalMove, Setup
from protocols.gtp.game import NOT_TO_MOVE, ColouredMoves, GtpGame, GtpPosition


class GtpBoard:
    """A game in progress. GTP names a colour with each move; sides are 0 (moves first) and 1.

    Moves are in the game's notation, not the controller's.
    """

    def __init__(self, game: GtpGame, setup: Setup) -> None:
        """Set up the start position; raise BadSetup if the game has no such board."""
        self._game = game
        self.position: GtpPosition = game.new_position(setup)
        # Plies that each `play` or `genmove`, or move of a record, has added: 1, or 0 for the pass of a side that the
        # rules had skipped
        self._plies_per_command: list[int] = []

    def play(self, side: int, move: str) -> None:
        """Play a move of a side; if it is illegal, raise IllegalMove and change nothing."""
        is_skipped = move == self._game.skip_word and self._is_skipped(side)
        if not is_skipped:
            self.position.play(self._game.move_for_side(self.position, side, move))
        self._plies_per_command.append(int(not is_skipped))

    def play_all(self, plays: ColouredMoves) -> None:
        """Play the moves of a game record; raise BadSetup with the number (from 1) of an illegal one."""
        setup = self.position.setup
        for number, (colour, text) in enumerate(plays, 1):
            try:
                self.play(self._game.parse_colour(colour), self._game.parse_move(text, setup))
            except ValueError as error:
                raise BadSetup(f"move {number} of the record: {error}") from None

    def undo(self) -> None:
        """Take back what the last command played; raise IllegalMove if no command is left."""
        if not self._plies_per_command:
            raise IllegalMove("there is no move to take back")
        for _ in range(self._plies_per_command.pop()):
            self.position.undo()

    def position_for(self, side: int | None) -> GtpPosition:
        """Return the position with `side` to move; None means the side that is to move in the game.

        For another side the position is a copy, so moves played there do not change the game. Raise IllegalMove if the
        game allows no other side to move.
        """
        if side is None or side == self.position.to_move:
            return self.position
        if self._game.with_side_to_move is None:
            raise IllegalMove(NOT_TO_MOVE)
        return self._game.new_position(self._game.with_side_to_move(self.position, side))

    def with_setup(self, setup: Setup) -> GtpBoard:
        """Return a board with another setup and the moves of this one; raise BadSetup or IllegalMove."""
        board = GtpBoard(self._game, setup)
        for move in self.position.moves:
            board.position.play(move)
        board._plies_per_command = list(self._plies_per_command)
        return board

    def _is_skipped(self, side: int) -> bool:
        """Return whether the rules have skipped a side: the other side moved last and is to move again."""
        position = self.position
        if position.to_move == side or not position.moves or position.outcome() is not None:
            return False
        last_move = position.moves[-1]
        position.undo()
        last_mover = position.to_move
        position.play(last_move)
        return last_mover == position.to_move
