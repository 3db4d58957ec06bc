"""The referee: one game between two Players on our own board and clock, up to one of the endings.

Nothing an engine says is trusted but its move, and that is checked by the game's rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.clock import Clock, TimeControl
from arena.ending import Ending
from arena.log import MoveEntry
from arena.seat import ForeignPlayer, Seat
from arena.told import cut_words, make_entry
from core.game import Game, Position
from core.player import Decision, IllegalMove, Player, Setup
from protocols.process import EngineDied, EngineError, EngineTimeout

RESIGN = "resign"
REPETITION = "repetition"  # the detail of a draw by it
REPEATS = 3  # occurrences of a position that draw a match game


@dataclass(frozen=True)
class Terms:
    """What holds for all games of a match."""

    game: Game
    setup: Setup
    control: TimeControl


@dataclass(frozen=True)
class Verdict:
    """How a game ended: the winning side, the side to blame (0 or 1, None where there is none) and details in words."""

    ending: Ending
    winner: int | None = None
    blamed: int | None = None
    detail: str = ""


@dataclass(frozen=True)
class Played:
    """A finished game: the verdict and the moves after the opening."""

    verdict: Verdict
    moves: tuple[MoveEntry, ...]
    messages: tuple[str, ...] = ()  # of the engine to blame, or to move, since its last move
    stderr: tuple[str, ...] = ()  # of both, none where both were silent


def play_game(
    terms: Terms,
    seats: tuple[Seat, Seat],
    opening: Sequence[str] = (),
    seed: int = 0,
    *,
    on_move: Callable[[Position], None] = lambda _: None,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> Played | None:
    """Play one game; `seats` are in order of play. An engine at fault is killed, the other one stays for the next game.

    `on_move` sees the position before each move. None comes back where the game was interrupted: whatever the
    engines did then is nobody's fault. Only errors of the runner itself are raised.
    """
    table = _Table(terms, seats, opening, seed)
    verdict = table.seat_engines()
    while verdict is None:
        on_move(table.position)
        verdict = table.rule() or table.next_move()
        if is_interrupted():
            return None
    if verdict.blamed is not None:
        seats[verdict.blamed].discard()
    stderr = seats[0].take_stderr(), seats[1].take_stderr()
    return Played(verdict, tuple(table.entries), table.last_words(verdict.blamed), stderr if any(stderr) else ())


class _Table:
    """The state of one game."""

    def __init__(self, terms: Terms, seats: tuple[Seat, Seat], opening: Sequence[str], seed: int) -> None:
        self.position: Position = terms.game.new_position(terms.setup)
        for move in opening:
            self.position.play(move)
        self.entries: list[MoveEntry] = []
        self._seats = seats
        self._opening = opening
        self._seed = seed
        self._setup = terms.setup
        self._max_plies = terms.game.max_plies(terms.setup)
        self._count_repetitions = terms.game.repetitions
        self._clocks = (Clock(terms.control), Clock(terms.control))
        self._said: tuple[list[str], list[str]] = ([], [])  # what each has said and no entry holds

    def seat_engines(self) -> Verdict | None:
        """Start both engines; a failure is void, because it says nothing about play."""
        for side, seat in enumerate(self._seats):
            try:
                seat.prepare(self._setup, self._opening, self._seed)
                self._said[side].extend(_messages(seat.player))
            except Exception as error:  # an engine's start may fail in any way; the verdict names it
                return Verdict(Ending.VOID, blamed=side, detail=f"could not start: {_describe(error)}")
        return None

    def rule(self) -> Verdict | None:
        """The verdict of the rules on the position, or None while the game goes on."""
        outcome = self.position.outcome()
        if outcome is not None:
            ending = Ending.DRAW if outcome.winner is None else Ending.WIN
            return Verdict(ending, winner=outcome.winner, detail=outcome.reason)
        if self._count_repetitions and self._count_repetitions(self.position) >= REPEATS:
            return Verdict(Ending.DRAW, detail=REPETITION)
        if len(self.position.moves) >= self._max_plies:
            return Verdict(Ending.MOVE_CAP, detail=f"{self._max_plies} plies")
        return None

    def next_move(self) -> Verdict | None:
        """Ask the side to move and play its answer on all boards; None where the game goes on."""
        side = self.position.to_move
        player = self._seats[side].player
        started_ns = time.monotonic_ns()
        try:
            decision = player.choose(self._clocks[side].limits())
        except Exception as error:  # a player in this process may raise anything: that is its crash
            self._said[side].extend(_messages(player))
            return _fault(side, error)
        measured_ms = (time.monotonic_ns() - started_ns) // 1_000_000
        self._said[side].extend(_messages(player))
        return self._take(side, decision, _stamped_ms(player, measured_ms))

    def _take(self, side: int, decision: Decision, elapsed_ms: int) -> Verdict | None:
        overrun = self._clocks[side].spend(elapsed_ms)
        if overrun:
            return _forfeit(Ending.TIME, side, overrun)
        if decision.move.lower() == RESIGN:
            return Verdict(Ending.RESIGNED, winner=1 - side)
        try:
            self.position.play(decision.move)
        except IllegalMove as error:
            return _forfeit(Ending.ILLEGAL, side, str(error))
        move = self.position.moves[-1]  # in our spelling, so that equal games look equal
        self.entries.append(make_entry(move, decision, elapsed_ms, self._said[side]))
        self._said[side].clear()
        return self._tell(move, side)

    def last_words(self, blamed: int | None) -> tuple[str, ...]:
        """What the side to blame, else the one to move, has said since its last move."""
        return cut_words(self._said[self.position.to_move if blamed is None else blamed])

    def _tell(self, move: str, mover: int) -> Verdict | None:
        """Play the move on both engines' own boards."""
        for side in (mover, 1 - mover):
            try:
                self._seats[side].player.play(move)
            except Exception as error:  # as in `next_move`
                return _fault(side, error)
        return None


def _messages(player: Player) -> list[str]:
    """What a program wrote besides its last answer."""
    return player.messages if isinstance(player, ForeignPlayer) else []


def _stamped_ms(player: Player, measured_ms: int) -> int:
    """The time that a client stamped as the bytes of the answer arrived, else our own measurement."""
    return round(player.last_elapsed_ms) if isinstance(player, ForeignPlayer) else measured_ms


def _fault(side: int, error: Exception) -> Verdict:
    """The loss that an exception out of an engine means."""
    if isinstance(error, EngineTimeout):
        return _forfeit(Ending.STALL, side, str(error))
    if isinstance(error, EngineDied):
        return _forfeit(Ending.DISCONNECT, side, str(error))
    if isinstance(error, EngineError):
        return _forfeit(Ending.ILLEGAL if error.kind == "illegal" else Ending.REFUSED, side, str(error))
    if isinstance(error, IllegalMove):  # it does not accept a move that the rules allow
        return _forfeit(Ending.REFUSED, side, str(error))
    return _forfeit(Ending.DISCONNECT, side, _describe(error))


def _forfeit(ending: Ending, side: int, detail: str) -> Verdict:
    return Verdict(ending, winner=1 - side, blamed=side, detail=detail)


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
