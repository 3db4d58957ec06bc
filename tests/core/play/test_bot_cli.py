"""Command line and config file of the bots: precedence, help and error messages."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.registry import GAMES
from core.play.bot_cli import (
    CONFIG_NAME,
    SECTIONS,
    RawSetting,
    format_help,
    make_player,
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
def test_arguments(arguments: list[str], settings: dict[str, str]) -> None:
    assert parse_arguments(arguments) == {name: RawSetting(text) for name, text in settings.items()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["paper"], "an option such as --player NAME is wanted, not 'paper'; --help lists them"),
        (["-x"], "an option such as --player NAME is wanted, not '-x'; --help lists them"),
        (["--"], "an option such as --player NAME is wanted, not '--'; --help lists them"),
        (["--depth"], "--depth wants a value"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_arguments(arguments)
    assert str(caught.value) == message


@given(st.lists(st.text(max_size=8), max_size=5))
def test_any_arguments_are_read_or_refused(arguments: list[str]) -> None:
    try:
        settings = parse_arguments(arguments)
    except OptionError:
        return
    assert all(name == name.lower() for name in settings)


def read_texts(path: Path, game: str) -> dict[str, str]:
    settings = read_config(path, game)
    assert {setting.file for setting in settings.values()} <= {str(path)}
    return {name: setting.text for name, setting in settings.items()}


def test_a_config_file_holds_plain_values(tmp_path: Path) -> None:
    path = tmp_path / CONFIG_NAME
    assert read_config(path, "hex") == {}
    path.write_text('\ufeffplayer = "paper"\nDepth = 5\nnoise = 0.25\ntrace = true\n', encoding="utf-8")
    assert read_texts(path, "hex") == {"player": "paper", "depth": "5", "noise": "0.25", "trace": "True"}


def test_a_config_file_has_a_section_for_each_game(tmp_path: Path) -> None:
    """Beside five bots it stands five times: common keys, and each game's own, which go before them."""
    assert set(SECTIONS) == set(GAMES)
    path = tmp_path / CONFIG_NAME
    path.write_text('depth = 5\nnoise = 1\n[hex]\nplayer = "paper"\nDEPTH = 2\n[hive]\nlines = [1]\n')
    assert read_texts(path, "hex") == {"depth": "2", "noise": "1", "player": "paper"}
    assert read_texts(path, "gomoku") == {"depth": "5", "noise": "1"}
    with pytest.raises(OptionError, match="lines must be a text, a number or true or false, not a list or table"):
        read_config(path, "hive")


def test_a_game_from_elsewhere_has_its_section(tmp_path: Path) -> None:
    path = tmp_path / CONFIG_NAME
    path.write_text("[hex]\ndepth = 2\n[tic-tac-toe]\ndepth = 3\n")
    assert read_texts(path, "tic-tac-toe") == {"depth": "3"}
    with pytest.raises(OptionError, match=r"unknown section \[tic-tac-toe\]; allowed: gomoku, hex"):
        read_config(path, "hex")


@pytest.mark.parametrize(
    "content", [b"depth = ", b"depth = 1\ndepth = 2", b"\xff\xfe", b"[paper]\ndepth = 2", b"a=[]", b"[hex.a]\nb=1"]
)
def test_a_malformed_config_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / CONFIG_NAME
    path.write_bytes(content)
    with pytest.raises(OptionError) as caught:
        read_config(path, "hex")
    assert str(caught.value).startswith(str(path))


def make(session: OptionSet | None = None, **texts: str) -> Player:
    settings = {name: RawSetting(text) for name, text in texts.items()}
    return make_player(KINDS, settings, session or OptionSet(()))


def test_settings_become_options() -> None:
    player = make(player="paper:2", noise="0.5")
    assert dict(player.options) == {"depth": 2, "noise": 0.5}
    assert dict(make(depth="7").options)["depth"] == 7
    with pytest.raises(OptionError, match="unknown option 'dept'"):
        make(dept="7")


def test_parameters_of_the_player_go_before_options_of_the_session() -> None:
    """`--player alphabeta --depth 6` is a player of depth 6, not a session that tells it any depth."""
    for player, own, told in (("paper", {"depth": 6, "noise": 0.0}, 0), ("random", {}, 6)):
        session = OptionSet((Option("depth", 0, "plies of every search", minimum=0), Option("pace", 0, "of moves")))
        made = make(session, player=player, depth="6", pace="3")
        assert (dict(made.options), session["depth"], session["pace"]) == (own, told, 3)
        with pytest.raises(OptionError, match=r"unknown option 'pase'; known: depth, (noise, )?pace$"):
            make(session, player=player, pase="3")


def test_a_mistake_is_told_before_the_player_is_made() -> None:
    """Where it is run from its sources the player compiles kernels for a minute."""

    def refuse(_: OptionSet) -> Player:
        raise AssertionError("nothing is to be built")

    kinds = [replace(kind, build=refuse) for kind in KINDS]
    for settings in ({"player": "papers"}, {"depth": "9"}, {"dept": "1"}, {"player": "paper:9"}):
        with pytest.raises(OptionError):
            make_player(kinds, {name: RawSetting(text) for name, text in settings.items()}, OptionSet(()))


def start(arguments: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", [str(folder / "brain"), *arguments])
    return dict(player_from_command_line("hex", KINDS, "A brain", "1.2.3").options)


def test_the_command_line_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / CONFIG_NAME).write_text("depth = 5\nnoise = 1.0\n")
    assert start([], tmp_path, monkeypatch) == {"depth": 5, "noise": 1.0}
    assert start(["--depth", "6"], tmp_path, monkeypatch) == {"depth": 6, "noise": 1.0}


def test_the_file_may_hold_what_only_another_player_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / CONFIG_NAME).write_text("depth = 5\n")
    assert start(["--player", "random"], tmp_path, monkeypatch) == {}
    with pytest.raises(SystemExit):
        start(["--player", "random", "--depth", "5"], tmp_path, monkeypatch)


def test_help_and_version_end_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / CONFIG_NAME).write_text("dept = \n")  # help is for those who have made a mistake
    for argument, wanted in (("--help", format_help("hex", KINDS, "A brain")), ("--version", "A brain 1.2.3")):
        with pytest.raises(SystemExit) as caught:
            start([argument], tmp_path, monkeypatch)
        assert caught.value.code == 0
        assert capsys.readouterr() == (wanted + "\n", "")


def test_a_mistake_ends_with_2_and_words_on_standard_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        start(["--depth", "9"], tmp_path, monkeypatch)
    assert caught.value.code == 2
    assert capsys.readouterr() == ("", "brain: option depth must be a whole number from 1 to 8, not '9'\n")


@pytest.mark.parametrize("content", ['player = "papers"', "dept = 5", "[hex]\ndepth = 9", "\ndepth = ?"])
def test_a_mistake_in_the_file_names_the_file(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / CONFIG_NAME
    path.write_text(f"noise = 0\n{content}\n")
    with pytest.raises(SystemExit) as caught:
        start(["--noise", "1"], tmp_path, monkeypatch)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith(f"brain: {path}: ")
    with pytest.raises(SystemExit):
        start(["--noise", "much"], tmp_path, monkeypatch)
    path.unlink()
    with pytest.raises(SystemExit):
        start(["--noise", "much"], tmp_path, monkeypatch)
    assert capsys.readouterr().err.endswith("brain: option noise must be a number of 0 or more, not 'much'\n")


def test_help_lists_every_player_and_option() -> None:
    assert format_help("hex", KINDS, "A brain").splitlines() == [
        "A brain",
        "",
        "  --player NAME[:OPTION=VALUE,...]   --help   --version",
        "",
        "Players and their options:",
        "  paper        the player of the paper",
        "    --depth      plies (whole number from 1 to 8; default 3)",
        "    --noise      of the estimate (number of 0 or more; default 0.0)",
        "  random       any legal move",
        "",
        'config.toml beside the executable may set the same names, for example: player = "paper"',
        "If several games share that file, put settings for this game alone below [hex].",
    ]


def test_session_options_are_taken_from_the_same_places(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = OptionSet((Option("coordinates", "own", "of squares", choices=("own", "go")),))
    monkeypatch.setattr(sys, "argv", ["bot", "--coordinates", "GO", "--player", "paper"])
    assert player_from_command_line("hex", KINDS, "Bot", "1", session).name == "paper"
    assert session["coordinates"] == "go"
    for argument, status in (("--coordinates=left", 2), ("--help", 0)):
        monkeypatch.setattr(sys, "argv", ["bot", argument])
        with pytest.raises(SystemExit) as caught:
            player_from_command_line("hex", KINDS, "Bot", "1", session)
        assert caught.value.code == status
    output = capsys.readouterr()
    assert "bot: option coordinates must be one of own, go, not 'left'" in output.err
    assert "--coordinates of squares (one of own, go; default own)" in output.out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends console events instead of SIGINT")
def test_interrupt_while_the_player_is_built_cleans_up_and_exits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player that is run from source may compile its kernels for a minute, in a temporary folder."""
    handler, cleaned = signal.getsignal(signal.SIGINT), []

    def compile_kernels(_: OptionSet) -> Player:
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            cleaned.append(True)
        raise AssertionError("the interrupt had no effect")

    monkeypatch.setattr(sys, "argv", ["bot"])
    with pytest.raises(SystemExit) as caught:
        player_from_command_line("hex", [replace(KINDS[0], build=compile_kernels)], "Bot", "1")
    assert (caught.value.code, cleaned) == (SIGINT_EXIT_STATUS, [True])
    assert signal.getsignal(signal.SIGINT) == handler
