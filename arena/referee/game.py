"""The referee: one game between two Players on our own board and clock, up to one of the endings.

Nothing an engine says is trusted but its move, and that is checked by the game's rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from arena.log.engine_output import cut_words, make_entry
from arena.log.events import MoveEntry
from arena.referee.adjudicator import Adjudicator
from arena.referee.participant import ForeignPlayer, Participant
from arena.terms.clock import SideClock, TimeControl
from arena.terms.ending import Ending
from arena.terms.engine_limits import DEFAULT_ENGINE_LIMITS, EngineLimits
from core.play.game import Game, Outcome, Position
from core.play.player import RESIGN, Decision, IllegalMove, Player, Setup
from protocols.driving.line_buffers import LastLines
from protocols.driving.process import EngineError, EngineMisbehaved, EngineTerminated, EngineTimeout

REPETITION = "repetition"  # the detail of a draw by it
REPEATS = 3  # occurrences of a position that draw a match game


@dataclass(frozen=True)
class GameSettings:
    """What holds for all games of a match."""

    game: Game
    setup: Setup
    control: TimeControl
    engine_limits: EngineLimits = DEFAULT_ENGINE_LIMITS
    judge: Adjudicator | None = None  # ends games early
    max_plies: int = 0  # after which a game is a draw; 0: as the game has it


@dataclass(frozen=True)
class Verdict:
    """How a game ended: the winning side, the side to blame (0 or 1, None where there is none) and details in words.

    `over_ms` is how far beyond its limit the answer was that lost on time.
    """

    ending: Ending
    winner: int | None = None
    blamed: int | None = None
    detail: str = ""
    over_ms: int | None = None


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: the verdict and the moves after the opening."""

    verdict: Verdict
    moves: tuple[MoveEntry, ...]
    messages: tuple[str, ...] = ()  # of the engine to blame, or to move, since its last move
    stderr: tuple[str, ...] = ()  # of both, none where both were silent
    cpu_ms: tuple[int | None, int | None] = (None, None)  # of both programs since the opening


def play_game(
    terms: GameSettings,
    seats: tuple[Participant, Participant],
    opening: Sequence[str] = (),
    seed: int = 0,
    *,
    on_move: Callable[[Position], None] = lambda _: None,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> PlayedGame | None:
    """Play one game; `seats` are in order of play. An engine at fault is killed, the other one stays for the next game.

    `on_move` sees the position before each move. None comes back where the game was interrupted: whatever the
    engines did then is nobody's fault. Only errors of the runner itself are raised.
    """
    table = _Table(terms, seats, opening, seed, is_interrupted)
    verdict = table.seat_engines()
    if is_interrupted():  # an engine that died of that has been started anew, and must not think
        return None
    try:
        while verdict is None:
            on_move(table.position)
            verdict = table.rule() or table.adjudicate() or table.next_move()
            if is_interrupted():
                return None
    finally:
        for seat in seats:
            seat.wake()
    cpu_ms = table.cpu_ms()
    if verdict.blamed is not None:
        seats[verdict.blamed].discard()
    stderr = seats[0].take_stderr(), seats[1].take_stderr()
    last_words = table.last_words(verdict.blamed)
    return PlayedGame(verdict, tuple(table.entries), last_words, stderr if any(stderr) else (), cpu_ms)


def outcome_by_rule(game: Game, position: Position) -> Outcome | None:
    """The end by rule, the draw by the third occurrence of a position included where the game has one in matches."""
    outcome = position.outcome()
    if outcome is None and game.repetitions and game.repetitions(position) >= REPEATS:
        return Outcome(None, REPETITION)
    return outcome


def _make_clock(seat: Participant, terms: GameSettings) -> SideClock:
    return SideClock(seat.control or terms.control, terms.engine_limits.deadlines.move_s)


class _Table:
    """The state of one game."""

    def __init__(
        self,
        terms: GameSettings,
        seats: tuple[Participant, Participant],
        opening: Sequence[str],
        seed: int,
        is_interrupted: Callable[[], bool],
    ) -> None:
        self.position: Position = terms.game.new_position(terms.setup)
        for move in opening:
            self.position.play(move)
        self.entries: list[MoveEntry] = []
        self._game = terms.game
        self._seats = seats
        self._opening = opening
        self._seed = seed
        self._setup = terms.setup
        self._max_plies = terms.max_plies or terms.game.max_plies(terms.setup)
        self._clocks = (_make_clock(seats[0], terms), _make_clock(seats[1], terms))
        self._said = (LastLines(), LastLines())  # what each has said and no entry holds
        self._suspend = terms.engine_limits.suspend
        self._is_interrupted = is_interrupted
        self._judge = terms.judge
        self._moved_ns = 0  # when the last move was done with
        self._began_cpu_s: tuple[float | None, float | None] = (None, None)  # when both were ready

    def seat_engines(self) -> Verdict | None:
        """Start both engines; a failure is void, because it says nothing about play."""
        for side, seat in enumerate(self._seats):
            try:
                seat.prepare(self._setup, self._opening, self._seed)
                self._said[side].add_all(_messages(seat.player))
            except Exception as error:  # an engine's start may fail in any way; the verdict names it
                why = seat.overweight or format_error(error)
                return Verdict(Ending.VOID, blamed=side, detail=f"could not start: {why}")
        self._began_cpu_s = self._read_cpu_s()
        self._moved_ns = time.perf_counter_ns()
        return None

    def rule(self) -> Verdict | None:
        """The verdict of the rules on the position, or None while the game goes on."""
        end = outcome_by_rule(self._game, self.position)
        if end is not None:
            ending = Ending.DRAW if end.winner is None else Ending.WIN
            return Verdict(ending, winner=end.winner, detail=end.reason)
        if len(self.position.moves) >= self._max_plies:
            return Verdict(Ending.MOVE_CAP, detail=f"{self._max_plies} plies")
        return None

    def adjudicate(self) -> Verdict | None:
        """The result that both engines agree on or that is proven, or None; its time is nobody's."""
        if self._judge is None:
            return None
        began_ns = time.perf_counter_ns()
        outcome = self._judge.judge(self.position, self.entries)
        self._moved_ns += time.perf_counter_ns() - began_ns
        return Verdict(Ending.ADJUDICATED, winner=outcome.winner, detail=outcome.reason) if outcome else None

    def next_move(self) -> Verdict | None:
        """Hand the side to move the line of play and play its answer; None where the game goes on."""
        side = self.position.to_move
        player, clock = self._seats[side].player, self._clocks[side]
        if self._suspend:
            self._seats[1 - side].suspend()
            self._seats[side].wake()
        try:
            player.set_position(self.position.moves)
            started_ns = time.perf_counter_ns()
            decision = self._seats[side].choose(clock.limits(), clock.max_wait_ms(), self._is_interrupted)
        except Exception as error:  # a player in this process may raise anything: that is its crash
            self._said[side].add_all(_messages(player))
            return self._fault(side, error)
        thought_ns = stamped_ns(player, time.perf_counter_ns() - started_ns)
        self._said[side].add_all(_messages(player))
        plies = len(self.entries)
        verdict = self._take(side, decision, thought_ns // 1_000_000)
        if len(self.entries) > plies:
            self._book_own_time(thought_ns)
        return verdict

    def _take(self, side: int, decision: Decision, elapsed_ms: int) -> Verdict | None:
        over_ms = self._clocks[side].over_ms(elapsed_ms)
        overrun = self._clocks[side].spend(elapsed_ms)
        if overrun:
            return replace(forfeit(Ending.TIME, side, overrun), over_ms=over_ms)
        if decision.move.lower() == RESIGN:
            return Verdict(Ending.RESIGNED, winner=1 - side)
        try:
            self.position.play(decision.move)
        except IllegalMove as error:
            return forfeit(Ending.ILLEGAL, side, str(error))
        move = self.position.moves[-1]  # in our spelling, so that equal games look equal
        entry = make_entry(side, move, decision, elapsed_ms, self._said[side])
        self.entries.append(structs.replace(entry, over_ms=over_ms))
        self._said[side].clear()
        return None

    def last_words(self, blamed: int | None) -> tuple[str, ...]:
        """What the side to blame, else the one to move, has said since its last move."""
        return cut_words(self._said[self.position.to_move if blamed is None else blamed])

    def cpu_ms(self) -> tuple[int | None, int | None]:
        """CPU time that both programs have used in this game, from the end of its opening on."""
        first, second = (
            None if now is None or began is None else round(1000 * (now - began))
            for now, began in zip(self._read_cpu_s(), self._began_cpu_s, strict=True)
        )
        return first, second

    def _read_cpu_s(self) -> tuple[float | None, float | None]:
        return self._seats[0].cpu_s(), self._seats[1].cpu_s()

    def _book_own_time(self, thought_ns: int) -> None:
        """Note what the last move took besides thinking, from the end of the move before it."""
        before_ns, self._moved_ns = self._moved_ns, time.perf_counter_ns()
        overhead_us = max(0, self._moved_ns - before_ns - thought_ns) // 1000
        self.entries[-1] = structs.replace(self.entries[-1], overhead_us=overhead_us)

    def _fault(self, side: int, error: Exception) -> Verdict:
        """The loss that an exception out of an engine means; one that was killed for its weight died of that."""
        self._seats[side].note_error(error)
        overweight = self._seats[side].overweight
        return forfeit(Ending.MEMORY, side, overweight) if overweight else blame_error(side, error)


def _messages(player: Player) -> Iterable[str]:
    """What a program wrote besides its last answer, or what a player in this process notes."""
    return player.messages if isinstance(player, ForeignPlayer) else player.take_warnings()


def stamped_ns(player: Player, measured_ns: int) -> int:
    """The time that a client stamped as the bytes of the answer arrived, else our own measurement."""
    return round(player.last_elapsed_ms * 1_000_000) if isinstance(player, ForeignPlayer) else measured_ns


def blame_error(side: int, error: Exception) -> Verdict:
    """The loss that an exception out of an engine means."""
    if isinstance(error, EngineTimeout):
        return forfeit(Ending.STALL, side, str(error))
    if isinstance(error, EngineTerminated):
        return forfeit(Ending.DISCONNECT, side, str(error))
    if isinstance(error, EngineMisbehaved):
        return forfeit(Ending.ILLEGAL if error.kind == "illegal" else Ending.REFUSED, side, str(error))
    if isinstance(error, IllegalMove):  # it does not accept a move that the rules allow
        return forfeit(Ending.REFUSED, side, str(error))
    return forfeit(Ending.DISCONNECT, side, format_error(error))


def forfeit(ending: Ending, side: int, detail: str) -> Verdict:
    """The loss of a side by its own fault."""
    return Verdict(ending, winner=1 - side, blamed=side, detail=detail)


def format_error(error: Exception) -> str:
    """An exception in words, as the last line of its traceback has them; those of engines speak for themselves."""
    if isinstance(error, EngineError):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
