"""Random and mutated lines sent to the GTP session: no exception, one well-formed response per command."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from protocols.gtp.session import GtpSession
from protocols.gtp.text import parse_line, parse_parameter, parse_response
from protocols.serving.serve import decode_line
from tests.mocks.tiny_hex import KINDS, TINY_HEX, HexPlayer, make_commands

ANSWER = re.compile(r"[=?][0-9]*( [!-~][ -~]*)?\n(?:[ -~]+\n)*")
COMMANDS = """name|1 version|protocol_version|known_command play|list_commands|boardsize 3|boardsize 3 2|clear_board|
komi 7|play b a1|play white b2|2 play black c3|play w swap-pieces|play w resign|genmove b|genmove white|reg_genmove b|
undo|showboard|final_score|time_settings 0 5 1|time_settings 60 0 0|time_left b 5 0|time_left w 60|all_legal_moves b|
all_legal_moves|loadsgf tests/data/gtp/game.sgf 2|set_position w2/1b1/3 b|showposition|legal_moves|perft 1|result|
solve 1|analyze|analyze b 1|player simple:depth=3|player scripted|player|pv|param_player level 3|param_player book 0|
param_gtp move_time 2|param_gtp coordinates go|param_gtp coordinates own|param_game allow_swap 0|
param_game allow_swap 1|param_player|hexgui-analyze_commands|gogui-rules_board|gogui-rules_legal_moves|tiny-bug|
tiny-text a b c|# interrupt|help|help play|play b c1 # comment""".replace("\n", "").split("|")


def random_lines(source: random.Random) -> Iterator[bytes]:
    """Commands, commands with bytes changed and plain noise, without end."""
    while True:
        choice = source.random()
        if choice < 0.35:
            yield source.choice(COMMANDS).encode()
        elif choice < 0.4:
            yield source.randbytes(source.randrange(60))
        else:
            yield mutate(source.choice(COMMANDS).encode(), source)


def mutate(line: bytes, source: random.Random) -> bytes:
    changed = bytearray(line)
    for _ in range(source.randrange(1, 4)):
        place = source.randrange(len(changed))
        changed[place : place + source.randrange(2)] = bytes([source.choice((source.randrange(256), 32, 35))])
    return bytes(changed)


def lines_of(seed: int, count: int) -> list[str]:
    """The lines as a session sees them, without quit."""
    lines = random_lines(random.Random(seed))
    found: list[str] = []
    while len(found) < count:
        line = decode_line(next(lines))
        if "quit" not in line:
            found.append(line)
    return found


class Answers:
    """Checks the form of each answer and counts them."""

    def __init__(self) -> None:
        self.count = 0
        self.last = ""
        self.errors: set[str] = set()

    def __call__(self, answer: str) -> None:
        assert ANSWER.fullmatch(answer), answer
        self.count += 1
        self.last = answer
        self.errors.add(answer.partition(" ")[2][:6] if answer[0] == "?" else "")


def make_session(answers: Answers, player: HexPlayer, *, threaded: bool) -> GtpSession:
    return GtpSession(
        player,
        TINY_HEX,
        answers,
        name="Pentad",
        version="1",
        kinds=KINDS,
        commands=make_commands,
        warn=lambda _: None,
        threaded=threaded,
    )


def test_every_command_gets_one_answer() -> None:
    player, answers = HexPlayer(), Answers()
    session = make_session(answers, player, threaded=False)
    for number, line in enumerate(lines_of(40, 100_000)):
        player.fail = OverflowError("on purpose") if number % 100 == 0 else None
        before, request = answers.count, parse_line(line)
        assert session.handle(line), line
        assert answers.count == before + (request is not None), line
        assert request is None or re.match(rf"[=?]{request.id}(?![0-9])", answers.last), line
    assert {"", "unknow", "illega", "intern", "unacce", "cannot", "option", "colour"} <= answers.errors
    assert session.wait_idle(0)


def test_every_command_gets_one_answer_while_thinking() -> None:
    """Answers stay whole and complete under any order of searches, interrupts and other lines."""
    answers = Answers()
    session = make_session(answers, HexPlayer(think_ms=1), threaded=True)
    lines = lines_of(41, 5_000)
    for line in lines:
        assert session.handle(line), line
    assert session.wait_idle(20)
    assert answers.count == sum(parse_line(line) is not None for line in lines)


def test_random_answers_never_break_the_readers() -> None:
    source = random.Random(42)
    lines = [b"=12 a1", b"? unknown command", b"[list/own/go] coordinates own", b"[bool] book 1", b"[string] level 10"]
    for number in range(20_000):
        line = decode_line(mutate(lines[number % 5], source))
        parse_response([line, line])
        parse_parameter(line)
    assert parse_parameter("[bool] book 1") is not None
