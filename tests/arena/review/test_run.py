"""Reviews of files from end to end: what is written, what goes on after an interruption, and bad input."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from sgfmill import sgf

from arena.cli import main as cli
from arena.console import ExitCode
from arena.review import run as review_run
from arena.review.positions import AnalysedPosition, search_positions

ROOT = Path(__file__).parents[3]
GAME = "h8i9g7h7j8h6i7g9"
KOLIBRAT = "# kolibrat 3x3-3-5: Anna against Ben\na1 b3 b1 c3\n"


@pytest.fixture(autouse=True)
def work_in_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def review(*arguments: str) -> int:
    return cli.run(["review", *arguments])


def test_all_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.txt").write_text(GAME)
    assert review("game.txt", "--nodes", "200") == ExitCode.SUCCESS
    out = tmp_path / "review-game"
    assert sorted(path.name for path in out.iterdir()) == [
        *("annotated.sgf", "review.csv", "review.html", "review.json")
    ]
    content = json.loads((out / "review.json").read_text())
    assert content["moves"] == ["h8", "i9", "g7", "h7", "j8", "h6", "i7", "g9"]
    assert len(content["review"]["moves"]) == 8
    assert len(content["searched"]) == 9
    rows = list(csv.DictReader((out / "review.csv").read_text().splitlines()))
    assert [row["move"] for row in rows] == content["moves"]
    assert [row["grade"] for row in rows] == [move["grade"] for move in content["review"]["moves"]]
    printed = capsys.readouterr().out
    assert "game.txt: Gomoku freestyle 15x15, 8 moves" in printed
    assert f"review to look at: {Path('review-game', 'review.html')}" in printed


def test_the_review_of_another_game_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Regression: files of one name, such as game.txt and game.psq, have the same folder by default."""
    (tmp_path / "game.txt").write_text(GAME)
    review("game.txt", "--nodes", "50")
    before = (tmp_path / "review-game" / "review.json").read_bytes()
    (tmp_path / "game.pos").write_text("h8i9g7")
    assert review("game.pos", "--nodes", "50") == ExitCode.FAILURE
    assert "review-game has the review of another game: choose another --out" in capsys.readouterr().err
    assert (tmp_path / "review-game" / "review.json").read_bytes() == before
    (tmp_path / "game.txt").write_text(GAME + "f6")  # the same game, one move later
    assert review("game.txt", "--nodes", "50") == ExitCode.SUCCESS


def test_the_annotated_sgf_has_the_game_as_its_main_line(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(GAME)
    review("game.txt", "--nodes", "200", "--preset", "expert")
    tree = sgf.Sgf_game.from_bytes((tmp_path / "review-game" / "annotated.sgf").read_bytes())
    played = [node.get_raw("B" if index % 2 == 0 else "W") for index, node in enumerate(tree.get_main_sequence()[1:])]
    assert played == [b"hh", b"ii", b"gg", b"hg", b"jh", b"hf", b"ig", b"gi"]
    errors = [node for node in tree.get_main_sequence() if node.has_property("BM") or node.has_property("DO")]
    assert errors  # otherwise nothing is tested
    assert all(node.has_property("C") and len(node.parent) >= 1 for node in errors)
    assert any(len(node.parent) == 2 for node in errors)  # the better line is a variation


def test_a_second_run_searches_only_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "game.txt").write_text(KOLIBRAT)
    searched: list[int] = []

    def count(stored, settings, plies, on_searched):  # type: ignore[no-untyped-def]
        searched.append(len(plies))
        search_positions(stored, settings, plies, on_searched)

    monkeypatch.setattr(review_run, "search_positions", count)
    totals = []
    for options in (("100", "--from", "3"), ("100",), ("100",), ("101",)):
        searched.clear()
        review("game.txt", "--nodes", *options)
        totals.append(sum(searched))
    assert totals == [3, 2, 0, 5]


def test_an_interrupted_review_keeps_what_was_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "game.txt").write_text(KOLIBRAT)

    def interrupt(stored, settings, plies, on_searched):  # type: ignore[no-untyped-def]
        def searched(position: AnalysedPosition) -> None:
            on_searched(position)
            raise KeyboardInterrupt

        search_positions(stored, settings, plies, searched)

    monkeypatch.setattr(review_run, "search_positions", interrupt)
    assert review("game.txt", "--nodes", "100", "--jobs", "1") == ExitCode.INTERRUPTED
    content = json.loads((tmp_path / "review-game" / "review.json").read_text())
    assert [position["ply"] for position in content["searched"]] == [4]


def test_a_queue_goes_on_after_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.txt").write_text(KOLIBRAT)
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "binary.sgf").write_bytes(b"(;GM[4]\0")
    (tmp_path / "wrong.txt").write_text("h8i9h8")
    code = review("empty.txt", "binary.sgf", "missing.txt", "wrong.txt", "good.txt", "--nodes", "50", "--out", "all")
    assert code == ExitCode.FAILURE
    errors = capsys.readouterr().err
    for text in (
        "empty.txt: there is no game in the text",
        "binary.sgf: the file is binary, not a text of moves",
        "missing.txt: No such file or directory",
        "wrong.txt: move 3, 'h8': h8 is illegal: the square is occupied",
    ):
        assert text in errors
    index = (tmp_path / "all" / "index.html").read_text()
    assert "004-wrong/review.html" in index
    assert "005-good/review.html" in index
    assert "empty.txt</td><td colspan=3>not reviewed: there is no game in the text" in index
    assert (tmp_path / "all" / "005-good" / "review.html").is_file()


def test_an_engine_without_scores_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.txt").write_text(GAME)
    assert review("game.txt", "--nodes", "50", "--engine", "player=random") == ExitCode.FAILURE
    assert "random reports no scores, so no move was graded" in capsys.readouterr().err


def test_a_program_judges_by_its_own_scores(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("h8i9g7")
    command = f"{sys.executable} -m bots.gomoku"
    options = ("--time", "0.3", "--scale", "100", "--jobs", "1", "--lines", "1")
    assert review("game.txt", *options, "--engine", f"cmd={command},dir={ROOT},name=brain") == ExitCode.SUCCESS
    content = json.loads((tmp_path / "review-game" / "review.json").read_text())
    assert content["engine"] == "brain"
    assert any(position["lines"][0].get("probability") for position in content["searched"])


def test_a_damaged_review_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(KOLIBRAT)
    review("game.txt", "--nodes", "50")
    path = tmp_path / "review-game" / "review.json"
    path.write_text(path.read_text()[:500])
    assert review("game.txt", "--nodes", "50") == ExitCode.SUCCESS
    assert len(json.loads(path.read_text())["searched"]) == 5


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "give at least one FILE"),
        (["a", "--time", "0"], "--time must be above 0 s"),
        (["a", "--lines", "0"], "--lines must be 1 or more, not 0"),
        (["a", "--jobs", "-1"], "--jobs must be 0 or more, not -1"),
        (["a", "--from", "3", "--to", "2"], "--from must not be after --to"),
        (["a", "--nodes", "5", "--depth", "3"], "give either --nodes or --depth"),
        (["a", "--scale", "0"], "--scale must be above 0, not 0"),
        (["a", "--game", "chess"], "unknown game 'chess'"),
        (["a", "--tiem", "1"], "Unknown option"),
        (["-", "-"], "- can be given once"),
    ],
)
def test_a_wrong_command_line_is_refused(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert review(*arguments) == ExitCode.USAGE_ERROR
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("name", ["[/b]x", "[red]B[/red]", "A\x1b[31mred"])
def test_names_are_printed_as_plain_text(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Regression: brackets used to be read as markup, which crashed the command, and colours reached the terminal."""
    (tmp_path / "[1] game.psq").write_text(f"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n{name}\nB\n0\n", encoding="utf-8")
    assert review("[1] game.psq", "--nodes", "50") == ExitCode.SUCCESS
    printed = capsys.readouterr().out
    assert name.replace("\x1b", "?") in printed
    assert "\x1b" not in printed


@pytest.mark.parametrize("change", [("moves", []), ("moves", ["zz9"]), ("probability", 7)])
def test_a_stored_position_that_does_not_fit_the_game_is_searched_again(
    change: tuple[str, object], tmp_path: Path
) -> None:
    (tmp_path / "game.txt").write_text(KOLIBRAT)
    review("game.txt", "--nodes", "50")
    path = tmp_path / "review-game" / "review.json"
    content = json.loads(path.read_text())
    content["searched"][1]["lines"][0][change[0]] = change[1]
    path.write_text(json.dumps(content))
    assert review("game.txt", "--nodes", "50") == ExitCode.SUCCESS
    line = json.loads(path.read_text())["searched"][1]["lines"][0]
    assert line["moves"] != change[1]
    assert line["moves"]
    assert 0 <= line["probability"] <= 1


def test_another_engine_of_the_same_name_searches_anew(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(KOLIBRAT)
    for level in (10, 1):
        review("game.txt", "--nodes", "50", "--engine", f"player=pentad:level={level},name=same")
        content = json.loads((tmp_path / "review-game" / "review.json").read_text())
        assert content["search"]["command"] == f"pentad:level={level}"


def test_a_first_move_after_the_end_and_a_missing_game_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.txt").write_text(KOLIBRAT)
    assert review("game.txt", "--from", "9") == ExitCode.FAILURE
    assert "--from 9 is after the last move of the game, 4" in capsys.readouterr().err
    assert review("game.txt", "--game", "2") == ExitCode.FAILURE
    assert "the file has no game 2; it has 1" in capsys.readouterr().err
