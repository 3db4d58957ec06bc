"""A misbehaving Gomocup brain. Switches are `name=value`; without one it answers with the next free square.

Those of `tests/mocks/misbehaviour.py`, and:
answer=TEXT   answers every move with this text
twice=1       answers each move twice
unasked=1     answers INFO lines with a move
refuse=1      answers START with ERROR
chatty=1      prints thinking lines
swap2=TEXTS   answers SWAP2BOARD with 0, 3 and 5 stones by the texts between semicolons; without it UNKNOWN
"""

from __future__ import annotations

import re

from tests.mocks.misbehaviour import SWITCHES, misbehave, prepare, read_lines, say

MOVES = iter(f"{x},{y}" for y in range(15) for x in range(15))
TAKEN: set[str] = set()  # squares that it was told of
CHATTER = ("MESSAGE Depth 4-7 | Eval 12 | Node 52K | Time 9ms | H8 I9", "DEBUG own words", "MESSAGE hello")
GARBAGE = b"\x00\xff\xfe nonsense \r\n" + b"z" * 100_000 + b"\n7;7\n"


def answer_move(number: int) -> None:
    misbehave(number, GARBAGE)
    for line in CHATTER if "chatty" in SWITCHES else ():
        say(line)
    text = SWITCHES.get("answer") or next(move for move in MOVES if move not in TAKEN)
    for _ in range(2 if "twice" in SWITCHES else 1):
        say(text)


def main() -> None:
    prepare()
    moves, stones = 0, -1  # stones of a SWAP2BOARD that is being read
    for line in read_lines("END"):
        word = line.split(" ")[0]
        TAKEN.update(re.findall(r"\d+,\d+", line))
        if word == "SWAP2BOARD":
            stones = 0
        elif stones >= 0:
            if word == "DONE":
                answers = dict(zip((0, 3, 5), SWITCHES.get("swap2", "").split(";"), strict=False))
                say(answers.get(stones) or "UNKNOWN SWAP2BOARD")
            stones = -1 if word == "DONE" else stones + 1
        elif word == "ABOUT":
            say('name="Mock", version="1.0"')
        elif word == "START":
            say("ERROR no board" if "refuse" in SWITCHES else "OK")
        elif word == "INFO" and "unasked" in SWITCHES:
            say("7,7")
        elif word in ("BEGIN", "TURN", "DONE"):
            moves += 1
            answer_move(moves)


if __name__ == "__main__":
    main()
