"""A toy game with the notation of Hive (moves and GameStrings) and simple rules, for tests of UHP.

Each tile is placed west of the previous one: `wA1`, then `bS1 -wA1`. The first two tiles may not be queens. At ply
`pass_at` the only legal move is a pass. After `limit` plies White has won.
"""

from __future__ import annotations

from core.play.game import FIRST, Outcome
from core.play.player import BadSetup, IllegalMove, Setup
from tests.move_counts import count_sequences

TYPES = ("Base", "Base+M", "Base+ML", "Base+MLP")
BUGS = ("S1", "B1", "G1", "A1", "Q", "A2", "A3")  # in the order in which legal moves are listed


class TinyHive:
    """Implements `protocols.uhp.session.UhpPosition`."""

    limit = 9  # plies
    pass_at = 7  # ply, from 0

    def __init__(self, variant: str) -> None:
        if variant not in TYPES:
            raise BadSetup(f"unknown type of game {variant!r}; known: {', '.join(TYPES)}")
        self.setup = Setup(variant=variant)
        self._moves: list[str] = []

    @classmethod
    def load(cls, text: str) -> TinyHive:
        """Return the position after the moves of a GameString, whose state and turn are ignored; raise BadSetup."""
        variant, *fields = (field.strip() for field in text.split(";"))
        position = cls(variant)
        for number, move in enumerate(fields[2:], 1):
            try:
                position.play(move)
            except IllegalMove as error:
                raise BadSetup(f"move {number} of the game: {error}") from None
        return position

    @property
    def to_move(self) -> int:
        return len(self._moves) % 2

    @property
    def moves(self) -> list[str]:
        return list(self._moves)

    def legal_moves(self) -> list[str]:
        if self.outcome():
            return []
        if len(self._moves) == self.pass_at:
            return ["pass"]
        colour = "wb"[self.to_move]
        bugs = [*BUGS, *self.setup.variant.partition("+")[2]]
        played_tiles = {move.split()[0] for move in self._moves}
        tiles = [
            colour + bug for bug in bugs if colour + bug not in played_tiles and (len(self._moves) > 1 or bug != "Q")
        ]
        last = next((move.split()[0] for move in reversed(self._moves) if move != "pass"), "")
        return [f"{tile} -{last}" if last else tile for tile in tiles]

    def only_legal_move(self) -> str:
        legal = self.legal_moves()
        return legal[0] if len(legal) == 1 else ""

    def play(self, move: str) -> None:
        """Play a move.

        Only in this toy game, `wA1 wS1\\` means the same as `wA1 -wS1`, so that a move has two spellings.
        """
        words = move.split(maxsplit=1)
        if len(words) == 2 and words[1].endswith("\\"):
            move = f"{words[0]} -{words[1][:-1]}"
        legal = {text.lower(): text for text in self.legal_moves()}
        if move.lower() not in legal:
            raise IllegalMove(f"{move} is illegal here")
        self._moves.append(legal[move.lower()])

    def undo(self) -> None:
        if not self._moves:
            raise IllegalMove("there is no move to take back")
        self._moves.pop()

    def outcome(self) -> Outcome | None:
        return Outcome(FIRST, "ply limit") if len(self._moves) >= self.limit else None

    def perft(self, depth: int) -> int:
        return count_sequences(self, depth)

    def board(self) -> str:
        return " ".join(self._moves)

    def game_string(self) -> str:
        plies = len(self._moves)
        state = "WhiteWins" if self.outcome() else "InProgress" if plies else "NotStarted"
        turn = f"{('White', 'Black')[plies % 2]}[{plies // 2 + 1}]"
        return ";".join([self.setup.variant, state, turn, *self._moves])
