"""The documents agree with the program: their commands, options, players, paths, links and pictures exist."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest
from cyclopts import App, MissingArgumentError

from arena.cli.main import app
from arena.engines.spec import parse_engine
from bots.pentago.gtp import DIALECT
from bots.registry import GAMES
from core.play.bot_cli import choose_player, parse_arguments
from core.play.game import Game
from core.play.options import Option, OptionSet
from core.play.player import parse_player
from protocols.gtp.context import session_options
from protocols.uhp.options import SESSION_OPTIONS

ROOT = Path(__file__).parents[1]
FOLDERS = ("arena", "bots", "core", "protocols", "tests", ".github", ".ci")
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md")))
)
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in DOCUMENTS}  # by path, such as `core/README.md`
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAX_README_LINES, MAX_PICTURE_BYTES = 150, 150_000
FENCED_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
CREATED_LATER = (  # paths that do not exist in the repository, because commands or the reader create them
    r"(dist|runs|engines|old|build)/|\./|bots/<game>/|tcp://|bots/kolibrat/tables$"
)


def list_blocks(text: str, language: str) -> list[str]:
    """Return the code blocks in a language, such as `sh`."""
    return [body for block_language, body in FENCED_BLOCK.findall(text) if block_language == language]


def list_inline(text: str) -> list[str]:
    """Return the texts in backticks outside of code blocks, with line breaks as spaces."""
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", FENCED_BLOCK.sub("", text))]


def list_fenced_commands(text: str) -> list[list[str]]:
    """Return the commands of the shell blocks, split into words, without comments and redirections."""
    lines = "\n".join(list_blocks(text, "sh")).replace("\\\n", " ").splitlines()
    return [
        words
        for line in lines
        for command in line.split("&&")
        if (words := shlex.split(command.partition(" > ")[0], comments=True))
    ]


def list_inline_commands(text: str) -> list[list[str]]:
    """Return the texts in backticks with several words, as lists of words without the brackets of optional parts."""
    return [shlex.split(code.translate({ord("["): None, ord("]"): None})) for code in list_inline(text) if " " in code]


COMMANDS = [  # document, words of the command, whether it is in a code block
    (name, words, fenced)
    for name, text in TEXTS.items()
    for commands, fenced in ((list_fenced_commands(text), True), (list_inline_commands(text), False))
    for words in commands
]


def name_command(case: tuple[str, list[str], bool]) -> str:
    """Return the name of a test of one of COMMANDS."""
    return f"{case[0]}: {' '.join(case[1])}"


def parametrize_commands(program: str) -> list[Any]:
    """Return the commands of a program as parameters (words, fenced) of a test."""
    return [pytest.param(case[1], case[2], id=name_command(case)) for case in COMMANDS if case[1][0] == program]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with files that commands name: those of the manual, and empty executables."""
    manual = TEXTS["arena/README.md"]
    tournament = next(block for block in list_blocks(manual, "toml") if "[[engine]]" in block)
    for name in ("tournament.toml", "FILE.toml"):
        (tmp_path / name).write_text(tournament, encoding="utf-8")
    tuning = list_blocks(TEXTS["arena/tune/README.md"], "toml")[0]
    (tmp_path / "tuning.toml").write_text(tuning, encoding="utf-8")
    cup = list_blocks(TEXTS["arena/organisers.md"], "toml")[0]
    (tmp_path / "cup.toml").write_text(cup, encoding="utf-8")
    (tmp_path / "entries").mkdir()
    with ZipFile(tmp_path / "entries" / "PENTAD.zip", "w") as archive, Path(sys.executable).open("rb") as binary:
        archive.writestr("pbrain-pentad", binary.read(64))  # the header of a program of this system
    (tmp_path / "nearest.py").write_text(list_blocks(manual, "python")[0], encoding="utf-8")
    executables = [f"dist/{game.executable}" for game in GAMES.values()]
    for name in (*executables, "old/pentad-hive", "engines/other/pbrain-other", "pbrain-other"):
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("workplace")
@pytest.mark.parametrize(("words", "fenced"), parametrize_commands("pentad"))
def test_pentad_understands_the_command(words: list[str], fenced: bool) -> None:
    try:
        command, bound, _ = app.parse_args(words[1:], exit_on_error=False, print_error=False)
    except MissingArgumentError:
        # a text such as `pentad play` is the name of a command
        assert not fenced
        assert all(re.fullmatch(r"[a-z]+", word) for word in words)
        assert words[1] in set(app)
        return
    assert getattr(command, "__name__", "") not in ("help_print", "version_print")
    options = bound.arguments.get("options")
    if words[1] == "match" and options:
        names = [parse_engine(text, GAMES[options.game]).name for text in options.engine]
        assert len(names) >= 2


def test_commands_that_begin_a_run_have_different_folders() -> None:
    """A reader who runs all commands in order must not get the error that a folder already holds a run."""
    commands = [words for text in TEXTS.values() for words in list_fenced_commands(text) if "--out" in words]
    folders = [words[words.index("--out") + 1] for words in commands]
    assert len(folders) > 3
    assert sorted(set(folders)) == sorted(folders)


def test_unknown_option_is_an_error() -> None:
    """If an unknown option were no error, the tests above would accept any option."""
    with pytest.raises(Exception, match="--gamez"):
        app.parse_args(["match", "--gamez", "20"], exit_on_error=False, print_error=False)


def list_options(command: App) -> set[str]:
    """Return the options of a command and of its subcommands."""
    subcommands = [name for name in command if not name.startswith("-")]
    arguments = command.assemble_argument_collection() if command.default_command else ()
    options = {name for argument in arguments for name in argument.names}
    return options.union(*(list_options(command[name]) for name in subcommands))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_options_exist(name: str) -> None:
    """Every option in backticks is one of some command or bot. Other tests check whole commands with their options."""
    bot_options = [option for game in GAMES.values() for option in list_bot_options(game)]
    known = list_options(app) | {f"--{option.name}" for option in bot_options}
    known |= {"--player", "--help", "--tunable"}
    known |= {name for name in app if name.startswith("--")}  # commands such as --install-completion
    known.add("--full")  # of .ci/run
    words = {word.split("=")[0] for code in list_inline(TEXTS[name]) for word in code.split()}
    assert {word for word in words if re.fullmatch(r"--[a-z][\w-]+", word)} - known == set()


def list_session_options(game: Game) -> tuple[Option, ...]:
    """Return the options of a bot's protocol session, in addition to those of its players; Gomocup has none."""
    if game.protocol == "uhp":
        return SESSION_OPTIONS
    # `dialect` is an option of Pentago only; these tests accept it for all GTP bots
    return (*session_options(game.gtp()).options, DIALECT) if game.gtp else ()


def list_bot_options(game: Game) -> list[Option]:
    """Return the options of all players of a game and of its protocol session."""
    return [*list_session_options(game), *(option for kind in game.players() for option in kind.options)]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_bots_understand_their_commands(game: Game) -> None:
    """These are the commands that begin with the name of a bot's executable, such as `pentad-hex --level 3`."""
    program = game.executable
    build: Any = lambda _: SimpleNamespace()  # noqa: E731 - a player that needs no kernels
    player_kinds = [replace(kind, build=build) for kind in game.players()]
    lines = [
        code if isinstance(code, str) else shlex.join(code)
        for text in TEXTS.values()
        for code in (*list_inline(text), *list_fenced_commands(text))
    ]
    argument_lists = [
        shlex.split(match[1]) for line in lines if (match := re.match(rf"(?:dist/)?{program} (--.*)", line))
    ]
    argument_lists = [words for words in argument_lists if words != ["--help"]]
    assert argument_lists
    for words in argument_lists:
        settings = {name: value for name, value in parse_arguments(words).items() if name != "tunable"}
        choose_player(player_kinds, settings, OptionSet(list_session_options(game)))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_page_of_a_game_lists_its_players_and_options(game: Game) -> None:
    """The options are those of the first (strongest) player, and for Hive also those of the protocol session."""
    text = TEXTS[f"bots/{game.name}/README.md"]
    players = text[text.index("| player | what it is |") :].split("\n\n")[0]
    cells = [code for row in players.splitlines()[2:] for code in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert {cell.partition(":")[0] for cell in cells} == {kind.name for kind in game.players()}
    for cell in cells:  # a value in capitals, such as `depth=N`, stands for a number
        parse_player(game.players(), re.sub(r"=[A-Z]", "=1", cell))

    options = text[text.index("| option") :].split("\n\n")[0]
    rows = {row.split("|")[1].strip(" `").lower(): row.split("|")[2].strip() for row in options.splitlines()[2:]}
    session = SESSION_OPTIONS if game.protocol == "uhp" else ()
    declared = {
        option.name.lower(): format_default(option.default)
        for option in (*game.players()[0].options, *session)
        if not option.is_hidden
    }
    assert {name: value for name, value in rows.items() if name != "player"} == declared


def test_manual_lists_the_variants_and_players_of_every_game() -> None:
    """Otherwise these names are found in error messages only."""
    table = TEXTS["arena/README.md"].split("| game | default board | variants | players |\n")[1].split("\n\n")[0]
    rows = [[re.findall(r"`([^`]+)`", cell) for cell in row.strip("|").split("|")] for row in table.splitlines()[1:]]
    listed = {names[0]: (tuple(variants), tuple(players)) for names, _, variants, players in rows}
    assert listed == {
        game.name: (game.variants, tuple(kind.name for kind in game.players())) for game in GAMES.values()
    }


def format_default(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def test_results_in_the_top_readme_are_those_of_the_pages_of_the_games() -> None:
    """A result that is updated in one document must be updated in the other one."""
    table = TEXTS["README.md"].split("| won, drawn, lost |")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("| ").split("|")] for row in table.splitlines()[2:]]
    assert len(rows) > 4
    for name, *_, score in rows:
        text = TEXTS[f"bots/{re.split(r'[^a-z]', name.lower())[0]}/README.md"]
        assert f"| {score} |" in text or f"| {score.replace(', 0, ', ', ')} |" in text, name  # Hex has no draws


@pytest.mark.parametrize("name", DOCUMENTS)
def test_modules_markers_and_extras_exist(name: str) -> None:
    """These are the modules of `python -m` and their options, the markers of `pytest -m` and the extras of pip."""
    text = TEXTS[name]
    for module in re.findall(r"python -m ((?:bots|tests|core|arena|protocols)[\w.]*)", text):
        assert importlib.util.find_spec(module), module
    for module, rest in re.findall(r"python -m ((?:bots|tests)[\w.]*)([^`\n>]*)", text):
        path = ROOT / module.replace(".", "/")
        source = (path / "__main__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")
        for option in re.findall(r"--[\w-]+", rest):
            assert f'"{option}"' in source, option
    markers = {line.split(":")[0] for line in PROJECT["tool"]["pytest"]["ini_options"]["markers"]}
    assert set(re.findall(r"pytest -m (\w+)", text)) <= markers
    for extras in re.findall(r'pip install -e "\.\[([\w,]+)\]"', text):
        assert set(extras.split(",")) <= set(PROJECT["project"]["optional-dependencies"])


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_exist(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", TEXTS[name]):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        page = (ROOT / name).parent / path if path else ROOT / name
        assert page.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", FENCED_BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
            assert anchor in map(slug, headings), target


@pytest.mark.parametrize("name", DOCUMENTS)
def test_paths_exist(name: str) -> None:
    words = [word.strip(",;:") for code in list_inline(TEXTS[name]) for word in code.split()]
    words += [word for command in list_fenced_commands(TEXTS[name]) for word in command]
    paths = {word for word in words if re.match(rf"({'|'.join(map(re.escape, FOLDERS))})/", word)}
    assert [path for path in paths if not re.match(CREATED_LATER, path) and not (ROOT / path).exists()] == []


def test_origin_of_every_data_file_is_documented() -> None:
    chapters = [text.partition("## Where the numbers come from")[2] for text in TEXTS.values()]
    bot_data = ("bots/*/weights.*", "bots/*/**/*.json", "bots/kolibrat/tables", "bots/*/tables/*.network")
    patterns = (*bot_data, "arena/books/*.txt", "arena/positions/*.txt")
    files = {path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)}
    assert len(files) > 12
    assert [file for file in sorted(files) if not any(f"`{file}`" in chapter for chapter in chapters)] == []


def test_top_readme_is_short_and_has_pictures() -> None:
    assert TEXTS["README.md"].count("\n") <= MAX_README_LINES
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+\.png)\)", TEXTS["README.md"])
    assert len(pictures) == 2
    for picture in pictures:
        content = (ROOT / picture).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) < MAX_PICTURE_BYTES


def test_package_data_has_no_documents() -> None:
    package_data = PROJECT["tool"]["setuptools"]["package-data"]
    files = [path for package, globs in package_data.items() for glob in globs for path in (ROOT / package).glob(glob)]
    assert files
    assert [path for path in files if path.suffix == ".md"] == []
