"""`pentad openings --test` drops the openings that the same side wins too often, and continues an interrupted test.

The openings are of the pile game (`tests/arena/fakes.py`): a move is the number of stones taken, from 1 to 3 of 9.
"""

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
from arena.run.config import MatchConfig
from arena.run.provenance import describe_run
from arena.terms.arguments import choose_book
from arena.terms.ending import Ending
from arena.terms.plan import Pair
from arena.tools.book_trial import configure_test, judge_openings, write_kept_openings
from core.play.player import Setup
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME

BOOK = "1\n2\n3\n1 1\n2 2\n1 1 1\n"  # an opening file with six openings, one per line


@pytest.fixture(autouse=True)
def only_pile_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return the path of an opening file with the text BOOK."""
    path = tmp_path / "book.txt"
    path.write_text(BOOK, encoding="utf-8")
    return path


def make_config(book: Path, out: Path, *engines: str) -> MatchConfig:
    """Return the match in which these engines test a book; a single engine plays against itself."""
    setup = PILE_GAME.default_setup
    options = BookTestOptions(test=list(engines), out=out)
    return configure_test(PILE_GAME, setup, choose_book(book, PILE_GAME, setup), options)


def test_openings_that_one_side_always_wins_are_dropped(book: Path, tmp_path: Path) -> None:
    """A draw, or one game for each side, keeps an opening; one with a loss on time is not judged."""
    config = make_config(book, tmp_path, "player=one")
    engine_a, engine_b = config.names
    # by opening: the results of its two games, for the first side; time: the second side loses on time
    results = [("1-0", "1-0"), ("0-1", "0-1"), ("1-0", "0-1"), ("draw", "draw"), ("time", "time"), ("1-0", "draw")]
    games = []
    for number, result in enumerate((result for pair in results for result in pair), 1):
        first, second = (engine_a, engine_b) if number % 2 else (engine_b, engine_a)
        ending = {"draw": Ending.DRAW, "time": Ending.TIME}.get(result, Ending.WIN)
        winner = {"1-0": first, "time": first, "0-1": second, "draw": ""}[result]
        blamed = second if result == "time" else ""
        games.append(GameEnded(number, (number + 1) // 2, first, second, ending, winner, blamed, "", (), ()))
    run = Run(describe_run(config, ()), tuple(games), frozenset(range(1, 7)))
    judged = judge_openings(run, config)
    assert [(opening.winner, opening.is_faulty) for opening in judged] == [
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


def test_opening_is_dropped_if_a_side_has_the_decided_share(book: Path, tmp_path: Path) -> None:
    """Three engines play six games per opening. A side with 4.5 of 6 points has a share of exactly 75 %.

    The third argument of `judge_openings` is the share from which on an opening is dropped, by default 1.
    """
    config = make_config(book, tmp_path, "player=one", "player=dice", "player=dice")
    # by index of the opening: results of its six games, for the first side; 1: won, 0: lost, d: draw
    results = {
        0: "111111",
        1: "111110",
        2: "000001",
        3: "11110d",
        4: "1111dd",
        5: "d00d00",
    }
    games = [
        game
        for pair in config.plan()
        if pair.opening is not None
        for game in _make_pair(pair, config.names, results[pair.opening])
    ]
    run = Run(describe_run(config, ()), tuple(games), frozenset(pair.number for pair in config.plan()))
    assert [opening.winner for opening in judge_openings(run, config)] == [0, None, None, None, None, None]
    assert [opening.winner for opening in judge_openings(run, config, 5 / 6)] == [0, 0, 1, None, 0, 1]
    assert [opening.winner for opening in judge_openings(run, config, 0.76)] == [0, 0, 1, None, 0, 1]
    assert [opening.winner for opening in judge_openings(run, config, 0.75)] == [0, 0, 1, 0, 0, 1]
    text = write_kept_openings(run, config, "command", 0.75)
    assert "0 of 6 kept; dropped, as one side has 75% of the points or more: 4 won by the first, 2 won by the" in text


def _make_pair(pair: Pair, names: tuple[str, ...], results: str) -> list[GameEnded]:
    """Return the two games of a pair; `results` has the results of the three pairs that play its opening."""
    start = 2 * ((pair.number - 1) % 3)  # index of the pair's first result
    games = []
    for game, result in zip(pair.games, results[start : start + 2], strict=True):
        first = names[game.first]
        second = names[pair.engines[0] + pair.engines[1] - game.first]
        ending, winner = (Ending.DRAW, "") if result == "d" else (Ending.WIN, first if result == "1" else second)
        games.append(GameEnded(game.number, pair.number, first, second, ending, winner, "", "", (), ()))
    return games


def test_several_engines_play_each_other(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    first_line = capsys.readouterr().out.splitlines()[0]
    assert first_line == f"# pentad openings pile --size 9 --rule normal --book {book} " + " ".join(command[4:])
    run = read_run(out)
    assert [engine.tc for engine in run.header.engines] == ["N=20", "N=30"]
    assert len(run.games) == 2 * 6
    assert cli.run([*command, "--test", "player=one", "--out", str(out)]) == 2
    assert "holds a different run" in capsys.readouterr().err


def list_kept_openings(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_kept_openings_are_a_book(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Random players decide some openings; the kept ones are compared with the winners in the log."""
    out = tmp_path / "run"
    command = ["openings", "pile", "--book", str(book), "--test", "player=dice", "--games", "4", "--out", str(out)]
    assert cli.run(command) == 0
    captured = capsys.readouterr()
    first_side_wins = defaultdict(list)
    for game in read_run(out).games:
        first_side_wins[" ".join(game.opening)].append(game.winner == game.first)
    assert [len(wins) for wins in first_side_wins.values()] == [4] * 6
    expected = [opening for opening in BOOK.splitlines() if len(set(first_side_wins[opening])) > 1]
    assert 0 < len(expected) < 6
    assert list_kept_openings(captured.out) == expected
    assert (out / "openings.txt").read_text(encoding="utf-8") == captured.out
    assert "Finished game 24 (dice-" in captured.err
    kept = choose_book(out / "openings.txt", PILE_GAME, PILE_GAME.default_setup)
    assert [" ".join(opening) for opening in kept.lines] == expected


def test_interrupted_test_continues(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    command = ["openings", "pile", "--book", str(book), "--test", "player=dice", "--out", str(out)]
    assert cli.run(command) == 0
    output = capsys.readouterr().out
    events = read_log(out)
    (out / LOG_NAME).unlink()
    with LogWriter(out) as log:
        for event in events[:6]:  # the header and the events of one pair
            log.write(event)
    assert cli.run(command) == 0
    assert capsys.readouterr().out == output
    assert sum(isinstance(event, RunResumed) for event in read_log(out)) == 1
    assert cli.run(command) == 0
    assert capsys.readouterr().out == output
    assert cli.run([*command, "--tc", "3"]) == 2
    assert f"{out} holds a different run, with other" in capsys.readouterr().err


def test_first_line_of_a_book_is_the_command_that_repeats_it(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["openings", "pile", "5", "--book", str(book), "--test", "player=dice", "--games", "4", "--tc", "2"]
    command += ["--decided", "0.75"]
    assert cli.run([*command, "--out", str(tmp_path / "run")]) == 0
    output = capsys.readouterr().out
    repeated = shlex.split(output.splitlines()[0].removeprefix("# pentad"))
    assert cli.run([*repeated, "--out", str(tmp_path / "again")]) == 0
    assert capsys.readouterr().out == output


def test_continued_test_does_not_search_its_openings_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The search may take hours. Another number of openings is another test."""
    searched = []  # index within its search of each opening that was made

    def make_openings(_setup: Setup, plies: int, _depth: int, seed: int) -> Iterator[list[str]]:
        for count in range(100):
            searched.append(count)
            yield [str(1 + (seed + count) % 3)] * plies

    game = replace(PILE_GAME, make_openings=make_openings)
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": game})
    command = ["openings", "pile", "3", "--moves", "2", "--test", "player=dice", "--out", str(tmp_path / "run")]
    assert cli.run(command) == 0
    assert searched == [0, 1, 2]
    output = capsys.readouterr().out
    source = "pentad openings pile 3 --size 9 --rule normal --moves 2 --depth 8 --seed 1"
    assert output.splitlines()[0] == f"# {source} --test player=dice"
    assert cli.run(command) == 0
    assert capsys.readouterr().out == output
    assert searched == [0, 1, 2]
    assert cli.run([*command[:2], "4", *command[3:]]) == 2
    assert "holds a different run, with other" in capsys.readouterr().err
    assert searched == [0, 1, 2, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--book", "x"], "--book is a file of openings to test: give --test ENGINE"),
        (["--test", "player=one", "--book", "/no/such"], "openings /no/such: No such file"),
        (["--test", "player=one", "3"], "this command cannot make openings for Pile"),
        ([], "this command cannot make openings for Pile"),
        (
            ["--test", "player=one", "--book", "BOOK", "--games", "3"],
            "--games, the number per opening, must be even and 2",
        ),
        (["--test", "player=two", "--book", "BOOK"], "unknown player 'two'"),
        (
            ["--test", "player=one,name=A", "--book", "BOOK"],
            "the engine plays against itself under two names: leave name= out",
        ),
        (["--test", "player=one", "--book", "BOOK", "--decided", "0.5"], "--decided must be above 0.5 and at most 1"),
        (["--test", "player=one", "--book", "BOOK", "--decided", "1.1"], "--decided must be above 0.5 and at most 1"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: list[str], expected: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["openings", "pile", *(str(book) if text == "BOOK" else text for text in arguments)]) == 2
    assert expected in capsys.readouterr().err
