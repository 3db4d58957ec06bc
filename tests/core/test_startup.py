"""Start-up settings: command line over config file over defaults, and what mistakes say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.options import Option, OptionError, OptionSet
from core.startup import CONFIG_NAME, configure, describe, parse_arguments, read_config, start_player
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
    assert parse_arguments(arguments) == settings


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


def test_a_config_file_holds_plain_values(tmp_path: Path) -> None:
    path = tmp_path / CONFIG_NAME
    assert read_config(path) == {}
    path.write_text('\ufeffplayer = "paper"\nDepth = 5\nnoise = 0.25\ntrace = true\n', encoding="utf-8")
    assert read_config(path) == {"player": "paper", "depth": "5", "noise": "0.25", "trace": "True"}


@pytest.mark.parametrize("content", [b"depth = ", b"depth = 1\ndepth = 2", b"\xff\xfe", b"[paper]\ndepth = 2", b"a=[]"])
def test_a_malformed_config_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / CONFIG_NAME
    path.write_bytes(content)
    with pytest.raises(OptionError) as caught:
        read_config(path)
    assert str(caught.value).startswith(str(path))


def test_settings_become_options() -> None:
    player = configure(KINDS, {"player": "paper:2", "noise": "0.5"})
    assert dict(player.options) == {"depth": 2, "noise": 0.5}
    assert dict(configure(KINDS, {"depth": "7"}).options)["depth"] == 7
    with pytest.raises(OptionError, match="unknown option 'dept'"):
        configure(KINDS, {"dept": "7"})


def start(arguments: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", [str(folder / "brain"), *arguments])
    return dict(start_player(KINDS, "A brain", "1.2.3").options)


def test_the_command_line_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / CONFIG_NAME).write_text("depth = 5\nnoise = 1.0\n")
    assert start([], tmp_path, monkeypatch) == {"depth": 5, "noise": 1.0}
    assert start(["--depth", "6"], tmp_path, monkeypatch) == {"depth": 6, "noise": 1.0}


def test_help_and_version_end_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for argument, wanted in (("--help", describe(KINDS, "A brain")), ("--version", "A brain 1.2.3")):
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
    assert capsys.readouterr() == ("", "brain: option depth wants whole number from 1 to 8, not '9'\n")


def test_help_lists_every_player_and_option() -> None:
    assert describe(KINDS, "A brain").splitlines() == [
        "A brain",
        "",
        "  --player NAME[:OPTION=VALUE,...]   --help   --version",
        "",
        "Players and their options:",
        "  paper        the player of the paper",
        "    --depth      plies (whole number from 1 to 8; 3)",
        "    --noise      of the estimate (number of 0 or more; 0.0)",
        "  random       any legal move",
        "",
        'The same names may stand in config.toml beside the executable: player = "paper"',
    ]


def test_session_options_are_taken_from_the_same_places(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = OptionSet((Option("coordinates", "own", "of squares", choices=("own", "go")),))
    monkeypatch.setattr(sys, "argv", ["bot", "--coordinates", "GO", "--player", "paper"])
    assert start_player(KINDS, "Bot", "1", session).name == "paper"
    assert session["coordinates"] == "go"
    for argument, status in (("--coordinates=left", 2), ("--help", 0)):
        monkeypatch.setattr(sys, "argv", ["bot", argument])
        with pytest.raises(SystemExit) as caught:
            start_player(KINDS, "Bot", "1", session)
        assert caught.value.code == status
    output = capsys.readouterr()
    assert "bot: option coordinates wants one of own, go, not 'left'" in output.err
    assert "--coordinates of squares (one of own, go; own)" in output.out
