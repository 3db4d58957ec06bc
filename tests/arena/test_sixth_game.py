"""A game from another package is played, shown and reported like our own, although no code of Pentad names it.

The package is simulated: its entry point names the game in tests/mocks/tic_tac_toe.
"""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.errors import UsageError
from arena.log.file import read_run
from arena.options.play import PlayOptions
from arena.terms.arguments import find_game
from arena.terms.ending import Ending
from arena.web.play.new_game import make_session
from tests.arena.web.players import open_page, state_of, wait_for
from tests.arena.web.runs import read_report

ROOT = Path(__file__).parents[2]
README = ROOT / "core" / "README.md"
NAME = "tic-tac-toe"
PROGRAM = shlex.join([sys.executable, "-m", "tests.mocks.tic_tac_toe"])


def install_games(folder: Path, monkeypatch: pytest.MonkeyPatch, entry_points: str) -> None:
    """Give Python the metadata of an installed package with these entry points, which name its games."""
    metadata = folder / "games-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: games\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[pentad.games]\n{entry_points}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the game by the entry point in core/README.md; return a folder for the output of the test."""
    (block,) = re.findall("```toml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    entry_points = tomllib.loads(block)["project"]["entry-points"]["pentad.games"]
    assert list(entry_points) == [NAME]
    install_games(tmp_path, monkeypatch, f"{NAME} = tests.mocks.{entry_points[NAME]}")
    return tmp_path


def test_match_records_and_report(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The player in this process and the program both play perfectly, so both games are drawn."""
    out = installed / "run"
    engines = ["--engine", "player=perfect", "--engine", f"cmd={PROGRAM},name=program,dir={ROOT}"]
    match = ["match", "--game", NAME, *engines, "--games", "2", "--tc", "10", "--out", str(out)]
    assert cli.run(match) == 0, capsys.readouterr()
    games = read_run(out).games
    assert [(game.first, game.ending, len(game.all_moves)) for game in games] == [
        ("perfect", Ending.DRAW, 9),
        ("program", Ending.DRAW, 9),
    ]
    record = (out / "games" / "00001.txt").read_text(encoding="utf-8")
    assert record.startswith(f"# {NAME} plain: perfect against program; draw by rule\n{' '.join(games[0].all_moves)}\n")
    assert (out / "games.txt").is_file()
    assert cli.run(["report", "--html", str(out)]) == 0
    report = read_report((out / "report.html").read_text(encoding="utf-8"))
    assert (report.board.game, len(report.board.cells)) == (NAME, 9)
    assert [len(game.changes) for game in report.games] == [10, 10]


@pytest.mark.usefixtures("installed")
def test_play_page() -> None:
    session = make_session(find_game(NAME), PlayOptions(side="second", move_time=0.05))
    page = open_page(session)
    try:
        assert page.get("/api/choices").json()["title"] == "Tic-tac-toe"
        assert page.get("/api/board").json()["how"] == "click a square"
        assert page.get("/api/rules").json()["sections"][0]["pictures"][0]["scene"]["marks"]
        while not (state := wait_for(page, lambda state: state["result"] or state["to_move"] == 1))["result"]:
            move = list(state["legal"])[-1]
            assert page.post("/api/play", json={"move": move, "ply": len(state["moves"])}).status_code == 200
        # The person, who always plays the last free square, loses
        assert state["result"] == {"winner": 0, "reason": "three"}
        saved_game = state["game_text"]
        page.post("/api/new", json={"opponent": "perfect", "person": "both"})
        page.post("/api/hint", json={})
        state_with_hint = wait_for(page, lambda state: not state["analyst_is_busy"] and state["analysis"])
        assert state_with_hint["analysis"][0]["move"] == "a1"
        assert page.post("/api/load", json={"text": saved_game}).status_code == 200
        assert state_of(page)["moves"] == state["moves"]
        assert "usual position" in page.post("/api/load", json={"text": f"{saved_game}# from a1"}).json()["error"]
    finally:
        session.close()


@pytest.mark.usefixtures("installed")
def test_commands_know_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["perft", NAME, "6"]) == 0
    assert "54720" in re.sub(r"\D", "", capsys.readouterr().out)
    assert cli.run(["bench", NAME]) == 0
    assert "depth 9" in capsys.readouterr().out
    assert cli.run(["openings", NAME, "3"]) == 2
    assert "Tic-tac-toe" in capsys.readouterr().err
    assert cli.run(["match", "--game", "chess"]) == 2
    assert "known: gomoku, hex, hive, pentago, kolibrat, tic-tac-toe" in capsys.readouterr().err


@pytest.mark.slow  # the checker gives it seconds to think
@pytest.mark.usefixtures("installed")
def test_program_speaks_gtp(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    assert cli.run(["check", "gtp", "--game", NAME, "--", *shlex.split(PROGRAM)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("tests.mocks.nothing:GAME", "ModuleNotFoundError: No module named 'tests.mocks.nothing'"),
        ("tests.mocks.tic_tac_toe.game:GTP", "a core.play.game.Game is wanted, not GtpGame"),
        ("tests.mocks.tic_tac_toe.game:GAME", "the game is named 'tic-tac-toe'"),
    ],
)
def test_wrong_entry_point_is_reported_when_its_game_is_requested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, message: str
) -> None:
    install_games(tmp_path, monkeypatch, f"other = {value}")
    assert find_game("hex").name == "hex"
    with pytest.raises(UsageError, match=re.escape(f"game 'other', installed as {value}: {message}")):
        find_game("other")


def test_package_cannot_replace_a_game_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_games(tmp_path, monkeypatch, "hex = tests.mocks.tic_tac_toe.game:GAME")
    assert find_game("hex").title == "Hex"
