"""A misbehaving UHP engine. Switches are `name=value`; without one it plays the toy game of `tiny_hive` decently.

Those of `tests/mocks/misbehaviour.py`, and:
answer=TEXT   answers every bestmove with this text; `\\n` is a new line
twice=1       answers each bestmove twice
unasked=1     answers play with a move ahead of the game
whole=1       refuses parts of seconds
seconds=1     refuses parts of seconds but in its own `bestmove seconds N`
refuse=1      answers newgame with err
forgets=1     answers play with invalidmove
ponders=1     has the options of a reference engine
"""

from __future__ import annotations

from protocols.uhp.session import UhpGame, UhpSession
from tests.mocks.hive_player import HivePlayer
from tests.mocks.tiny_hive import TinyHive
from tests.mocks.misbehaviour import SWITCHES, misbehave, prepare, read_lines, say

OPTIONS = "MaxBranchingFactor;int;500;500;1;500\nPonderDuringIdle;enum;Single;Single;Disabled;Single;Multi\nodd line"
GARBAGE = b"\x00\xff\xfe nonsense \r\n\n" + b"z" * 100_000 + b"\n"


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
    prepare()
    session = UhpSession(
        HivePlayer(), UhpGame(TinyHive.load, ("Mosquito",)), say, name="Mock", version="1.0", threaded=False
    )
    fixed, moves = replies(), 0
    for line in read_lines("exit"):
        word = line.split(" ")[0]
        moves += word == "bestmove"
        if word == "bestmove":
            misbehave(moves, GARBAGE)
        if word == "play" and "unasked" in SWITCHES:
            say("wA1\nok")
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
