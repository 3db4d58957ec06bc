"""Pentago's GTP session: its commands, the dialect of the programs Pentagod and Morat, and fuzzed lines."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bots.pentago.gtp import GTP
from bots.pentago.notation import PENTAGOD
from bots.pentago.players import PLAYERS
from bots.pentago.position import PentagoPosition
from core.play.player import Setup, build_player
from protocols.gtp.game import GtpGame
from protocols.gtp.session import GtpSession
from protocols.gtp.text import parse_line
from protocols.serving.serve import decode_line
from tests.bots.pentago import naive
from tests.protocols.gtp.test_fuzz import AnswerChecker, mutate

WON_IN_ONE = "wwww2/bbbb2/6/6/6/6 w"
PENTAGOD_GTP = replace(GTP, default_setup=replace(GTP.default_setup, variant=PENTAGOD))
# Commands from which `test_mutated_lines_get_one_answer_each` makes its lines.
COMMANDS = f"""play white b2s|play black f6x|play w e1|genmove white|genmove black|undo|showboard|clear_board|
set_position {WON_IN_ONE}|set_position 6/6/6/6/6/6 w|legal_moves|perft 2|result|param_game dialect pentagod|
param_game dialect pentago|boardsize 6|boardsize 7|solve 0|final_score|showposition|reg_genmove w|
player random|player greedy|param_player seed 4""".replace("\n", "").split("|")


class Session:
    """A session whose answers are read one by one."""

    def __init__(self, game: GtpGame = GTP, player: str = "alphabeta:1") -> None:
        self.answer = ""
        self.session = GtpSession(
            build_player(PLAYERS, player), game, self._keep, name="Pentad", version="1", kinds=PLAYERS, threaded=False
        )

    def _keep(self, answer: str) -> None:
        self.answer = answer

    def send(self, line: str) -> str:
        self.session.handle(line)
        return self.answer.strip()


def test_winning_placement_has_no_rotation() -> None:
    talk = Session()
    assert talk.send(f"set_position {WON_IN_ONE}") == "="
    assert talk.send("result") == "= none"
    assert talk.send("genmove white") == "= e1"
    assert talk.send("result") == "= white"
    assert talk.send("play black a6s").startswith("? illegal move")
    assert talk.send("undo") == "="
    assert talk.send("showposition") == f"= {WON_IN_ONE}"


def test_the_board_shows_the_quadrants() -> None:
    board = Session().send("showboard").splitlines()
    assert board[1:5] == ["  a b c   d e f", *(f"{row} . . . | . . ." for row in (1, 2, 3))]
    assert board[5] == "  ------+------"


def test_perft_and_refused_commands() -> None:
    talk = Session()
    assert talk.send("perft 2") == "= 80640"
    assert talk.send("play black a1s").startswith("? illegal move: black a1s (it is the other side's turn)")
    assert talk.send("boardsize 7").startswith("? unacceptable size")


def test_the_dialect_swaps_letter_and_number() -> None:
    talk = Session(PENTAGOD_GTP)
    assert talk.send("play white a2s") == "="
    assert talk.send("param_game dialect pentago") == "="
    assert talk.send("showposition") == "= 6/w5/6/6/6/6 b"


@pytest.mark.parametrize("position", [WON_IN_ONE, "w5/1w4/2w3/3w2/6/bbbb2 w"])
def test_in_the_dialect_a_winning_placement_has_a_winning_rotation(position: str) -> None:
    """Pentagod looks for fives only after the rotation, which must not break the five."""
    talk = Session(PENTAGOD_GTP)
    talk.send(f"set_position {position}")
    winning = [move for move in PentagoPosition(Setup(position=position)).legal_moves() if len(move) == 2]
    assert winning
    answer = talk.send("genmove white")
    assert len(answer) == len("= a5w")
    cells, _ = naive.parse(position)
    cells[int(answer[3]) - 1, "abcdef".index(answer[2])] = "w"
    assert naive.outcome(naive.rotate_quadrant(cells, answer[4])) == "w"


def test_mutated_lines_get_one_answer_each() -> None:
    """No line may crash the session, remain unanswered, or get two answers."""
    answers, rng = AnswerChecker(), random.Random(12)
    session = GtpSession(
        build_player(PLAYERS, "random"), GTP, answers, name="Pentad", version="1", kinds=PLAYERS,
        warn=pytest.fail, threaded=False,
    )  # fmt: skip
    for number in range(6_000):
        line = rng.choice(COMMANDS)
        if number % 3:
            line = decode_line(mutate(line.encode(), rng))
        if "quit" in line or ("perft" in line and "perft 2" not in line):
            continue
        previous_count, request = answers.count, parse_line(line)
        assert session.handle(line), line
        assert answers.count == previous_count + (request is not None), line
    # The first six letters of error messages, such as "illegal move"; "" is an answer without an error.
    assert {"", "illega", "unknow"} <= answers.error_beginnings
