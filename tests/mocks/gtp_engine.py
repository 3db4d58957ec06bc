"""A misbehaving GTP engine. Switches are `name=value`; without one it plays the toy game of `tiny_hex` decently.

crash=N       exits with status 3 instead of answering genmove N (from 1)
stall=N       never answers genmove N
late=MS       answers every genmove that much later
answer=TEXT   answers every genmove with this text after the mark
raw=TEXT      answers every genmove with exactly this, id and empty line included; `\\n` is a new line
garbage=1     writes nonsense on both streams ahead of each move, as live graphics do
twice=1       answers each genmove twice
noids=1       takes an id for the name of a command
bare=1        knows the required commands only: no list, no undo, no time
whole=1       refuses parts of seconds
deaf=1        ignores quit and the end of input
silent=1      never says anything
refuse=WORD   fails every command of this name
log=FILE      appends every line it reads to the file
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from protocols.gtp import GtpSession
from protocols.gtp_text import Response, format_response, parse_line
from tests.mocks.tiny_hex import KINDS, TINY_HEX, HexPlayer

SWITCHES = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
BARE = ("name", "version", "protocol_version", "boardsize", "clear_board", "play", "genmove", "quit")


def say(text: str) -> None:
    if "silent" not in SWITCHES:
        print(text, flush=True)


def answer(text: str, number: str, *, ok: bool = True) -> None:
    say(format_response(Response(ok, text, number)))


def read_lines() -> Iterator[str]:
    """Commands until the end of input; a deaf engine goes on for ever."""
    for line in sys.stdin:
        if "log" in SWITCHES:
            with Path(SWITCHES["log"]).open("a", encoding="utf-8") as log:
                log.write(line)
        yield line.strip()
    while "deaf" in SWITCHES:
        time.sleep(1)


def misbehave(number: int) -> None:
    """What comes ahead of the answer to a genmove."""
    if SWITCHES.get("crash") == str(number):
        sys.stderr.write("Traceback: out of ideas\n")
        sys.exit(3)
    if SWITCHES.get("stall") == str(number):
        time.sleep(60)
    if "garbage" in SWITCHES:
        sys.stdout.buffer.write(b"gogui-gfx:\nuct\nVAR B b2 W a3\n\n\x00\xff\xfe noise\r\n" + b"z" * 100_000 + b"\n")
        sys.stderr.write("more nonsense\n" * 100)
    time.sleep(int(SWITCHES.get("late", 0)) / 1000)


def refusal(words: list[str], line: str) -> str:
    """Why a command fails, by the switches; empty where it does not."""
    name = words[0]
    unknown = "bare" in SWITCHES and name not in BARE
    if unknown or ("noids" in SWITCHES and name.isdigit()):
        return "unknown command"
    if SWITCHES.get("refuse") == name:
        return "not today"
    return "whole seconds only" if "whole" in SWITCHES and name.startswith("time_") and "." in line else ""


def main() -> None:
    session = GtpSession(HexPlayer(), TINY_HEX, say, name="Mock", version="1.0", kinds=KINDS, threaded=False)
    moves = 0
    for line in read_lines():
        request = parse_line(line)
        if request is None or (request.name == "quit" and "deaf" in SWITCHES):
            continue
        number = "" if "noids" in SWITCHES else request.id
        reason = refusal(line.split() if "noids" in SWITCHES else [request.name], line)
        thinks = request.name == "genmove" and not reason
        moves += thinks
        if thinks:
            misbehave(moves)
        if reason:
            answer(reason, number, ok=False)
        elif thinks and "raw" in SWITCHES:
            say(SWITCHES["raw"].replace("ID", number).replace("\\n", "\n"))
        elif thinks and "answer" in SWITCHES:
            answer(SWITCHES["answer"], number)
        elif not session.handle(line):
            return
        if thinks and "twice" in SWITCHES:
            answer("c3", number)


if __name__ == "__main__":
    main()
