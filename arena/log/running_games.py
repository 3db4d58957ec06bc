"""The moves of running games, in a folder beside the log, for other processes that show a run while it is played.

The log gets the moves of a game when the game has ended. Until then they are in `.running/NUMBER.jsonl`: one line per
move after the opening, a `MoveEntry` without the engine's messages. The file is created when the first engine begins to
think, is only appended to, and is removed when the game ends, so its last change is the time of the last move. A run
that is being played sets the time of the folder every BEAT_S seconds; the folder is removed at the end of a session.

The folder is not part of the record: `pentad resume` and `pentad report` do not read it. Nothing waits for the disk,
and an error while writing ends this output but not the run.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from types import TracebackType

import msgspec
from msgspec import structs

from arena.errors import format_os_error
from arena.log.events import MoveEntry

RUNNING_FOLDER = ".running"
CLUSTER_NAME = "cluster"  # empty file in the folder if the games are played on a cluster, which sends no moves
BEAT_S = 2.0
SILENCE_S = 10.0  # after this time without a beat no process plays the run
MAX_MOVES_BYTES = 16 << 20  # of one game; a larger file is not read further


class RunningGamesWriter:
    """Writes the moves of the running games of a run; a context manager.

    Each game is written by the thread that plays it. After an OSError `report` gets a message, and nothing is written
    any more. With `has_boards` False the folder only tells that the run is being played.
    """

    def __init__(self, directory: Path, report: Callable[[str], None], *, has_boards: bool = True) -> None:
        self._folder = directory / RUNNING_FOLDER
        self._report = report
        self._has_boards = has_boards
        self._has_failed = False
        self._last_beat_s = time.perf_counter()
        self._files: dict[int, tuple[FileIO, list[int]]] = {}  # by game: its file, and the number of moves in it

    def write_move(self, game: int, entries: Sequence[MoveEntry]) -> None:
        """Write the moves of a game that are not yet in its file; the first call, before any move, creates the file."""
        if self._has_failed:
            return
        try:
            if game not in self._files:
                self._files[game] = FileIO(self._folder / f"{game}.jsonl", "wb"), [0]
            file, written = self._files[game]
            for entry in entries[written[0] :]:
                file.write(msgspec.json.encode(structs.replace(entry, messages=())) + b"\n")
                written[0] += 1
        except OSError as error:
            self._fail(error)

    def remove(self, game: int) -> None:
        """Remove the file of a game that has ended."""
        if game in self._files:
            self._files.pop(game)[0].close()
            with suppress(OSError):  # on Windows, if a reader has it open; it is removed with the folder
                (self._folder / f"{game}.jsonl").unlink()

    def beat(self) -> None:
        """Set the time of the folder if BEAT_S have passed since the last call that did so."""
        now_s = time.perf_counter()
        if now_s - self._last_beat_s >= BEAT_S and not self._has_failed:
            self._last_beat_s = now_s
            try:
                os.utime(self._folder)
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        self._has_failed = True
        self._report(f"the boards of running games cannot be watched any more: {format_os_error(error)}")

    def __enter__(self) -> RunningGamesWriter:
        try:
            shutil.rmtree(self._folder, ignore_errors=True)  # left behind by a session that was killed
            self._folder.mkdir(exist_ok=True)
            if not self._has_boards:
                (self._folder / CLUSTER_NAME).touch()
        except OSError as error:
            self._fail(error)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file, _ in self._files.values():
            file.close()
        self._files.clear()
        shutil.rmtree(self._folder, ignore_errors=True)


class RunningGameReader:
    """Reads the moves of one running game while another process writes them."""

    def __init__(self, directory: Path, game: int) -> None:
        self._path = directory / RUNNING_FOLDER / f"{game}.jsonl"
        self._offset = 0  # end of the last complete line
        self._inode: int | None = None
        self._has_ended = False

    def poll(self) -> tuple[list[MoveEntry], float] | None:
        """Return the new moves and the seconds since the last one, or None if nothing has changed.

        The first call that finds the file returns a result even without a move: the first engine has begun to think.
        """
        if self._has_ended:
            return None
        try:
            status = os.stat(self._path)
            is_new = self._inode is None
            if not is_new and status.st_ino != self._inode:  # of another session; the log will say so
                self._has_ended = True
                return None
            if not is_new and status.st_size <= self._offset:
                return None
            with open(self._path, "rb") as file:
                file.seek(self._offset)
                content = file.read(max(0, MAX_MOVES_BYTES - self._offset))
        except OSError:  # not created yet, or removed because the game has ended: the log has its moves
            return None
        self._inode = status.st_ino
        lines = content.split(b"\n")[:-1]
        self._offset += sum(len(line) + 1 for line in lines)
        try:
            entries = [msgspec.json.decode(line, type=MoveEntry) for line in lines]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # not written by `RunningGamesWriter`
            self._has_ended = True
            return None
        age_s = max(0.0, datetime.now(UTC).timestamp() - status.st_mtime)  # 0 if the clocks of two machines differ
        return (entries, age_s) if entries or is_new else None


class BeatReader:
    """Tells whether a process is playing the run of a folder."""

    def __init__(self, directory: Path) -> None:
        self._folder = directory / RUNNING_FOLDER
        self._changed_ns: int | None = None  # time of the folder when last seen
        self._seen_s = float("-inf")  # when that time was seen to change

    def is_played(self) -> bool:
        """Return whether the time of the folder is new or has changed in the last SILENCE_S seconds."""
        try:
            changed_ns = os.stat(self._folder).st_mtime_ns
        except OSError:
            return False
        now_s = time.perf_counter()
        if self._changed_ns is None:  # a clock that runs ahead on another machine counts as new
            age_s = datetime.now(UTC).timestamp() - changed_ns / 1e9
            self._seen_s = now_s - max(0.0, age_s)
        elif changed_ns != self._changed_ns:
            self._seen_s = now_s
        self._changed_ns = changed_ns
        return now_s - self._seen_s < SILENCE_S

    def has_boards(self) -> bool:
        """Return False if the games are played on a cluster."""
        return not os.path.exists(self._folder / CLUSTER_NAME)  # False also for a folder that cannot be read
