"""Command line and config file of the bots: precedence, help and error messages.

Most tests use KINDS: the player `paper` has the options depth (1 to 8) and noise, the player `random` has none.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.game_names import GAME_NAMES
from bots.registry import GAMES
from core.play.bot_cli import (
    CONFIG_NAME,
    RawSetting,
    choose_player,
    format_help,
    parse_arguments,
    player_from_command_line,
    read_config,
)
from core.play.options import Option, OptionError, OptionSet
from core.play.player import Player
from core.system.early_interrupts import SIGINT_EXIT_STATUS
from tests.core.stub import KINDS


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ([], {}),
        (["--player", "paper:2"], {"player": "paper:2"}),
        (["--Depth=4", "--noise", "0.5"], {"depth": "4", "noise": "0.5"}),
        (["--depth=4", "--depth", "5"], {"depth": "5"}),
        (["--player=paper:depth=2"], {"player": "paper:depth=2"}),
        (["--noise", "-1"], {"noise": "-1"}),
        (["--help"], {"help": ""}),
        (["--version"], {"version": ""}),
    ],
)
def test_arguments_are_parsed(arguments: list[str], settings: dict[str, str]) -> None:
    assert parse_arguments(arguments) == {name: RawSetting(text) for name, text in settings.items()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["paper"], "unknown argument 'paper': options begin with -- and a name; --help lists them"),
        (["-x"], "unknown argument '-x': options begin with -- and a name; --help lists them"),
        (["--"], "unknown argument '--': options begin with -- and a name; --help lists them"),
        (["--depth"], "--depth needs a value"),
    ],
)
def test_wrong_arguments_are_errors(arguments: list[str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_arguments(arguments)
    assert str(caught.value) == message


@given(st.lists(st.text(max_size=8), max_size=5))
def test_any_arguments_are_parsed_or_raise_an_option_error(arguments: list[str]) -> None:
    try:
        settings = parse_arguments(arguments)
    except OptionError:
        return
    assert all(name == name.lower() for name in settings)


def read_config_texts(path: Path, game: str, all_games: Sequence[str] = ()) -> dict[str, str]:
    """Return the texts of the settings, which must all name the file."""
    settings = read_config(path, game, all_games)
    assert {setting.file for setting in settings.values()} <= {str(path)}
    return {name: setting.text for name, setting in settings.items()}


def test_a_config_file_is_read_and_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / CONFIG_NAME
    assert read_config(path, "hex") == {}
    path.write_text('\ufeffplayer = "paper"\nDepth = 5\nnoise = 0.25\ntrace = true\n', encoding="utf-8")
    assert read_config_texts(path, "hex") == {"player": "paper", "depth": "5", "noise": "0.25", "trace": "True"}


def test_a_config_file_has_a_section_for_each_game(tmp_path: Path) -> None:
    """One file may serve all bots: the settings of a game's section override those above all sections."""
    path = tmp_path / CONFIG_NAME
    path.write_text('depth = 5\nnoise = 1\n[hex]\nplayer = "paper"\nDEPTH = 2\n[hive]\nlines = [1]\n')
    assert read_config_texts(path, "hex", GAME_NAMES) == {"depth": "2", "noise": "1", "player": "paper"}
    assert read_config_texts(path, "gomoku", GAME_NAMES) == {"depth": "5", "noise": "1"}
    with pytest.raises(OptionError, match="lines must be a text, a number, true or false, not a list or table"):
        read_config(path, "hive", GAME_NAMES)


def test_game_names_are_those_of_the_registry() -> None:
    assert tuple(GAMES) == GAME_NAMES


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_accepts_the_sections_of_all_games(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / CONFIG_NAME).write_text("".join(f"[{name}]\n" for name in GAMES) + "[chess]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bot"])
    with pytest.raises(SystemExit):
        import_module(f"bots.{game}.__main__").main()
    assert capsys.readouterr().err.endswith(f"unknown section [chess]; allowed: {', '.join(GAMES)}\n")


def test_a_game_of_another_package_has_a_section(tmp_path: Path) -> None:
    path = tmp_path / CONFIG_NAME
    path.write_text("[hex]\ndepth = 2\n[tic-tac-toe]\ndepth = 3\n")
    assert read_config_texts(path, "tic-tac-toe", ("hex",)) == {"depth": "3"}
    with pytest.raises(OptionError, match=r"unknown section \[tic-tac-toe\]; allowed: hive, hex$"):
        read_config(path, "hex", ("hive", "hex"))


@pytest.mark.parametrize(
    "content", [b"depth = ", b"depth = 1\ndepth = 2", b"\xff\xfe", b"[paper]\ndepth = 2", b"a=[]", b"[hex.a]\nb=1"]
)
def test_an_error_in_a_config_file_names_the_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / CONFIG_NAME
    path.write_bytes(content)
    with pytest.raises(OptionError) as caught:
        read_config(path, "hex")
    assert str(caught.value).startswith(str(path))


def make_test_player(session_options: OptionSet | None = None, **texts: str) -> Player:
    """Create a player of KINDS with settings from a command line."""
    settings = {name: RawSetting(text) for name, text in texts.items()}
    kind, options = choose_player(KINDS, settings, session_options or OptionSet(()))
    return kind.make(options)


def test_settings_become_options() -> None:
    player = make_test_player(player="paper:2", noise="0.5")
    assert dict(player.options) == {"depth": 2, "noise": 0.5}
    assert dict(make_test_player(depth="7").options)["depth"] == 7
    with pytest.raises(OptionError, match="unknown option 'dept'"):
        make_test_player(dept="7")


@pytest.mark.parametrize(
    ("kind", "player_options", "session_depth"), [("paper", {"depth": 6, "noise": 0.0}, 0), ("random", {}, 6)]
)
def test_an_option_of_the_player_hides_an_option_of_the_session(
    kind: str, player_options: dict[str, float], session_depth: int
) -> None:
    """`--player alphabeta --depth 6` sets the depth of the player, not the depth limit of the session."""
    session_options = OptionSet((Option("depth", 0, "plies of every search", minimum=0), Option("delay", 0, "ms")))
    player = make_test_player(session_options, player=kind, depth="6", delay="3")
    assert dict(player.options) == player_options
    assert (session_options["depth"], session_options["delay"]) == (session_depth, 3)
    with pytest.raises(OptionError, match=r"unknown option 'delai'; known: depth, (noise, )?delay$"):
        make_test_player(session_options, player=kind, delai="3")


def test_settings_are_checked_before_the_player_is_created() -> None:
    """In a source tree, creating the player may compile kernels for a minute."""

    def fail(_: OptionSet) -> Player:
        raise AssertionError("the player is created")

    kinds = [replace(kind, build=fail) for kind in KINDS]
    for settings in ({"player": "papers"}, {"depth": "9"}, {"dept": "1"}, {"player": "paper:9"}):
        with pytest.raises(OptionError):
            choose_player(kinds, {name: RawSetting(text) for name, text in settings.items()}, OptionSet(()))


def start_bot(arguments: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Create the player as a bot with the file name `brain` does in a folder; return the player's options."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", [str(folder / "brain"), *arguments])
    return dict(player_from_command_line("hex", KINDS, "A brain", "1.2.3").options)


def test_the_command_line_overrides_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / CONFIG_NAME).write_text("depth = 5\nnoise = 1.0\n")
    assert start_bot([], tmp_path, monkeypatch) == {"depth": 5, "noise": 1.0}
    assert start_bot(["--depth", "6"], tmp_path, monkeypatch) == {"depth": 6, "noise": 1.0}


def test_the_file_may_set_options_that_only_another_player_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / CONFIG_NAME).write_text("depth = 5\n")
    assert start_bot(["--player", "random"], tmp_path, monkeypatch) == {}
    with pytest.raises(SystemExit):
        start_bot(["--player", "random", "--depth", "5"], tmp_path, monkeypatch)


def test_help_and_version_exit_with_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / CONFIG_NAME).write_text("dept = \n")  # an error in the file does not prevent --help
    for argument, output in (("--help", format_help("hex", KINDS, "A brain")), ("--version", "A brain 1.2.3")):
        with pytest.raises(SystemExit) as caught:
            start_bot([argument], tmp_path, monkeypatch)
        assert caught.value.code == 0
        assert capsys.readouterr() == (output + "\n", "")


def test_a_wrong_option_exits_with_2_and_a_message_on_standard_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        start_bot(["--depth", "9"], tmp_path, monkeypatch)
    assert caught.value.code == 2
    assert capsys.readouterr() == ("", "brain: option depth must be a whole number from 1 to 8, not '9'\n")


@pytest.mark.parametrize("content", ['player = "papers"', "dept = 5", "[hex]\ndepth = 9", "\ndepth = ?"])
def test_a_message_names_the_file_of_a_wrong_setting(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / CONFIG_NAME
    path.write_text(f"noise = 0\n{content}\n")
    with pytest.raises(SystemExit) as caught:
        start_bot(["--noise", "1"], tmp_path, monkeypatch)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith(f"brain: {path}: ")
    with pytest.raises(SystemExit):
        start_bot(["--noise", "much"], tmp_path, monkeypatch)
    path.unlink()
    with pytest.raises(SystemExit):
        start_bot(["--noise", "much"], tmp_path, monkeypatch)
    assert capsys.readouterr().err.endswith("brain: option noise must be a number of 0 or more, not 'much'\n")


def test_help_lists_every_player_and_option() -> None:
    assert format_help("hex", KINDS, "A brain").splitlines() == [
        "A brain",
        "",
        "  --player NAME[:OPTION=VALUE,...]   --help   --version",
        "",
        "Players and their options. Without --player, paper plays.",
        "",
        "  paper  the player of the paper",
        "    --depth plies (whole number from 1 to 8; default 3)",
        "    --noise of the score (number of 0 or more; default 0.0)",
        "  random any legal move",
        "",
        'config.toml beside the executable may set the same names, for example: player = "paper"',
        "If several games share that file, put settings for this game only below [hex].",
    ]


def test_help_shows_empty_and_boolean_defaults_as_words() -> None:
    """Regression: the help of an option without a default used to end with `default )`."""
    session = (Option("tables", "", "a folder"), Option("resign", False, "resign early"))
    lines = format_help("hex", KINDS, "A brain", session).splitlines()
    assert "    --tables a folder (text; default none)" in lines
    assert "    --resign resign early (true or false; default false)" in lines


def test_an_error_names_the_folder_of_a_package_that_is_run_from_source(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Regression: error messages of `python -m bots.hex` used to begin with `__main__.py:`."""
    monkeypatch.setattr(sys, "argv", [str(Path("bots", "hex", "__main__.py")), "--depth", "9"])
    with pytest.raises(SystemExit):
        player_from_command_line("hex", KINDS, "A brain", "1")
    assert capsys.readouterr().err.startswith("hex: option depth must be")


def test_session_options_are_read_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session_options = OptionSet((Option("coordinates", "own", "of squares", choices=("own", "go")),))
    monkeypatch.setattr(sys, "argv", ["bot", "--coordinates", "GO", "--player", "paper"])
    assert player_from_command_line("hex", KINDS, "Bot", "1", session_options).name == "paper"
    assert session_options["coordinates"] == "go"
    for argument, status in (("--coordinates=left", 2), ("--help", 0)):
        monkeypatch.setattr(sys, "argv", ["bot", argument])
        with pytest.raises(SystemExit) as caught:
            player_from_command_line("hex", KINDS, "Bot", "1", session_options)
        assert caught.value.code == status
    output = capsys.readouterr()
    assert "bot: option coordinates must be one of own, go, not 'left'" in output.err
    assert "--coordinates of squares (one of own, go; default own)" in output.out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends console events instead of SIGINT")
def test_an_interrupt_while_the_player_is_created_cleans_up_and_exits(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a source tree, creating the player may compile kernels for a minute, in a temporary folder."""
    old_handler, clean_ups = signal.getsignal(signal.SIGINT), []

    def compile_kernels(_: OptionSet) -> Player:
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            clean_ups.append(True)
        raise AssertionError("the interrupt had no effect")

    monkeypatch.setattr(sys, "argv", ["bot"])
    with pytest.raises(SystemExit) as caught:
        player_from_command_line("hex", [replace(KINDS[0], build=compile_kernels)], "Bot", "1")
    assert (caught.value.code, clean_ups) == (SIGINT_EXIT_STATUS, [True])
    assert signal.getsignal(signal.SIGINT) == old_handler
