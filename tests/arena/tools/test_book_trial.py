"""Openings that an engine wins with the same side whatever it does are dropped from a book, and nothing else is."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.log.events import GameEnded, RunResumed
from arena.log.file import LOG_NAME, LogWriter, Run, read_run
from arena.options.openings import BookTestOptions
from arena.run.provenance import describe_run
from arena.terms.arguments import choose_book
from arena.terms.ending import Ending
from arena.terms.plan import Pair
from arena.tools.book_trial import configure_test, judge_openings, write_kept_openings
from core.play.player import Setup
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME

BOOK = "1\n2\n3\n1 1\n2 2\n1 1 1\n"


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text(BOOK, encoding="utf-8")
    return path


def test_what_one_side_wins_every_time_is_dropped(book: Path, tmp_path: Path) -> None:
    """Each opening's two games: both won by the first side, by the second, by one engine, drawn, lost by a fault."""
    config = configure_test(
        PILE_GAME,
        PILE_GAME.default_setup,
        choose_book(book, PILE_GAME, PILE_GAME.default_setup),
        BookTestOptions(test=["player=one"], out=tmp_path),
    )
    a, b = config.names
    results = [("1-0", "1-0"), ("0-1", "0-1"), ("1-0", "0-1"), ("draw", "draw"), ("time", "time"), ("1-0", "draw")]
    games = []
    for number, result in enumerate((result for pair in results for result in pair), 1):
        first, second = (a, b) if number % 2 else (b, a)
        ending = {"draw": Ending.DRAW, "time": Ending.TIME}.get(result, Ending.WIN)
        winner = {"1-0": first, "time": first, "0-1": second, "draw": ""}[result]
        blamed = second if result == "time" else ""
        games.append(GameEnded(number, (number + 1) // 2, first, second, ending, winner, blamed, "", (), ()))
    run = Run(describe_run(config, ()), tuple(games), frozenset(range(1, 7)))
    judged = judge_openings(run, config)
    assert [(opening.winner, opening.faulty) for opening in judged] == [
        (0, False),
        (1, False),
        (None, False),
        (None, False),
        (None, True),
        (None, False),
    ]
    assert write_kept_openings(run, config, "pentad openings pile").splitlines() == [
        "# pentad openings pile",
        "# 4 of 6 kept; dropped, as one side wins every game: 1 won by the first, 1 won by the second side",
        "# 1 of the kept ones not judged, because a game ended by a fault",
        "3",
        "1 1",
        "2 2",
        "1 1 1",
        "# won by the first side: 1",
        "# won by the second side: 2",
    ]


def test_share_of_the_points_decides(book: Path, tmp_path: Path) -> None:
    """Three engines play six games of each opening; three of four points are less than 0.76 of them."""
    config = configure_test(
        PILE_GAME,
        PILE_GAME.default_setup,
        choose_book(book, PILE_GAME, PILE_GAME.default_setup),
        BookTestOptions(test=["player=one", "player=dice", "player=dice"], out=tmp_path),
    )
    scores = {0: "111111", 1: "111110", 2: "000001", 3: "11110d", 4: "1111dd", 5: "d00d00"}  # of the first side
    games = [
        game
        for pair in config.plan()
        if pair.opening is not None
        for game in _make_pair(pair, config.names, scores[pair.opening])
    ]
    run = Run(describe_run(config, ()), tuple(games), frozenset(pair.number for pair in config.plan()))
    assert [opening.winner for opening in judge_openings(run, config)] == [0, None, None, None, None, None]
    assert [opening.winner for opening in judge_openings(run, config, 5 / 6)] == [0, 0, 1, None, 0, 1]
    assert [opening.winner for opening in judge_openings(run, config, 0.76)] == [0, 0, 1, None, 0, 1]
    assert [opening.winner for opening in judge_openings(run, config, 0.75)] == [0, 0, 1, 0, 0, 1]
    text = write_kept_openings(run, config, "command", 0.75)
    assert "0 of 6 kept; dropped, as one side has 75% of the points or more: 4 won by the first, 2 won by the" in text


def _make_pair(pair: Pair, names: tuple[str, ...], scores: str) -> list[GameEnded]:
    """The two games of a pair, which are the next two of its opening's six."""
    before = 2 * ((pair.number - 1) % 3)
    made = []
    for game, score in zip(pair.games, scores[before : before + 2], strict=True):
        first = names[game.first]
        second = names[pair.engines[0] + pair.engines[1] - game.first]
        ending, winner = (Ending.DRAW, "") if score == "d" else (Ending.WIN, first if score == "1" else second)
        made.append(GameEnded(game.number, pair.number, first, second, ending, winner, "", "", (), ()))
    return made


def test_engines_at_different_nodes_play_each_other(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    command = [
        "openings",
        "pile",
        "--book",
        str(book),
        "--test",
        "player=dice,tc=N=20",
        "--test",
        "player=dice,tc=N=30",
    ]
    assert cli.run([*command, "--out", str(out)]) == 0
    made_by = capsys.readouterr().out.splitlines()[0]
    assert made_by == f"# pentad openings pile --size 9 --rule normal --book {book} " + " ".join(command[4:])
    run = read_run(out)
    assert [engine.tc for engine in run.header.engines] == ["N=20", "N=30"]
    assert len(run.games) == 2 * 6
    assert cli.run([*command, "--test", "player=one", "--out", str(out)]) == 2
    assert "holds another run" in capsys.readouterr().err


def read_kept(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_book_is_played_and_what_is_kept_is_a_book(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Dice decide some games; what is kept is compared with a count of the log's games."""
    out = tmp_path / "run"
    command = ["openings", "pile", "--book", str(book), "--test", "player=dice", "--games", "4", "--out", str(out)]
    assert cli.run(command) == 0
    captured = capsys.readouterr()
    winners = defaultdict(list)
    for game in read_run(out).games:
        winners[" ".join(game.opening)].append(game.winner == game.first)
    assert [len(sides) for sides in winners.values()] == [4] * 6
    expected = [line for line in BOOK.splitlines() if len(set(winners[line])) > 1]
    assert 0 < len(expected) < 6
    assert read_kept(captured.out) == expected
    assert (out / "openings.txt").read_text(encoding="utf-8") == captured.out
    assert "Finished game 24 (dice-" in captured.err
    kept = choose_book(out / "openings.txt", PILE_GAME, PILE_GAME.default_setup)
    assert [" ".join(line) for line in kept.lines] == expected


def test_test_that_was_broken_off_goes_on(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    command = ["openings", "pile", "--book", str(book), "--test", "player=dice", "--out", str(out)]
    assert cli.run(command) == 0
    whole = capsys.readouterr().out
    events = read_log(out)
    (out / LOG_NAME).unlink()
    with LogWriter(out) as log:
        for event in events[:6]:  # header and a pair
            log.write(event)
    assert cli.run(command) == 0
    assert capsys.readouterr().out == whole
    assert sum(isinstance(event, RunResumed) for event in read_log(out)) == 1
    assert cli.run(command) == 0
    assert capsys.readouterr().out == whole
    assert cli.run([*command, "--tc", "3"]) == 2
    assert f"{out} holds another run: choose another --out" in capsys.readouterr().err


def test_first_line_of_a_book_makes_it_again(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["openings", "pile", "5", "--book", str(book), "--test", "player=dice", "--games", "4", "--tc", "2"]
    command += ["--decided", "0.75"]
    assert cli.run([*command, "--out", str(tmp_path / "run")]) == 0
    whole = capsys.readouterr().out
    again = shlex.split(whole.splitlines()[0].removeprefix("# pentad"))
    assert cli.run([*again, "--out", str(tmp_path / "again")]) == 0
    assert capsys.readouterr().out == whole


def test_openings_are_not_made_again_for_a_test_that_was_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Making them may take hours; another number of them is another test."""
    made = []

    def make(_setup: Setup, plies: int, _depth: int, seed: int) -> Iterator[list[str]]:
        for count in range(100):
            made.append(count)
            yield [str(1 + (seed + count) % 3)] * plies

    game = replace(PILE_GAME, make_openings=make)
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": game})
    command = ["openings", "pile", "3", "--moves", "2", "--test", "player=dice", "--out", str(tmp_path / "run")]
    assert cli.run(command) == 0
    assert made == [0, 1, 2]
    whole = capsys.readouterr().out
    source = "pentad openings pile 3 --size 9 --rule normal --moves 2 --depth 8 --seed 1"
    assert whole.splitlines()[0] == f"# {source} --test player=dice"
    assert cli.run(command) == 0
    assert capsys.readouterr().out == whole
    assert made == [0, 1, 2]
    assert cli.run([*command[:2], "4", *command[3:]]) == 2
    assert "holds another run: choose another --out" in capsys.readouterr().err
    assert made == [0, 1, 2, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--book", "x"], "--book is a file of openings to test: give --test ENGINE"),
        (["--test", "player=one", "--book", "/no/such"], "openings /no/such: No such file"),
        (["--test", "player=one", "3"], "this command cannot make openings for Pile"),
        ([], "this command cannot make openings for Pile"),
        (["--test", "player=one", "--book", "BOOK", "--games", "3"], "--games of an opening must be even and 2"),
        (["--test", "player=two", "--book", "BOOK"], "unknown player 'two'"),
        (["--test", "player=one,name=A", "--book", "BOOK"], "--test: the engine plays itself: leave name= out"),
        (["--test", "player=one", "--book", "BOOK", "--decided", "0.5"], "--decided must be above 0.5 and at most 1"),
        (["--test", "player=one", "--book", "BOOK", "--decided", "1.1"], "--decided must be above 0.5 and at most 1"),
    ],
)
def test_mistakes(arguments: list[str], expected: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["openings", "pile", *(str(book) if text == "BOOK" else text for text in arguments)]) == 2
    assert expected in capsys.readouterr().err
