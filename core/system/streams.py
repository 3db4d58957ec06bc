"""Standard streams that were closed before the program began, as `program >&-` in a shell does."""

from __future__ import annotations

import os

STREAMS = 3  # descriptors of standard input, output and error, from 0


def open_missing_streams() -> None:
    """Put the null device in the place of standard streams that are closed.

    Else the first files that are opened get their numbers, and what is meant for a stream is written into them.
    Standard output refuses to be written to: a program that serves a host notices at its first answer that there is
    none.
    """
    for number in range(STREAMS):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)  # gets the lowest free number, this one
