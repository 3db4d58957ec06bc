"""Kolibrat in the plainest Python: a dictionary of squares, moves as text, nothing kept up to date."""

from __future__ import annotations

from dataclasses import dataclass, replace

Square = tuple[int, int]
STEP = {"r": 1, "b": -1}
ENEMY = {"r": "b", "b": "r"}


@dataclass(frozen=True)
class NaiveKolibrat:
    """A state; `loser` is the side that blocked both."""

    width: int
    height: int
    pieces: int
    goal: int
    board: tuple[tuple[Square, str], ...] = ()
    side: str = "r"
    points: tuple[int, int] = (0, 0)
    loser: str = ""

    def home(self, side: str) -> int:
        return 0 if side == "r" else self.height - 1

    def winner(self) -> str:
        if self.goal in self.points:
            return "rb"[self.points.index(self.goal)]
        return ENEMY[self.loser] if self.loser else ""

    def moves(self, side: str) -> dict[str, tuple[dict[Square, str], int]]:
        """Boards and points gained by move."""
        board, found = dict(self.board), {}
        if sum(owner == side for owner in board.values()) < self.pieces:
            for x in range(self.width):
                if (x, self.home(side)) not in board:
                    found[name((x, self.home(side)))] = ({**board, (x, self.home(side)): side}, 0)
        for (x, y), owner in board.items():
            if owner != side:
                continue
            rest = {square: piece for square, piece in board.items() if square != (x, y)}
            for target in self.targets(board, side, (x, y)):
                if 0 <= target[1] < self.height:
                    found[name((x, y)) + name(target)] = ({**rest, target: side}, 0)
                else:
                    found[name((x, y)) + "off"] = (rest, 1)
        return found

    def targets(self, board: dict[Square, str], side: str, square: Square) -> list[Square]:
        (x, y), step = square, STEP[side]
        ahead = (x, y + step)
        if y == self.home(ENEMY[side]):
            return [ahead]
        sideways = [(x + d, y + step) for d in (-1, 1)]
        found = [target for target in sideways if 0 <= target[0] < self.width and target not in board]
        if board.get(ahead) == ENEMY[side]:
            found.append(ahead)
            behind = ahead
            while board.get(behind) == ENEMY[side]:
                behind = (x, behind[1] + step)
            if behind not in board:
                found.append(behind)
        return found

    def legal(self) -> list[str]:
        return [] if self.winner() else list(self.moves(self.side))

    def play(self, move: str) -> NaiveKolibrat:
        board, gained = self.moves(self.side)[move]
        red, black = self.points
        points = (red + gained, black) if self.side == "r" else (red, black + gained)
        after = replace(self, board=tuple(board.items()), points=points)
        if after.winner():
            return replace(after, side=ENEMY[self.side])
        for side in (ENEMY[self.side], self.side):
            if after.moves(side):
                return replace(after, side=side)
        return replace(after, side=ENEMY[self.side], loser=self.side)


def name(square: Square) -> str:
    return "abcdefghi"[square[0]] + str(square[1] + 1)
