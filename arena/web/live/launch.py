"""The command `pentad watch`, and the page of `pentad match --live`, which a process of its own serves."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from arena.errors import CommandFailedError, UsageError, install_command

MAX_PORT = 65535
END_TIMEOUT_S = 15.0  # for the process to send the end of the run and to exit
SERVER_MODULE = "arena.web.live.process"


class PageStarted(msgspec.Struct, frozen=True):
    """The first line that the process of a page prints."""

    address: str = ""
    error: str = ""  # why it cannot serve the page


def check_port(option: str, port: int) -> None:
    """Raise UsageError if a number is no port."""
    if not 0 <= port <= MAX_PORT:
        raise UsageError(f"{option} must be 0..{MAX_PORT}, not {port}")


def watch_run(directory: Path, port: int, *, is_public: bool, browse: bool, announce: Callable[[str], None]) -> None:
    """Serve the page of a run until Ctrl-C. `announce` gets its address.

    Raise UsageError if the folder does not exist; a log that does not exist yet is waited for. Raise CommandFailedError
    if the log is wrong, the port is in use or a package of the web extra is missing.
    """
    check_port("--port", port)
    if not directory.is_dir():
        raise UsageError(f"there is no folder {directory}")
    try:
        from arena.web.live.server import serve_live
    except ImportError as error:
        raise CommandFailedError(f"{error}: the page needs more packages, {install_command('web')}") from None
    try:
        serve_live(directory, port, is_public=is_public, announce=announce, browse=browse)
    except KeyboardInterrupt:
        return  # Ctrl-C is the normal end of the command


@contextmanager
def serve_in_background(
    directory: Path, port: int, *, is_public: bool, announce: Callable[[str], None], warn: Callable[[str], None]
) -> Iterator[None]:
    """Serve the page of a run from a process of its own while the context lasts.

    So viewers cannot delay the games, neither by the interpreter's lock nor by a slow connection. The process reads the
    folder of the run, and ends when its standard input is closed, even if this process is killed. `announce` gets the
    address. Raise CommandFailedError if the page cannot be served; `warn` gets a message if it ends too early.
    """
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile() as errors:
        process = _start(directory, port, is_public, errors)
        try:
            announce(_read_address(process, errors))
            yield
        finally:
            if process.poll() is not None:
                warn(f"the page of the run was not shown to the end: {_last_line(errors)}")
            _end(process)


def _start(directory: Path, port: int, is_public: bool, errors: IO[bytes]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", SERVER_MODULE, str(directory.absolute()), str(port), *(["public"] * is_public)]
    source = str(Path(__file__).parents[3])  # so that the process finds the same version of Pentad
    paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        cwd=source,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        start_new_session=True,  # so that it does not get Ctrl-C, after which the running pairs are played to their end
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def _read_address(process: subprocess.Popen[bytes], errors: IO[bytes]) -> str:
    """Return the address that the process prints when it listens; raise CommandFailedError if it prints none."""
    assert process.stdout
    line = process.stdout.readline()
    if not line:
        process.wait()
        raise CommandFailedError(f"--live: the page cannot be served: {_last_line(errors)}")
    started = msgspec.json.decode(line, type=PageStarted)
    if started.error:
        raise CommandFailedError(f"--live: {started.error}")
    return started.address


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    assert process.stdout
    process.stdin.close()
    try:
        process.wait(END_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "its process has ended"
