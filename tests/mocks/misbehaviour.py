"""The vices that the mock engines of all protocols share, as switches `name=value` of their command lines.

crash=N       exits with status 3 instead of answering the request for move N (from 1)
stall=N       never answers that request
late=MS       answers every request for a move that much later
burn=MS       computes for that long ahead of each move, CPU time
toil=MS       has a child do that ahead of each move
pour=WHEN:MS:TEXT  says TEXT for ever, each time so many milliseconds after the last; `\\n` in it is a line end. WHEN is
              `start` (ahead of its first word), `think` (instead of answering a request for a move) or `idle` (from
              its first answer on, besides all others)
mute=N        closes its output instead of answering the request for move N, and lives on
freeze=N      stops itself then, as SIGSTOP does
blind=1       never reads its input
daemon=FILE   starts a sleeping process that leaves it as daemons do, and appends its process id to the file
bare_daemon=FILE  the same, with nothing in its environment
bare_leader=FILE  the same, and it leads another session
garbage=1     writes nonsense on both streams ahead of each move
stderr=BYTES  writes that much to standard error before the first command
memory=MB     takes that much memory when it is asked for its second move
deaf=1        ignores the farewell and the end of input
child=FILE    starts a sleeping child in a session of its own and writes its process id to the file
kin=FILE      the same with a child in its own group
term=FILE     appends a line to the file when SIGTERM asks it to end, and ends
undying=1     ignores SIGTERM
slow=MS       waits before it reads anything
lag=WORD:MS   waits ahead of lines that hold the word
log=FILE      appends every line it reads to the file
env=FILE      writes what it knows from its environment to the file, a line each start

Each mock has further ones, `twice` (answers each request for a move twice), `unasked` (answers where no move was asked
for) and `answer` among them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

SWITCHES = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
NAP = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]

BLOCK_BYTES = 4096  # of a flood, written in one piece: another thread's line does not come in between

_taken: list[bytearray] = []


def say(text: str) -> None:
    """Write a line at once and in one piece: `print` writes two where Python is told not to buffer."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def prepare() -> None:
    """What happens before the first command is read."""
    if "env" in SWITCHES:
        known = (f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("PENTAD_"))
        _append("env", " ".join(known) + "\n")
    if "child" in SWITCHES:
        child = subprocess.Popen(NAP, start_new_session=True)
        Path(SWITCHES["child"]).write_text(str(child.pid), encoding="utf-8")
    if "kin" in SWITCHES:
        Path(SWITCHES["kin"]).write_text(str(subprocess.Popen(NAP).pid), encoding="utf-8")
    for switch in ("daemon", "bare_daemon", "bare_leader"):
        if switch in SWITCHES:
            environment = dict(os.environ) if switch == "daemon" else {}
            _append(switch, f"{fork_away(environment, leads=switch == 'bare_leader')}\n")
    pour("start")
    while "blind" in SWITCHES:
        time.sleep(1)
    if "term" in SWITCHES:
        signal.signal(signal.SIGTERM, _note_end)
    if "undying" in SWITCHES:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "stderr" in SWITCHES:
        sys.stderr.write("x" * int(SWITCHES["stderr"]) + "\nthe last words\n")
    time.sleep(int(SWITCHES.get("slow", 0)) / 1000)


def read_lines(farewell: str) -> Iterator[str]:
    """Commands up to the farewell or the end of input; a deaf engine goes on for ever."""
    for line in sys.stdin:
        if "log" in SWITCHES:
            _append("log", line)
        lagging, _, lag_ms = SWITCHES.get("lag", "").partition(":")
        if lagging in line.split():
            time.sleep(int(lag_ms) / 1000)
        *number, word = line.split() or [""]
        if word == farewell and all(text.isdigit() for text in number):
            if "deaf" in SWITCHES:
                continue
            yield line.strip()
            return
        yield line.strip()
    while "deaf" in SWITCHES:
        time.sleep(1)


def misbehave(number: int, garbage: bytes) -> None:
    """What comes ahead of the answer to the request for move `number`."""
    if SWITCHES.get("crash") == str(number):
        sys.stderr.write("Traceback: out of ideas\n")
        sys.exit(3)
    if SWITCHES.get("stall") == str(number):
        time.sleep(60)
    if "memory" in SWITCHES and number == 2:
        _taken.append(bytearray(b"x") * (int(SWITCHES["memory"]) << 20))
        time.sleep(5)
    if SWITCHES.get("mute") == str(number):
        os.close(1)
        time.sleep(60)
    if SWITCHES.get("freeze") == str(number):
        os.kill(os.getpid(), signal.SIGSTOP)
    pour("think")
    if SWITCHES.get("pour", "").startswith("idle") and number == 1:
        threading.Thread(target=pour, args=("idle",), daemon=True).start()
    burn(int(SWITCHES.get("burn", 0)) / 1000)
    if "toil" in SWITCHES:
        subprocess.run([sys.executable, "-S", "-m", "tests.mocks.misbehaviour", f"burn={SWITCHES['toil']}"], check=True)
    if "garbage" in SWITCHES:
        sys.stdout.buffer.write(garbage)
        sys.stdout.buffer.flush()
        sys.stderr.write("more nonsense\n" * 100)
    time.sleep(int(SWITCHES.get("late", 0)) / 1000)


def pour(when: str) -> None:
    """Say something for ever where that is wanted now."""
    wanted, _, rest = SWITCHES.get("pour", "").partition(":")
    if wanted != when:
        return
    every_ms, _, text = rest.partition(":")
    words = text.replace("\\n", "\n").encode()
    if every_ms == "0":
        words *= BLOCK_BYTES // len(words)
    while True:
        os.write(1, words)
        time.sleep(int(every_ms) / 1000)


def fork_away(environment: dict[str, str], *, leads: bool) -> int:
    """Start a sleeping process whose parent is gone, in a session of its own; return its number."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        pid = os.fork()
        if pid == 0:
            if leads:
                os.setsid()
            for number in range(3):
                os.close(number)
            os.execve(NAP[0], NAP, environment)
        os.write(writing, str(pid).encode())
        os._exit(0)
    os.wait()
    return int(os.read(reading, 20))


def burn(cpu_s: float) -> None:
    """Compute for so long."""
    end_s = time.process_time() + cpu_s
    while time.process_time() < end_s:
        pass


def _note_end(*_: object) -> None:
    _append("term", "asked\n")
    sys.exit()


def _append(switch: str, line: str) -> None:
    with Path(SWITCHES[switch]).open("a", encoding="utf-8") as file:
        file.write(line)


if __name__ == "__main__":
    burn(int(SWITCHES["burn"]) / 1000)
