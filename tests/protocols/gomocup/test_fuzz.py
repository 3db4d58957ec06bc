"""Random and mutated lines for the Gomocup session: nothing raises, and every answer fits the protocol's grammar."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice

from bots.gomoku.notation import format_variant
from core.play.player import Limits
from protocols.gomocup.session import GomocupSession
from protocols.gomocup.text import parse_progress
from protocols.serving.serve import decode_line
from tests.mocks.scripted_player import GiftedPlayer

GRAMMAR = re.compile(  # of each line that the session may write
    r"\d{1,2},\d{1,2}(?: \d{1,2},\d{1,2}){0,2}|SWAP|OK|ERROR [ -~]+|UNKNOWN [ -~]+|MESSAGE [ -~]+|DEBUG [ -~]+"
    r'|FORBID (?:\d{4})*\.|INFO [ -~]+|name="[^"]*"(?:, \w+="[^"]*"){3}'
)
COMMANDS = """START 15;START 5;START 3;RESTART;RECTSTART 6,9;BEGIN;TURN 7,7;TURN 1,2;BOARD;DONE;7,7,1;2,3,2;4,4,3;3,3;
INFO rule 4;INFO timeout_turn 0;INFO time_left -5;INFO max_memory 1;INFO thread_num 70;INFO show_detail 3;ABOUT;STOP;
TAKEBACK 7,7;PLAY 4,4;SWAP2BOARD;YXBOARD;YXSTOP;YXSHOWINFO;YXNBEST 2;YXSHOWFORBID;YXHASHCLEAR;YXBLOCK;YXBLOCKUNDO;
YXBLOCKRESET;YXHASHDUMP;SUGGEST 1,1;EVALUATE;YXSWAP2STEP1;YXSWAP2STEP2;YXSWAP2STEP3;YXSOOSORVSTEP1;YXSEARCHDEFEND;
YXBALANCEONE;YXBALANCETWO 12;YXDRAW;YXRESIGN;YXDBCHECK;YXFORBID add 3 3 0""".replace("\n", "").split(";")
BODY_COMMANDS = (
    "BOARD",
    "YXBOARD",
    "SWAP2BOARD",
    "YXBLOCK",
    "YXBLOCKUNDO",
    "YXQUERYDATABASEALL",
    "YXDELETEDATABASEALL wl",
)
SOOSORV_COMMANDS = ("YXSOOSORVSTEP2", "YXSOOSORVSTEP3", "YXSOOSORVSTEP4 3", "YXSOOSORVSTEP5 2", "YXSOOSORVSTEP6")


def random_lines(rng: random.Random) -> Iterator[bytes]:
    """Yield for ever: commands, commands with random coordinates, bodies, random bytes, damaged commands."""
    while True:
        choice = rng.random()
        if choice < 0.3:
            yield rng.choice(COMMANDS).encode()
        elif choice < 0.6:
            yield f"{rng.choice(('TURN ', 'PLAY ', 'TAKEBACK '))}{random_point(rng)}".encode()
        elif choice < 0.7:
            yield from random_body(rng)
        elif choice < 0.75:
            yield rng.randbytes(rng.randrange(40))
        else:
            yield mutate(rng.choice(COMMANDS).encode(), rng)


def random_point(rng: random.Random) -> str:
    """Return the coordinates of a square near the corner, such as `3,7`, so that squares often repeat."""
    return f"{rng.randrange(8)},{rng.randrange(8)}"


def random_body(rng: random.Random) -> Iterator[bytes]:
    """Yield a command with its body. Sometimes a line is damaged or DONE is missing."""
    command = rng.choice(BODY_COMMANDS + SOOSORV_COMMANDS)
    yield command.encode()
    for number in range(rng.choice((0, 1, 2, 3, 3, 5, 8))):
        code = f",{2 - number % 2}" if command.endswith("XBOARD") or command == "BOARD" else ""
        line = f"{random_point(rng)}{code}".encode()
        yield mutate(line, rng) if rng.random() < 0.02 else line
    if rng.random() < 0.95:
        yield b"DONE"


def mutate(line: bytes, rng: random.Random) -> bytes:
    """Return the line with one to three random bytes in it."""
    changed = bytearray(line)
    for _ in range(rng.randrange(1, 4)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def decoded_lines(seed: int, count: int) -> Iterator[str]:
    """Yield random lines, decoded as for a session, without END."""
    for raw in islice(random_lines(random.Random(seed)), count):
        line = decode_line(raw)
        if line.split(" ")[0].upper() != "END":
            yield line


def make_gifted_player(think_ms: int = 0) -> GiftedPlayer:
    """Return a player with an answer for each opening step and each ability."""
    steps = {
        "propose_opening": "h8 h9 j10",
        "should_take_black": "yes",
        "should_take_white": "no",
        "find_fourth": "i7 3",
    }
    others = {"find_fifths": "g7 j8", "choose_fifth": "a1", "balance1": "c3", "balance2": "d4 e5", "lost": "b1"}
    player = GiftedPlayer({"forbidden": "a1 b2", **steps, **others}, think_ms)
    player.swap2_answers = {0: ["h8", "i8", "j9"], 3: ["SWAP"], 5: ["a1"]}
    return player


class AnswerChecker:
    """Checks each answer against the grammar and collects the first words; a move counts as `move`."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def __call__(self, line: str) -> None:
        assert GRAMMAR.fullmatch(line), line
        word, _, _ = line.partition(" ")
        self.words.append(word if word.isalpha() else "move")


def test_no_random_line_raises_and_every_answer_fits_the_grammar() -> None:
    player, answers = make_gifted_player(), AnswerChecker()
    session = GomocupSession(player, answers, format_variant, threaded=False)
    session.handle("START 15")
    for number, line in enumerate(decoded_lines(20, 100_000)):
        player.over_at = 12 if number % 5 == 0 else None
        player.fail = OverflowError("on purpose") if number % 1000 == 0 else None
        assert session.handle(line), line
    assert set(answers.words) == {"move", "OK", "ERROR", "UNKNOWN", "MESSAGE", "FORBID", "SWAP"}
    assert answers.words.count("move") > 5_000
    assert session.wait_idle(0)
    assert player.choose(Limits(move_time_ms=0)).move


def test_the_session_still_answers_after_random_lines_during_searches() -> None:
    """After any order of stops, new games and bodies the session still answers."""
    player, answers = make_gifted_player(think_ms=1), AnswerChecker()
    session = GomocupSession(player, answers, format_variant)
    session.handle("START 15")
    for line in decoded_lines(21, 10_000):
        assert session.handle(line), line
    assert session.handle("START 15")
    assert session.wait_idle(10)
    old_count = len(answers.words)
    session.handle("BEGIN")
    assert session.wait_idle(5)
    assert answers.words[old_count:] == ["move"]


def test_random_messages_never_break_the_progress_parser() -> None:
    rng = random.Random(22)
    lines = [
        b"MESSAGE Speed 296K | Depth 19-35 | Eval +M9 | Node 270K | Time 912ms | H7 G8",
        b"MESSAGE depth 14-27 ev -233 n 52.5M n/ms 300 tm 173 pv H7 G8 J9",
    ]
    for number in range(20_000):
        parse_progress(decode_line(mutate(lines[number % 2], rng)))
    won = parse_progress("MESSAGE Depth 19-35 | Eval WIN | H7")
    assert won is not None
    assert (won.result, won.win_in, won.pv) == ("win", None, ("h7",))
    first, second = (parse_progress(line.decode()) for line in lines)
    assert first is not None
    assert second is not None
    assert (first.depth, first.selective_depth, first.win_in, first.nodes, first.time_ms) == (19, 35, 9, 270_000, 912)
    assert (second.score, second.nodes, second.time_ms, second.pv) == (-233, 52_500_000, 173, ("h7", "g8", "j9"))
