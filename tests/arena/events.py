"""Read a log as a list of all its events. `read_run` returns a summary instead."""

from __future__ import annotations

from pathlib import Path

from arena.log.events import Event
from arena.log.file import LOG_NAME, decode_event


def read_log(directory: Path) -> list[Event]:
    """Return all events of a run in order, without an incomplete last line."""
    lines = (directory / LOG_NAME).read_bytes().split(b"\n")[:-1]
    return [decode_event(line) for line in lines]
