"""A Player on a thread of its own, so that a page goes on answering while it thinks, stalls or dies.

At most one order is open. A new one, or `cancel`, ends it: its answer is not delivered any more. An engine that cannot
be stopped finishes its move first, and the next order waits for that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from arena.referee.game import format_error
from core.play.player import Decision, Limits, Player, Progress, ProgressCallback, Setup
from core.play.stop import StopToken
from protocols.driving.process import EngineError

Consult = Callable[[Player, Limits, ProgressCallback], Decision]


def choose_once(player: Player, limits: Limits, report: ProgressCallback) -> Decision:
    """What most orders ask of a player."""
    return player.choose(limits, report)


@dataclass(frozen=True)
class Order:
    """A position to choose a move in, and who hears of it: on the thinker's thread, and never after `cancel`.

    `consult` asks the player, perhaps several times, until the limits' stop token is set.
    """

    setup: Setup
    moves: tuple[str, ...]
    limits: Limits
    on_progress: Callable[[Progress], None]
    on_decision: Callable[[Decision], None]
    on_failure: Callable[[str], None]
    consult: Consult = choose_once


class Thinker:
    """Runs the orders of one player. `start` makes the player when it is first needed, and again after a failure."""

    def __init__(self, name: str, start: Callable[[], Player]) -> None:
        self._start = start
        self._player: Player | None = None
        self._setup: Setup | None = None  # of the game that it follows
        self._changed = threading.Condition()
        self._waiting: Order | None = None
        self._open: Order | None = None
        self._stop = StopToken()  # of the open order
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"thinker {name}", daemon=True)
        self._thread.start()

    def ask(self, order: Order) -> None:
        """Begin with an order; any other one is dropped."""
        with self._changed:
            self._drop()
            self._waiting = order
            self._changed.notify()

    def cancel(self) -> None:
        """Drop the order, if there is one."""
        with self._changed:
            self._drop()

    def close(self, timeout_s: float = 5.0) -> None:
        """End the thread and the engine; an engine that does not end its move in time is killed."""
        with self._changed:
            self._closed = True
            self._drop()
            self._changed.notify()
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            kill = getattr(self._player, "kill", None)
            if kill is not None:
                kill()
            self._thread.join(timeout_s)

    def _drop(self) -> None:
        self._waiting = None
        if self._open is not None:
            self._open = None
            self._stop.set()

    def _run(self) -> None:
        while True:
            with self._changed:
                while self._waiting is None and not self._closed:
                    self._changed.wait()
                if self._closed:
                    break
                order, self._waiting = self._waiting, None
                self._open, self._stop = order, StopToken()
                stop = self._stop
            assert order is not None
            self._execute(order, stop)
        self._discard()

    def _execute(self, order: Order, stop: StopToken) -> None:
        """Think about one order and tell the outcome, unless it was dropped meanwhile."""
        try:
            decision = self._think(order, stop)
        except Exception as error:  # an engine may fail in any way; a person reads how and decides
            text = describe_failure(error)
            self._discard()
            self._deliver(order, lambda: order.on_failure(text))
        else:
            self._deliver(order, lambda: order.on_decision(decision))

    def _think(self, order: Order, stop: StopToken) -> Decision:
        if self._player is None:
            self._player, self._setup = self._start(), None
        if order.setup != self._setup:
            self._player.new_game(order.setup)
            self._setup = order.setup
        self._player.set_position(order.moves)

        def report(progress: Progress) -> None:
            if not stop.is_set:
                order.on_progress(progress)

        if stop.is_set:
            return Decision("")  # dropped before it began; nobody hears of it
        return order.consult(self._player, replace(order.limits, stop=stop), report)

    def _deliver(self, order: Order, tell: Callable[[], None]) -> None:
        with self._changed:
            wanted = self._open is order
            self._open = None if wanted else self._open
        if wanted:
            tell()

    def _discard(self) -> None:
        """Close the player; one that does not even close in order is forgotten all the same."""
        player, self._player = self._player, None
        if player is not None:
            try:
                player.close()
            except (EngineError, OSError):
                return


def describe_failure(error: Exception) -> str:
    """What went wrong with an engine, for a person: the error and the last that it wrote to its standard error."""
    text = format_error(error)
    stderr = error.stderr.strip() if isinstance(error, EngineError) else ""
    return f"{text}\n{stderr}" if stderr else text
