"""A misbehaving Gomocup brain. Without switches it answers each move request with the next free square.

Its switches `NAME=VALUE` are those of `tests/mocks/misbehaviour.py`, and:
answer=TEXT   answers every move request with this text
twice=1       answers each move request twice
unasked=1     answers INFO lines with a move
refuse=1      answers START with ERROR
chatty=1      prints messages before each move
nameless=1    answers ABOUT by UNKNOWN
reject=KEY:LOW:HIGH:TEXT  answers `INFO KEY VALUE` with TEXT, in which `VALUE` is the value, if it is between the limits
strict=1      answers all other INFO lines by UNKNOWN
swap2=TEXTS   the answers to SWAP2BOARD with 0, 3 and 5 stones, separated by semicolons; without it UNKNOWN
"""

from __future__ import annotations

import re

from tests.mocks.misbehaviour import SWITCHES, misbehave_at_start, misbehave_before_move, read_lines, say

remaining_squares = iter(f"{x},{y}" for y in range(15) for x in range(15))  # one iterator for all games
occupied: set[str] = set()  # squares in all lines that it has received
CHATTER = ("MESSAGE Depth 4-7 | Eval 12 | Node 52K | Time 9ms | H8 I9", "DEBUG own words", "MESSAGE hello")
GARBAGE = b"\x00\xff\xfe nonsense \r\n" + b"z" * 100_000 + b"\n7;7\n"


def answer_move(request_number: int) -> None:
    """Answer move request `request_number`, counted from 1."""
    misbehave_before_move(request_number, GARBAGE)
    for line in CHATTER if "chatty" in SWITCHES else ():
        say(line)
    text = SWITCHES.get("answer") or next(square for square in remaining_squares if square not in occupied)
    for _ in range(2 if "twice" in SWITCHES else 1):
        say(text)


def answer_info(key: str, value: str) -> None:
    """Answer `INFO key value` as the switches say."""
    rejected_key, low, high, text = SWITCHES.get("reject", "none:0:0:").split(":", 3)[:4]
    if key == rejected_key:
        if float(low) < float(value) < float(high):
            say(text.replace("VALUE", value))
    elif "unasked" in SWITCHES:
        say("7,7")
    elif "strict" in SWITCHES:
        say(f"UNKNOWN INFO {key}")


def main() -> None:
    misbehave_at_start()
    requests = 0
    stones = -1  # lines of the SWAP2BOARD read so far, one per stone; -1: none is being read
    for line in read_lines("END"):
        word = line.split(" ")[0]
        occupied.update(re.findall(r"\d+,\d+", line))
        if word == "SWAP2BOARD":
            stones = 0
        elif stones >= 0:
            if word == "DONE":
                answers = dict(zip((0, 3, 5), SWITCHES.get("swap2", "").split(";"), strict=False))
                say(answers.get(stones) or "UNKNOWN SWAP2BOARD")
            stones = -1 if word == "DONE" else stones + 1
        elif word == "ABOUT":
            say("UNKNOWN ABOUT" if "nameless" in SWITCHES else 'name="Mock", version="1.0"')
        elif word == "START":
            say("ERROR no board" if "refuse" in SWITCHES else "OK")
        elif word == "INFO":
            answer_info(*line.split(" ")[1:3])
        elif word in ("BEGIN", "TURN", "DONE"):
            requests += 1
            answer_move(requests)


if __name__ == "__main__":
    main()
