"""A misbehaving UHP engine. Without switches it plays the toy game of `tests/mocks/tiny_hive.py` correctly.

Its switches `NAME=VALUE` are those of `tests/mocks/misbehaviour.py`, and:
answer=TEXT   answers every bestmove with this text; `\\n` in it is a line end
twice=1       answers each bestmove twice
unasked=1     answers play with a move before the GameString
whole=1       refuses fractions of seconds in bestmove
seconds=1     as whole, except in `bestmove seconds N`, which is no command of UHP
refuse=1      answers newgame with err
forgets=1     answers play with invalidmove
ponders=1     has options like those of the reference engine Mzinga
"""

from __future__ import annotations

from protocols.uhp.session import UhpGame, UhpSession
from tests.mocks.hive_player import HivePlayer
from tests.mocks.misbehaviour import SWITCHES, misbehave_at_start, misbehave_before_move, read_lines, say
from tests.mocks.tiny_hive import TinyHive

OPTIONS = "MaxBranchingFactor;int;500;500;1;500\nPonderDuringIdle;enum;Single;Single;Disabled;Single;Multi\nodd line"
GARBAGE = b"\x00\xff\xfe nonsense \r\n\n" + b"z" * 100_000 + b"\n"


def make_fixed_answers() -> dict[str, str]:
    """Return the answers that the switches fix, by command word."""
    by_switch = {"refuse": ("newgame", "err no games today"), "forgets": ("play", "invalidmove never heard of it")}
    answers = {word: text for switch, (word, text) in by_switch.items() if switch in SWITCHES}
    if "ponders" in SWITCHES:
        answers["options"] = OPTIONS
    if "answer" in SWITCHES:
        answers["bestmove"] = SWITCHES["answer"].replace("\\n", "\n")
    return answers


def main() -> None:
    misbehave_at_start()
    session = UhpSession(
        HivePlayer(), UhpGame(TinyHive.load, ("Mosquito",)), say, name="Mock", version="1.0", threaded=False
    )
    fixed_answers, requests = make_fixed_answers(), 0
    for line in read_lines("exit"):
        word = line.split(" ")[0]
        requests += word == "bestmove"
        if word == "bestmove":
            misbehave_before_move(requests, GARBAGE)
        if word == "play" and "unasked" in SWITCHES:
            say("wA1\nok")
        if word == "bestmove" and "." in line and "whole" in SWITCHES:
            say("err whole seconds only\nok")
        elif word == "bestmove" and "." in line and "seconds" in SWITCHES:
            say("wS1\nok" if "seconds" in line else "err whole seconds only\nok")
        elif word in fixed_answers and (line != "options get" and not line.startswith("options set")):
            say(fixed_answers[word] + "\nok")
        elif line.startswith("options set") and "ponders" in SWITCHES:
            say(f"{line.split()[2]};string;{line.split()[3]};x\nok")
        else:
            session.handle(line)
            if word == "bestmove" and "twice" in SWITCHES:
                session.handle(line)


if __name__ == "__main__":
    main()
