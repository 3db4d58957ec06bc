"""Tests of the `pentad` command with Hive: matches and checks of UHP engines, perft, openings, game records."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from arena.check import uhp as check_uhp
from arena.cli import main as cli
from arena.log.events import GameEnded
from arena.terms.ending import Ending
from bots.hive.position import HivePosition
from core.native.load_kernels import load_kernels
from tests.arena.events import read_log
from tests.bots.hive.test_boardspace import OPENING_EVENTS, boardspace_sgf
from tests.bots.hive.test_perft import POSITIONS, START_PERFT

load_kernels("hive", False)  # before the tests, because a compilation prints to standard error, which they compare
MOCK_ENGINE = f"{sys.executable} -m tests.mocks.hive_engine"


@pytest.mark.parametrize("command", ["check uhp", "convert"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*command.split(), "--help"]) == 0
    assert "Usage: pentad" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("check uhp", "the command of the engine is missing"),
        ("check uhp --games 0 -- engine", "--games must be 1 or more, not 0"),
        ("check uhp --type Base+X -- engine", "unknown type of game 'Base+X'"),
        ("check uhp --positions /no/such/file -- engine", "positions /no/such/file: No such file"),
        ("convert", "give at least one FILE"),
        ("perft hive 1 --size 9", "Hive has one board: --size does not apply"),
        ("perft hive 1 --type Base+X", "unknown type of game 'Base+X'"),
        ("perft hive 1 --type Base+M --position Base;;;wS1", "a game of Base, not of Base+M"),
        ("perft hive 1 --position Base;;;wQ", "the queen may not be placed on the first turn"),
    ],
)
def test_mistake_gets_a_message_of_one_line(command: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(command.split()) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out


@pytest.mark.parametrize("variant", ["Base", "Base+MLP", "base+pm"])
def test_perft_of_a_game_type(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["perft", "hive", "4", "--type", variant]) == 0
    count = START_PERFT["Base+MP" if variant == "base+pm" else variant][3]  # depth 4; the first count is of depth 1
    assert re.fullmatch(rf"perft 4: {count} in [\d.]+ s, [\d.]+ M nodes per second\n", capsys.readouterr().out)


def test_perft_of_a_gamestring_uses_its_game_type(capsys: pytest.CaptureFixture[str]) -> None:
    entry = dict(POSITIONS[-1])
    assert cli.run(["perft", "hive", "2", "--position", entry["game"], "--divide"]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    counts = entry["perft"].split()
    assert len(lines) == int(counts[0])
    assert sum(int(line.split()[-1]) for line in lines) == int(counts[1])
    assert total.startswith(f"perft 2: {counts[1]} in ")


def test_openings_are_gamestrings(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["openings", "hive", "2", "--type", "Base+L", "--moves", "6", "--depth", "1"]) == 0
    output = capsys.readouterr()
    assert output.err == "searching 2 openings to depth 1\n"
    title, *games = output.out.splitlines()
    assert title == "# pentad openings hive 2 --rule Base+L --moves 6 --depth 1 --seed 1"
    assert [HivePosition.from_game(game).game_string() for game in games] == games
    assert len(games) == 2


def test_match_over_uhp(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.txt"
    book.write_text("Base+P;InProgress;White[2];wS1;bS1 wS1-\nwA1;bA1 wA1/\n", encoding="utf-8")
    command = ["match", "--game", "hive", "--rule", "Base+P", "--engine", f"cmd={MOCK_ENGINE},name=mock,option.Level=3"]
    command += ["--engine", "player=aggro", "--games", "4", "--tc", "10", "--seed", "1", "--out", str(tmp_path / "run")]
    assert cli.run([*command, "--openings", str(book)]) == 0
    assert "played 4 of 4 games" in capsys.readouterr().out
    games = [event for event in read_log(tmp_path / "run") if isinstance(event, GameEnded)]
    assert {game.ending for game in games} <= {Ending.WIN, Ending.DRAW, Ending.MOVE_CAP}
    for game in games:
        record = (tmp_path / "run" / "games" / f"{game.number:05}.uhp").read_text(encoding="utf-8").splitlines()
        position = HivePosition.from_game(record[0])
        assert [position.game_string()] == record
        assert tuple(position.moves) == game.all_moves
        winner = {"WhiteWins": game.first, "BlackWins": game.second}.get(record[0].split(";")[1], "")
        assert winner == game.winner


def test_node_limit_is_sent_or_the_match_is_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An engine that cannot get the limit would search without one, and the match would not be fair."""
    command = ["match", "--game", "hive", "--engine", "player=aggro", "--games", "2", "--nodes", "50"]
    io_log = ["--io-log", "--out", str(tmp_path / "limited")]
    assert cli.run([*command, "--max-plies", "12", "--engine", f"cmd={MOCK_ENGINE},name=mock", *io_log]) == 0
    logs = sorted((tmp_path / "limited").rglob("*mock*.log"))
    assert logs
    assert all("options set Nodes 50" in path.read_text(encoding="utf-8") for path in logs)
    engine_without_nodes = f"cmd={sys.executable} -m tests.mocks.uhp_engine ponders=1,name=mock"
    assert cli.run([*command, "--engine", engine_without_nodes, "--out", str(tmp_path / "other")]) == 1
    message = "pentad: mock could not start: cannot send the limit nodes: the engine has no option Nodes"
    assert message in capsys.readouterr().err


def test_match_with_an_engine_that_exits_is_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "match",
        "--game",
        "hive",
        "--engine",
        f"cmd={MOCK_ENGINE} dies=9,name=mock",
        "--engine",
        "player=random",
    ]
    assert cli.run([*command, "--games", "4", "--tc", "10", "--out", str(tmp_path)]) == 1
    assert "stopped: mock failed in 2 consecutive games: exited with status 3" in capsys.readouterr().out


def test_check_prints_each_item_and_fails_a_wrong_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.check.uhp.CHECK_ITEMS", check_uhp.CHECK_ITEMS[:1])
    positions = tmp_path / "positions.txt"
    positions.write_text("Base;;;wS1\nBase+M;;;wM\n", encoding="utf-8")
    command = ["check", "uhp", "--games", "2", "--type", "Base+M", "--type", "base", "--positions", str(positions)]
    assert cli.run([*command, "--every", "9", "--", *MOCK_ENGINE.split()]) == 0
    assert cli.run([*command, "--", *MOCK_ENGINE.split(), "omit=10"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pass  1 the banner is the answer to info: id Mock Hive 1.0")
    assert lines[1] == "pass 19 legal moves in given positions: 2 positions"
    assert lines[2].startswith("pass 20 legal moves and states in random games: 2 games (")
    assert lines[3] == "3 of 3 checks passed"
    assert (
        lines[6]
        == "FAIL 20 legal moves and states in random games: game 1 of 2, Base+M, ply 10: the legal moves differ"
    )
    assert lines[7].startswith("game: Base+M;InProgress;White[6];")
    assert lines[8] == "only the engine: none"
    assert lines[9].startswith("only our rules: ")
    assert lines[10] == "2 of 3 checks passed"


def test_convert_prints_one_line_per_file_and_reports_wrong_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.sgf", tmp_path / "bad.sgf"
    good.write_text(boardspace_sgf("hive-plm", *OPENING_EVENTS), encoding="utf-8")
    bad.write_text("nothing", encoding="utf-8")
    assert cli.run(["convert", str(good), str(bad), str(good)]) == 1
    captured = capsys.readouterr()
    assert captured.out.splitlines() == ["Base+MLP;InProgress;White[2];wL;bG1 /wL"] * 2
    assert captured.err == f"pentad: {bad}: expected a Hive game, not 'a file without SU'\n"
    assert cli.run(["convert", str(good)]) == 0
