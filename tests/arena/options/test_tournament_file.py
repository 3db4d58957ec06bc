"""Tests that tournament files set the options of `pentad match`, and that a mistake in one is reported with its key."""

from __future__ import annotations

import sys
from collections import defaultdict
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.engines.spec import parse_engine
from arena.log.events import GameEnded, RunStarted
from arena.log.file import read_run
from tests.arena.fakes import PILE_GAME

TOURNAMENT = """
game = "pile"
games = 4
tc = 2.5
seed = 7
margin-ms = 300
restart = true
order = "sequential"
openings = "{book}"

[[engine]]
name = "P"
player = "perfect"

[[engine]]
player = "one"
options = {{ depth = 2 }}

[[engine]]
name = "Q"
player = "one:depth=3"
"""


@pytest.fixture(autouse=True)
def only_pile_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


@pytest.fixture
def tournament(tmp_path: Path) -> Path:
    """Return the path of a file with the text TOURNAMENT, which names a book of four openings."""
    book = tmp_path / "book.txt"
    book.write_text("1\n2\n3\n1 1\n", encoding="utf-8")
    path = tmp_path / "tournament.toml"
    path.write_text(TOURNAMENT.format(book=book), encoding="utf-8")
    return path


def play(tournament: Path, *options: str) -> tuple[RunStarted, tuple[GameEnded, ...]]:
    """Play the tournament of a file; return the header and the games of its log."""
    out = tournament.parent / "run"
    assert cli.run(["match", str(tournament), "--out", str(out), *options]) == 0
    run = read_run(out)
    return run.header, run.games


def test_round_robin_from_a_file(tournament: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header, games = play(tournament)
    assert [engine.name for engine in header.engines] == ["P", "one", "Q"]
    assert header.engines[1].options == (("depth", "2"),)
    assert (header.control.move_ms, header.control.margin_ms, header.restart) == (2500, 300, True)
    assert (header.planned, header.order, header.book) == (12, "sequential", (("1",), ("2",), ("3",), ("1", "1")))
    openings_by_pairing = defaultdict(list)
    for game in games:
        openings_by_pairing[frozenset((game.first, game.second))].append(game.opening)
    assert list(openings_by_pairing.values()) == [[("1",), ("1",), ("2",), ("2",)]] * 3
    assert "played 12 of 12 games" in capsys.readouterr().out
    tables = (tournament.parent / "run" / "crosstable.txt").read_text(encoding="utf-8")
    assert "1 P" in tables
    assert "4/4" in tables


def test_command_line_overrides_the_file(tournament: Path) -> None:
    header, games = play(tournament, "--games", "2", "--engine", "player=one", "--engine", "player=perfect,name=X")
    assert [engine.name for engine in header.engines] == ["one", "X"]
    assert (header.games, header.seed, len(games)) == (2, 7, 2)


def test_keys_may_have_hyphens_or_underscores(tournament: Path) -> None:
    """The option is called max-plies, but keys with underscores are usual in TOML."""
    text = tournament.read_text(encoding="utf-8")
    tournament.write_text(f"max_plies = 5\nmax-faults = 3\n{text}", encoding="utf-8")
    header, _ = play(tournament)
    assert (header.max_plies, header.max_faults) == (5, 3)


def test_recover_means_no_limit_of_faults(tournament: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tournament)[0].max_faults == 2
    assert cli.run(["match", str(tournament), "--recover", "--out", str(tournament.parent / "other")]) == 0
    assert read_run(tournament.parent / "other").header.max_faults == 0
    for wrong in ("--max-faults", "3"), ("--strict",):
        assert cli.run(["match", str(tournament), "--recover", *wrong]) == 2
        assert "--recover" in capsys.readouterr().err


def test_gauntlet_plays_the_first_engine_against_the_rest(tournament: Path) -> None:
    header, games = play(tournament, "--gauntlet", "1")
    assert header.planned == len(games) == 8
    assert all("P" in (game.first, game.second) for game in games)


def test_format_is_read_from_a_file(tournament: Path) -> None:
    text = tournament.read_text(encoding="utf-8").replace(
        "games = 4", 'games = 2\nformat = "knockout"\ntie_break_games = 6'
    )
    tournament.write_text(text, encoding="utf-8")
    header, games = play(tournament)
    assert (header.tournament_format, header.tie_break_games, header.rounds, header.planned) == ("knockout", 6, None, 4)
    assert len(games) >= 4


def test_gauntlet_format_needs_no_number(tournament: Path) -> None:
    header, games = play(tournament, "--format", "gauntlet")
    assert (header.tournament_format, header.gauntlet, len(games)) == ("gauntlet", 1, 8)
    assert all("P" in (game.first, game.second) for game in games)


def test_engines_are_chosen_by_name_from_an_engine_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engines = tmp_path / "engines.toml"
    engines.write_text(
        '[[engine]]\nname = "A"\nplayer = "one"\n[[engine]]\nname = "B"\nplayer = "perfect"\n'
        '[[engine]]\nname = "C"\nplayer = "one"\n',
        encoding="utf-8",
    )
    command = ["match", "--game", "pile", "--engines", str(engines)]
    assert cli.run([*command, "--engine", "C", "--engine", "player=one", "--out", str(tmp_path / "two")]) == 0
    assert read_run(tmp_path / "two").names == ("C", "one")
    assert cli.run([*command, "--out", str(tmp_path / "all")]) == 0
    assert read_run(tmp_path / "all").names == ("A", "B", "C")
    capsys.readouterr()
    assert cli.run([*command, "--engine", "D", "--engine", "A"]) == 2
    assert "no engine 'D' in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ('games = "four"', "games must be a whole number, not 'four'"),
        ("games = 2.5", "games must be a whole number, not 2.5"),
        ("games = true", "games must be a whole number, not True"),
        ("restart = 1", "restart must be true or false, not 1"),
        ('order = "any"', "order must be one of random, sequential, not 'any'"),
        ("openings = 5", "openings must be text, not 5"),
        ("tc = [1]", "tc must be text, not [1]"),
        ('alpha = "low"', "alpha must be a number, not 'low'"),
        ("gamez = 4", "unknown key 'gamez'; known: games, format, gauntlet, rounds, tie-break-games"),
        ("control = 3", "unknown key 'control'; known: "),
        ("max-plies = 5\nmax_plies = 6", "max-plies is given twice, once with _ instead of -"),
        ("games = 0", "--games must be 1 or more, not 0"),
        ("gauntlet = 3", "--gauntlet must be 0..2, so that opponents are left, not 3"),
        ('format = "ladder"', 'Invalid value "ladder" for format from'),
        ("rounds = 2.5", "rounds must be a whole number, not 2.5"),
        ('format = "swiss"\nrounds = 1', "--rounds must be 2 or more for 3 engines, not 1"),
        ('sprt = "0,10"', "--sprt tests one engine against another, not 3 engines"),
        ('live = "yes"', "live must be true, false or a whole number, not 'yes'"),
        ("live = 2.5", "live must be true, false or a whole number, not 2.5"),
        ("live = 70000", "--live must be 65535 or less, not 70000"),
        ("transform = true", "--transform: no symmetries of Pile are known"),
        ("engine = 5", "engine must be [[engine]] tables or a list of text, not 5"),
        ("engine = [5]", "an engine is a table or text such as 'player=NAME', not 5"),
        ('engine = ["player=one"]', "give --engine twice, not 1 times"),
        ('engine = [{player = "one", nam = "x"}]', "unknown field 'nam'; known: name, cmd, player, proto"),
        ('engine = [{player = "one", name = 5}]', "name must be text, not 5"),
        ('engine = [{player = "one", options = {depth = [1]}}]', "options.depth must be text, a number, true or false"),
        ('engine = [{player = "one", options = 1}]', "options must be a table, not 1"),
        ('engine = [{cmd = "x", startup = "komi 0"}]', "startup must be a list of commands, not 'komi 0'"),
        ("games = ", "Invalid value (at line"),
    ],
)
def test_mistake_in_the_file_is_reported_in_one_line(
    change: str, expected: str, tournament: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = change.partition(" ")[0]
    text = tournament.read_text(encoding="utf-8")
    if key == "engine":
        text = text[: text.index("[[engine]]")]
    lines = [line for line in text.splitlines() if not line.startswith(f"{key} ")]
    tournament.write_text("\n".join([change, *lines]), encoding="utf-8")
    assert cli.run(["match", str(tournament)]) == 2
    captured = capsys.readouterr()
    assert expected in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out


def test_missing_file_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["match", "/no/such/file.toml"]) == 2
    assert capsys.readouterr().err == "pentad: /no/such/file.toml: No such file or directory\n"


def test_table_and_text_describe_the_same_engine() -> None:
    text = f"cmd={sys.executable} -x,name=A,dir=/,option.startup=a;b,option.k=true,env.OMP=2"
    table = (
        f'{{"cmd": "{sys.executable} -x", "name": "A", "dir": "/", "startup": ["a", "b"], "options": {{"k": true}}, '
        '"env": {"OMP": 2}}'
    )
    assert parse_engine(table, PILE_GAME) == parse_engine(text, PILE_GAME)
    assert parse_engine(text, PILE_GAME).environment == (("OMP", "2"),)


@pytest.mark.parametrize(("value", "port"), [("true", 0), ("8765", 8765), ("false", None)])
def test_file_can_ask_for_a_page(
    value: str, port: int | None, tournament: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The value is a switch or a port, as on the command line."""
    ports: list[int] = []

    def serve(directory: Path, port: int, **_: object) -> AbstractContextManager[None]:
        assert directory
        ports.append(port)
        return nullcontext()

    monkeypatch.setattr("arena.web.live.launch.serve_in_background", serve)
    tournament.write_text(f"live = {value}\n{tournament.read_text(encoding='utf-8')}", encoding="utf-8")
    play(tournament)
    assert ports == ([] if port is None else [port])
