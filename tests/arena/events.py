"""Read every event of a log. `read_run` returns only the header and the games."""

from __future__ import annotations

from pathlib import Path

from arena.log.events import Event
from arena.log.file import LOG_NAME, decode_event


def read_log(directory: Path) -> list[Event]:
    """Return all events of a run in order, without an incomplete last line."""
    lines = (directory / LOG_NAME).read_bytes().split(b"\n")[:-1]
    return [decode_event(line) for line in lines]
