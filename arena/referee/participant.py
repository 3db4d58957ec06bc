"""A participant in a game: an engine that is started when needed and killed after a fault."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from operator import index
from typing import Protocol, SupportsFloat, runtime_checkable

from arena.log.engine_output import truncate_text
from arena.terms.clock import TimeControl
from core.play.player import Decision, Limits, Player, Progress, Setup
from core.play.stop import StopToken
from protocols.driving.engine_client import EngineClient
from protocols.driving.process import EngineError, EngineProcess, EngineTimeout

POLL_S = 0.2  # how soon an interruption is noticed
TRACEBACK_LENGTH = 4000  # characters that are kept of one
STOP_S = 1.0  # that a player in this process has from being stopped to its answer
MOST_TOLD = 2**53  # of any number that a player in this process tells


@runtime_checkable
class ForeignPlayer(Protocol):
    """Members of every protocol client beyond the `Player` interface."""

    last_elapsed_ms: float  # of the last move, stamped as the bytes of the answer arrived

    @property
    def messages(self) -> Sequence[str]:
        """The last lines that the program wrote besides its answer."""

    def take_stderr(self) -> str:
        """What the program wrote to its standard error since the last time."""

    def interrupt(self) -> None:
        """Begin to end the program with all its children; from any thread."""


class Participant:
    """Holds the running Player of one engine. `start` makes a new one and may raise anything.

    `reseed` says that a `seed` option gets the seed of each game where the player has one and starts with its default.
    Programs run on `processors`, on any where there are none. `control` is the engine's own time control, None for that
    of the match. `overweight` says what a program held when it was killed for that.
    """

    def __init__(
        self,
        name: str,
        start: Callable[[], Player],
        *,
        reseed: bool = False,
        processors: Sequence[int] = (),
        control: TimeControl | None = None,
    ) -> None:
        self.name = name
        self.control = control
        self.overweight = ""
        self._processors = processors
        self._start = start
        self._reseed = reseed
        self._wants_seed = False  # of the running player
        self._player: Player | None = None
        self._stderr = ""  # of programs that are gone
        self._stop = StopToken()  # of the last move that a player in this process was asked for

    @property
    def player(self) -> Player:
        """The running player; there is one between a successful `prepare` and `discard`."""
        assert self._player is not None
        return self._player

    def prepare(self, setup: Setup, opening: Sequence[str], seed: int) -> None:
        """Begin a game after the opening's moves, starting the engine where needed; raise what the engine raises.

        An engine that has died since its last game, by no fault in it, gets one new process.
        """
        if self._player is not None:
            try:
                self._begin(self._player, setup, opening, seed)
            except Exception as error:  # whatever it was: a fresh process decides, and its error is passed on
                self.note_error(error)
                self.discard()
            else:
                return
        self._player, self.overweight = self._start(), ""
        try:
            self._wants_seed = self._reseed and _has_default_seed(self._player)
            self._begin(self._player, setup, opening, seed)
        except Exception as error:
            self.note_error(error)
            self.discard()
            raise
        process = self._process()
        if process and self._processors:
            process.tree.pin(self._processors)

    def choose(self, limits: Limits, max_wait_ms: int, is_interrupted: Callable[[], bool]) -> Decision:
        """The player's decision; raise what the player raises.

        A program's client keeps its deadlines itself. A player in this process thinks in a thread of its own: where it
        has not answered in time, or all is interrupted, it is stopped, and left to itself with EngineTimeout where it
        does not hear that.
        """
        player = self.player
        if isinstance(player, ForeignPlayer):
            return player.choose(limits)
        self._stop = stop = StopToken()
        limits = replace(limits, stop=stop)
        thought: Future[Decision] = Future()
        threading.Thread(target=_think, args=(player, limits, thought), name=self.name, daemon=True).start()
        end_s = time.perf_counter() + max_wait_ms / 1000
        while not thought.done() and not is_interrupted() and (left_s := end_s - time.perf_counter()) > 0:
            wait([thought], min(POLL_S, left_s))
        if not thought.done():
            stop.set()
            wait([thought], STOP_S)
        if not thought.done():
            self._player = None  # not even closed: it still works with what it has
            raise EngineTimeout(f"no move within {max_wait_ms} ms, and it does not stop")
        return thought.result()

    def discard(self) -> None:
        """Close the engine, killing what does not go by itself; the next `prepare` starts a new one."""
        player, self._player = self._player, None
        if player is None:
            return
        try:
            player.close()
        except Exception as error:  # a player in this process may raise anything, and is gone all the same
            if isinstance(player, ForeignPlayer):
                raise
            self.note_error(error)
        self._stderr += _take_stderr(player)

    def note_error(self, error: Exception) -> None:
        """Keep where a player in this process has failed, as a program's standard error tells it."""
        if not isinstance(self._player, ForeignPlayer) and not isinstance(error, EngineError):
            self._stderr += truncate_text("".join(traceback.format_exception(error)), TRACEBACK_LENGTH)

    def take_stderr(self) -> str:
        """What the engine wrote to its standard error since the last time; of a player in this process tracebacks."""
        text, self._stderr = self._stderr + _take_stderr(self._player), ""
        return text

    def interrupt(self) -> None:
        """End a search that runs in another thread: the run is over and its answer is not wanted."""
        player = self._player
        if isinstance(player, ForeignPlayer):
            player.interrupt()
        else:
            self._stop.set()

    def suspend(self) -> None:
        """Stop the processes of a program; a player in this process only thinks when it is asked."""
        process = self._process()
        if process:
            process.tree.suspend()

    def wake(self) -> None:
        """Resume the suspended processes."""
        process = self._process()
        if process:
            process.tree.wake()

    def weigh(self, limit_bytes: int) -> None:
        """Kill a program that holds more than the limit with all its children; from any thread."""
        process = self._process()
        held = process.tree.memory().unique if process else 0
        if process and held > limit_bytes and process is self._process():
            self.overweight = f"held {held >> 20} MiB of at most {limit_bytes >> 20} MiB"
            process.kill()

    def cpu_s(self) -> float | None:
        """CPU seconds that a program and its children have used so far; None for a player in this process."""
        process = self._process()
        return process.tree.cpu_s() if process else None

    def _process(self) -> EngineProcess | None:
        return self._player.process if isinstance(self._player, EngineClient) else None

    def _begin(self, player: Player, setup: Setup, opening: Sequence[str], seed: int) -> None:
        player.new_game(setup)
        if opening:
            player.set_position(opening)
        if self._wants_seed:
            player.set_option("seed", seed)


def _has_default_seed(player: Player) -> bool:
    return "seed" in player.options and player.options["seed"] == player.options.get_option("seed").default


def _think(player: Player, limits: Limits, thought: Future[Decision]) -> None:
    try:
        thought.set_result(_check(player.choose(limits)))
    except Exception as error:  # whoever waits for the thought gets it
        thought.set_exception(error)
    except BaseException as error:  # nor may a player end us
        quitting = RuntimeError(f"it wanted to end the run by {type(error).__name__}")
        quitting.__cause__ = error
        thought.set_exception(quitting)


def _check(decision: object) -> Decision:
    """A decision as referee and log want it, its numbers whole and its words text; raise where that cannot be."""
    if not isinstance(decision, Decision) or not isinstance(decision.move, str):
        raise TypeError(f"choose must return a Decision with a move in words, not {decision!r}")
    return Decision(str(decision.move), _check_progress(decision.progress), str(decision.note or ""))


def _check_progress(told: Progress) -> Progress:
    return replace(
        told,
        depth=_whole(told.depth),
        score=_whole(told.score),
        win_in=None if told.win_in is None else _whole(told.win_in),
        nodes=_whole(told.nodes),
        time_ms=_whole(told.time_ms),
        pv=tuple(map(str, told.pv)),
        proven_result=str(told.proven_result or ""),
    )


def _whole(value: SupportsFloat) -> int:
    """A number, rounded; raise for what is none and for one that nobody means."""
    try:
        number = int(index(value))  # type: ignore[arg-type]  # first, as a float would blur large ones
    except TypeError:
        number = round(float(value))
    if abs(number) > MOST_TOLD:
        raise ValueError(f"a number of at most {MOST_TOLD} is wanted, not {value}")
    return number


def _take_stderr(player: Player | None) -> str:
    return player.take_stderr() if isinstance(player, ForeignPlayer) else ""
