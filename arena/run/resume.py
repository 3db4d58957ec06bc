"""Going on with a run that was broken off: its terms come from the header of its log, and nothing else may differ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from arena.engines.clients import make_engine_player
from arena.engines.plugins import is_builtin, read_player_source
from arena.engines.spec import EngineSpec, check_engine, engine_fields
from arena.errors import UsageError
from arena.log.events import EngineEntry, RunStarted
from arena.log.file import LOG_NAME
from arena.run.config import MatchConfig
from arena.run.provenance import read_versions
from arena.terms.arguments import find_game
from arena.terms.openings import OpeningBook
from arena.terms.settings import list_settings
from core.play.player import Setup

OURS = "pentad"


def restore_config(directory: Path, header: RunStarted) -> MatchConfig:
    """The run that a header describes; raise UsageError where its game is not known here."""
    game = find_game(header.game)
    return MatchConfig(
        **list_settings(header),
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
    """Raise UsageError where an engine is not what it was when the run began: one result cannot speak for two.

    A log that does not tell what an engine was cannot say that it is the same. A program that is not there is for
    `check_engines` to tell, which comes after this: it runs the code of a player.
    """
    began, here = header.versions.get(OURS), read_versions().get(OURS)
    for spec, entry in zip(config.engines, header.engines, strict=True):
        found = "" if is_builtin(spec.player, config.game) else spec.log_entry(config.game).file_hash
        if found and found != entry.file_hash:
            what = "program" if spec.command else "player's file"
            raise UsageError(f"the {what} of {spec.name} is not the one that the run began with; --force plays on")
        if spec.player and (not began or began != here):
            since = f"version {began}" if began else "an unknown version"
            raise UsageError(f"{spec.name} was a player of {since} when the run began; --force plays on")


def check_engines(config: MatchConfig) -> None:
    """Raise UsageError, naming the log's field, where an engine cannot be started."""
    for index, spec in enumerate(config.engines):
        check_engine(spec, f"{config.out / LOG_NAME}, line 1: engines[{index}], {spec.name!r}", config.game)


def check_players(config: MatchConfig, engines: Sequence[EngineEntry]) -> None:
    """Raise UsageError where a player of a file or of a package is another one here than where it was recorded."""
    for spec, entry in zip(config.engines, engines, strict=True):
        if spec.player and spec.log_entry(config.game).file_hash != entry.file_hash:
            raise UsageError(f"the player {spec.name} is another one here than where the run began")


def _restore_engine(entry: EngineEntry) -> EngineSpec:
    return EngineSpec(**engine_fields(entry), player_source=read_player_source(entry.player))
