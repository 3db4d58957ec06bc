"""Two tiny games with players, and an observer that prints nothing, for the tests of the arena.

Pile (`PILE_GAME`): each move takes 1 to 3 stones from a pile of 9, and who takes the last stone wins. Row (`ROW_GAME`):
a Gomoku board on which only five in a horizontal row win.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from arena.log.events import RoundPaired
from bots.gomoku.notation import check_setup, parse_opening
from core.play.board_player import BoardPlayerBase
from core.play.game import FIRST, SECOND, Game, Outcome, ProofCase
from core.play.options import Option, OptionSet
from core.play.player import (
    BadSetup,
    Decision,
    IllegalMove,
    Limits,
    PlayerKind,
    Progress,
    ProgressCallback,
    Setup,
    ignore_progress,
)
from core.play.squares import format_square, parse_square
from tests.manual_clock import ManualClock
from tests.move_counts import count_sequences

PILE_SIZE = 9  # stones at the start
MAX_PLIES = 8  # of a match game; with single stones the game would have 9


class Pile:
    """A position of the pile game. A move is the number of stones taken.

    In the variant `tie` a game that ends is drawn. The width of the setup is the number of stones at the start.
    """

    def __init__(self, setup: Setup) -> None:
        self.restart(setup)

    def restart(self, setup: Setup) -> None:
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
        """Number of stones in the pile."""
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
        return count_sequences(self, depth)

    def board(self) -> str:
        return "o" * self.left


Answer = Callable[["Taker", Limits], str]  # returns the move of a player


class Taker(BoardPlayerBase[Pile]):
    """A player of the pile game that plays what `answer` returns; by default it plays perfectly."""

    def __init__(self, answer: Answer | None = None, options: OptionSet | None = None) -> None:
        super().__init__(options or OptionSet((Option("seed", 0, "random stream"),)), Pile(Setup(PILE_SIZE, 1)))
        self.answer = answer or (lambda taker, _: str(max(1, taker.pile.left % 4)))
        self.pile = self.position
        self.closed = False

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        progress = Progress(depth=limits.depth or 3, score=7, nodes=self.pile.left)
        report(progress)
        return Decision(self.answer(self, limits), progress)

    def close(self) -> None:
        self.closed = True


def take_one(taker: Taker, limits: Limits) -> str:  # noqa: ARG001
    """Return the move of a weak player, which always takes one stone."""
    return "1"


def take_after(clock: ManualClock, milliseconds: int) -> Answer:
    """Return a function that advances a manual clock by this time and then takes one stone."""

    def answer(taker: Taker, limits: Limits) -> str:
        clock.advance(milliseconds)
        return take_one(taker, limits)

    return answer


def choose_randomly(taker: Taker, limits: Limits) -> str:  # noqa: ARG001
    """Return a random move after 4 ms."""
    time.sleep(0.004)
    generator = random.Random(f"{taker.options['seed']}/{len(taker.pile.moves)}")
    return generator.choice(taker.pile.legal_moves())


KINDS = (
    PlayerKind("perfect", "plays well", lambda options: Taker(options=options), (Option("seed", 0, "random stream"),)),
    PlayerKind(
        "dice",
        "plays at random",
        lambda options: Taker(choose_randomly, options),
        (Option("seed", 0, "random stream"),),
    ),
    PlayerKind("one", "takes one", lambda options: Taker(take_one, options), (Option("depth", 1, "plies", minimum=1),)),
)

PILE_GAME = Game(
    name="pile",
    title="Pile",
    protocol="gomocup",
    executable="pbrain-pile",
    variants=("normal", "tie"),
    default_setup=Setup(PILE_SIZE, 1, "normal"),
    check_setup=lambda setup: setup,
    new_position=Pile,
    players=lambda: KINDS,
    max_plies=lambda _: MAX_PLIES,
    bench_positions=("", "1 2"),
    bench_depth=2,
    bench_setups=(Setup(4, 1, "normal"),),
    bench_proofs=(ProofCase(Setup(PILE_SIZE, 1, "normal"), "1 2", 7), ProofCase(Setup(4, 1, "normal"), "", 5)),
    # As if the proof found the first move of the line and used all nodes of its limit
    prove=lambda case: (case.line[:1], case.nodes),
)


class QuietObserver:
    """A RunObserver that counts moves and games and keeps the messages."""

    def __init__(self) -> None:
        self.moves = 0
        self.games = 0
        self.messages: list[str] = []
        self.rounds: list[tuple[RoundPaired, int]] = []  # with the planned number of games

    def on_round(self, paired: RoundPaired, planned: int) -> None:
        self.rounds.append((paired, planned))

    def on_start(self, game: object) -> None:
        """Do nothing; games are counted when they end."""

    def on_move(self, game: int, position: object, entries: object) -> None:  # noqa: ARG002
        self.moves += 1

    def on_game(self, game: object) -> None:  # noqa: ARG002
        self.games += 1

    def on_pair(self, statistics: object, sprt_state: object) -> None:
        """Do nothing."""

    def on_line(self, line: bytes) -> None:
        """Do nothing."""

    def show_message(self, text: str) -> None:
        self.messages.append(text)


class RowBoard:
    """A position of the row game."""

    def __init__(self, setup: Setup) -> None:
        self.restart(setup)

    def restart(self, setup: Setup) -> None:
        if not 5 <= setup.width <= 22:
            raise BadSetup(f"board size must be 5..22, not {setup.width}")
        self.setup = setup
        self._moves: list[str] = []

    @property
    def to_move(self) -> int:
        return len(self._moves) % 2

    @property
    def moves(self) -> list[str]:
        return list(self._moves)

    def legal_moves(self) -> list[str]:
        if self.outcome():
            return []
        squares = (format_square(x, y) for y in range(self.setup.height) for x in range(self.setup.width))
        return [square for square in squares if square not in self._moves]

    def play(self, move: str) -> None:
        if move not in self.legal_moves():
            raise IllegalMove(f"a free square is wanted, not {move!r}")
        self._moves.append(move)

    def undo(self) -> None:
        self._moves.pop()

    def outcome(self) -> Outcome | None:
        mover = 1 - self.to_move
        stones = {parse_square(move) for move in self._moves[mover::2]}
        five = any(stone and all((stone[0] + step, stone[1]) in stones for step in range(5)) for stone in stones)
        return Outcome(mover, "five") if five else None

    def perft(self, depth: int) -> int:
        return len(self.legal_moves()) if depth else 1

    def board(self) -> str:
        return " ".join(self._moves)


class LastSquare(BoardPlayerBase[RowBoard]):
    """A player that takes the last free square of the columns a, c, e, g, i and k, so it never makes five in a row."""

    def __init__(self, options: OptionSet) -> None:
        super().__init__(options, RowBoard(Setup(15, 15)))

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
        return Decision(next(move for move in reversed(self.position.legal_moves()) if move[0] in "acegik"))


ROW_GAME = Game(
    name="row",
    title="Row",
    protocol="gomocup",
    executable="pbrain-row",
    variants=("freestyle",),
    default_setup=Setup(15, 15, "freestyle"),
    check_setup=check_setup,
    new_position=RowBoard,
    players=lambda: (PlayerKind("last", "plays from the end", LastSquare),),
    max_plies=lambda setup: setup.width * setup.height,
    parse_opening=parse_opening,
    records=("psq",),
)
