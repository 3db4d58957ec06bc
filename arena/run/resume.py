"""Restore the configuration of a run from the header of its log, and check that its engines have not changed.

Used by `pentad resume`, by the workers of a cluster, and by `pentad openings --test` and `pentad study`, which continue
their interrupted runs. An engine is either a program with a command line, or a player: Python code that runs in this
process. A player is built in, comes from a file, or is installed by a package (arena/engines/spec.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from arena.engines.clients import make_engine_player
from arena.engines.gomocup_zip import unpack_again
from arena.engines.plugins import is_builtin, read_player_source
from arena.engines.spec import EngineSpec, check_program, check_settings, engine_fields
from arena.errors import UsageError
from arena.log.events import EngineEntry, RunStarted
from arena.log.file import LOG_NAME
from arena.run.config import MatchConfig
from arena.run.provenance import read_versions
from arena.terms.arguments import find_game
from arena.terms.openings import OpeningBook
from arena.terms.settings import settings_by_name
from core.play.player import Setup

PACKAGE_NAME = "pentad"  # key of Pentad's own version in `RunStarted.versions`


def restore_config(directory: Path, header: RunStarted) -> MatchConfig:
    """Return the configuration that a header describes; raise UsageError if its game or a player's file is missing."""
    game = find_game(header.game)
    return MatchConfig(
        **settings_by_name(header),
        game=game,
        setup=Setup(header.width, header.height, header.variant, header.position),
        engines=tuple(_restore_engine(entry) for entry in header.engines),
        out=directory,
        make_player=partial(
            make_engine_player, game=game, control=header.control, deadlines=header.engine_limits.deadlines
        ),
        book=OpeningBook(header.book, header.openings, header.openings_hash),
    )


def check_unchanged(config: MatchConfig, header: RunStarted) -> None:
    """Raise UsageError if an engine has changed since the run started, because a result must not mix two versions.

    This compares the hash of the file of programs and of players that are not built in, and the version of Pentad for
    all players. If the log lacks a value, the engine counts as changed. A missing program is not reported here but by
    `check_engines`, which must come later because it executes the code of players.
    """
    version_then, version_now = header.versions.get(PACKAGE_NAME), read_versions().get(PACKAGE_NAME)
    for spec, entry in zip(config.engines, header.engines, strict=True):
        hash_now = "" if is_builtin(spec.player, config.game) else spec.log_entry(config.game).file_hash
        if hash_now and hash_now != entry.file_hash:
            file = "ZIP" if spec.archive else "program" if spec.command else "player's file"
            raise UsageError(f"the {file} of {spec.name} has changed since the run started; --force continues anyway")
        if spec.player and (not version_then or version_then != version_now):
            version = f"version {version_then}" if version_then else "an unknown version"
            raise UsageError(f"{spec.name} ran in {version} of Pentad when the run started; --force continues anyway")


def check_engines(config: MatchConfig, *, forced: bool = False, advice: str = "") -> None:
    """Raise UsageError if the settings of an engine are wrong, or unless `forced` if its program is missing.

    The message names its entry in the log; `advice` is added to that about a missing program.
    """
    for index, spec in enumerate(config.engines):
        location = f"{config.out / LOG_NAME}, line 1: engines[{index}], {spec.name!r}"
        check_settings(spec, location, config.game)
        try:
            if not forced:
                check_program(spec, location)
        except UsageError as error:
            raise UsageError(f"{error}{advice and '; '}{advice}") from None


def check_player_hashes(config: MatchConfig, engines: Sequence[EngineEntry]) -> None:
    """Raise UsageError if the hash of a player's file differs from that in its log entry; used on cluster workers."""
    for spec, entry in zip(config.engines, engines, strict=True):
        if spec.player and spec.log_entry(config.game).file_hash != entry.file_hash:
            raise UsageError(
                f"the player {spec.name} on this machine differs from the one on the machine that started the run"
            )


def _restore_engine(entry: EngineEntry) -> EngineSpec:
    directory = unpack_again(entry.archive, entry.directory) if entry.archive else entry.directory
    fields = engine_fields(entry) | {"directory": directory}
    return EngineSpec(**fields, player_source=read_player_source(entry.player))
