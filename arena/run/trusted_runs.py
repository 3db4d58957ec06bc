"""Remember which runs this user has started on this machine. `pentad resume` asks before it runs engines of others.

The log of a run contains the commands of its engines, so a log from somebody else could run any command. The list of
trusted runs is the file runs.txt in the user's state folder. It has a line per run: the SHA-256 of the header line of
its log. This is enough, because only commands in the header are ever executed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from arena.engines.plugins import is_builtin
from arena.engines.spec import EngineSpec
from arena.log.engine_output import make_printable
from arena.run.config import MatchConfig
from core.play.game import Game
from core.system.files import naming_file
from core.system.ownership import UnsafeFileError, check_trusted, make_private_folder

LIST_NAME = "runs.txt"


def trust_run(digest: str) -> None:
    """Add the SHA-256 of a header line to the list; raise OSError or UnsafeFileError if this is not possible."""
    path = user_state_folder() / LIST_NAME
    make_private_folder(path.parent)
    with naming_file(path):
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii", newline="\n") as file:
            file.write(f"{digest}\n")


def is_trusted_run(digest: str) -> bool:
    """Return whether the list has this hash of a header line; False if other users can write to the list."""
    path = user_state_folder() / LIST_NAME
    try:
        check_trusted(path.parent.resolve(), path)
        return digest in path.read_text(encoding="ascii").split()
    except (OSError, UnsafeFileError, UnicodeDecodeError):
        return False


def list_commands(config: MatchConfig) -> list[str]:
    """Return a printable line for each engine that is not part of Pentad: its command, or where its Python code is."""
    return [make_printable(line) for spec in config.engines for line in _describe_engine(spec, config.game)]


def user_state_folder() -> Path:
    """Return the folder for state files of this user: the usual place of the operating system."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "pentad" / "state"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "pentad"
    return Path(os.environ.get("XDG_STATE_HOME", home / ".local" / "state")) / "pentad"


def _describe_engine(spec: EngineSpec, game: Game) -> Iterator[str]:
    """Yield the line of an engine for `list_commands`; nothing for a built-in player."""
    if spec.command:
        variables = "".join(f"{name}={value} " for name, value in spec.environment)
        yield f"{spec.name}: {variables}{spec.command}" + (f" (in {spec.directory})" if spec.directory else "")
    elif not is_builtin(spec.player, game):
        yield f"{spec.name}: Python code, {spec.player}"
