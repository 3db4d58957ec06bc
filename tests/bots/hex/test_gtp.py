"""Hex over GTP: HexGui's conventions, GoGui's coordinates, files, the solver, and mutated input."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from bots.hex.gtp import GTP
from bots.hex.gtp_commands import make_commands
from bots.hex.opening.first_moves import solved_openings
from bots.hex.players import PLAYERS
from core.play.player import build_player
from core.play.squares import format_square
from protocols.gtp.session import GtpSession
from protocols.gtp.text import parse_line, parse_response
from protocols.serving.serve import decode_line
from tests.bots.hex.naive import NaiveHex
from tests.protocols.gtp.test_fuzz import AnswerChecker, mutate

# Commands from which `test_every_command_gets_one_answer` makes its lines.
COMMANDS = """boardsize 4|boardsize 3 5|boardsize 20|clear_board|play b a1|play white b2|3 play black c3|play w d4|
play w swap-pieces|play w resign|genmove b|genmove white|reg_genmove b|undo|showboard|final_score|time_settings 0 1 1|
time_left b 5 0|all_legal_moves b|all_legal_moves|loadsgf tests/data/gtp/game.sgf 2|set_position 2wb/1b2/4/4 b|
set_position 1b/2/w1 w|showposition|legal_moves|perft 2|result|solve 1|dfpn-solve-state black|dfpn-solve-state|
dfpn-solver-find-winning white|vc-build black|vc-build|hex-connections white|
analyze b 1|player queenbee:depth=1|player potentials|player sexsearch:depth=1,seed=3|pv|hex-costs|
param_player seed 3|param_gtp coordinates go|param_gtp coordinates own|param_game allow_swap 0|param_game allow_swap 1|
hexgui-analyze_commands|gogui-rules_board|gogui-rules_legal_moves|gogui-rules_side_to_move|
# interrupt""".replace("\n", "").split("|")


class GtpTalk:
    """A GTP session that answers synchronously; `player` has the name and options of its player."""

    def __init__(self, player: str = "potentials:seed=1") -> None:
        self.answers: list[str] = []
        self.session = GtpSession(
            build_player(PLAYERS, player),
            GTP,
            self.answers.append,
            name="Pentad",
            version="1",
            kinds=PLAYERS,
            commands=make_commands,
            warn=pytest.fail,
            threaded=False,
        )

    def ask(self, line: str) -> str:
        """Send a command that must succeed; return the text of the answer."""
        response = self._ask(line)
        assert response[0], f"{line}: {response[1]}"
        return response[1]

    def fail(self, line: str) -> str:
        """Send a command that must fail; return the text of the answer."""
        response = self._ask(line)
        assert not response[0], f"{line}: {response[1]}"
        return response[1]

    def _ask(self, line: str) -> tuple[bool, str]:
        self.session.handle(line)
        response = parse_response(self.answers[-1].split("\n")[:-1])
        assert response
        return response.ok, response.text


def test_hexgui_attaches_and_sets_a_position_up_in_reading_order() -> None:
    """After a swap HexGui sends one white stone and asks for black's move; after a jump it sends all stones row by
    row.
    """
    talk = GtpTalk()
    for line in ("boardsize 11 11", "clear_board", "clear_board", "play white d2"):
        assert talk.ask(line) == ""
    assert re.fullmatch("[a-k][0-9]+", talk.ask("genmove black"))
    talk.ask("boardsize 5 5")
    for cell in ("black a1", "black b1", "white c1", "white a2", "black e5"):
        talk.ask(f"play {cell}")
    assert talk.ask("showposition") == "bbw2/w4/5/5/4b w"
    assert talk.ask("genmove black") != talk.ask("genmove black")
    for _ in range(7):
        talk.ask("undo")
    assert talk.fail("undo") == "cannot undo: there is no move to take back"
    assert talk.ask("showposition") == "5/5/5/5/5 b"


def test_stones_are_accepted_after_the_end_and_genmove_resigns() -> None:
    talk = GtpTalk()
    talk.ask("set_position 1b/b1 w")
    assert (talk.ask("final_score"), talk.ask("genmove white"), talk.ask("genmove black")) == ("B+", "resign", "resign")
    talk.ask("play white a1")
    talk.ask("play black b2")
    assert talk.fail("play white a1").startswith("illegal move: white a1 (white a1 is illegal: the cell is occupied")
    assert talk.ask("showposition") == "wb/bb w"
    assert talk.ask("gogui-rules_legal_moves") == ""
    assert talk.ask("gogui-rules_final_result") == "Black wins"


def test_resignation_is_sent_and_plays_nothing() -> None:
    talk = GtpTalk("pentad:resign=true,hash=16")
    talk.ask("boardsize 5")
    for cell in ("black c3", "white a1", "black c2"):
        talk.ask(f"play {cell}")
    assert talk.ask("reg_genmove white") == talk.ask("genmove white") == "resign"
    assert talk.ask("showposition") == "w4/2b2/2b2/5/5 w"


def test_swap_by_parameter() -> None:
    talk = GtpTalk()
    assert "[bool] allow_swap 0" in talk.ask("param_game")
    talk.ask("boardsize 5")
    talk.ask("play black b4")
    assert "has no swap" in talk.fail("play white swap-pieces")
    talk.ask("param_game allow_swap 1")
    assert talk.ask("all_legal_moves white").endswith(" swap-pieces")
    talk.ask("play white swap-pieces")
    assert talk.ask("showposition") == "5/3w1/5/5/5 b"
    talk.ask("undo")
    assert talk.ask("showposition") == "5/5/5/1b3/5 w"
    assert "square board" in talk.fail("boardsize 5 4")


def test_swap_of_a_loaded_game_ends_with_it(tmp_path: Path) -> None:
    """Otherwise a host without the swap rule would get `swap-pieces` in its next game."""
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[11]SZ[5];B[c3];W[swap-pieces];B[a1])")
    for chosen in (0, 1):
        for begin in ("boardsize 5", "clear_board", "set_position 5/5/5/5/5 b"):
            talk = GtpTalk()
            talk.ask(f"param_game allow_swap {chosen}")
            for _ in range(2):
                talk.ask(f"loadsgf {file}")
            assert "allow_swap 1" in talk.ask("param_game")
            talk.ask(begin)
            assert f"allow_swap {chosen}" in talk.ask("param_game")


def test_white_does_not_swap_out_of_turn() -> None:
    """A swap is neither listed nor chosen for white while it is black's turn."""
    talk = GtpTalk("pentad:level=1,hash=16")
    talk.ask("boardsize 5")
    talk.ask("param_game allow_swap 1")
    talk.ask("set_position 5/5/1b3/5/5 b")
    assert "swap-pieces" not in talk.ask("all_legal_moves white")
    assert re.fullmatch("[a-e][1-5]", talk.ask("genmove white"))
    talk.ask("set_position 5/5/1b3/5/5 w")
    assert talk.ask("genmove white") == "swap-pieces"


def test_gogui_coordinates_are_converted() -> None:
    """From nine columns on, the two kinds of coordinates name different cells, so a mistake would fail silently."""
    talk = GtpTalk()
    talk.ask("boardsize 9")
    talk.ask("param_gtp coordinates go")
    talk.ask("play black J1")
    assert talk.fail("play white I1").startswith("illegal move: white I1")
    assert talk.ask("gogui-rules_board").splitlines()[-1] == ". . . . . . . . X"
    assert talk.ask("gogui-rules_board_size") == "9 hex"
    letters, *rows = talk.ask("showboard").splitlines()
    assert letters.split() == list("ABCDEFGHJ")
    assert [row.split()[0] for row in rows] == list("987654321")
    assert rows[-1].endswith("X")
    assert re.fullmatch("[A-HJ][1-9]", talk.ask("genmove white"))
    talk.ask("param_gtp coordinates own")
    letters, *rows = talk.ask("showboard").splitlines()
    assert letters == "a b c d e f g h i"
    assert rows[1] == "  2 . . . . . . . . ."
    assert "black i9" in talk.fail("play black i9")


def test_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4]GM[11]SZ[5:4]AB[a1]AW[b2][c3];W[d1];B[d2];W[resign])")
    talk = GtpTalk()
    talk.ask(f"loadsgf {path}")
    assert talk.ask("showposition") == "b2w1/1w1b1/2w2/5 w"
    talk.ask(f"loadsgf {path} 2")
    assert talk.ask("showposition") == "b2w1/1w3/2w2/5 b"
    talk.ask("undo")
    assert talk.fail("undo").startswith("cannot undo")
    path.write_text("(;FF[4]GM[11]SZ[5];B[b4];W[swap-pieces];B[c3])")
    talk.ask(f"loadsgf {path}")
    assert talk.ask("showposition") == "5/3w1/2b2/5/5 w"
    path.write_text("(;FF[4]GM[1]SZ[5];B[b4])")
    assert "expected GM[11]" in talk.fail(f"loadsgf {path}")


def test_loadsgf_reports_the_meaning_of_swap_and_refuses_wrong_turns(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4]EV[hex.mc.2011]SZ[5]SO[http];W[bd];B[swap];W[cc])")
    talk = GtpTalk()
    assert talk.ask(f"loadsgf {path}") == "swap is read as swap-pieces, as Little Golem writes it"
    assert talk.ask("showposition") == "5/3w1/2b2/5/5 w"
    path.write_text("(;FF[4]GM[11]SZ[5];B[bd];W[swap];B[cc])")
    assert "move 3, black c3" in talk.fail(f"loadsgf {path}")
    assert talk.ask("showposition") == "5/3w1/2b2/5/5 w"
    path.write_text("(;FF[4]GM[11]SZ[5];B[bd];W[swap];W[cc])")
    assert talk.ask(f"loadsgf {path}") == "swap is read as swap-sides, as HexGui reads it"
    assert talk.ask("showposition") == "5/5/2w2/1b3/5 b"


@pytest.mark.parametrize(
    "text", ["", "b1/2 x", "b1/3 b", "bx/2 b", "99/99 b", "b1/2", "0 b", f"{'1/' * 19}1 b", "b1 b w", "/ b"]
)
def test_a_bad_position_is_refused_and_changes_nothing(text: str) -> None:
    talk = GtpTalk()
    talk.ask("set_position b1/1w b")
    talk.fail(f"set_position {text}")
    assert talk.ask("showposition") == "b1/1w b"


def test_solver_commands_answer_as_hexgui_expects() -> None:
    """`dfpn-solve-state` answers the winner, and `solve` the result for the side to move."""
    talk = GtpTalk()
    talk.ask("boardsize 4")
    talk.ask("play black a4")
    assert talk.ask("dfpn-solve-state white") == "black"
    assert talk.ask("solve").startswith("loss ")
    talk.ask("undo")
    talk.ask("play black a1")
    assert talk.ask("dfpn-solve-state white") == talk.ask("dfpn-solve-state") == "white"
    assert talk.ask("dfpn-solve-state black") == "black"
    talk.ask("set_position b11/b11/b11/b11/b11/b11/b11/b11/b11/b11/b11/12 w")
    assert talk.ask("dfpn-solve-state") == "black"
    assert talk.ask("solve 1").startswith("loss ")
    talk.ask("boardsize 11")
    assert talk.fail("dfpn-solve-state purple").startswith("colour must be")
    talk.ask("param_gtp move_time 0")
    for depth in (0, 3):  # without a depth limit and with one, the message names the option that lacks time
        talk.ask(f"param_gtp depth {depth}")
        assert "param_gtp move_time" in talk.fail("dfpn-solve-state black")


def test_all_winning_moves_are_found() -> None:
    """The list is compared with the whole game tree, because MoHex omits some winning moves."""
    talk = GtpTalk()
    talk.ask("set_position 1w2/4/w2b b")
    board = NaiveHex(4, 3, {(1, 0): 1, (0, 2): 1, (3, 2): 0})
    for side, colour in enumerate(("black", "white")):
        winning = []
        for x, y in board.empty():
            board.stones[x, y] = side
            winning += [format_square(x, y)] if board.solve(1 - side) == side else []
            del board.stones[x, y]
        assert talk.ask(f"dfpn-solver-find-winning {colour}").split() == winning
    talk.ask("boardsize 7")
    assert len(talk.ask("dfpn-solver-find-winning").split()) == sum(
        winner == 0 for winner, _ in solved_openings(7).values()
    )
    talk.ask("boardsize 9")
    talk.ask("param_gtp move_time 0.05")
    assert "param_gtp move_time" in talk.fail("dfpn-solver-find-winning black")
    talk.ask("set_position 1b/b1 w")
    assert talk.ask("dfpn-solver-find-winning white") == ""


def test_finding_winning_moves_is_interrupted() -> None:
    """HexGui's stop button does not wait for the remaining moves."""
    answers: list[str] = []
    session = GtpSession(
        build_player(PLAYERS, "potentials"),
        GTP,
        answers.append,
        name="Pentad",
        version="1",
        kinds=PLAYERS,
        commands=make_commands,
    )
    session.handle("boardsize 9")
    session.handle("param_gtp move_time 600")
    session.handle("dfpn-solver-find-winning black")
    assert not session.wait_idle(0.3)
    session.handle("# interrupt")
    assert session.wait_idle(20)
    assert answers[-1].startswith("? not solved")


def test_inferior_cells_have_hexguis_codes() -> None:
    """Black's stone on the second row captures the two cells between it and the edge.

    Codes: `fcb` and `fcw`, captured by black or white; `fdb` and `fdw`, dead and filled in for black or white; `x`, not
    worth a move.
    """
    talk = GtpTalk()
    talk.ask("set_position 5/2b2/5/5/5 w")
    words = talk.ask("vc-build white").split()
    codes = dict(zip(words[::2], words[1::2], strict=True))
    assert codes["c1"] == codes["d1"] == "fcb"
    assert set(codes.values()) <= {"fcb", "fcw", "fdb", "fdw", "x"}
    assert "c2" not in codes
    assert "x" in codes.values()
    assert talk.ask("dfpn-solver-find-winning white") == ""
    talk.ask("set_position 1b/b1 w")
    assert talk.ask("vc-build black") == ""
    talk.ask("boardsize 13")
    talk.ask("play black a1")
    assert "a2 x" in talk.ask("vc-build white")


def test_connections_are_listed_as_hexgui_reads_them() -> None:
    """Fields are separated by spaces: two edges, colour, kind, origin, a number, the carrier in brackets, the key if
    semi.
    """
    talk = GtpTalk()
    talk.ask("set_position 3/1b1/3 w")
    full = talk.ask("hex-connections black").split()
    assert full[:8] == ["north", "south", "black", "full", "h-search", "0", "[", "b1"]
    assert sorted(full[7:-1]) == ["a3", "b1", "b3", "c1"]
    talk.ask("boardsize 4")
    for line in talk.ask("hex-connections white").splitlines():
        words = line.split()
        assert words[:7] == ["west", "east", "white", "semi", "h-search", "0", "["]
        assert words[-1] in words[7 : words.index("]")]
    assert "[ a1 b1 c1 d1 a2 " in talk.ask("hex-connections white")
    talk.ask("param_gtp coordinates go")
    assert "[ A4 B4 C4 D4 A3 " in talk.ask("hex-connections white")


def test_costs_are_shown_for_every_empty_cell() -> None:
    talk = GtpTalk()
    talk.ask("set_position 2b/3/1w1 b")
    words = talk.ask("hex-costs").split()
    assert len(words) == 14
    assert sorted(words[::2]) == sorted(talk.ask("legal_moves").split())
    assert [int(cost) for cost in words[1::2]] == sorted(int(cost) for cost in words[1::2])


def test_menus_list_existing_commands() -> None:
    talk = GtpTalk()
    listed = talk.ask("list_commands").splitlines()
    rows = [row.split("/") for row in talk.ask("hexgui-analyze_commands").splitlines()]
    assert {row[2].split()[0] for row in rows} <= set(listed)
    assert "pspairs/Costs by potentials/hex-costs" in talk.ask("gogui-analyze_commands")
    assert "plist/Winning moves/dfpn-solver-find-winning %m" in talk.ask("hexgui-analyze_commands").splitlines()
    assert "dfpn-solve-state" in listed


def test_answers_of_menu_commands_match_a_real_session() -> None:
    """HexGui 0.10 shows only some types of commands (HexGui.java). The answers are from a session in its window."""
    talk = GtpTalk()
    kinds = {row.split("/")[0] for row in talk.ask("hexgui-analyze_commands").splitlines()}
    assert kinds <= {"gfx", "group", "inferior", "move", "param", "plist", "pspairs", "string", "var", "vc"}
    talk.ask("boardsize 4 4")
    for move in ("black b2", "white b3", "black c3", "white c2"):
        talk.ask(f"play {move}")
    edges = "b1 fcb b4 fcb c1 fcb c4 fcb a1 fcw a2 fcw a3 fcw a4 fcw d1 fcw d2 fcw d3 fcw d4 fcw"
    costs = "d1 101 a4 101 c1 102 d2 102 a3 102 b4 102 a1 200 d4 200 b1 201 a2 201 d3 201 c4 201"
    assert talk.ask("dfpn-solver-find-winning b") == ""
    assert talk.ask("vc-build b") == edges
    assert talk.ask("hex-connections b") == ""
    assert talk.ask("hex-costs") == costs


@pytest.mark.parametrize("count", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_every_command_gets_one_answer(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Send random lines, most of them mutated.

    Lines without a known command are skipped: they do not reach the game, and tests/protocols/gtp/test_fuzz.py covers
    them.
    """
    monkeypatch.chdir(Path(__file__).parents[3])  # COMMANDS has the path of a file
    rng, answers = random.Random(50), AnswerChecker()
    session = GtpSession(
        build_player(PLAYERS, "potentials:seed=1"),
        GTP,
        answers,
        name="Pentad",
        version="1",
        kinds=PLAYERS,
        commands=make_commands,
        warn=pytest.fail,
        threaded=False,
    )
    session.handle("boardsize 4")
    session.handle("param_gtp move_time 0.01")
    while count > 0:
        command = rng.choice(COMMANDS).encode()
        line = decode_line(command if rng.random() < 0.4 else mutate(command, rng))
        request = parse_line(line)
        if "quit" in line or (request is not None and request.name not in session.commands):
            continue
        count, answer_count = count - 1, answers.count
        assert session.handle(line), line
        assert answers.count == answer_count + (request is not None), line
    # First six characters of the errors that must occur; "" stands for a success.
    assert {"", "illega", "unacce", "cannot", "option", "colour"} <= answers.error_beginnings
