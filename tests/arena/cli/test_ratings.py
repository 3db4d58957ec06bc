"""Tests of `pentad ratings`, and of --anchor and --table in `pentad match` and `pentad report`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import chess.pgn
import pytest

from arena.cli import main as cli
from arena.log.file import LOG_NAME, read_run
from arena.terms.anchors import Anchor
from tests.arena.fakes import PILE_GAME
from tests.arena.rating_list.runs import make_program, make_run_header, play_pairs, write_games

MATCH = "match --game pile --engine player=perfect,name=P:1 --engine player=one --engine player=one,name=Q --games 2"


@pytest.fixture
def only_pile_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


@pytest.fixture
def two_runs(tmp_path: Path) -> list[str]:
    """Return the folders of two runs, of A to C and of B to D."""
    return [
        str(
            write_games(
                tmp_path / names,
                make_run_header([make_program(name) for name in names], seed=number),
                play_pairs(names, 6, seed=number),
            )
        )
        for number, names in enumerate(("ABC", "BCD"))
    ]


def test_runs_become_a_list_and_files(two_runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, games = tmp_path / "list.csv", tmp_path / "games.pgn"
    files = ["--csv", str(table), "--pgn", str(games)]
    assert cli.run(["ratings", *two_runs, "--anchor", "B:2300", "--min-games", "30", *files]) == 0
    output = capsys.readouterr()
    assert "2300 (anchor)" in output.out
    assert output.err == ""
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert sorted(row["name"] for row in rows) == ["B", "C"]  # A and D have 24 games
    stream = io.StringIO(games.read_text(encoding="utf-8"))
    read = [game for _ in range(73) if (game := chess.pgn.read_game(stream))]
    assert len(read) == 72
    assert {game.headers["White"] for game in read} == set("ABCD")


def test_json_is_the_only_output(two_runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Warnings are printed to standard error, so that a script can read standard output."""
    other = make_run_header([make_program("A", "new"), make_program("B")], seed=9)
    folder = write_games(tmp_path / "other", other, play_pairs("AB", 6, seed=9))
    assert cli.run(["ratings", *two_runs, str(folder), "--json"]) == 0
    output = capsys.readouterr()
    (section,) = json.loads(output.out)
    assert sorted(entry["name"] for entry in section["entries"]) == ["A [hash-of-]", "A [new]", "B", "C", "D"]
    assert output.err.startswith(
        "warning: A stands for 2 programs that differ in hash (rated apart; --merge-names rates them as one): "
    )
    assert cli.run(["ratings", *two_runs, str(folder), "--json", "--merge-names"]) == 0
    (section,) = json.loads(capsys.readouterr().out)
    assert sorted(entry["name"] for entry in section["entries"]) == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give at least one folder of a run"),
        (["/nowhere"], "there is no run in /nowhere: no log.jsonl"),
        (["ABC", "--min-games", "-1"], "--min-games must be 0 or more, not -1"),
        (["ABC", "--anchor", "X:1"], "--anchor: no engine is called 'X'; known: A, B, C"),
        (
            ["ABC", "--anchor", "A:much"],
            "--anchor 'A:much': the rating must be a number from -10000 to 10000, not 'much'",
        ),
        (["ABC", "renju", "--pgn", "x.pgn"], "--pgn needs runs of the same game, variant and board, not: gomoku"),
    ],
)
def test_mistakes_are_refused(
    two_runs: list[str], tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    header = make_run_header([make_program("A"), make_program("B")], variant="renju", seed=5)
    write_games(tmp_path / "renju", header, play_pairs("AB", 2, seed=1))
    folders = {"ABC": two_runs[0], "renju": str(tmp_path / "renju")}
    assert cli.run(["ratings", *(folders.get(argument, argument) for argument in arguments)]) == 2
    assert capsys.readouterr().err.startswith(f"pentad: {message}")
    assert not Path("x.pgn").exists()


def test_damaged_log_is_named(two_runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    log = Path(two_runs[0], LOG_NAME)
    log.write_bytes(log.read_bytes().replace(b'"winner":"A"', b'"winner":"Z"', 1))
    assert cli.run(["ratings", *two_runs]) == 1
    assert f"{log}, line " in (error := capsys.readouterr().err)
    assert "winner: 'Z' did not play this game" in error


@pytest.mark.usefixtures("only_pile_game")
def test_anchors_of_a_match_are_in_its_log_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """pentad report uses those of the run, or its own; the log keeps the first ones."""
    run = tmp_path / "run"
    assert cli.run([*MATCH.split(), "--anchor", "P:1:2300", "--anchor", "Q:1000", "--out", str(run)]) == 0
    assert "2300 (anchor)" in capsys.readouterr().out
    assert read_run(run).header.anchor == (Anchor("P:1", 2300.0), Anchor("Q", 1000.0))
    tables = (run / "crosstable.txt").read_bytes()
    assert cli.run(["report", str(run)]) == 0
    assert (run / "crosstable.txt").read_bytes() == tables
    capsys.readouterr()
    assert cli.run(["report", str(run), "--anchor", "one:1700"]) == 0
    assert "1700 (anchor)" in (shown := capsys.readouterr().out)
    assert "2300" not in shown
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    assert summary["ratings"]["anchors"] == ["one"]
    assert read_run(run).header.anchor == (Anchor("P:1", 2300.0), Anchor("Q", 1000.0))
    stream = io.StringIO((run / "results.pgn").read_text(encoding="utf-8"))
    read = [game for _ in range(7) if (game := chess.pgn.read_game(stream))]
    assert [(game.headers["White"], game.headers["Black"]) for game in read] == [
        (game.first, game.second) for game in read_run(run).games
    ]


@pytest.mark.usefixtures("only_pile_game")
def test_anchors_of_a_tournament_file(tmp_path: Path) -> None:
    """A single text or a list of texts, as TOML has them."""
    for number, value in enumerate(('"A:5"', '["A:5", "B:-7.5"]')):
        file = tmp_path / f"{number}.toml"
        engines = "".join(f'[[engine]]\nname = "{name}"\nplayer = "one"\n' for name in "AB")
        file.write_text(f'game = "pile"\nanchor = {value}\n{engines}', encoding="utf-8")
        run = tmp_path / f"run{number}"
        assert cli.run(["match", str(file), "--out", str(run)]) == 0
        assert read_run(run).header.anchor == (Anchor("A", 5.0), Anchor("B", -7.5))[: number + 1]


@pytest.mark.usefixtures("only_pile_game")
def test_unknown_anchor_stops_a_match_before_its_first_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert cli.run([*MATCH.split(), "--anchor", "P:2300", "--out", str(run)]) == 2
    assert "--anchor: no engine is called 'P'; known: P:1, one, Q" in capsys.readouterr().err
    assert not run.exists()
    assert cli.run([*MATCH.split(), "--out", str(run)]) == 0
    capsys.readouterr()
    assert cli.run(["report", str(run), "--anchor", "P:2300"]) == 2
    assert "--anchor: no engine is called 'P'" in capsys.readouterr().err


@pytest.mark.usefixtures("only_pile_game")
def test_two_engines_with_an_anchor_have_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two engines have an Elo difference; with an anchor the other has a rating."""
    engines = ["--engine", "player=one,name=A", "--engine", "player=one,name=B"]
    run = tmp_path / "run"
    assert cli.run(["match", "--game", "pile", *engines, "--anchor", "A:1200", "--out", str(run)]) == 0
    assert "1200 (anchor)" in capsys.readouterr().out
    assert json.loads((run / "summary.json").read_text(encoding="utf-8"))["ratings"]["engines"]["A"] == {
        "elo": 1200.0,
        "error": None,
    }


@pytest.mark.usefixtures("only_pile_game")
def test_gomocup_table_is_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert cli.run([*MATCH.split(), "--out", str(run)]) == 0
    capsys.readouterr()
    assert cli.run(["report", str(run), "--table", "gomocup"]) == 0
    output = capsys.readouterr().out
    assert output.splitlines()[0].split() == ["#", "name", "Elo", "total", "ratio", "1", "2", "3"]
    assert output.splitlines()[-1] == f"as CSV: {run / 'gomocup.csv'}"
    assert (run / "gomocup.csv").read_text(encoding="utf-8").startswith("rank,name,elo,games,")


@pytest.mark.usefixtures("only_pile_game")
def test_run_without_the_key_of_anchors_is_read(tmp_path: Path) -> None:
    """Logs from before this key have none; a log with an unknown or repeated name is refused."""
    run = tmp_path / "run"
    assert cli.run([*MATCH.split(), "--out", str(run)]) == 0
    log = run / LOG_NAME
    content = log.read_bytes()
    log.write_bytes(content.replace(b'"anchor":[],', b"", 1))
    assert b'"anchor"' not in log.read_bytes()
    assert read_run(run).header.anchor == ()
    assert cli.run(["report", str(run)]) == 0
    for names in ("X",), ("Q", "Q"):
        anchors = json.dumps([{"name": name, "rating": 1} for name in names]).encode()
        log.write_bytes(content.replace(b'"anchor":[]', b'"anchor":' + anchors, 1))
        assert cli.run(["report", str(run)]) == 1
