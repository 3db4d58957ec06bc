"""A misbehaving Gomocup brain. Switches are `name=value`; without one it answers like a decent program.

crash=N       exits with status 3 instead of answering move N (from 1)
stall=N       never answers move N
late=MS       answers every move that much later
answer=TEXT   answers every move with this text
garbage=1     writes nonsense on both streams ahead of each answer
stderr=BYTES  writes that much to standard error before the first command
twice=1       answers each move twice
deaf=1        ignores END and the end of input
child=FILE    starts a sleeping child and writes its process id to the file
slow=MS       waits before it reads anything
refuse=1      answers START with ERROR
chatty=1      prints thinking lines
log=FILE      appends every line it reads to the file
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

SWITCHES = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
MOVES = iter(f"{x},{y}" for y in range(15) for x in range(15))
CHATTER = ("MESSAGE Depth 4-7 | Eval 12 | Node 52K | Time 9ms | H8 I9", "DEBUG own words", "MESSAGE hello")


def say(text: str) -> None:
    print(text, flush=True)


def prepare() -> None:
    """What happens before the first command is read."""
    if "child" in SWITCHES:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        Path(SWITCHES["child"]).write_text(str(child.pid), encoding="utf-8")
    if "stderr" in SWITCHES:
        sys.stderr.write("x" * int(SWITCHES["stderr"]) + "\nthe last words\n")
    time.sleep(int(SWITCHES.get("slow", 0)) / 1000)


def read_lines() -> Iterator[str]:
    """Commands until END or the end of input; a deaf brain goes on for ever."""
    for line in sys.stdin:
        if "log" in SWITCHES:
            with Path(SWITCHES["log"]).open("a", encoding="utf-8") as log:
                log.write(line)
        if line.strip() == "END" and "deaf" not in SWITCHES:
            return
        yield line.strip()
    while "deaf" in SWITCHES:
        time.sleep(1)


def answer_move(number: int) -> None:
    if SWITCHES.get("crash") == str(number):
        sys.stderr.write("Traceback: out of ideas\n")
        sys.exit(3)
    if SWITCHES.get("stall") == str(number):
        time.sleep(60)
    if "garbage" in SWITCHES:
        sys.stdout.buffer.write(b"\x00\xff\xfe nonsense \r\n" + b"z" * 100_000 + b"\n7;7\n")
        sys.stderr.write("more nonsense\n" * 100)
    for line in CHATTER if "chatty" in SWITCHES else ():
        say(line)
    time.sleep(int(SWITCHES.get("late", 0)) / 1000)
    text = SWITCHES.get("answer") or next(MOVES)
    for _ in range(2 if "twice" in SWITCHES else 1):
        say(text)


def main() -> None:
    prepare()
    moves = 0
    for line in read_lines():
        word = line.split(" ")[0]
        if word == "ABOUT":
            say('name="Mock", version="1.0"')
        elif word == "START":
            say("ERROR no board" if "refuse" in SWITCHES else "OK")
        elif word in ("BEGIN", "TURN", "DONE"):
            moves += 1
            answer_move(moves)


if __name__ == "__main__":
    main()
