"""A participant of a match: an engine that is started when needed and killed after a fault.

It is either a program behind a protocol client or an in-process player, which runs in a thread of this process.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from operator import index
from typing import Protocol, SupportsFloat, TypeGuard, runtime_checkable

from arena.log.engine_output import truncate_text
from arena.terms.clock import TimeControl
from core.play.options import OptionError, ParameterRefusedError
from core.play.player import Decision, Limits, Player, Progress, Setup
from core.play.stop import StopToken
from protocols.driving.engine_client import EngineClient
from protocols.driving.process import EngineError, EngineProcess, EngineTimeout
from protocols.gomocup.player_abilities import HashTable

POLL_S = 0.2  # seconds between two checks for an interruption
MAX_TRACEBACK_LENGTH = 4000  # characters
STOP_S = 1.0  # seconds for an in-process player to answer after its stop token is set
MAX_NUMBER = 2**53  # largest size of a reported depth, score and so on; float64 holds all integers up to it exactly


@runtime_checkable
class ForeignPlayer(Protocol):
    """A player that is a program: `choose`, and the members that protocol clients have in addition to `Player`."""

    last_elapsed_ms: float  # from the last request for a move until the bytes of the answer arrived

    @property
    def messages(self) -> Sequence[str]:
        """The last lines that the program wrote besides its answer; the number of lines is limited."""

    def choose(self, limits: Limits) -> Decision:
        """Return the program's decision."""

    def take_stderr(self) -> str:
        """Return what the program wrote to its standard error since the last call."""

    def interrupt(self) -> None:
        """Start to terminate the program and its children; may be called from any thread."""


_IS_FOREIGN: dict[type, bool] = {}  # by class of the player: to ask a protocol class takes 25 microseconds


def is_foreign(player: object) -> TypeGuard[ForeignPlayer]:
    """Return whether a player is a program."""
    kind = type(player)
    if kind not in _IS_FOREIGN:
        _IS_FOREIGN[kind] = isinstance(player, ForeignPlayer)
    return _IS_FOREIGN[kind]


class Participant:
    """Holds the running `Player` of one engine.

    `start` makes a new player and may raise any exception. With `reseed`, a player whose `seed` option has its default
    value gets the seed of each game. Programs are bound to `processors` unless the sequence is empty. `control` is the
    engine's own time control; None stands for that of the match. `memory_excess` is a message once the program was
    killed for using too much memory, else empty. `parameters` are option values that the engine gets before its next
    game; they may change from game to game while the engine keeps running. With `clears_hash` an in-process player
    that has a transposition table begins each game with an empty one.
    """

    def __init__(
        self,
        name: str,
        start: Callable[[], Player],
        *,
        reseed: bool = False,
        processors: Sequence[int] = (),
        control: TimeControl | None = None,
        clears_hash: bool = False,
    ) -> None:
        self.name = name
        self.control = control
        self.memory_excess = ""
        self.parameters: Mapping[str, str] = {}
        self._clears_hash = clears_hash
        self._sent_parameters: dict[str, str] = {}  # those that the running player has
        self._processors = processors
        self._start = start
        self._reseed = reseed
        self._sets_seed = False  # whether the running player gets the seed of each game
        self._player: Player | None = None
        self._stderr = ""  # of programs that have ended, and tracebacks of in-process players
        self._stop = StopToken()  # of an in-process player's last move

    @property
    def player(self) -> Player:
        """The running player; it exists from a successful `prepare` until `discard` or a stall."""
        assert self._player is not None
        return self._player

    def prepare(self, setup: Setup, opening: Sequence[str], seed: int) -> None:
        """Begin a game at the position after the opening; start the engine if needed. Raise what the engine raises.

        If a running engine fails here, it is restarted once, because it may have died after its last game. A refused
        parameter is raised at once.
        """
        if self._player is not None:
            try:
                self._begin(self._player, setup, opening, seed)
            except ParameterRefusedError:
                self.discard()
                raise
            except Exception as error:  # of any type; the engine is restarted below, and an error then is raised
                self.note_error(error)
                self.discard()
            else:
                return
        self._player, self.memory_excess, self._sent_parameters = self._start(), "", {}
        try:
            self._sets_seed = self._reseed and _has_default_seed(self._player)
            self._begin(self._player, setup, opening, seed)
        except Exception as error:
            self.note_error(error)
            self.discard()
            raise
        process = self._process()
        if process and self._processors:
            process.tree.pin(self._processors)

    def choose(self, limits: Limits, max_wait_ms: int, is_interrupted: Callable[[], bool]) -> Decision:
        """Return the player's decision; raise what the player raises.

        The client of a program keeps the deadlines itself. An in-process player thinks in its own thread. If it has not
        answered after `max_wait_ms`, or the run is interrupted, its stop token is set. If it does not answer to that
        either, its thread is abandoned and `EngineTimeout` is raised.
        """
        player = self.player
        if is_foreign(player):
            return player.choose(limits)
        self._stop = stop = StopToken()
        limits = replace(limits, stop=stop)
        answer: Future[Decision] = Future()
        threading.Thread(target=_think, args=(player, limits, answer), name=self.name, daemon=True).start()
        end_s = time.perf_counter() + max_wait_ms / 1000
        while not answer.done() and not is_interrupted() and (left_s := end_s - time.perf_counter()) > 0:
            wait([answer], min(POLL_S, left_s))
        if not answer.done():
            stop.set()
            wait([answer], STOP_S)
        if not answer.done():
            self._player = None  # not closed, because its thread still uses it
            raise EngineTimeout(f"no move within {max_wait_ms} ms, and it does not stop")
        return answer.result()

    def discard(self) -> None:
        """Close the engine, by force if needed; the next `prepare` starts a new one."""
        player, self._player = self._player, None
        if player is None:
            return
        try:
            player.close()
        except Exception as error:  # an in-process player may raise anything; it is dropped anyway
            if is_foreign(player):
                raise
            self.note_error(error)
        self._stderr += _take_stderr(player)

    def note_error(self, error: Exception) -> None:
        """Keep the traceback of an in-process player's error for `take_stderr`."""
        if not is_foreign(self._player) and not isinstance(error, EngineError):
            self._stderr += truncate_text("".join(traceback.format_exception(error)), MAX_TRACEBACK_LENGTH)

    def take_stderr(self) -> str:
        """Return a program's standard error, or an in-process player's tracebacks, since the last call."""
        text, self._stderr = self._stderr + _take_stderr(self._player), ""
        return text

    def interrupt(self) -> None:
        """End a search that runs in another thread, because the run is interrupted; its answer is discarded."""
        player = self._player
        if is_foreign(player):
            player.interrupt()
        else:
            self._stop.set()

    def suspend(self) -> None:
        """Suspend the processes of a program; an in-process player thinks only when asked."""
        process = self._process()
        if process:
            process.tree.suspend()

    def wake(self) -> None:
        """Resume the suspended processes."""
        process = self._process()
        if process:
            process.tree.wake()

    def enforce_memory_limit(self, limit_bytes: int) -> None:
        """Kill a program and its children if they use more memory than the limit; may be called from any thread."""
        process = self._process()
        used_bytes = process.tree.memory().unique if process else 0  # without memory shared with other processes
        if process and used_bytes > limit_bytes and process is self._process():
            self.memory_excess = f"held {used_bytes >> 20} MiB of at most {limit_bytes >> 20} MiB"
            process.kill()

    def cpu_s(self) -> float | None:
        """Return the CPU seconds that a program and its children have used so far; None for an in-process player."""
        process = self._process()
        return process.tree.cpu_s() if process else None

    def _process(self) -> EngineProcess | None:
        return self._player.process if isinstance(self._player, EngineClient) else None

    def _begin(self, player: Player, setup: Setup, opening: Sequence[str], seed: int) -> None:
        self._send_parameters(player)
        if self._clears_hash and isinstance(player, HashTable):
            player.clear_hash()
        player.new_game(setup)
        if opening:
            player.set_position(opening)
        if self._sets_seed:
            player.set_option("seed", seed)

    def _send_parameters(self, player: Player) -> None:
        """Send the parameters whose values have changed; raise ParameterRefusedError or EngineError."""
        for name, value in self.parameters.items():
            if self._sent_parameters.get(name) != value:
                set_parameter(player, name, value)
                self._sent_parameters[name] = value


def set_parameter(player: Player, name: str, value: str) -> None:
    """Set an option of a program, which need not list it, or of an in-process player; raise ParameterRefusedError."""
    try:
        if isinstance(player, EngineClient):
            player.set_parameter(name, value)
        else:
            player.set_option(name, value)
    except OptionError as error:
        raise ParameterRefusedError(name, value, error) from None


def _has_default_seed(player: Player) -> bool:
    return "seed" in player.options and player.options["seed"] == player.options.get_option("seed").default


def _think(player: Player, limits: Limits, answer: Future[Decision]) -> None:
    try:
        answer.set_result(_normalize_decision(player.choose(limits)))
    except Exception as error:  # `Participant.choose` raises it
        answer.set_exception(error)
    except BaseException as error:  # SystemExit, KeyboardInterrupt: a player must not end the run
        refusal = RuntimeError(f"it wanted to end the run by {type(error).__name__}")
        refusal.__cause__ = error
        answer.set_exception(refusal)


def _normalize_decision(decision: object) -> Decision:
    """Return the decision with numbers as int and texts as str, for the log.

    Raise TypeError or ValueError if it cannot be converted.
    """
    if not isinstance(decision, Decision) or not isinstance(decision.move, str):
        raise TypeError(f"choose must return a Decision with a move as text, not {decision!r}")
    return Decision(str(decision.move), _normalize_progress(decision.progress), str(decision.note or ""))


def _normalize_progress(progress: Progress) -> Progress:
    return replace(
        progress,
        depth=_to_int(progress.depth),
        score=_to_int(progress.score),
        win_in=None if progress.win_in is None else _to_int(progress.win_in),
        nodes=_to_int(progress.nodes),
        time_ms=_to_int(progress.time_ms),
        pv=tuple(map(str, progress.pv)),
        proven_result=str(progress.proven_result or ""),
    )


def _to_int(value: SupportsFloat) -> int:
    """Return the number, rounded to an integer; raise an error if it is not finite or exceeds `MAX_NUMBER` in size."""
    try:
        number = int(index(value))  # type: ignore[arg-type]  # first, because float would round large integers
    except TypeError:
        number = round(float(value))
    if abs(number) > MAX_NUMBER:
        raise ValueError(f"a number must be at most {MAX_NUMBER}, not {value}")
    return number


def _take_stderr(player: Player | None) -> str:
    return player.take_stderr() if is_foreign(player) else ""
