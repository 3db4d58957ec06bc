"""The command `pentad --install-completion`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from arena.console import stdout_console
from arena.errors import UsageError

if TYPE_CHECKING:
    from cyclopts import App

Shell = Literal["bash", "zsh", "fish", "powershell"]


def make_completion_command(app: App) -> Callable[..., None]:
    """Return the command that installs the completion of an app's commands and options.

    The command of cyclopts would change the start-up file of the shell even if the script is written elsewhere.
    """

    def install_completion(
        *,
        shell: Annotated[Shell | None, Parameter(help="Shell. Default: the one that runs this command.")] = None,
        output: Annotated[
            Path | None,
            Parameter(
                name=["--output", "-o"],
                help="Only write the script to this file; change no start-up file of the shell.",
            ),
        ] = None,
    ) -> None:
        """Install completion of commands and options for bash, zsh, fish or PowerShell.

        Without --output the script is written where the shell looks for it, and a line that loads it is added to
        .bashrc, .zshrc or the PowerShell profile. The script does not change: repeat this after an update of Pentad.

        Example: pentad --install-completion --shell bash
        """
        from cyclopts.completion.detect import ShellDetectionError

        try:
            path = app.install_completion(shell=shell, output=output, add_to_startup=output is None)
        except ShellDetectionError:
            raise UsageError("--shell: the shell is not known; give bash, zsh, fish or powershell") from None
        started = "" if output else "; start a new shell to use it"
        stdout_console().print(f"completion script: {path}{started}", markup=False, soft_wrap=True)

    return install_completion
