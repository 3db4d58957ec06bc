"""`pentad match --dry-run` prints what would be played and writes nothing. Engines start once, but do not think."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from arena.cli import main as cli
from tests.arena.fakes import PILE_GAME, ROW_GAME

TWO_ENGINES = ("--engine", "player=one,tc=3", "--engine", "player=perfect,option.seed=4")


@pytest.fixture(autouse=True)
def small_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Replace the built-in games of Pentad by two small ones, and change to an empty folder."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME, "row": ROW_GAME})
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def print_plan(capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """Return the lines that a dry run prints on standard output."""
    assert cli.run(["match", "--dry-run", "--seed", "1", *options]) == 0
    return capsys.readouterr().out.splitlines()


def test_plan_of_a_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("1\n2\n1 1\n", encoding="utf-8")
    options = ("--game", "pile", "--games", "5", "--openings", str(book), "--order", "sequential", "--memory", "200")
    lines = print_plan(capsys, *options, *TWO_ENGINES, "--out", "run", "--adjudicate-draw", "4,3,2")
    assert lines[0].startswith("Pile 9x1 normal, 5 games, 1 s per move, margin 250 ms; one: 3 s per move, seed 1, 3 op")
    assert lines[1] == "records: run (not written)"
    assert lines[2:6] == [
        "one: player one, part of Pentad",
        "  with tc=3",
        "perfect: player perfect, part of Pentad",
        "  with option.seed=4",
    ]
    assert "games at the same time: 1; plies per game: 8; memory per engine: 200 MiB; " in lines[6]
    assert "; draw from move 4 on after 3 scores within 2" in lines[6]
    assert lines[7].startswith("deadlines: 10 s to start, 60 s for a new game, ")
    assert lines[8] == f"openings: {book}, SHA-256 {hashlib.sha256(book.read_bytes()).hexdigest()}"
    assert lines[9:] == [
        "pair 1: game 1 one v perfect, game 2 perfect v one; opening 1: 1",
        "pair 2: game 3 one v perfect, game 4 perfect v one; opening 2: 2",
        "pair 3: game 5 one v perfect; opening 3: 1 1",
        "nothing was played, and no records were written",
    ]
    assert not list(Path().iterdir())


def test_openings_have_their_numbers_in_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """So that a printed number can be given to --openings-start."""
    book = tmp_path / "book.txt"
    book.write_text("1\n2\n3\n", encoding="utf-8")
    options = ("--game", "pile", "--games", "6", "--openings", str(book), "--order", "sequential")
    lines = print_plan(capsys, *options, *TWO_ENGINES, "--openings-start", "2")
    assert [line.rpartition("; ")[2] for line in lines if line.startswith("pair ")] == [
        "opening 2: 2",
        "opening 3: 3",
        "opening 1: 1",
    ]


def test_plan_is_that_of_the_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A plan made in another way than the run's would tell the user about another match."""
    book = tmp_path / "book.txt"
    book.write_text("1\n2\n3\n1 1\n", encoding="utf-8")
    options = ("--game", "pile", "--games", "6", "--openings", str(book), *TWO_ENGINES, "--engine", "player=dice")
    lines = [line for line in print_plan(capsys, *options) if line.startswith("pair ")]
    assert cli.run(["match", "--seed", "1", "--out", "run", *options]) == 0
    rows = [line.split(",") for line in Path("run/results.csv").read_text(encoding="utf-8").splitlines()]
    first, second = rows[0].index("first"), rows[0].index("second")
    planned = [part.split(": ")[-1] for line in lines for part in line.split(";")[0].split(", ")]
    assert planned == [f"game {number} {row[first]} v {row[second]}" for number, row in enumerate(rows[1:], 1)]


def test_only_the_first_pairs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--game", "pile", "--games", "100", *TWO_ENGINES)
    lines = print_plan(capsys, *options)
    assert lines[-3:-1] == [
        "pair 10: game 19 one v perfect, game 20 perfect v one; no opening",
        "... and 40 more pairs; --verbose lists all 50",
    ]
    assert print_plan(capsys, *options, "--verbose")[-2].startswith("pair 50: game 99 one v perfect, game 100")


def test_a_tournament_by_rounds_lists_its_first_round(capsys: pytest.CaptureFixture[str]) -> None:
    """Regression: the plan of a whole Swiss cannot be known, and asking for it failed."""
    engines = [text for name in "ABCDE" for text in ("--engine", f"player=one,name={name}")]
    lines = print_plan(capsys, "--game", "pile", "--format", "swiss", *engines)
    assert "Round 1: A - C, B - D; bye: E" in lines
    assert [line for line in lines if line.startswith("pair ")] == [
        "pair 1: game 1 A v C, game 2 C v A; no opening",
        "pair 2: game 3 B v D, game 4 D v B; no opening",
    ]
    assert lines[-2] == "these are the pairs of the first round; later pairings depend on the results"


def test_program_is_hashed_and_begins_a_game_without_a_move(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script, input_file = tmp_path / "brain.py", tmp_path / "input"
    code = f"import sys\nfor line in sys.stdin:\n  open({str(input_file)!r}, 'a').write(line)\n"
    script.write_text(
        code + "  if line.split()[0] in ('START', 'RESTART'): print('OK', flush=True)\n", encoding="utf-8"
    )
    engine = f"cmd={sys.executable} {script},env.A=b"
    lines = print_plan(capsys, "--game", "row", "--engine", engine, "--engine", "player=last")
    hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (Path(sys.executable), script)]
    digest = hashlib.sha256(" ".join(hashes).encode()).hexdigest()
    assert f"brain: {sys.executable} {script} (gomocup), SHA-256 {digest}" in lines
    assert "  with env.A=b" in lines
    words = [line.split()[0] for line in input_file.read_text(encoding="utf-8").splitlines()]
    assert "START" in words
    assert not {"BEGIN", "TURN", "BOARD"} & set(words)


def test_program_that_would_be_refused_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    engine = f"cmd={sys.executable} -c 'import sys; sys.exit(5)',name=broken"
    assert cli.run(["match", "--dry-run", "--game", "row", "--engine", engine, "--engine", "player=last"]) == 1
    assert capsys.readouterr() == ("", "pentad: broken could not start: exited with status 5\n")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--quiet",), 2, "--dry-run plays nothing: leave it or --quiet out"),
        (("--json",), 2, "--dry-run plays nothing: leave it or --json out"),
        (("--boards",), 2, "--dry-run plays nothing: leave it or --boards out"),
        (("--games", "4", "--strict"), 1, "--strict: no openings"),
        (("--games", "3", "--sprt", "0,5"), 2, "--games must be even"),
    ],
)
def test_mistakes_are_found(
    options: tuple[str, ...], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["match", "--game", "pile", "--dry-run", *options, *TWO_ENGINES]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert not captured.out
