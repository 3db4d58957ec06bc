"""Kolibrat over GTP: colours, skipped sides, positions, setup and solving."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bots.kolibrat.gtp import GTP
from bots.kolibrat.gtp_commands import make_commands
from bots.kolibrat.players import PLAYERS
from core.play.player import build_player
from protocols.gtp.session import GtpSession
from tests.bots.kolibrat.test_solver import SHIPPED_BOARDS

# Commands after which red has no legal move and is skipped, so black is to move again.
RED_SKIPPED = "set_position 3/3/3/bbb b 0 0 4 5\nplay black a4"


def run_commands(lines: str, player: str = "pentad") -> list[str]:
    """Run GTP commands, one per line, and return the answers without their empty last line."""
    answers: list[str] = []
    session = GtpSession(
        build_player(PLAYERS, player),
        GTP,
        answers.append,
        name="Kolibrat",
        version="1",
        kinds=PLAYERS,
        commands=make_commands,
        threaded=False,
    )
    for line in lines.splitlines():
        session.handle(line)
    return [answer.rstrip("\n") for answer in answers]


def test_play_takes_moves_of_the_side_to_move_only() -> None:
    assert run_commands("play red b1\nplay red a1\nplay b b4\nshowposition\nundo\nshowposition") == [
        "=",
        "? illegal move: red a1 (it is black's turn)",
        "=",
        "= 1b1/3/3/1r1 r 0 0 4 5",
        "=",
        "= 3/3/3/1r1 b 0 0 4 5",
    ]


def test_the_same_colour_plays_twice_when_the_other_is_skipped() -> None:
    assert run_commands(f"{RED_SKIPPED}\nshowposition\nplay black b4\nlegal_moves")[1:] == [
        "=",
        "= b2/3/3/bbb b 0 0 4 5",
        "? illegal move: black b4 (b4 is illegal: black has no piece in hand)",
        "= a4b3 a1off b1off c1off",
    ]


def test_genmove_for_a_skipped_side_is_an_error_and_changes_nothing() -> None:
    answers = run_commands(f"{RED_SKIPPED}\ngenmove red\ngenmove red\nshowposition\ngenmove black")
    assert answers[2] == answers[3] == "? red has no legal move and is skipped: black moves"
    assert answers[4] == "= b2/3/3/bbb b 0 0 4 5"
    assert answers[5].startswith("= ")


def test_pass_is_accepted_only_from_a_skipped_side() -> None:
    assert run_commands(
        f"play red pass\nplay black pass\n{RED_SKIPPED}\nplay red pass\nshowposition\nplay black pass\nundo"
    ) == [
        "? illegal move: red pass (only a side that has just been skipped may pass)",
        "? illegal move: black pass (it is red's turn)",
        "=",
        "=",
        "=",
        "= b2/3/3/bbb b 0 0 4 5",
        "? illegal move: black pass (only a side that has just been skipped may pass)",
        "=",
    ]


def test_genmove_out_of_turn_and_after_the_end() -> None:
    lines = "genmove black\nset_position 1r1/3/3/3 r 4 0 4 5\ngenmove red\nresult\ngenmove black\nfinal_score"
    assert run_commands(lines) == [
        "? it is red's turn",
        "=",
        "= b4off",
        "= red",
        "? the game is over",
        "= R+",
    ]


def test_showboard() -> None:
    [_, answer] = run_commands("set_position 1bb/1b1/1r1/r2 b 3 0 4 5\nshowboard")
    assert answer.splitlines() == [
        "=",
        "4 . b b",
        "3 . b .",
        "2 . r .",
        "1 r . .",
        "  a b c",
        "red: 3 of 5 points, 2 of 4 in hand",
        "black: 0 of 5 points, 1 of 4 in hand",
        "black to move",
    ]


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("kolibrat_setup 3 4 4", "kolibrat_setup arguments must be WIDTH HEIGHT PIECES GOAL, not '3 4 4'"),
        ("kolibrat_setup 3 4 x 5", "kolibrat_setup WIDTH HEIGHT PIECES GOAL expects four integers, not '3 4 x 5'"),
        ("kolibrat_setup 3 10 4 5", "the height must be 2..9, not 10"),
        ("boardsize 10", "unacceptable size: the width must be 2..9, not 10"),
        ("set_position 3/3/3/3 r 0 0 4", "a position has six fields"),
        ("set_position 3/3/3/3 x 0 0 4 5", "the side to move must be r or b, not 'x'"),
        ("param_game goal 0", "option goal must be a whole number from 1 to 50, not '0'"),
        ("play white a1", "colour must be red or black, not 'white'"),
    ],
)
def test_refused_commands_change_nothing(command: str, complaint: str) -> None:
    answers = run_commands(f"play red b1\n{command}\nshowposition")
    assert answers[1].startswith(f"? {complaint}")
    assert answers[2] == "= 3/3/3/1r1 b 0 0 4 5"


def test_setup_of_other_boards() -> None:
    lines = "kolibrat_setup 9 9 15 4\nshowposition\nboardsize 5 6\nparam_game goal 3\nshowposition\nperft 3\nquit"
    assert run_commands(lines) == [
        "=",
        "= 9/9/9/9/9/9/9/9/9 r 0 0 15 4",
        "=",
        "=",
        "= 5/5/5/5/5/5 r 0 0 15 3",
        "= 140",
        "=",
    ]


# Distance of the first point, by board size. The simple method of tests/bots/kolibrat/retrograde.py agrees.
PLIES_TO_FIRST_POINT = {"2x2": 4, "3x3": 9, "3x4": 13, "2x5": 16, "2x6": 31, "5x2": 5, "6x2": 5}


@pytest.mark.parametrize("name", SHIPPED_BOARDS)
def test_solve_answers_from_every_shipped_table(name: str) -> None:
    size, _, pieces = name.partition("-")
    answer = run_commands(f"kolibrat_setup {size.replace('x', ' ')} {pieces} 1\nsolve")[1]
    assert answer.split()[1] in ("win", "loss")
    assert int(answer.split()[3]) == PLIES_TO_FIRST_POINT[size]


def test_solve_searches_without_a_table() -> None:
    assert run_commands("set_position 4/1r2/4/4 r 2 2 3 3\nsolve 5")[1] == "= win b3a4 3"


def test_the_program_needs_only_the_standard_library() -> None:
    """Executables contain no numpy. Importing a constant from a kernel module would break them."""
    # A module that is None in sys.modules cannot be imported.
    block_imports = "import sys; sys.modules.update(dict.fromkeys(('numpy', 'numba', 'llvmlite')))"
    code = f"{block_imports}; import bots.kolibrat.__main__, bots.kolibrat.solver.solve"
    root = Path(__file__).parents[3]
    completed = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert (completed.returncode, completed.stderr) == (0, "")
