"""The log of a run event by event, as it was written; `read_run` tells only what counts of it."""

from __future__ import annotations

from pathlib import Path

from arena.log.events import Event
from arena.log.file import LOG_NAME, decode_event


def read_log(directory: Path) -> list[Event]:
    """All events of a run in order; what has no line end is left out."""
    lines = (directory / LOG_NAME).read_bytes().split(b"\n")[:-1]
    return [decode_event(line) for line in lines]
