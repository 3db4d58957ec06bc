"""A slow, simple implementation of the rules of Kolibrat, the reference for tests of the kernels.

The board is a dictionary of squares, moves are text, and nothing is updated incrementally.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

Square = tuple[int, int]  # column and row, from 0; row 0 is red's home row
FORWARD = {"r": 1, "b": -1}
ENEMY = {"r": "b", "b": "r"}


@dataclass(frozen=True)
class NaiveKolibrat:
    """A position. The sides are `r` and `b`."""

    width: int
    height: int
    pieces: int  # of each side
    goal: int  # points that win
    board: tuple[tuple[Square, str], ...] = ()  # occupied squares and the sides of their pieces
    side: str = "r"  # to move
    points: tuple[int, int] = (0, 0)  # of red and black
    loser: str = ""  # the side whose move left nobody a legal move

    def home_row(self, side: str) -> int:
        return 0 if side == "r" else self.height - 1

    def winner(self) -> str:
        if self.goal in self.points:
            return "rb"[self.points.index(self.goal)]
        return ENEMY[self.loser] if self.loser else ""

    def moves(self, side: str) -> dict[str, tuple[dict[Square, str], int]]:
        """Return the moves of a side as text, each with the board after it and the points gained."""
        board, results = dict(self.board), {}
        if sum(owner == side for owner in board.values()) < self.pieces:
            for x in range(self.width):
                if (x, self.home_row(side)) not in board:
                    results[square_name((x, self.home_row(side)))] = ({**board, (x, self.home_row(side)): side}, 0)
        for (x, y), owner in board.items():
            if owner != side:
                continue
            rest = {square: piece for square, piece in board.items() if square != (x, y)}
            for target in self.targets(board, side, (x, y)):
                if 0 <= target[1] < self.height:
                    results[square_name((x, y)) + square_name(target)] = ({**rest, target: side}, 0)
                else:
                    results[square_name((x, y)) + "off"] = (rest, 1)
        return results

    def targets(self, board: dict[Square, str], side: str, square: Square) -> list[Square]:
        """Return the squares to which the piece on a square can move; a square beyond the board means a point."""
        (x, y), forward = square, FORWARD[side]
        ahead = (x, y + forward)
        if y == self.home_row(ENEMY[side]):
            return [ahead]
        sideways = [(x + d, y + forward) for d in (-1, 1)]
        found = [target for target in sideways if 0 <= target[0] < self.width and target not in board]
        if board.get(ahead) == ENEMY[side]:
            found.append(ahead)
            behind = ahead
            while board.get(behind) == ENEMY[side]:
                behind = (x, behind[1] + forward)
            if behind not in board:
                found.append(behind)
        return found

    def legal_moves(self) -> list[str]:
        return [] if self.winner() else list(self.moves(self.side))

    def play(self, move: str) -> NaiveKolibrat:
        board, gained = self.moves(self.side)[move]
        red, black = self.points
        points = (red + gained, black) if self.side == "r" else (red, black + gained)
        successor = replace(self, board=tuple(board.items()), points=points)
        if successor.winner():
            return replace(successor, side=ENEMY[self.side])
        for side in (ENEMY[self.side], self.side):
            if successor.moves(side):
                return replace(successor, side=side)
        return replace(successor, side=ENEMY[self.side], loser=self.side)


def square_name(square: Square) -> str:
    return "abcdefghi"[square[0]] + str(square[1] + 1)
