"""Smoke test of a built executable: a short dialogue in its protocol, with a check of each answer.

`pentad build` runs it for each executable, so that one that does not work fails the build.
"""

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

ANSWER_S = 30  # limit per answer; long, because a virus scanner may check a new executable first
END_S = 1  # wait for the exit of a program that closed its input or stopped answering
MAX_STDERR_CHARS = 2000  # of a failed program's standard error that are shown
IGNORED_PREFIXES = ("MESSAGE", "DEBUG")  # of Gomocup lines that may come before an answer
LAST_LINE = {"uhp": "ok", "gtp": ""}  # line that ends an answer, by protocol; a Gomocup answer is one line
# By protocol: the command lines, each with a regular expression for its answer, or None for a command without answer.
# The lines of an answer are joined with spaces.
DIALOGUES: dict[str, tuple[tuple[str, str | None], ...]] = {
    "gomocup": (
        ("START 15", "OK"),
        ("INFO timeout_turn 500", None),
        ("BEGIN", r"\d+,\d+"),
        ("TURN 0,0", r"\d+,\d+"),
        ("ABOUT", 'name="Pentad", version=".+'),
        ("END", None),
    ),
    "gtp": (  # commands that exist in every game; no moves, because their notation depends on the game
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
        ("", "id Pentad .+ Mosquito;Ladybug;Pillbug"),  # the banner, which the program prints at its start
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
    """Run a program through the dialogue of its protocol, and wait for its exit with one of `allowed_statuses`.

    Return the seconds from the start to the first answer. Raise CommandFailedError for a wrong or missing answer.
    """
    name, first_answer_s, pipe = command[-1], 0.0, subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)
    assert process.stdin
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    stderr_lines: list[str] = []
    threading.Thread(target=_read_lines, args=(process.stdout, lines.put), daemon=True).start()
    stderr_reader = threading.Thread(target=_read_lines, args=(process.stderr, stderr_lines.append), daemon=True)
    stderr_reader.start()
    started = time.perf_counter()
    try:
        for sent, expected in DIALOGUES[protocol]:
            process.stdin.write(f"{sent}\n".encode())
            process.stdin.flush()
            if expected is None:
                continue
            answer = _next_answer(lines, LAST_LINE.get(protocol))
            first_answer_s = first_answer_s or time.perf_counter() - started
            if not re.fullmatch(expected, answer):
                raise CommandFailedError(f"{name}: {sent!r} was answered with {answer!r}")
        if process.wait(ANSWER_S) not in allowed_statuses:
            raise CommandFailedError(f"{name} exited with status {process.returncode}")
    except (queue.Empty, subprocess.TimeoutExpired, OSError):  # OSError: the program has closed its input
        exit_text = _describe_exit(process, stderr_reader)
        stderr = "\n".join(stderr_lines)[-MAX_STDERR_CHARS:]
        raise CommandFailedError(f"{name}: no answer after {sent!r}; {exit_text}; standard error: {stderr}") from None
    finally:
        process.kill()
        process.wait()
        with contextlib.suppress(OSError):  # closing flushes, which fails if the program has not read everything
            process.stdin.close()
    return first_answer_s


def _describe_exit(process: subprocess.Popen[bytes], stderr_reader: threading.Thread) -> str:
    """Return whether and how a silent program has exited, after its standard error has been read."""
    try:
        status = process.wait(END_S)
    except subprocess.TimeoutExpired:
        return "it is still running"
    stderr_reader.join(END_S)  # limited, because a child process may keep the pipe open
    return f"it exited with status {status}"


def _read_lines(stream: IO[bytes], handle_line: Callable[[str], object]) -> None:
    """Pass each line of a stream to `handle_line`, and close the stream at its end."""
    with stream:
        for line in iter(stream.readline, b""):
            handle_line(line.decode(errors="replace").strip())


def _next_answer(lines: queue.SimpleQueue[str], last_line: str | None) -> str:
    """Return the next answer: the lines before `last_line`, or, if that is None, the next line that is not ignored.

    Raise queue.Empty if no line arrives within ANSWER_S seconds.
    """
    answer: list[str] = []
    while (line := lines.get(timeout=ANSWER_S)) != last_line:
        if last_line is not None:
            answer.append(line)
        elif not line.startswith(IGNORED_PREFIXES):
            return line
    return " ".join(answer)
