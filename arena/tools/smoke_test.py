"""A short conversation with an executable, as its host would hold it: what ends a build, so that none fails later."""

from __future__ import annotations

import contextlib
import queue
import re
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import IO

from arena.errors import CommandFailedError

ANSWER_S = 30  # for each answer; a virus scanner may look at a new executable first
END_S = 1  # in which a program that reads no more has ended
MAX_STDERR_CHARS = 2000  # characters of a failed program's standard error that are shown
IGNORED_PREFIXES = ("MESSAGE", "DEBUG")  # lines that are no answers
LAST_LINE = {"uhp": "ok", "gtp": ""}  # ends an answer, by protocol; elsewhere an answer is one line
# By protocol: what is said, and the form of the answer (None: nothing is answered), its lines joined by blanks
DIALOGUES: dict[str, tuple[tuple[str, str | None], ...]] = {
    "gomocup": (
        ("START 15", "OK"),
        ("INFO timeout_turn 500", None),
        ("BEGIN", r"\d+,\d+"),
        ("TURN 0,0", r"\d+,\d+"),
        ("ABOUT", 'name="Pentad", version=".+'),
        ("END", None),
    ),
    "gtp": (  # what every game has; moves are the game's own
        ("1 name", "=1 Pentad.*"),
        ("version", "= .+"),
        ("protocol_version", "= 2"),
        ("param_gtp move_time 0.5", "="),
        ("clear_board", "="),
        ("7 perft 1", r"=7 \d+"),
        ("undo", r"\? cannot undo.*"),
        ("analyze", "= .*move .+"),
        ("frobnicate", r"\? unknown command"),
        ("quit", "="),
    ),
    "uhp": (
        ("", "id Pentad .+ Mosquito;Ladybug;Pillbug"),  # the banner comes without being asked for
        ("info", "id Pentad .+ Mosquito;Ladybug;Pillbug"),
        ("newgame Base+MLP", r"Base\+MLP;NotStarted;White\[1\]"),
        ("bestmove depth 1", r"w[SBGAMLP]\d?"),
        ("play wG1", r"Base\+MLP;InProgress;Black\[1\];wG1"),
        ("bestmove time 00:00:01", r"b[SBGAMLP]\d? [-/\\wG1]+"),
        ("play bQ wG1-", "invalidmove .+"),
        ("undo", r"Base\+MLP;NotStarted;White\[1\]"),
        ("exit", None),
    ),
}


def smoke_test(
    command: Sequence[str], protocol: str, environment: Mapping[str, str], allowed_statuses: Collection[int] = (0,)
) -> float:
    """Hold the protocol's conversation and see the process end with one of the statuses `allowed_statuses`.

    Return the seconds to the first answer; raise CommandFailedError, which tells what the program did not do.
    """
    name, first_s, pipe = command[-1], 0.0, subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)
    assert process.stdin
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    stderr_lines: list[str] = []
    threading.Thread(target=_read_lines, args=(process.stdout, lines.put), daemon=True).start()
    stderr_reader = threading.Thread(target=_read_lines, args=(process.stderr, stderr_lines.append), daemon=True)
    stderr_reader.start()
    began = time.perf_counter()
    try:
        for sent, expected in DIALOGUES[protocol]:
            process.stdin.write(f"{sent}\n".encode())
            process.stdin.flush()
            if expected is None:
                continue
            answer = _next_answer(lines, LAST_LINE.get(protocol))
            first_s = first_s or time.perf_counter() - began
            if not re.fullmatch(expected, answer):
                raise CommandFailedError(f"{name}: {sent!r} was answered with {answer!r}")
        if process.wait(ANSWER_S) not in allowed_statuses:
            raise CommandFailedError(f"{name} ended with status {process.returncode}")
    except (queue.Empty, subprocess.TimeoutExpired, OSError):  # the last where it no longer reads
        end = _describe_exit(process, stderr_reader)
        wrote = "\n".join(stderr_lines)[-MAX_STDERR_CHARS:]
        raise CommandFailedError(f"{name}: nothing came after {sent!r}; {end}; it wrote: {wrote}") from None
    finally:
        process.kill()
        process.wait()
        with contextlib.suppress(OSError):  # what it has not read goes with it
            process.stdin.close()
    return first_s


def _describe_exit(process: subprocess.Popen[bytes], stderr_reader: threading.Thread) -> str:
    """How a program that says no more has ended, if it has; its last words have been heard then."""
    try:
        status = process.wait(END_S)
    except subprocess.TimeoutExpired:
        return "it goes on"
    stderr_reader.join(END_S)  # no longer: a process that it has started may hold on to its output
    return f"it ended with status {status}"


def _read_lines(stream: IO[bytes], hear: Callable[[str], object]) -> None:
    """Pass lines on until the stream ends, and close it."""
    with stream:
        for line in iter(stream.readline, b""):
            hear(line.decode(errors="replace").strip())


def _next_answer(lines: queue.SimpleQueue[str], last_line: str | None) -> str:
    """The next line that is no chatter, or all lines before the next last one; raise queue.Empty where none comes."""
    found: list[str] = []
    while (line := lines.get(timeout=ANSWER_S)) != last_line:
        if last_line is not None:
            found.append(line)
        elif not line.startswith(IGNORED_PREFIXES):
            return line
    return " ".join(found)
