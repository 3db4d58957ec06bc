"""`KolibratPosition`, the Python interface to the rules of Kolibrat, used by bots, referee and tests.

The rules themselves are the kernels in bots/kolibrat/kernels/rules.py. Users of this class mostly see moves as text
(`b1c2`); the kernels know them as integer codes. bots/kolibrat/squares.py explains the codes of moves and squares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.kolibrat.notation import (
    COLOURS,
    PositionText,
    board_of,
    check_setup,
    format_move,
    format_position,
    format_ranks,
    parse_move,
    parse_position,
)
from bots.kolibrat.squares import (
    BLACK_WINS,
    DRAW_PLIES,
    DRAW_REPETITIONS,
    HAND,
    MOVE_SHIFT,
    RED_WINS,
    SQUARE_MASK,
    STRIDE,
)
from core.play.board import BoardPosition
from core.play.game import FIRST, SECOND, Outcome
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import COLUMN_LETTERS

if TYPE_CHECKING:
    from bots.kolibrat.kernels.boundary import Kernels, Kolibrat

MAX_PERFT = 100  # plies; less than the number of move lists in the state (MAX_PLY, core/search/kernels/game_kernels.py)


class KolibratPosition(BoardPosition):
    """A game in progress (protocols.gtp.game.GtpPosition); red moves first."""

    game, state_type, max_perft_depth = "kolibrat", "Kolibrat", MAX_PERFT
    library: Kernels
    state: Kolibrat

    def _check_setup(self, setup: Setup) -> Setup:
        checked = check_setup(setup)
        if setup.position:
            self._check_side_can_move(parse_position(setup.position))
        return checked

    def _check_side_can_move(self, parsed: PositionText) -> None:
        """Raise BadSetup if the game is not over and the side to move has no legal move."""
        state = self.library.new("Kolibrat")
        self._set_up_state(state, parsed)
        other = 1 - parsed.side
        if not state.result and not self.library.has_move(state, parsed.side):
            raise BadSetup(f"{COLOURS[parsed.side]} has no move there: it is {COLOURS[other]}'s turn")

    def _set_up(self) -> None:
        self.board_spec = board = board_of(self.setup)
        if self.setup.position:
            self._set_up_state(self.state, parse_position(self.setup.position))
        else:
            self.library.setup(self.state, board.width, board.height, board.pieces, board.goal)

    def _set_up_state(self, state: Kolibrat, parsed: PositionText) -> None:
        """Set up a state from a parsed position.

        If neither side can move, the side that is not to move has lost, because it made the last move.
        """
        board = parsed.board
        self.library.setup(state, board.width, board.height, board.pieces, board.goal)
        for side, squares in enumerate(parsed.squares):
            for square in squares:
                self.library.put(state, side, square)
        state.side = parsed.side
        state.points[0], state.points[1] = parsed.points
        if board.goal in parsed.points:
            state.result = RED_WINS if parsed.points[0] == board.goal else BLACK_WINS
        elif not self.library.has_move(state, 0) and not self.library.has_move(state, 1):
            state.result = RED_WINS if parsed.side == 0 else BLACK_WINS

    def parse(self, text: str) -> int:
        """Return the code of a move, legal or not; raise IllegalMove if it is malformed or off the board."""
        return parse_move(text, self.board_spec)

    def format(self, move_code: int) -> str:
        """Return a move as text."""
        return format_move(move_code)

    def legal_numbers(self) -> list[int]:
        """Return the codes of all legal moves, inserts first; none if the game is over."""
        if self.outcome():
            return []
        count = self.library.list_moves(self.state, self.to_move, 0)
        return list(self.state.moves[0][:count])

    def play(self, move: str) -> None:
        """Make a move; raise IllegalMove with the reason if it is not legal."""
        if self.outcome():
            raise IllegalMove(f"{move} is illegal: the game is over")
        super().play(move)

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None: goal reached, both sides blocked, third repetition, or too many plies."""
        state = self.state
        if state.result:
            blocked = self.board_spec.goal not in list(state.points)
            return Outcome(FIRST if state.result == RED_WINS else SECOND, "blocked" if blocked else "goal")
        if self.library.repetitions(state) >= DRAW_REPETITIONS - 1:  # the kernel does not count the current position
            return Outcome(None, "repetition")
        return Outcome(None, "plies") if len(self._moves) >= DRAW_PLIES else None

    def is_skipped(self, side: int) -> bool:
        """Return whether a side is skipped now, that is, it has no legal move and the other side is to move."""
        return self.outcome() is None and side != self.to_move and not self.library.has_move(self.state, side)

    def position_text(self) -> str:
        """Return the position as text of six fields."""
        return format_position(self._as_parsed())

    def board(self) -> str:
        """Return the board as text: rows from the top, then points, pieces in hand, and side to move or result."""
        board, parsed = self.board_spec, self._as_parsed()
        lines = [f"{board.height - y} {' '.join(rank)}" for y, rank in enumerate(format_ranks(parsed))]
        lines.append("  " + " ".join(COLUMN_LETTERS[: board.width]))
        for side, colour in enumerate(COLOURS):
            hand = board.pieces - len(parsed.squares[side])
            lines.append(f"{colour}: {parsed.points[side]} of {board.goal} points, {hand} of {board.pieces} in hand")
        outcome = self.outcome()
        if outcome is None:
            lines.append(f"{COLOURS[self.to_move]} to move")
        else:
            lines.append(f"{'draw' if outcome.winner is None else COLOURS[outcome.winner] + ' wins'}: {outcome.reason}")
        return "\n".join(lines)

    def _as_parsed(self) -> PositionText:
        """Return the position as `parse_position` would return it."""
        state, board = self.state, self.board_spec
        squares = [
            tuple(
                y * STRIDE + x + 1
                for y in range(board.height)
                for x in range(board.width)
                if state.rows[side][y] >> x & 1
            )
            for side in (0, 1)
        ]
        return PositionText(board, (squares[0], squares[1]), self.to_move, (state.points[0], state.points[1]))

    def _is_legal(self, move_code: int) -> bool:
        return move_code in self.legal_numbers()

    def _reason(self, move_code: int) -> str:
        """Return why a move is illegal."""
        board, state, side = self.board_spec, self.state, self.to_move
        origin, target = move_code >> MOVE_SHIFT, move_code & SQUARE_MASK
        if origin == HAND:
            home = 0 if side == 0 else board.height - 1
            if (target - 1) // STRIDE != home:
                return f"{COLOURS[side]} inserts on rank {home + 1} only"
            if state.on_board[side] >= board.pieces:
                return f"{COLOURS[side]} has no piece in hand"
            return "the square is occupied"
        if not state.rows[side][(origin - 1) // STRIDE] >> ((origin - 1) % STRIDE) & 1:
            return f"{COLOURS[side]} has no piece there"
        return "the piece cannot go there"
