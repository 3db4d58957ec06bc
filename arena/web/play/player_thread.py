"""A `Player` on a thread of its own, so that the page's server answers while the player searches, hangs or dies.

One search request runs at a time. A new request, or `cancel`, ends it, and its result is not delivered. A player that
cannot be stopped first finishes its move; the next request waits for that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from arena.referee.game import format_error
from core.play.player import Decision, Limits, Player, Progress, ProgressCallback, Setup
from core.play.stop import StopToken
from protocols.driving.process import EngineError

ChooseMove = Callable[[Player, Limits, ProgressCallback], Decision]


def choose_once(player: Player, limits: Limits, report: ProgressCallback) -> Decision:
    """Choose a move with one search: the default of `EngineRequest.choose`."""
    return player.choose(limits, report)


@dataclass(frozen=True)
class EngineRequest:
    """A position to search, and the callbacks for the result.

    The callbacks run on the thread of the player. A callback may still run just after the request was cancelled, so it
    must check that the result is still wanted.
    """

    setup: Setup
    moves: tuple[str, ...]  # from the setup to the position
    limits: Limits  # its stop token is replaced
    on_progress: Callable[[Progress], None]
    on_decision: Callable[[Decision], None]
    on_failure: Callable[[str], None]  # gets the text of `describe_failure`
    choose: ChooseMove = choose_once  # may search several times, until the stop token of its limits is set


class PlayerThread:
    """Runs search requests with one player. `start` makes the player for the first request and after each failure."""

    def __init__(self, name: str, start: Callable[[], Player]) -> None:
        self._start = start
        self._player: Player | None = None
        self._setup: Setup | None = None  # of the player's current game
        self._changed = threading.Condition()  # guards the fields below
        self._next_request: EngineRequest | None = None
        self._current: EngineRequest | None = None  # the running request; None if it was cancelled
        self._stop = StopToken()  # of the current request
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"player {name}", daemon=True)
        self._thread.start()

    def submit(self, request: EngineRequest) -> None:
        """Start a request; cancel the one before it."""
        with self._changed:
            self._drop_requests()
            self._next_request = request
            self._changed.notify()

    def cancel(self) -> None:
        """Cancel the request, if there is one."""
        with self._changed:
            self._drop_requests()

    def close(self, timeout_s: float = 5.0) -> None:
        """End the thread and the player; kill the player's process if it does not finish its move in time."""
        with self._changed:
            self._closed = True
            self._drop_requests()
            self._changed.notify()
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            kill = getattr(self._player, "kill", None)
            if kill is not None:
                kill()
            self._thread.join(timeout_s)

    def _drop_requests(self) -> None:
        self._next_request = None
        if self._current is not None:
            self._current = None
            self._stop.set()

    def _run(self) -> None:
        while True:
            with self._changed:
                while self._next_request is None and not self._closed:
                    self._changed.wait()
                if self._closed:
                    break
                request, self._next_request = self._next_request, None
                self._current, self._stop = request, StopToken()
                stop = self._stop
            assert request is not None
            self._run_request(request, stop)
        self._close_player()

    def _run_request(self, request: EngineRequest, stop: StopToken) -> None:
        """Search and deliver the result, unless the request is cancelled meanwhile."""
        try:
            decision = self._choose(request, stop)
        except Exception as error:  # a player may fail in any way; the page shows the error and offers a restart
            text = describe_failure(error)
            self._close_player()
            self._deliver(request, lambda: request.on_failure(text))
        else:
            self._deliver(request, lambda: request.on_decision(decision))

    def _choose(self, request: EngineRequest, stop: StopToken) -> Decision:
        if self._player is None:
            self._player, self._setup = self._start(), None
        if request.setup != self._setup:
            self._player.new_game(request.setup)
            self._setup = request.setup
        self._player.set_position(request.moves)

        def report(progress: Progress) -> None:
            if not stop.is_set:
                request.on_progress(progress)

        if stop.is_set:
            return Decision("")  # cancelled already, so this is not delivered
        return request.choose(self._player, replace(request.limits, stop=stop), report)

    def _deliver(self, request: EngineRequest, call: Callable[[], None]) -> None:
        with self._changed:
            is_current = self._current is request
            if is_current:
                self._current = None
        if is_current:
            call()

    def _close_player(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            try:
                player.close()
            except (EngineError, OSError):
                return  # the process is dead or does not answer; it is not used again


def describe_failure(error: Exception) -> str:
    """Return an error as text for people, followed by the end of the engine's standard error output."""
    text = format_error(error)
    stderr = error.stderr.strip() if isinstance(error, EngineError) else ""
    return f"{text}\n{stderr}" if stderr else text
