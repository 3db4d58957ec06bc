"""Slow reference implementation of Gomoku's rules: fives, fours, threes and fouls straight from their definitions.

It shares nothing with `bots.gomoku` except the notation (moves, variants, rule numbers, allowed boards), so that a
disagreement with the kernels shows a mistake on one of the two sides. The definitions are those of the international
renju rules; each function states the one that it implements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bots.gomoku.notation import CARO, EXACT, RENJU, check_setup, parse_move, parse_variant
from core.play.game import FIRST, SECOND, Outcome
from core.play.player import IllegalMove, Setup
from core.play.squares import format_square
from tests.move_counts import count_sequences

BLACK, WHITE = FIRST, SECOND
STONES = "XO"  # black and white in drawn boards
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))  # rows, columns, falling diagonals, rising diagonals

OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = "overline", "double-four", "double-three"

Point = tuple[int, int]  # column and row, from 0 at the top left
Step = tuple[int, int]


@dataclass(frozen=True)
class Board:
    """Stones on a board under a rule. Immutable: `with_stone` returns a new board."""

    width: int
    height: int
    rule: int  # bits EXACT, RENJU, CARO
    stones: dict[Point, int]  # BLACK or WHITE by point

    def points(self) -> Iterator[Point]:
        """Return every point, row by row from the top left."""
        return ((x, y) for y in range(self.height) for x in range(self.width))

    def is_empty(self, point: Point) -> bool:
        """Return True if the point is on the board and free."""
        x, y = point
        return 0 <= x < self.width and 0 <= y < self.height and point not in self.stones

    def with_stone(self, point: Point, colour: int) -> Board:
        """Return the board after a stone of `colour` was placed on a free point."""
        return Board(self.width, self.height, self.rule, {**self.stones, point: colour})


def parse_board(rows: Iterable[str], rule: int) -> tuple[Board, dict[Point, str]]:
    """Return a drawn board (`X` black, `O` white, anything else free), and the marks of its free points except `.`."""
    cells = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    stones = {point: STONES.index(mark) for point, mark in cells.items() if mark in STONES}
    marks = {point: mark for point, mark in cells.items() if mark not in STONES + "."}
    width, height = (1 + max(point[axis] for point in cells) for axis in (0, 1))
    return Board(width, height, rule, stones), marks


def move_by(point: Point, step: Step, count: int) -> Point:
    """Return the point `count` steps away, which may be off the board."""
    return point[0] + count * step[0], point[1] + count * step[1]


def row_through(board: Board, colour: int, point: Point, step: Step) -> list[Point]:
    """Return the unbroken row along `step` that a stone of `colour` on `point` belongs to."""
    first = last = point
    while board.stones.get(move_by(first, step, -1)) == colour:
        first = move_by(first, step, -1)
    while board.stones.get(move_by(last, step, 1)) == colour:
        last = move_by(last, step, 1)
    length = max(abs(last[0] - first[0]), abs(last[1] - first[1])) + 1
    return [move_by(first, step, count) for count in range(length)]


def wins_along(board: Board, colour: int, point: Point, step: Step) -> bool:
    """Return True if a stone of `colour` on `point` makes a winning row along `step`.

    Five stones win, under CARO unless the opponent stands at both ends (the edge does not block). Six and more win,
    even if blocked, but not for either side under EXACT nor for black under RENJU.
    """
    row = row_through(board, colour, point, step)
    if len(row) > 5:
        return not (board.rule & EXACT or (board.rule & RENJU and colour == BLACK))
    if len(row) < 5:
        return False
    ends = (move_by(row[0], step, -1), move_by(row[-1], step, 1))
    return not (board.rule & CARO and all(board.stones.get(end) == 1 - colour for end in ends))


def makes_five(board: Board, colour: int, point: Point) -> bool:
    """Return True if a stone of `colour` on `point` wins the game."""
    return any(wins_along(board, colour, point, step) for step in STEPS)


def five_points(board: Board, colour: int) -> list[Point]:
    """Return the free points on which `colour` wins at once, row by row."""
    own = [point for point, owner in board.stones.items() if owner == colour]
    neighbours = {move_by(point, step, distance) for point in own for step in STEPS for distance in (-1, 1)}
    points = sorted(neighbours, key=lambda point: point[::-1])
    return [point for point in points if board.is_empty(point) and makes_five(board, colour, point)]


def makes_overline(board: Board, colour: int, point: Point) -> bool:
    """Return True if a stone of `colour` on `point` makes an unbroken row of six or more."""
    return any(len(row_through(board, colour, point, step)) > 5 for step in STEPS)


def fours(board: Board, colour: int, point: Point) -> set[frozenset[Point]]:
    """Return the fours that a stone of `colour` on `point` makes or joins, each as its set of stones.

    A four is four stones of one line that one more stone makes into a winning row. Both ends of a straight four
    complete the same stones, so it counts once; `X.XXX.X` has two. If overlines win, a set may have more stones.
    """
    board_after = board.with_stone(point, colour)
    found = set()
    for step in STEPS:
        for distance in range(-4, 5):
            completing = move_by(point, step, distance)
            if board_after.is_empty(completing) and wins_along(board_after, colour, completing, step):
                row = frozenset(row_through(board_after, colour, completing, step))
                if point in row:
                    found.add(row - {completing})
    return found


def straight_four(board: Board, colour: int, point: Point, step: Step) -> frozenset[Point] | None:
    """Return the straight four along `step` that a stone of `colour` on `point` makes, or None.

    That is an unbroken row of four stones that either neighbouring point makes into a winning row.
    """
    board_after = board.with_stone(point, colour)
    row = row_through(board_after, colour, point, step)
    ends = (move_by(row[0], step, -1), move_by(row[-1], step, 1))
    wins = all(board_after.is_empty(end) and wins_along(board_after, colour, end, step) for end in ends)
    return frozenset(row) if len(row) == 4 and wins else None


def threes(board: Board, colour: int, point: Point) -> set[frozenset[Point]]:
    """Return the real threes that a stone of `colour` on `point` makes or joins, each as its set of stones.

    A three is three stones of one line to which one more stone can be added that makes a straight four without making a
    five at the same time. It is real if that added stone is no foul, which makes the rule recursive.
    """
    board_after = board.with_stone(point, colour)
    found = set()
    for step in STEPS:
        for distance in range(-3, 4):
            adding = move_by(point, step, distance)
            four = straight_four(board_after, colour, adding, step) if board_after.is_empty(adding) else None
            if four is None or point not in four or makes_five(board_after, colour, adding):
                continue
            if foul(board_after, colour, adding) is None:
                found.add(four - {adding})
    return found


def foul(board: Board, colour: int, point: Point) -> str | None:
    """Return the renju foul that a stone of `colour` on the free `point` commits, or None. A five is never a foul."""
    if not board.rule & RENJU or colour == WHITE or makes_five(board, colour, point):
        return None
    if makes_overline(board, colour, point):
        return OVERLINE
    if len(fours(board, colour, point)) > 1:
        return DOUBLE_FOUR
    if len(threes(board, colour, point)) > 1:
        return DOUBLE_THREE
    return None


def is_forbidden(board: Board, point: Point) -> bool:
    """Return True if black may not play on the free `point`."""
    return foul(board, BLACK, point) is not None


class NaiveGomoku:
    """A position with the interface `core.play.game.Position` that keeps all boards of the game and caches nothing.

    A foul is an illegal move. If black has no legal move on a board that is not full, the game is a draw.
    """

    def __init__(self, setup: Setup) -> None:
        check_setup(setup)
        self.setup = setup
        self._moves: list[Point] = []
        self._boards = [Board(setup.width, setup.height, parse_variant(setup.variant), {})]

    @property
    def grid(self) -> Board:
        """The present board."""
        return self._boards[-1]

    @property
    def to_move(self) -> int:
        return len(self._moves) % 2

    @property
    def moves(self) -> list[str]:
        return [format_square(x, y) for x, y in self._moves]

    def legal_moves(self) -> list[str]:
        return [] if self._has_winner() else [format_square(x, y) for x, y in self._allowed_points()]

    def play(self, move: str) -> None:
        point = parse_move(move, self.setup)
        if self.outcome():
            raise IllegalMove(f"{move} after the end of the game")
        if not self.grid.is_empty(point):
            raise IllegalMove(f"{move} is occupied")
        reason = foul(self.grid, self.to_move, point)
        if reason:
            raise IllegalMove(f"{move} is forbidden for black: {reason}")
        self._boards.append(self.grid.with_stone(point, self.to_move))
        self._moves.append(point)

    def undo(self) -> None:
        if not self._moves:
            raise IllegalMove("there is no move to take back")
        self._moves.pop()
        self._boards.pop()

    def outcome(self) -> Outcome | None:
        if self._has_winner():
            return Outcome(1 - self.to_move, "five")
        if len(self._moves) == self.setup.width * self.setup.height:
            return Outcome(None, "full board")
        return Outcome(None, "no legal move") if next(self._allowed_points(), None) is None else None

    def perft(self, depth: int) -> int:
        return count_sequences(self, depth)

    def board(self) -> str:
        marks = {point: STONES[colour] for point, colour in self.grid.stones.items()}
        rows = ([marks.get((x, y), ".") for x in range(self.setup.width)] for y in range(self.setup.height))
        return "\n".join("".join(row) for row in rows)

    def _has_winner(self) -> bool:
        return bool(self._moves) and makes_five(self._boards[-2], 1 - self.to_move, self._moves[-1])

    def _allowed_points(self) -> Iterator[Point]:
        free = (point for point in self.grid.points() if self.grid.is_empty(point))
        return (point for point in free if foul(self.grid, self.to_move, point) is None)
