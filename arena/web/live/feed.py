"""Sends the changes of a run to any number of viewers. No viewer can delay the run or another viewer.

A thread reads the run a few times per second and encodes the changes once, as a message that is the same for all. The
last messages are in a ring of bounded size. Each viewer has only the number of the last message that it got. If it
reads so slowly that the ring does not have the next one any more, it gets a snapshot instead.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from arena.log.file import LogError
from arena.log.follow import LogReplacedError
from arena.web.live.page_data import LiveUpdate
from arena.web.live.run_view import RunView

TICK_S = 0.25  # between two messages, so that each board changes at most four times per second
RING_SIZE = 16  # messages; a viewer that is 4 s behind gets a snapshot
MAX_RING_BYTES = 4 << 20
KEEP_ALIVE_S = 10.0  # without a change an event is sent, so that proxies and the page know that the connection lives
END_TICKS = 8  # reads of the log at the end, in case its last lines are still being written
_KEEP_ALIVE = b"event: alive\ndata: {}\n\n"
GOODBYE = b"event: goodbye\ndata: {}\n\n"


class LiveFeed:
    """The messages of one run; `start` and the methods for viewers are called in the event loop of the server."""

    def __init__(self, directory: Path) -> None:
        self.is_closed = False  # True: no further message will come
        self.viewers = 0  # number of viewers that want messages
        self._directory = directory
        self._view = RunView(directory)
        self._lock = threading.Lock()  # held while the view is used
        self._stopping = threading.Event()
        self._has_player_ended = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        # Used in the thread of the event loop only
        self._ring: deque[tuple[int, bytes]] = deque()  # numbers and messages
        self._last_number = 0  # of the last message that was appended
        self._waiting: list[asyncio.Future[None]] = []
        # Used with the lock only
        self._number = 0  # of the last message
        self._snapshot = (-1, b"")  # number of the last message that it includes, and the snapshot as a message
        self._snapshot_s = float("-inf")  # when it was made
        self._sent_s = time.perf_counter()

    def read(self) -> None:
        """Read the whole log; raise LogError for a wrong line. Called before `start`, so that the command can fail."""
        while self._poll():
            pass

    def start(self) -> None:
        """Begin to follow the run."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._follow, name="live-feed", daemon=True)
        self._thread.start()

    def stop(self, *, has_player_ended: bool = False) -> None:
        """Send what is left of the run and end all viewers; may be called from any thread.

        After `has_player_ended`, a run whose log has no end is shown as interrupted.
        """
        self._has_player_ended = has_player_ended
        self._stopping.set()

    def take_snapshot(self) -> tuple[int, bytes]:
        """Return the number of the last message, and a message with everything up to it; not for the event loop."""
        with self._lock:
            now_s = time.perf_counter()
            if now_s - self._snapshot_s >= TICK_S:  # requests cost no more than the messages, however many come
                self._publish(self._view.take_update())
                self._snapshot = self._number, format_message(self._view.make_snapshot())
                self._snapshot_s = now_s
            return self._snapshot

    def messages_after(self, number: int) -> tuple[int, bytes] | None:
        """Return the number of the last message, and the messages after `number`; None if they are not all there."""
        if number >= self._last_number:
            return number, b""
        if not self._ring or self._ring[0][0] > number + 1:
            return None
        return self._last_number, b"".join(message for other, message in self._ring if other > number)

    async def wait(self) -> None:
        """Return after the next message."""
        if not self.is_closed:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future

    def _follow(self) -> None:
        """Read the run until `stop`: the body of the thread."""
        try:
            while not self._stopping.is_set():
                began_s = time.perf_counter()
                has_more = self._tick()
                left_s = TICK_S - (time.perf_counter() - began_s)
                self._stopping.wait(0 if has_more else max(left_s, TICK_S / 4))
            self._read_end()
        finally:  # also after a fault of this program, so that no page waits for ever
            self._call(self._close)

    def _read_end(self) -> None:
        for _ in range(END_TICKS):
            self._tick()
            if self._view.has_ended:
                break
            time.sleep(TICK_S / 4)
        if self._has_player_ended:
            with self._lock:
                self._view.end_player()
        self._tick(is_last=True)

    def _tick(self, *, is_last: bool = False) -> bool:
        """Read what is new, and publish it if somebody is watching; return whether the log may have more at once."""
        with self._lock:
            has_more = self._try_poll()
            if not self.viewers:
                self._sent_s = time.perf_counter()
            elif not has_more or is_last:
                self._publish(self._view.take_update())
        return has_more

    def _try_poll(self) -> bool:
        try:
            return self._poll()
        except LogError:  # shown by the page; the next tick tries again, as files may be too many for a moment only
            return False

    def _poll(self) -> bool:
        try:
            return self._view.poll()
        except LogReplacedError:  # another run has begun in the folder
            self._view = RunView(self._directory)
            self._snapshot_s = float("-inf")
            self._number += 1  # a gap, so that every viewer gets a snapshot
            self._publish(LiveUpdate())
            return True

    def _publish(self, update: LiveUpdate | None) -> None:
        now_s = time.perf_counter()
        if update is not None:
            self._number += 1
            self._call(self._append, self._number, format_message(update))
            self._sent_s = now_s
        elif now_s - self._sent_s >= KEEP_ALIVE_S:
            self._number += 1
            self._call(self._append, self._number, _KEEP_ALIVE)
            self._sent_s = now_s

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function in the event loop; before `start` nobody waits for its effect."""
        if self._loop:
            with suppress(RuntimeError):  # the event loop is closed, because the server has ended
                self._loop.call_soon_threadsafe(function, *arguments)

    def _append(self, number: int, message: bytes) -> None:
        if number > self._last_number + 1:
            self._ring.clear()  # every viewer needs a snapshot
        self._ring.append((number, message))
        self._last_number = number
        while len(self._ring) > RING_SIZE or sum(len(kept) for _, kept in self._ring) > MAX_RING_BYTES:
            self._ring.popleft()
        self._wake()

    def _close(self) -> None:
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


def format_message(update: LiveUpdate) -> bytes:
    """Return an update as a server-sent event."""
    return b"data: " + msgspec.json.encode(update) + b"\n\n"
