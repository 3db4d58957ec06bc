"""A misbehaving UHP engine. Switches are `name=value`; without one it plays the toy game of `tiny_hive` decently.

crash=N       exits with status 3 instead of answering bestmove N (from 1)
stall=N       never answers bestmove N
late=MS       answers every bestmove that much later
answer=TEXT   answers every bestmove with this text; `\\n` is a new line
garbage=1     writes nonsense on both streams ahead of each move
twice=1       answers each bestmove twice
deaf=1        ignores exit and the end of input
whole=1       refuses parts of seconds
seconds=1     refuses parts of seconds but in its own `bestmove seconds N`
silent=1      prints no banner
refuse=1      answers newgame with err
forgets=1     answers play with invalidmove
ponders=1     has the options of a reference engine
log=FILE      appends every line it reads to the file
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from protocols.uhp import GameRules, UhpSession
from tests.mocks.hive_player import HivePlayer
from tests.mocks.tiny_hive import TinyHive

SWITCHES = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
OPTIONS = "MaxBranchingFactor;int;500;500;1;500\nPonderDuringIdle;enum;Single;Single;Disabled;Single;Multi\nodd line"


def say(text: str) -> None:
    print(text, flush=True)


def read_lines() -> Iterator[str]:
    """Commands until exit or the end of input; a deaf engine goes on for ever."""
    for line in sys.stdin:
        if "log" in SWITCHES:
            with Path(SWITCHES["log"]).open("a", encoding="utf-8") as log:
                log.write(line)
        if line.strip() == "exit" and "deaf" not in SWITCHES:
            return
        yield line.strip()
    while "deaf" in SWITCHES:
        time.sleep(1)


def misbehave(number: int) -> None:
    """What comes ahead of the answer to a bestmove."""
    if SWITCHES.get("crash") == str(number):
        sys.stderr.write("Traceback: out of ideas\n")
        sys.exit(3)
    if SWITCHES.get("stall") == str(number):
        time.sleep(60)
    if "garbage" in SWITCHES:
        sys.stdout.buffer.write(b"\x00\xff\xfe nonsense \r\n\n" + b"z" * 100_000 + b"\n")
        sys.stderr.write("more nonsense\n" * 100)
    time.sleep(int(SWITCHES.get("late", 0)) / 1000)


def replies() -> dict[str, str]:
    """Fixed answers by command word, from the switches."""
    fixed = {"refuse": ("newgame", "err no games today"), "forgets": ("play", "invalidmove never heard of it")}
    found = {word: text for switch, (word, text) in fixed.items() if switch in SWITCHES}
    if "ponders" in SWITCHES:
        found["options"] = OPTIONS
    if "answer" in SWITCHES:
        found["bestmove"] = SWITCHES["answer"].replace("\\n", "\n")
    return found


def main() -> None:
    write: Callable[[str], None] = (lambda _: None) if "silent" in SWITCHES else say
    session = UhpSession(
        HivePlayer(), GameRules(TinyHive.load, ("Mosquito",)), write, name="Mock", version="1.0", threaded=False
    )
    fixed, moves = replies(), 0
    for line in read_lines():
        word = line.split(" ")[0]
        moves += word == "bestmove"
        if word == "bestmove":
            misbehave(moves)
        if word == "bestmove" and "." in line and "whole" in SWITCHES:
            say("err whole seconds only\nok")
        elif word == "bestmove" and "." in line and "seconds" in SWITCHES:
            say("wS1\nok" if "seconds" in line else "err whole seconds only\nok")
        elif word in fixed and (line != "options get" and not line.startswith("options set")):
            say(fixed[word] + "\nok")
        elif line.startswith("options set") and "ponders" in SWITCHES:
            say(f"{line.split()[2]};string;{line.split()[3]};x\nok")
        else:
            session.handle(line)
            if word == "bestmove" and "twice" in SWITCHES:
                session.handle(line)


if __name__ == "__main__":
    main()
