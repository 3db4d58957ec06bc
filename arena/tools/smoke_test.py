"""Smoke test of a built executable: a short dialogue in its protocol, with a check of each answer.

`pentad build` runs it for each executable, so that one that does not work fails the build.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Mapping, Sequence

from arena.errors import CommandFailedError
from protocols.driving.process import EngineError, EngineProcess, EngineTimeout

ANSWER_S = 30  # time limit per answer and for the exit; long, because a virus scanner may check a new executable first
MAX_STDERR_CHARS = 2000  # of a failed program's standard error that are shown
IGNORED_PREFIXES = ("MESSAGE", "DEBUG")  # of Gomocup lines that may come before an answer
LAST_LINE = {"uhp": "ok", "gtp": ""}  # line that ends an answer, by protocol; a Gomocup answer is one line
# By protocol: the command lines, each with a regular expression for its answer, or None for a command without answer.
# The lines of an answer are joined with spaces. The last command ends the program.
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
    command: Sequence[str],
    protocol: str,
    environment: Mapping[str, str] | None = None,
    allowed_statuses: Collection[int] = (0,),
) -> float:
    """Run a program through the dialogue of its protocol, and wait for its exit with one of `allowed_statuses`.

    `environment` is added to ours. Return the seconds from the start to the first answer. Raise CommandFailedError if
    the program does not start, if an answer is wrong or missing, or if the exit is missing or has another status.
    """
    name, missing, first_answer_s, started_s = command[-1], "answer", 0.0, time.perf_counter()
    try:
        process = EngineProcess(command, env=environment)
    except EngineError as error:
        raise CommandFailedError(str(error)) from None
    try:
        for sent, expected in DIALOGUES[protocol]:
            process.write(sent)
            if expected is None:
                continue
            answer = _next_answer(process, LAST_LINE.get(protocol))
            first_answer_s = first_answer_s or time.perf_counter() - started_s
            if not re.fullmatch(expected, answer):
                raise CommandFailedError(f"{name}: {sent!r} was answered with {answer!r}")
        missing = "exit"
        if not process.wait_exit(ANSWER_S):
            raise EngineTimeout("the program did not exit")
    except EngineError as error:
        process.kill()  # after this its standard error is complete
        # The message of EngineTerminated is such as `exited with status 1: last line of standard error`; the text after
        # the colon is left out, because the standard error follows below.
        state = "is still running" if isinstance(error, EngineTimeout) else str(error).partition(":")[0]
        stderr = process.stderr_tail.strip()[-MAX_STDERR_CHARS:]
        raise CommandFailedError(f"{name}: no {missing} after {sent!r}; it {state}; standard error: {stderr}") from None
    finally:
        process.kill()
    if process.exit_status not in allowed_statuses:
        raise CommandFailedError(f"{name} exited with status {process.exit_status}")
    return first_answer_s


def _next_answer(process: EngineProcess, last_line: str | None) -> str:
    """Return the next answer: the lines before `last_line`, or, if that is None, the next line that is not ignored.

    Raise EngineError if it does not arrive within ANSWER_S seconds.
    """
    deadline_ns = time.perf_counter_ns() + ANSWER_S * 10**9
    if last_line is None:
        return process.wait_line(lambda line: not line.startswith(IGNORED_PREFIXES), deadline_ns).text
    lines: list[str] = []
    process.wait_line(lambda line: line == last_line, deadline_ns, lambda line: lines.append(line.text))
    return " ".join(lines)
