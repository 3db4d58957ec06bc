"""A misbehaving GTP engine. Switches are `name=value`; without one it plays the toy game of `tiny_hex` decently.

Those of `tests/mocks/misbehaviour.py`, and:
answer=TEXT   answers every genmove with this text after the mark
raw=TEXT      answers every genmove with exactly this, id and empty line included; `\\n` is a new line
twice=1       answers each genmove twice
unasked=1     answers play with a move, too
noids=1       takes an id for the name of a command
bare=1        knows the required commands only: no list, no undo, no time
whole=1       refuses parts of seconds
refuse=WORD   fails every command of this name
"""

from __future__ import annotations

from protocols.gtp.session import GtpSession
from protocols.gtp.text import Response, format_response, parse_line
from tests.mocks.tiny_hex import KINDS, TINY_HEX, HexPlayer, make_commands
from tests.mocks.misbehaviour import SWITCHES, misbehave, prepare, read_lines, say

BARE = ("name", "version", "protocol_version", "boardsize", "clear_board", "play", "genmove", "quit")
GARBAGE = b"gogui-gfx:\nuct\nVAR B b2 W a3\n\n\x00\xff\xfe noise\r\n" + b"z" * 100_000 + b"\n"  # live graphics


def answer(text: str, number: str, *, ok: bool = True) -> None:
    say(format_response(Response(ok, text, number)))


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
    prepare()
    session = GtpSession(
        HexPlayer(), TINY_HEX, say, name="Mock", version="1.0", kinds=KINDS, commands=make_commands, threaded=False
    )
    moves = 0
    for line in read_lines("quit"):
        request = parse_line(line)
        if request is None:
            continue
        if request.name == "play" and "unasked" in SWITCHES:
            answer("c3", "")
        number = "" if "noids" in SWITCHES else request.id
        reason = refusal(line.split() if "noids" in SWITCHES else [request.name], line)
        thinks = request.name == "genmove" and not reason
        moves += thinks
        if thinks:
            misbehave(moves, GARBAGE)
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
