"""Talks to executables as a manager would: `python -m tests.smoke [EXECUTABLE...]`, by default all under dist/.

Exits with 0 where each gave every answer in time and ended when told to. Works on every system.
"""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

from bots.registry import GAMES

ROOT = Path(__file__).resolve().parent.parent
SUFFIX = ".exe" if sys.platform == "win32" else ""
ANSWER_S = 30  # for each answer; a virus scanner may look at a new executable first
CHATTER = ("MESSAGE", "DEBUG")  # lines that are no answers
LAST_LINE = {"uhp": "ok", "gtp": ""}  # ends an answer, by protocol; elsewhere an answer is one line
# By protocol: what is said, and the form of the answer (None: nothing is answered), its lines joined by blanks
TALKS: dict[str, tuple[tuple[str, str | None], ...]] = {
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


class TalkFailedError(Exception):
    """The executable did not do as it should; the text says what."""


def talk(executable: Path, protocol: str) -> None:
    """Hold the protocol's conversation and see the process end; raise TalkFailedError."""
    with subprocess.Popen([executable], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=read_lines, args=(process.stdout, lines), daemon=True).start()
        try:
            for said, wanted in TALKS[protocol]:
                started = time.monotonic()
                process.stdin.write(f"{said}\n".encode())
                process.stdin.flush()
                if wanted is None:
                    print(f"  {said}")
                    continue
                answer = next_answer(lines, LAST_LINE.get(protocol))
                print(f"  {said} -> {answer} ({time.monotonic() - started:.2f} s)")
                if not re.fullmatch(wanted, answer):
                    raise TalkFailedError(f"{executable}: {said} was answered with {answer!r}")
            if process.wait(ANSWER_S):
                raise TalkFailedError(f"{executable} ended with status {process.returncode}")
        except (queue.Empty, subprocess.TimeoutExpired, OSError):
            raise TalkFailedError(f"{executable}: nothing came after {said!r}") from None
        finally:
            process.kill()


def read_lines(stream: IO[bytes], lines: queue.SimpleQueue[str]) -> None:
    """Pass lines on until the stream ends."""
    for line in iter(stream.readline, b""):
        lines.put(line.decode(errors="replace").strip())


def next_answer(lines: queue.SimpleQueue[str], last_line: str | None) -> str:
    """The next line that is no chatter, or all lines before the next last one; raise queue.Empty where none comes."""
    found: list[str] = []
    while (line := lines.get(timeout=ANSWER_S)) != last_line:
        if last_line is not None:
            found.append(line)
        elif not line.startswith(CHATTER):
            return line
    return " ".join(found)


def main(arguments: list[str]) -> int:
    """Talk to each executable."""
    protocols = {game.executable: game.protocol for game in GAMES.values()}
    executables = [Path(name) for name in arguments] or [ROOT / "dist" / (name + SUFFIX) for name in protocols]
    try:
        for executable in executables:
            print(f"{executable} ({executable.stat().st_size / 2**20:.1f} MiB)")
            talk(executable, protocols[executable.stem])
    except KeyError as error:
        print(f"smoke: no game has an executable named {error}", file=sys.stderr)
        return 2
    except (TalkFailedError, OSError) as error:
        print(f"smoke: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
