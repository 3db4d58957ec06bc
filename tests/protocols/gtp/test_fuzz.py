"""Random and mutated lines for the GTP session: nothing raises, and each command gets one well-formed response."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from protocols.gtp.session import GtpSession
from protocols.gtp.text import parse_line, parse_parameter, parse_response
from protocols.serving.serve import decode_line
from tests.mocks.tiny_hex import KINDS, TINY_HEX, HexPlayer, make_commands

ANSWER = re.compile(r"[=?][0-9]*( [!-~][ -~]*)?\n(?:[ -~]+\n)*")  # a whole response without its last line end
COMMANDS = """name|1 version|protocol_version|known_command play|list_commands|boardsize 3|boardsize 3 2|clear_board|
komi 7|play b a1|play white b2|2 play black c3|play w swap-pieces|play w resign|genmove b|genmove white|reg_genmove b|
undo|showboard|final_score|time_settings 0 5 1|time_settings 60 0 0|time_left b 5 0|time_left w 60|all_legal_moves b|
all_legal_moves|loadsgf tests/data/gtp/game.sgf 2|set_position w2/1b1/3 b|showposition|legal_moves|perft 1|result|
solve 1|analyze|analyze b 1|player simple:depth=3|player scripted|player|pv|param_player level 3|param_player book 0|
param_gtp move_time 2|param_gtp coordinates go|param_gtp coordinates own|param_game allow_swap 0|
param_game allow_swap 1|param_player|hexgui-analyze_commands|gogui-rules_board|gogui-rules_legal_moves|tiny-bug|
tiny-text a b c|# interrupt|help|help play|play b c1 # comment""".replace("\n", "").split("|")


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
    """Return the line with one to three bytes inserted or replaced: any bytes, blanks or `#`."""
    changed = bytearray(line)
    for _ in range(rng.randrange(1, 4)):
        index = rng.randrange(len(changed))
        changed[index : index + rng.randrange(2)] = bytes([rng.choice((rng.randrange(256), 32, 35))])
    return bytes(changed)


def decoded_lines(seed: int, count: int) -> list[str]:
    """Return random lines, decoded as for a session, without quit."""
    lines = random_lines(random.Random(seed))
    lines_without_quit: list[str] = []
    while len(lines_without_quit) < count:
        line = decode_line(next(lines))
        if "quit" not in line:
            lines_without_quit.append(line)
    return lines_without_quit


class AnswerChecker:
    """Checks the form of each response and counts the responses."""

    def __init__(self) -> None:
        self.count = 0
        self.last = ""
        self.error_beginnings: set[str] = set()  # six characters each; "" for a success

    def __call__(self, answer: str) -> None:
        assert ANSWER.fullmatch(answer), answer
        self.count += 1
        self.last = answer
        self.error_beginnings.add(answer.partition(" ")[2][:6] if answer[0] == "?" else "")


def make_session(answers: AnswerChecker, player: HexPlayer, *, threaded: bool) -> GtpSession:
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
    player, answers = HexPlayer(), AnswerChecker()
    session = make_session(answers, player, threaded=False)
    for number, line in enumerate(decoded_lines(40, 100_000)):
        player.fail = OverflowError("on purpose") if number % 100 == 0 else None
        old_count, request = answers.count, parse_line(line)
        assert session.handle(line), line
        assert answers.count == old_count + (request is not None), line
        assert request is None or re.match(rf"[=?]{request.id}(?![0-9])", answers.last), line
    assert {"", "unknow", "illega", "intern", "unacce", "cannot", "option", "colour"} <= answers.error_beginnings
    assert session.wait_idle(0)


def test_every_command_gets_one_answer_while_thinking() -> None:
    """No response is lost or mixed with another in any order of searches, interrupts and other lines."""
    answers = AnswerChecker()
    session = make_session(answers, HexPlayer(think_ms=1), threaded=True)
    lines = decoded_lines(41, 5_000)
    for line in lines:
        assert session.handle(line), line
    assert session.wait_idle(20)
    assert answers.count == sum(parse_line(line) is not None for line in lines)


def test_random_answers_never_break_the_parsers() -> None:
    rng = random.Random(42)
    lines = [b"=12 a1", b"? unknown command", b"[list/own/go] coordinates own", b"[bool] book 1", b"[string] level 10"]
    for number in range(20_000):
        line = decode_line(mutate(lines[number % 5], rng))
        parse_response([line, line])
        parse_parameter(line)
    assert parse_parameter("[bool] book 1") is not None
