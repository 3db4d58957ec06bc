"""Tests of swap2: agreed colours, faults of either engine, and matches of a mock brain, that is, a Gomocup program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as cli
from arena.log.file import read_run
from arena.referee.game import GameSettings, Verdict
from arena.referee.swap2 import AgreedOpening, negotiate_swap2
from arena.terms.ending import Ending
from core.play.options import OptionSet
from core.play.player import Limits
from tests.arena.fakes import ROW_GAME, LastSquare
from tests.arena.referee.games import LOOSE_CONTROL, make_participants

PROPOSED_STONES = ("h8", "i9", "g7")
ROOT = Path(__file__).parents[3]


class Swapper(LastSquare):
    """A player with fixed `answers` to 0, 3 and 5 stones on the board, in this order."""

    def __init__(self, *answers: str) -> None:
        super().__init__(OptionSet(()))
        self.answers = dict(zip((0, 3, 5), (answer.split() for answer in answers), strict=False))

    def swap2(self, stones: Sequence[str], limits: Limits) -> Sequence[str]:
        assert limits.move_time_ms == 5000
        return self.answers[len(stones)]


def negotiate(first: LastSquare, second: LastSquare) -> AgreedOpening | Verdict:
    settings = GameSettings(ROW_GAME, ROW_GAME.default_setup, LOOSE_CONTROL)
    return negotiate_swap2(settings, make_participants(first, second), 1)


@pytest.mark.parametrize(
    ("chooser_answer", "proposer_answer", "agreed"),
    [
        ("a1", "", AgreedOpening((*PROPOSED_STONES, "a1"), proposer_is_white=False)),  # the chooser plays white
        ("SWAP", "", AgreedOpening(PROPOSED_STONES, proposer_is_white=True)),  # the chooser plays black
        # The chooser adds two stones; then the proposer plays white, or takes black
        ("a1 b2", "c3", AgreedOpening((*PROPOSED_STONES, "a1", "b2", "c3"), proposer_is_white=True)),
        ("a1 b2", "swap", AgreedOpening((*PROPOSED_STONES, "a1", "b2"), proposer_is_white=False)),
    ],
)
def test_agreed_colours(chooser_answer: str, proposer_answer: str, agreed: AgreedOpening) -> None:
    assert negotiate(Swapper("h8 i9 g7", "", proposer_answer), Swapper("", chooser_answer)) == agreed


@pytest.mark.parametrize(
    ("first", "second", "ending", "blamed"),
    [
        (Swapper("h8 i9"), Swapper(), Ending.ILLEGAL, 0),
        (Swapper("SWAP"), Swapper(), Ending.ILLEGAL, 0),
        (Swapper("h8 i9 h8"), Swapper(), Ending.ILLEGAL, 0),
        (Swapper("h8 i9 g7"), Swapper("", "h8"), Ending.ILLEGAL, 1),
        (Swapper("h8 i9 g7"), Swapper("", "a1 b2 c3"), Ending.ILLEGAL, 1),
        (Swapper("h8 i9 g7"), Swapper(), Ending.DISCONNECT, 1),  # no answer to 3 stones: its KeyError counts as a crash
        (Swapper("h8 i9 g7", "", ""), Swapper("", "a1 b2"), Ending.ILLEGAL, 0),
    ],
)
def test_faults_in_the_negotiation(first: LastSquare, second: LastSquare, ending: Ending, blamed: int) -> None:
    result = negotiate(first, second)
    assert isinstance(result, Verdict)
    assert (result.ending, result.blamed, result.winner) == (ending, blamed, 1 - blamed), result


@pytest.mark.parametrize(("answer", "ending"), [([7, 8, 9], Ending.ILLEGAL), (None, Ending.DISCONNECT)])
def test_answer_of_a_wrong_type_is_a_fault_of_its_player(answer: Any, ending: Ending) -> None:
    proposer, chooser = Swapper("h8 i9 g7"), Swapper()
    chooser.answers[3] = answer
    result = negotiate(proposer, chooser)
    assert isinstance(result, Verdict)
    assert (result.ending, result.blamed) == (ending, 1)


def run(out: Path, *more: str, switch: str = "swap2=7,7 8,8 6,6;SWAP") -> int:
    """Play two games between a mock brain and our player; return the exit code.

    The default switch of the mock is its answers to 0 and 3 stones.
    """
    brain = f"cmd={sys.executable} -S -m tests.mocks.gomocup_brain '{switch}',name=mock,dir={ROOT}"
    command = ["match", "--game", "gomoku", "--engine", brain, "--engine", "player=pentad,option.level=2"]
    return cli.run([*command, "--swap2", "--games", "2", "--tc", "1", "--out", str(out), *more])


def test_swap2_match_over_the_gomocup_protocol(tmp_path: Path) -> None:
    """The brain swaps our player's proposal, and our player chooses after that of the brain."""
    assert run(tmp_path) == 0
    log = read_run(tmp_path)
    first, second = log.games
    assert log.header.swap2
    assert first.opening[:3] == ("h8", "i9", "g7")
    assert (second.first, second.second) == ("mock", "pentad")  # the brain swapped, so it has black
    assert len(second.opening) == 3
    assert all(game.ending is Ending.WIN for game in log.games)


def test_brain_without_swap2_is_refused_before_the_first_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # With this switch the mock prints messages, and it has no answers for swap2
    assert run(tmp_path / "run", switch="chatty=1") == 1
    message = "pentad: mock could not start: the engine does not know swap2: UNKNOWN SWAP2BOARD"
    assert message in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--openings", "book.txt"], "--swap2 makes the openings: leave --openings out"),
        (["--engine", "player=greedy"], "--swap2: greedy does not support it"),
    ],
)
def test_impossible_options_are_refused(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "book.txt").write_text("h8\n", encoding="utf-8")
    arguments_in_folder = [str(tmp_path / text) if text == "book.txt" else text for text in arguments]
    assert run(tmp_path / "run", *arguments_in_folder) == 2
    assert message in capsys.readouterr().err
