"""The referee: plays one game between two engines, and keeps the board and the clocks itself.

It checks each move by the rules of the game and measures the thinking times. Scores that engines report count only for
adjudication.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from arena.log.engine_output import limit_messages, make_entry
from arena.log.events import MoveEntry
from arena.referee.adjudicator import Adjudicator
from arena.referee.participant import Participant, is_foreign
from arena.terms.clock import SideClock, TimeControl
from arena.terms.ending import Ending
from arena.terms.engine_limits import DEFAULT_ENGINE_LIMITS, EngineLimits
from core.play.game import Game, Outcome, Position
from core.play.options import ParameterRefusedError
from core.play.player import RESIGN, BadSetup, Decision, IllegalMove, Player, Setup
from protocols.driving.line_buffers import LastLines
from protocols.driving.process import EngineError, EngineMisbehaved, EngineTerminated, EngineTimeout

REPETITION = "repetition"  # `Verdict.detail` of a draw by repetition
DRAWING_OCCURRENCES = 3  # a match game is drawn when a position occurs this many times
# Reasons why the operating system starts no process: too many processes or open files, too little memory
_SHORTAGES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


@dataclass(frozen=True)
class GameSettings:
    """Settings of all games of a match."""

    game: Game
    setup: Setup
    control: TimeControl
    engine_limits: EngineLimits = DEFAULT_ENGINE_LIMITS
    adjudicator: Adjudicator | None = None  # may end a game early; None: no adjudication
    max_plies: int = 0  # a game of this length, opening included, is a draw; 0: the game's own maximum


@dataclass(frozen=True)
class Verdict:
    """How a game ended; sides are 0 for the first player and 1 for the second."""

    ending: Ending
    winner: int | None = None  # side; None after a draw or a void game
    blamed: int | None = None  # side that is at fault; None if neither is
    detail: str = ""  # for people
    over_ms: int | None = None  # of a loss on time: by how much the answer exceeded its limit


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: the verdict and the moves after the opening."""

    verdict: Verdict
    moves: tuple[MoveEntry, ...]
    # Lines that the engine at fault (else the side to move) has printed since its last move
    messages: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()  # of both engines; empty if neither wrote anything
    cpu_ms: tuple[int | None, int | None] = (None, None)  # CPU times since the opening; None if not measured


def play_game(
    settings: GameSettings,
    participants: tuple[Participant, Participant],
    opening: Sequence[str] = (),
    seed: int = 0,
    *,
    on_move: Callable[[Position, Sequence[MoveEntry]], None] = lambda _position, _entries: None,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> PlayedGame | None:
    """Play one game; return None if it is interrupted.

    The first of the `participants` makes the first move of the game. An engine at fault is killed; the other one keeps
    running for the next game. `on_move` is called before each move after the opening, with the position and the log
    entries of the moves so far. Exceptions of engines become verdicts; only errors of the runner itself are raised.
    """
    running = _RunningGame(settings, participants, opening, seed, is_interrupted)
    verdict = running.start_engines()
    if is_interrupted():  # an interrupt kills engines; one that was restarted must not think
        return None
    try:
        while verdict is None:
            on_move(running.position, running.entries)
            verdict = running.apply_rules() or running.adjudicate() or running.play_move()
            if is_interrupted():
                return None
    finally:
        for participant in participants:
            participant.wake()
    cpu_ms = running.cpu_ms()
    if verdict.blamed is not None:
        participants[verdict.blamed].discard()
    stderr = participants[0].take_stderr(), participants[1].take_stderr()
    messages = running.last_messages(verdict.blamed)
    return PlayedGame(verdict, tuple(running.entries), messages, stderr if any(stderr) else (), cpu_ms)


def outcome_by_rule(game: Game, position: Position) -> Outcome | None:
    """Return the result by the rules of the game, or None if the game goes on.

    It includes the draw by the third occurrence of a position, in games that count repetitions.
    """
    outcome = position.outcome()
    if outcome is None and game.repetitions and game.repetitions(position) >= DRAWING_OCCURRENCES:
        return Outcome(None, REPETITION)
    return outcome


def _make_clock(participant: Participant, settings: GameSettings) -> SideClock:
    return SideClock(participant.control or settings.control, settings.engine_limits.deadlines.move_s)


class _RunningGame:
    """The state of one game: position, clocks, logged moves and messages."""

    def __init__(
        self,
        settings: GameSettings,
        participants: tuple[Participant, Participant],
        opening: Sequence[str],
        seed: int,
        is_interrupted: Callable[[], bool],
    ) -> None:
        self.position: Position = settings.game.new_position(settings.setup)
        for move in opening:
            self.position.play(move)
        self.entries: list[MoveEntry] = []  # moves after the opening
        self._game = settings.game
        self._participants = participants
        self._opening = opening
        self._seed = seed
        self._setup = settings.setup
        self._max_plies = settings.max_plies or settings.game.max_plies(settings.setup)
        self._clocks = (_make_clock(participants[0], settings), _make_clock(participants[1], settings))
        self._unlogged_messages = (LastLines(), LastLines())  # messages of each side that are in no log entry yet
        self._suspend = settings.engine_limits.suspend
        self._is_interrupted = is_interrupted
        self._adjudicator = settings.adjudicator
        self._move_done_ns = 0  # when the previous move was done
        self._opening_cpu_s: tuple[float | None, float | None] = (None, None)  # CPU times up to the end of the opening

    def start_engines(self) -> Verdict | None:
        """Begin the game with both engines and start those that do not run; an engine that fails loses the game."""
        for side, participant in enumerate(self._participants):
            try:
                participant.prepare(self._setup, self._opening, self._seed)
                self._unlogged_messages[side].add_all(_collect_messages(participant.player))
            except Exception as error:  # an engine's start may fail in any way; the verdict names it
                return void_refusal(side, error) or blame_start(participant, side, error)
        self._opening_cpu_s = self._read_cpu_s()
        self._move_done_ns = time.perf_counter_ns()
        return None

    def apply_rules(self) -> Verdict | None:
        """Return the verdict by the rules or the maximum length, or None if the game goes on."""
        outcome = outcome_by_rule(self._game, self.position)
        if outcome is not None:
            ending = Ending.DRAW if outcome.winner is None else Ending.WIN
            return Verdict(ending, winner=outcome.winner, detail=outcome.reason)
        if len(self.position.moves) >= self._max_plies:
            return Verdict(Ending.MOVE_CAP, detail=f"{self._max_plies} plies")
        return None

    def adjudicate(self) -> Verdict | None:
        """Return the adjudicated result or None; the time that it takes counts for neither engine nor as overhead."""
        if self._adjudicator is None:
            return None
        began_ns = time.perf_counter_ns()
        outcome = self._adjudicator.adjudicate(self.position, self.entries)
        self._move_done_ns += time.perf_counter_ns() - began_ns
        return Verdict(Ending.ADJUDICATED, winner=outcome.winner, detail=outcome.reason) if outcome else None

    def play_move(self) -> Verdict | None:
        """Send the moves so far to the side to move and play its answer; return None if the game goes on."""
        side = self.position.to_move
        player, clock = self._participants[side].player, self._clocks[side]
        if self._suspend:
            self._participants[1 - side].suspend()
            self._participants[side].wake()
        try:
            player.set_position(self.position.moves)
            started_ns = time.perf_counter_ns()
            decision = self._participants[side].choose(clock.limits(), clock.max_wait_ms(), self._is_interrupted)
        except Exception as error:  # an in-process player may raise anything; that counts as its crash
            self._unlogged_messages[side].add_all(_collect_messages(player))
            return void_refusal(side, error) or blame_error(self._participants[side], side, error)
        thinking_ns = thinking_time_ns(player, time.perf_counter_ns() - started_ns)
        self._unlogged_messages[side].add_all(_collect_messages(player))
        plies = len(self.entries)
        verdict = self._apply_decision(side, decision, thinking_ns // 1_000_000)
        if len(self.entries) > plies:
            self._store_overhead(thinking_ns)
        return verdict

    def _apply_decision(self, side: int, decision: Decision, elapsed_ms: int) -> Verdict | None:
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
        move = self.position.moves[-1]  # in the game's own notation, so that equal games compare equal
        entry = make_entry(side, move, decision, elapsed_ms, self._unlogged_messages[side])
        self.entries.append(structs.replace(entry, over_ms=over_ms))
        self._unlogged_messages[side].clear()
        return None

    def last_messages(self, blamed: int | None) -> tuple[str, ...]:
        """Return the messages since its last move of the side at fault, else of the side to move."""
        return limit_messages(self._unlogged_messages[self.position.to_move if blamed is None else blamed])

    def cpu_ms(self) -> tuple[int | None, int | None]:
        """Return the CPU time that each program has used in this game after the opening; None if not measured."""
        first, second = (
            None if now_s is None or opening_s is None else round(1000 * (now_s - opening_s))
            for now_s, opening_s in zip(self._read_cpu_s(), self._opening_cpu_s, strict=True)
        )
        return first, second

    def _read_cpu_s(self) -> tuple[float | None, float | None]:
        return self._participants[0].cpu_s(), self._participants[1].cpu_s()

    def _store_overhead(self, thinking_ns: int) -> None:
        """Store the last move's overhead: the time since the previous move without the engine's thinking time."""
        previous_ns, self._move_done_ns = self._move_done_ns, time.perf_counter_ns()
        overhead_us = max(0, self._move_done_ns - previous_ns - thinking_ns) // 1000
        self.entries[-1] = structs.replace(self.entries[-1], overhead_us=overhead_us)


def _collect_messages(player: Player) -> Iterable[str]:
    """Return what a program wrote besides its last answer, or the warnings of an in-process player."""
    return player.messages if is_foreign(player) else player.take_warnings()


def thinking_time_ns(player: Player, measured_ns: int) -> int:
    """Return the time until the bytes of the answer arrived, if the client measured it, else `measured_ns`."""
    return round(player.last_elapsed_ms * 1_000_000) if is_foreign(player) else measured_ns


def void_refusal(side: int, error: Exception) -> Verdict | None:
    """Return the verdict for an engine that refuses a parameter: the game is void. None for any other error."""
    return Verdict(Ending.VOID, blamed=side, detail=str(error)) if isinstance(error, ParameterRefusedError) else None


def blame_start(participant: Participant, side: int, error: Exception) -> Verdict:
    """Return the verdict for an engine that could not start or begin the game.

    It loses as if it had crashed, because it was able to start before the first game of the session
    (`PairRunner.check_starts`). The game is void if this machine lacks the resources for another process.
    """
    if _is_resource_shortage(error):
        return Verdict(Ending.VOID, blamed=side, detail=describe_failed_start(participant, error))
    verdict = _classify_error(participant, side, error)
    return replace(verdict, detail=describe_failed_start(participant, error))


def describe_failed_start(participant: Participant, error: Exception) -> str:
    """Return why an engine could not start."""
    return f"could not start: {participant.memory_excess or format_error(error)}"


def blame_error(participant: Participant, side: int, error: Exception) -> Verdict:
    """Return the loss for an exception of an engine, and keep the traceback of an in-process player."""
    participant.note_error(error)
    return _classify_error(participant, side, error)


def _classify_error(participant: Participant, side: int, error: Exception) -> Verdict:
    """Return the loss for an exception of an engine."""
    if participant.memory_excess:  # the memory guard has killed it, which the error does not say
        return forfeit(Ending.MEMORY, side, participant.memory_excess)
    if isinstance(error, EngineTimeout):
        return forfeit(Ending.STALL, side, str(error))
    if isinstance(error, EngineTerminated):
        return forfeit(Ending.DISCONNECT, side, str(error))
    if isinstance(error, EngineMisbehaved):
        return forfeit(Ending.ILLEGAL if error.kind == "illegal" else Ending.REFUSED, side, str(error))
    if isinstance(error, IllegalMove | BadSetup):  # the engine refuses a move that the rules allow, or the board
        return forfeit(Ending.REFUSED, side, str(error))
    return forfeit(Ending.DISCONNECT, side, format_error(error))


def _is_resource_shortage(error: Exception) -> bool:
    """Return whether the operating system could not start a process, for a reason that is not the program."""
    cause = error.__cause__ if isinstance(error, EngineTerminated) else error
    return isinstance(cause, OSError) and cause.errno in _SHORTAGES


def forfeit(ending: Ending, side: int, detail: str) -> Verdict:
    """Return the loss of a side by its own fault."""
    return Verdict(ending, winner=1 - side, blamed=side, detail=detail)


def format_error(error: Exception) -> str:
    """Return the message of an error of an engine, for other exceptions type and message, as in a traceback."""
    if isinstance(error, EngineError | BadSetup):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
