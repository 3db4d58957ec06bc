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

from bots.registry import GAMES

ROOT = Path(__file__).resolve().parent.parent
SUFFIX = ".exe" if sys.platform == "win32" else ""
ANSWER_S = 30  # for each answer; a virus scanner may look at a new executable first
CHATTER = ("MESSAGE", "DEBUG")  # lines that are no answers
# By protocol: what is said, and the form of the answer (None: nothing is answered)
TALKS: dict[str, tuple[tuple[str, str | None], ...]] = {
    "gomocup": (
        ("START 15", "OK"),
        ("INFO timeout_turn 500", None),
        ("BEGIN", r"\d+,\d+"),
        ("TURN 0,0", r"\d+,\d+"),
        ("ABOUT", 'name="Pentad", version=".+'),
        ("END", None),
    ),
}


class TalkFailedError(Exception):
    """The executable did not do as it should; the text says what."""


def talk(executable: Path, conversation: tuple[tuple[str, str | None], ...]) -> None:
    """Hold a conversation and see the process end; raise TalkFailedError."""
    with subprocess.Popen([executable], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        read = process.stdout.readline
        reader = threading.Thread(target=lambda: [lines.put(line.decode()) for line in iter(read, b"")], daemon=True)
        reader.start()
        try:
            for said, wanted in conversation:
                started = time.monotonic()
                process.stdin.write(f"{said}\n".encode())
                process.stdin.flush()
                if wanted is None:
                    print(f"  {said}")
                    continue
                answer = next_answer(lines)
                print(f"  {said} -> {answer} ({time.monotonic() - started:.2f} s)")
                if not re.fullmatch(wanted, answer):
                    raise TalkFailedError(f"{executable}: {said} was answered with {answer!r}")
            if process.wait(ANSWER_S):
                raise TalkFailedError(f"{executable} ended with status {process.returncode}")
        except (queue.Empty, subprocess.TimeoutExpired, OSError):
            raise TalkFailedError(f"{executable}: nothing came after {said!r}") from None
        finally:
            process.kill()


def next_answer(lines: queue.SimpleQueue[str]) -> str:
    """The next line that is no chatter; raise queue.Empty where none comes in time."""
    while True:
        line = lines.get(timeout=ANSWER_S).strip()
        if not line.startswith(CHATTER):
            return line


def main(arguments: list[str]) -> int:
    """Talk to each executable."""
    protocols = {game.executable: game.protocol for game in GAMES.values()}
    executables = [Path(name) for name in arguments] or [ROOT / "dist" / (name + SUFFIX) for name in protocols]
    try:
        for executable in executables:
            print(f"{executable} ({executable.stat().st_size / 2**20:.1f} MiB)")
            talk(executable, TALKS[protocols[executable.stem]])
    except KeyError as error:
        print(f"smoke: no game has an executable named {error}", file=sys.stderr)
        return 2
    except (TalkFailedError, OSError) as error:
        print(f"smoke: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
