"""`pentad --install-completion` writes scripts that know the commands and options, and bash can use its script."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from arena.cli import main as cli


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home folder: the command changes start-up files of the shell there."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    return folder


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_script_has_the_options_of_match_and_changes_nothing_else(shell: str, tmp_path: Path, home: Path) -> None:
    script = tmp_path / "script"
    assert cli.run(["--install-completion", "--shell", shell, "--output", str(script)]) == 0
    text = script.read_text(encoding="utf-8")
    for word in ("match", "resume", "kolibrat", "engine", "openings-plies", "adjudicate-draw", "dry-run", "sequential"):
        assert word in text
    assert not list(home.iterdir())


def test_script_is_loaded_at_the_start_of_the_shell(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--install-completion", "--shell", "bash"]) == 0
    (script,) = [path for path in home.rglob("pentad") if path.is_file()]
    assert str(script) in (home / ".bashrc").read_text(encoding="utf-8")
    assert capsys.readouterr().out == f"completion script: {script}; start a new shell to use it\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes_options_and_their_values(tmp_path: Path) -> None:
    script = tmp_path / "script"
    assert cli.run(["--install-completion", "--shell", "bash", "--output", str(script)]) == 0

    def complete(*words: str) -> list[str]:
        code = (
            f'. {script}; COMP_WORDS=("$@"); COMP_CWORD={len(words) - 1}; _pentad; printf "%s\\n" "${{COMPREPLY[@]}}"'
        )
        command = ["bash", "-c", code, "bash", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    assert complete("pentad", "res") == ["resume"]
    assert complete("pentad", "match", "--openings-") == ["--openings-start", "--openings-plies"]
    assert complete("pentad", "match", "--order", "") == ["random", "sequential"]


def test_unknown_shell_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from cyclopts.completion import detect

    def fail() -> None:
        raise detect.ShellDetectionError

    monkeypatch.setattr(detect, "detect_shell", fail)
    assert cli.run(["--install-completion"]) == 2
    assert capsys.readouterr().err == "pentad: --shell: the shell is not known; give bash, zsh, fish or powershell\n"
