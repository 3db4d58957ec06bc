"""Which runs this user has begun on this machine: going on with any other one runs commands that somebody else chose.

The list is kept in the user's own folder, never in the run's, which may come from anybody. It holds the hash of each
run's header, and with it of its commands; whatever else changes in the log runs nothing.
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
    """Remember a run that begins, by the hash of its header's line; raise OSError, UnsafeFileError."""
    path = user_state_folder() / LIST_NAME
    make_private_folder(path.parent)
    with naming_file(path):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(handle, "w", encoding="ascii", newline="\n") as file:
            file.write(f"{digest}\n")


def is_trusted_run(digest: str) -> bool:
    """Whether this user has begun a run here; no where anybody else could have said so."""
    path = user_state_folder() / LIST_NAME
    try:
        check_trusted(path.parent.resolve(), path)
        return digest in path.read_text(encoding="ascii").split()
    except (OSError, UnsafeFileError, UnicodeDecodeError):
        return False


def list_commands(config: MatchConfig) -> list[str]:
    """What a run makes this machine run besides Pentad's own players, a line an engine, all of it printable."""
    return [make_printable(line) for spec in config.engines for line in _describe_code(spec, config.game)]


def user_state_folder() -> Path:
    """Where this system keeps what a program remembers for its user."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "pentad" / "state"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "pentad"
    return Path(os.environ.get("XDG_STATE_HOME", home / ".local" / "state")) / "pentad"


def _describe_code(spec: EngineSpec, game: Game) -> Iterator[str]:
    if spec.command:
        variables = "".join(f"{name}={value} " for name, value in spec.environment)
        yield f"{spec.name}: {variables}{spec.command}" + (f" (in {spec.directory})" if spec.directory else "")
    elif not is_builtin(spec.player, game):
        yield f"{spec.name}: Python code, {spec.player}"
