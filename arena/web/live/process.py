"""The process that serves the page of `pentad match --live`: `python -m arena.web.live.process FOLDER PORT [public]`.

It prints a line with the address or an error (`PageStarted`), and ends when its standard input is closed.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import msgspec

from arena.errors import CommandFailedError, install_command
from arena.web.live.launch import PageStarted

NICENESS = 5  # so that viewers do not take time from the engines


def main(arguments: list[str]) -> int:
    """Serve the page until standard input is closed; return the exit code."""
    directory, port, is_public = Path(arguments[0]), int(arguments[1]), "public" in arguments[2:]
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        from arena.web.live.server import LiveServer, serve_live
    except ImportError as error:
        return _fail(f"{error}: the page needs more packages, {install_command('web')}")

    def end_with_input(server: LiveServer) -> None:
        def wait_for_end() -> None:
            sys.stdin.buffer.read()
            server.end()

        threading.Thread(target=wait_for_end, name="end-of-input", daemon=True).start()

    try:
        serve_live(
            directory,
            port,
            is_public=is_public,
            announce=lambda address: _print(PageStarted(address=address)),
            on_server=end_with_input,
        )
    except CommandFailedError as error:
        return _fail(str(error))
    return 0


def _fail(error: str) -> int:
    _print(PageStarted(error=error))
    return 1


def _print(started: PageStarted) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(started) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
