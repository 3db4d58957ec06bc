"""Tests of third-party players from a file or an installed package: loading, options, hashes, error messages."""

from __future__ import annotations

import hashlib
import importlib.util
import py_compile
import re
import sys
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.engines.spec import EngineSpec, make_player, parse_engine
from arena.errors import CommandFailedError, UsageError
from arena.log.file import LogWriter, read_run
from arena.run.file_bundle import pack
from bots.registry import GAMES
from core.play.player import Limits
from tests.arena.fakes import PILE_GAME

MANUAL = Path(__file__).parents[3] / "arena" / "README.md"
# The file takers.py, with one valid player of the pile game (tests/arena/fakes.py) and several wrong ones
TAKERS = """
from core.play.options import Option
from core.play.player import Decision, Player, ignore_progress
from tests.arena.fakes import Taker

class Two(Taker):
    GAME = "pile"
    OPTIONS = (Option("taken", 2, "stones", minimum=1, maximum=3),)

    def __init__(self, options):
        super().__init__(lambda taker, limits: str(min(options["taken"], taker.pile.left)), options)

class Half(Player):
    def choose(self, limits, report=ignore_progress):
        return Decision("1")

class Elsewhere(Two):
    GAME = "hex"

class Greedy(Two):
    def __init__(self):
        pass

number = 5
"""
BROKEN = "import sys\n\nprint(unknown)\n"


@pytest.fixture
def pile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with files of players; it is the working directory."""
    (tmp_path / "takers.py").write_text(TAKERS, encoding="utf-8")
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, entry_points: str) -> None:
    """Make `takers.py` importable and give it the metadata of an installed package with these entry points."""
    metadata = folder / "takers-1.5.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: takers\nVersion: 1.5\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[pentad.players]\n{entry_points}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "takers", raising=False)


def test_example_of_the_manual_plays_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The code and the command are read from the manual."""
    text = MANUAL.read_text(encoding="utf-8")
    chapter = text[text.index("## Writing a player\n") :]
    code, command = re.findall("```(?:python|sh)\n(.*?)```", chapter, re.DOTALL)[:2]
    (tmp_path / "nearest.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.run(command.split()[1:]) == 0, capsys.readouterr().err
    assert "played 2 of 2 games" in capsys.readouterr().out
    run = read_run(tmp_path / "runs" / "nearest")
    assert run.names == ("Nearest", "potentials")
    assert run.games[0].all_moves[0] == "f6"
    assert run.header.engines[0].file_hash == hashlib.sha256(code.encode()).hexdigest()


@pytest.mark.usefixtures("pile")
def test_parameters_reach_a_player_of_a_file(folder: Path) -> None:
    spec = parse_engine("player=takers.py:Two:taken=3,name=three", PILE_GAME)
    assert spec == EngineSpec("three", player="takers.py:Two:taken=3")
    player = make_player(spec, PILE_GAME)
    player.new_game(PILE_GAME.default_setup)
    assert player.choose(Limits()).move == "3"
    assert parse_engine("player=takers.py:Two,option.taken=1", PILE_GAME).name == "Two"
    assert spec.log_entry(PILE_GAME).source == f"{folder / 'takers.py'}:Two"


@pytest.mark.usefixtures("pile", "folder")
def test_player_in_a_tournament_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engines = '[[engine]]\nplayer = "takers.py:Two"\n[[engine]]\nplayer = "one"\n'
    (tmp_path / "cup.toml").write_text(f'game = "pile"\nout = "run"\n{engines}', encoding="utf-8")
    assert cli.run(["match", "cup.toml"]) == 0
    assert "played 2 of 2 games" in capsys.readouterr().out


@pytest.mark.usefixtures("pile", "folder")
def test_player_is_benched(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["bench", "pile", "--player", "takers.py:Two"]) == 0
    output = capsys.readouterr().out
    assert "start: 2 depth 2, 9 nodes" in output
    assert "longest time between two clock polls: " in output
    assert cli.run(["bench", "pile", "--player", "nobody"]) == 2
    assert "--player: unknown player 'nobody'" in capsys.readouterr().err


@pytest.mark.usefixtures("pile", "folder")
@pytest.mark.parametrize(
    ("player", "error"),
    [
        ("nowhere.py:Two", "player 'nowhere.py:Two': nowhere.py: No such file"),
        ("takers.py", "name the class in the file: takers.py:CLASS"),
        ("takers.py:Three", "no class 'Three' in takers.py; players there: Two, Half, Elsewhere, Greedy"),
        ("takers.py:number", "the class must derive from core.play.player.Player; 5 does not"),
        ("takers.py:Half", "Half does not implement these methods of Player: new_game, set_position"),
        ("takers.py:Elsewhere", "Elsewhere plays hex, not pile"),
        ("takers.py:Greedy", "Greedy cannot be made with its options: TypeError"),
        ("takers.py:Two:taken=4", "option taken must be a whole number from 1 to 3, not '4'"),
        ("broken.py:Two", "broken.py cannot be loaded: line 3: NameError: name 'unknown' is not defined"),
        ("two", "unknown player 'two'; known: perfect, dice, one; or a file: path/to/file.py:Class"),
    ],
)
def test_unusable_player_is_refused_with_a_reason(player: str, error: str) -> None:
    with pytest.raises(UsageError, match=re.escape(error)):
        parse_engine(f"player={player}", PILE_GAME)


@pytest.mark.usefixtures("pile")
def test_installed_player_plays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(folder, monkeypatch, "deuce = takers:Two\none = takers:Two\nlost = takers:Nothing")
    engines = ["--engine", "player=deuce:3", "--engine", "player=one"]
    assert cli.run(["match", "--game", "pile", *engines, "--out", "r"]) == 0
    run = read_run(folder / "r")
    assert [entry.move for entry in run.games[0].moves[::2]] == ["3", "3", "1"]
    assert [entry.move for entry in run.games[0].moves[1::2]] == ["1", "1"]  # a built-in player has precedence
    first, second = run.header.engines
    assert (first.source, second.source) == ("takers 1.5: takers:Two", "")
    assert first.file_hash == hashlib.sha256(TAKERS.encode()).hexdigest()
    with pytest.raises(UsageError, match="'lost', installed as takers:Nothing: AttributeError"):
        parse_engine("player=lost", PILE_GAME)
    with pytest.raises(UsageError, match="known: perfect, dice, one, deuce, lost, one"):
        parse_engine("player=bogus", PILE_GAME)


def plant_cache(file: Path, code: str) -> None:
    """Put other code into the file's `__pycache__`, in the form that an import does not compare with the file."""
    other = file.with_name("other.txt")
    other.write_text(code, encoding="utf-8")
    cached = importlib.util.cache_from_source(str(file))
    py_compile.compile(
        str(other), cached, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    other.unlink()


def first_move(text: str) -> str:
    """Return the first move of an engine that is described by `text`."""
    player = make_player(parse_engine(text, PILE_GAME), PILE_GAME)
    player.new_game(PILE_GAME.default_setup)
    return player.choose(Limits()).move


@pytest.mark.usefixtures("pile")
def test_the_hashed_file_of_a_player_is_what_runs(folder: Path) -> None:
    """The compiled code in the cache may differ from the file, and is not run."""
    plant_cache(folder / "takers.py", TAKERS.replace('"taken", 2', '"taken", 3'))
    assert first_move("player=takers.py:Two") == "2"
    entry = parse_engine("player=takers.py:Two", PILE_GAME).log_entry(PILE_GAME)
    assert entry.file_hash == hashlib.sha256(TAKERS.encode()).hexdigest()


@pytest.mark.usefixtures("pile")
def test_the_hashed_module_of_a_package_is_what_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(folder, monkeypatch, "deuce = takers:Two")
    plant_cache(folder / "takers.py", TAKERS.replace('"taken", 2', '"taken", 3'))
    assert first_move("player=deuce") == "2"
    (folder / "takers.py").write_text("changed", encoding="utf-8")
    entry = parse_engine("player=deuce", PILE_GAME).log_entry(PILE_GAME)
    assert entry.file_hash == hashlib.sha256(TAKERS.encode()).hexdigest()


@pytest.mark.usefixtures("pile")
def test_the_hashed_init_file_of_a_package_is_what_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A normal import of `__init__.py` would run the planted cache, while the hash is that of the file."""
    (folder / "taking").mkdir()
    (folder / "taking" / "__init__.py").write_text(f"{TAKERS}\nfrom taking import helper\n", encoding="utf-8")
    (folder / "taking" / "helper.py").write_text("", encoding="utf-8")
    install(folder, monkeypatch, "deuce = taking:Two")
    plant_cache(folder / "taking" / "__init__.py", TAKERS.replace('"taken", 2', '"taken", 3'))
    try:
        assert first_move("player=deuce") == "2"
        entry = parse_engine("player=deuce", PILE_GAME).log_entry(PILE_GAME)
        content = (folder / "taking" / "__init__.py").read_bytes()
        assert entry.file_hash == hashlib.sha256(content).hexdigest()
    finally:
        for name in ("taking", "taking.helper"):
            sys.modules.pop(name, None)


@pytest.mark.usefixtures("pile")
def test_a_run_continues_with_the_code_that_was_read_first(folder: Path) -> None:
    """A later change of the file changes neither the player nor its hash in the log."""
    spec = parse_engine("player=takers.py:Two", PILE_GAME)
    (folder / "takers.py").write_text(TAKERS.replace('"taken", 2', '"taken", 3'), encoding="utf-8")
    player = make_player(spec, PILE_GAME)
    player.new_game(PILE_GAME.default_setup)
    assert player.choose(Limits()).move == "2"
    assert spec.log_entry(PILE_GAME).file_hash == hashlib.sha256(TAKERS.encode()).hexdigest()
    assert first_move("player=takers.py:Two") == "3"
    with pytest.raises(CommandFailedError, match=r"engine Two: takers\.py has changed since it was read"):
        pack([spec.log_entry(PILE_GAME)])


@pytest.mark.usefixtures("pile")
def test_a_player_must_be_a_regular_file(folder: Path) -> None:
    """Reading a pipe could block for ever."""
    (folder / "folder.py").mkdir()
    with pytest.raises(UsageError, match=r"folder\.py: Is a directory"):
        parse_engine("player=folder.py:Two", PILE_GAME)


@pytest.mark.usefixtures("pile")
def test_a_run_is_not_resumed_with_a_changed_player(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The changed file is not even run before the hash is compared."""
    engines = ["--engine", "player=takers.py:Two", "--engine", "player=one"]
    assert cli.run(["match", "--game", "pile", *engines, "--games", "2", "--out", "r"]) == 0
    header = read_run(folder / "r").header
    (folder / "r" / "log.jsonl").unlink()
    with LogWriter(folder / "r") as log:
        log.write(header)
    marker_code = "\nimport pathlib\npathlib.Path(__file__).with_name('ran').touch()\n"
    (folder / "takers.py").write_text(TAKERS + marker_code, encoding="utf-8")
    assert cli.run(["resume", "r"]) == 2
    assert "the player's file of Two has changed since the run started" in capsys.readouterr().err
    assert not (folder / "ran").exists()
    assert cli.run(["resume", "r", "--force"]) == 0


def test_a_player_from_a_file_can_be_an_opponent_in_the_browser(folder: Path) -> None:
    from arena.web.play.opponents import list_opponents

    (folder / "own.py").write_text(
        "from bots.kolibrat.board_player import BoardPlayer\n"
        "class Own(BoardPlayer):\n    def choose(self, limits, report=None): ...\n",
        encoding="utf-8",
    )
    opponents = list_opponents(GAMES["kolibrat"], ["player=own.py:Own"], None)
    assert (opponents[0].name, opponents[0].level) == ("Own", None)
    opponents[0].start(GAMES["kolibrat"], None).close()


@pytest.mark.usefixtures("pile")
def test_long_error_messages_are_cut_in_the_log(folder: Path) -> None:
    """A message of megabytes must not be in the log, in every table and in the report."""
    loud = "class Loud(Two):\n    def choose(self, limits, report=None):\n        raise ValueError('a\\n\\0' * 10**6)\n"
    (folder / "takers.py").write_text(f"{TAKERS}\n{loud}", encoding="utf-8")
    engines = ["--engine", "player=takers.py:Loud", "--engine", "player=one", "--max-faults", "0"]
    assert cli.run(["match", "--game", "pile", *engines, "--out", "r"]) == 0
    detail = read_run(folder / "r").games[0].detail
    assert detail.startswith("ValueError: a ?a ?a")
    assert len(detail) == 1000
    assert (folder / "r" / "log.jsonl").stat().st_size < 20_000  # although the traceback of each game is stored


RAISING = """
import sys
from tests.arena.fakes import Taker

class Raiser(Taker):
    GAME = "pile"

    def choose(self, limits, report=None):
        {}
"""


@pytest.mark.usefixtures("pile")
@pytest.mark.parametrize(
    ("code", "detail", "line"),
    [
        ("return 1 // 0", "ZeroDivisionError: integer division or modulo by zero", "return 1 // 0"),
        ("sys.exit(3)", "RuntimeError: it wanted to end the run by SystemExit", "sys.exit(3)"),
        ("raise ValueError('one\\ntwo' + 'x' * 5000)", "ValueError: one two", "raise ValueError("),
    ],
)
def test_an_exception_loses_the_game_and_its_traceback_is_logged(
    code: str, detail: str, line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only this player loses, and the run continues. The result names the exception."""
    (folder / "raiser.py").write_text(RAISING.format(code.replace("\n", "\\n")), encoding="utf-8")
    engines = ["--engine", "player=raiser.py:Raiser", "--engine", "player=one"]
    assert cli.run(["match", "--game", "pile", *engines, "--out", "r", "--recover"]) == 0
    assert f"by Raiser: {detail}" in capsys.readouterr().out
    games = read_run(folder / "r").games
    assert [(game.blamed, game.detail[: len(detail)]) for game in games] == [("Raiser", detail)] * 2
    for game in games:
        stderr = game.stderr[0 if game.first == "Raiser" else 1]
        assert stderr.startswith("Traceback (most recent call last):")
        assert "raiser.py" in stderr
        assert line in stderr


@pytest.mark.usefixtures("pile")
def test_a_fractional_score_is_rounded_in_the_log(folder: Path) -> None:
    """The log has integers only; it could not be read with a fractional score."""
    code = "return Decision('1', Progress(depth=1, score=0.53))"
    text = f"from core.play.player import Decision, Progress\n{RAISING.format(code)}"
    (folder / "raiser.py").write_text(text, encoding="utf-8")
    engines = ["--engine", "player=raiser.py:Raiser", "--engine", "player=one"]
    assert cli.run(["match", "--game", "pile", *engines, "--out", "r"]) == 0
    assert {entry.score for game in read_run(folder / "r").games for entry in game.moves} == {1, 7}
