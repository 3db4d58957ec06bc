"""A tiny game and players for the arena's tests: a pile of stones, each move takes 1 to 3, the last stone wins."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from core.game import FIRST, SECOND, Game, Outcome
from core.options import Option, OptionSet
from core.player import Decision, IllegalMove, Limits, Player, PlayerKind, Progress, Report, Setup, ignore_progress

PILE = 9
MAX_PLIES = 8


class Pile:
    """The position: variant `tie` makes the end a draw."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._moves: list[str] = []

    @property
    def to_move(self) -> int:
        return len(self._moves) % 2

    @property
    def moves(self) -> list[str]:
        return list(self._moves)

    @property
    def left(self) -> int:
        return self.setup.width - sum(map(int, self._moves))

    def legal_moves(self) -> list[str]:
        return [str(taken) for taken in (1, 2, 3) if taken <= self.left]

    def play(self, move: str) -> None:
        if move not in self.legal_moves():
            raise IllegalMove(f"take 1 to 3 of {self.left}, not {move!r}")
        self._moves.append(move)

    def undo(self) -> None:
        if not self._moves:
            raise IllegalMove("nothing to take back")
        self._moves.pop()

    def outcome(self) -> Outcome | None:
        if self.left:
            return None
        if self.setup.variant == "tie":
            return Outcome(None, "tie")
        return Outcome(SECOND if self.to_move == FIRST else FIRST, "last stone")

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in self.legal_moves():
            self.play(move)
            total += self.perft(depth - 1)
            self.undo()
        return total

    def board(self) -> str:
        return "o" * self.left


Answer = Callable[["Taker", Limits], str]


class Taker(Player):
    """Takes what `answer` says; the default leaves a multiple of four where it can."""

    def __init__(self, answer: Answer | None = None, options: OptionSet | None = None) -> None:
        self.options = options or OptionSet((Option("seed", 0, "random stream"),))
        self.answer = answer or (lambda taker, _: str(max(1, taker.pile.left % 4)))
        self.pile = Pile(Setup(PILE, 1))
        self.closed = False
        self.stopped = False

    def new_game(self, setup: Setup) -> None:
        self.pile = Pile(setup)

    def set_moves(self, moves: Sequence[str]) -> None:
        self.pile = Pile(self.pile.setup)
        for move in moves:
            self.pile.play(move)

    def play(self, move: str) -> None:
        self.pile.play(move)

    def undo(self) -> None:
        self.pile.undo()

    def choose(self, limits: Limits, report: Report = ignore_progress) -> Decision:
        progress = Progress(depth=limits.depth or 3, score=7, nodes=self.pile.left)
        report(progress)
        return Decision(self.answer(self, limits), progress)

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        self.closed = True


def take_one(taker: Taker, limits: Limits) -> str:  # noqa: ARG001
    """The weakest player."""
    return "1"


def take_late(taker: Taker, limits: Limits) -> str:  # noqa: ARG001
    """Answers after 60 ms."""
    time.sleep(0.06)
    return "1"


KINDS = (
    PlayerKind("perfect", "plays well", lambda options: Taker(options=options), (Option("seed", 0, "random stream"),)),
    PlayerKind("one", "takes one", lambda options: Taker(take_one, options), (Option("depth", 1, "plies", low=1),)),
)

PILE_GAME = Game(
    name="pile",
    title="Pile",
    protocol="gomocup",
    executable="pbrain-pile",
    variants=("normal", "tie"),
    default_setup=Setup(PILE, 1, "normal"),
    new_position=Pile,
    players=lambda: KINDS,
    max_plies=lambda _: MAX_PLIES,
    bench_positions=("", "1 2"),
    bench_depth=2,
)


class Quiet:
    """A screen that counts."""

    def __init__(self) -> None:
        self.moves = 0
        self.games = 0

    def on_move(self, game: int, plies: int) -> None:  # noqa: ARG002
        self.moves += 1

    def on_game(self, game: object, standing: object) -> None:  # noqa: ARG002
        self.games += 1
