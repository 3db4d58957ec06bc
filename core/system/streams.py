"""Standard streams that the parent process closed, as `program >&-` in a shell does, or that nobody reads any more."""

from __future__ import annotations

import os
from typing import IO

STREAM_COUNT = 3  # file descriptors 0, 1 and 2: standard input, output and error


def open_missing_streams() -> None:
    """Open the null device in place of each closed standard stream.

    Otherwise the next file that is opened gets the descriptor, and output for the stream is written into that file.
    Standard output is opened for reading only, so that an engine without a host fails at its first answer.
    """
    for descriptor in range(STREAM_COUNT):
        try:
            os.fstat(descriptor)
        except OSError:
            # A new file gets the lowest free descriptor, which is this one
            os.open(os.devnull, os.O_WRONLY if descriptor == 2 else os.O_RDONLY)  # 2: standard error


def discard_output(stream: IO[str]) -> None:
    """Redirect a stream to the null device, for example after BrokenPipeError."""
    with open(os.devnull, "wb") as null_device:
        os.dup2(null_device.fileno(), stream.fileno())
