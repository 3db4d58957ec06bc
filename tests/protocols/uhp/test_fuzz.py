"""Random and mutated lines for the UHP session: nothing raises, and each command gets one well-formed response."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from protocols.serving.serve import decode_line
from protocols.uhp.session import UhpGame, UhpSession
from protocols.uhp.text import parse_info, parse_option, parse_search_info, split_command
from tests.mocks.hive_player import KINDS, HivePlayer
from tests.mocks.tiny_hive import TinyHive

# Patterns of a MoveString, of a GameString, and of each line that the session may write except `ok`
MOVE = r"(?:pass|[wb][SBGAQMLP][123]?(?: -[wb][SBGAQMLP][123]?)?)"
GAME = rf"Base(?:\+M?L?P?)?;(?:NotStarted|InProgress|WhiteWins);(?:White|Black)\[\d+\](?:;{MOVE})*"
LINE = re.compile(
    rf"{GAME}|{MOVE}(?:;{MOVE})*|{MOVE};\d+;[+-]?M?\d+(?:;{MOVE})*|err [ -~]+|invalidmove [ -~]+|id [ -~]+|"
    r"Mosquito;Ladybug|perft\(\d+\) = \d+ in \d+ ms\. \d+ KN/s| +\d+ +\d+ +\d+ms +\d+\.\d|"
    r"\w+;(?:int|bool|enum|double);[ -~]+|"
    r"(?:info|newgame|play|pass|validmoves|bestmove|undo|options|perft|analyze|help|exit)\b.* - [ -~]+"
)
COMMANDS = """info|newgame|newgame Base+MLP|newgame Base+ML|newgame Base+M;InProgress;White[2];wS1;bS1 -wS1|play wS1|
play wA1 -bS1|play pass|pass|validmoves|bestmove|bestmove depth 2|bestmove time 00:00:00|bestmove time 00:00:01.5|undo|
undo 2|options|options get level|options set Level 3|options set Book False|options set Player simple:depth=3|
options set Player scripted|options set Verbosity 1|perft 1|perft 2|analyze depth 3|analyze|help|help undo|
newgame Base;x;y;wB1;bB1 -wB1;wQ -bB1;bQ -wQ;wS1 -bQ;bS1 -wS1;wG1 -bS1;pass;bS1""".replace("\n", "").split("|")


def random_lines(rng: random.Random) -> Iterator[bytes]:
    """Yield for ever: commands, commands with changed bytes, and random bytes."""
    while True:
        choice = rng.random()
        if choice < 0.35:
            yield rng.choice(COMMANDS).encode()
        elif choice < 0.4:
            yield rng.randbytes(rng.randrange(60))
        else:
            yield mutate(rng.choice(COMMANDS).encode(), rng)


def mutate(line: bytes, rng: random.Random) -> bytes:
    """Return the line with one to three bytes inserted or replaced: any bytes, blanks or semicolons."""
    changed = bytearray(line)
    for _ in range(rng.randrange(1, 4)):
        index = rng.randrange(len(changed))
        changed[index : index + rng.randrange(2)] = bytes([rng.choice((rng.randrange(256), 32, 59))])
    return bytes(changed)


def decoded_lines(seed: int, count: int) -> list[str]:
    """Return random lines, decoded as for a session, without exit and without deep perft counts."""
    lines = random_lines(random.Random(seed))
    commands_without_exit: list[str] = []
    while len(commands_without_exit) < count:
        line = decode_line(next(lines))
        word, rest = split_command(line)
        if word != "exit" and not (word == "perft" and len(rest) > 1):
            commands_without_exit.append(line)
    return commands_without_exit


class AnswerChecker:
    """Checks each line against the grammar, counts responses, and collects first words ("" unless in lower case)."""

    def __init__(self) -> None:
        self.response_count = 0
        self.words: set[str] = set()

    def __call__(self, line: str) -> None:
        if line == "ok":
            self.response_count += 1
            return
        assert LINE.fullmatch(line), line
        self.words.add(line.partition(" ")[0] if line[0].islower() else "")


def make_session(answers: AnswerChecker, player: HivePlayer, *, threaded: bool) -> UhpSession:
    rules = UhpGame(TinyHive.load, ("Mosquito", "Ladybug"), max_perft_depth=3)
    return UhpSession(
        player, rules, answers, name="Pentad", version="1", kinds=KINDS, warn=lambda _: None, threaded=threaded
    )


def test_every_command_gets_one_response() -> None:
    player, answers = HivePlayer(), AnswerChecker()
    session = make_session(answers, player, threaded=False)
    assert answers.response_count == 1  # the banner
    for number, line in enumerate(decoded_lines(30, 100_000)):
        player.fail = OverflowError("on purpose") if number % 100 == 0 else None
        old_count = answers.response_count
        assert session.handle(line), line
        assert answers.response_count == old_count + bool(line.split()), line
    assert {"err", "invalidmove", "id", "", "wS1", "pass"} <= answers.words
    assert session.wait_idle(0)


def test_every_command_gets_one_response_while_thinking() -> None:
    """No response is lost or mixed with another in any order of searches, new games and other lines."""
    answers = AnswerChecker()
    session = make_session(answers, HivePlayer(think_ms=1), threaded=True)
    lines = decoded_lines(31, 5_000)
    for line in lines:
        assert session.handle(line), line
    session.handle("")  # stops the last search if it has no limits
    assert session.wait_idle(20)
    assert answers.response_count == 1 + sum(bool(line.split()) for line in lines)


def test_random_answers_never_break_the_parsers() -> None:
    rng = random.Random(32)
    lines = [b"TableSizeMiB;int;100;100;1;256", b"Verbose;bool;False;False", b"wA1 -bQ;7;-12.5;wA1 -bQ;pass", b"id A 1"]
    for number in range(20_000):
        line = decode_line(mutate(lines[number % 4], rng))
        parse_option(line)
        parse_search_info(line)
        parse_info([line])
    option = parse_option(lines[0].decode())
    assert option is not None
    assert (option[0].minimum, option[0].maximum, option[1]) == (1, 256, "100")
