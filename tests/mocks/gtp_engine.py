"""A misbehaving GTP engine. Without switches it plays Hex on small boards correctly (`tests/mocks/tiny_hex.py`).

Its switches `NAME=VALUE` are those of `tests/mocks/misbehaviour.py`, and:
answer=TEXT   answers every genmove with success and this text
raw=TEXT      answers every genmove with exactly this text; `\\n` in it is a line end, `ID` the id of the command
twice=1       answers each genmove twice
unasked=1     answers play with a move before its answer
noids=1       takes the id of a command for its name
bare=1        knows only the basic commands: no list_commands, no undo, no time
whole=1       refuses fractions of seconds
refuse=NAME   fails every command of this name
"""

from __future__ import annotations

from protocols.gtp.session import GtpSession
from protocols.gtp.text import Response, format_response, parse_line
from tests.mocks.misbehaviour import SWITCHES, misbehave_at_start, misbehave_before_move, read_lines, say
from tests.mocks.tiny_hex import KINDS, TINY_HEX, HexPlayer, make_commands

BASIC_COMMANDS = ("name", "version", "protocol_version", "boardsize", "clear_board", "play", "genmove", "quit")
# Live graphics for GoGui, which engines print between answers, and nonsense
GARBAGE = b"gogui-gfx:\nuct\nVAR B b2 W a3\n\n\x00\xff\xfe noise\r\n" + b"z" * 100_000 + b"\n"


def answer(text: str, command_id: str, *, ok: bool = True) -> None:
    say(format_response(Response(ok, text, command_id)))


def failure_reason(words: list[str], line: str) -> str:
    """Return the error message that the switches give to a command (its `words`, name first); empty if none."""
    name = words[0]
    is_unknown = "bare" in SWITCHES and name not in BASIC_COMMANDS
    if is_unknown or ("noids" in SWITCHES and name.isdigit()):
        return "unknown command"
    if SWITCHES.get("refuse") == name:
        return "not today"
    return "whole seconds only" if "whole" in SWITCHES and name.startswith("time_") and "." in line else ""


def main() -> None:
    misbehave_at_start()
    session = GtpSession(
        HexPlayer(), TINY_HEX, say, name="Mock", version="1.0", kinds=KINDS, commands=make_commands, threaded=False
    )
    requests = 0
    for line in read_lines("quit"):
        request = parse_line(line)
        if request is None:
            continue
        if request.name == "play" and "unasked" in SWITCHES:
            answer("c3", "")
        command_id = "" if "noids" in SWITCHES else request.id
        reason = failure_reason(line.split() if "noids" in SWITCHES else [request.name], line)
        asks_for_move = request.name == "genmove" and not reason
        requests += asks_for_move
        if asks_for_move:
            misbehave_before_move(requests, GARBAGE)
        if reason:
            answer(reason, command_id, ok=False)
        elif asks_for_move and "raw" in SWITCHES:
            say(SWITCHES["raw"].replace("ID", command_id).replace("\\n", "\n"))
        elif asks_for_move and "answer" in SWITCHES:
            answer(SWITCHES["answer"], command_id)
        elif not session.handle(line):
            return
        if asks_for_move and "twice" in SWITCHES:
            answer("c3", command_id)


if __name__ == "__main__":
    main()
