"""Runs that the same command goes on with: a command that names its folder is played there, or played on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from arena.errors import UsageError
from arena.log.file import LOG_NAME, read_run
from arena.log.replay import replay_games
from arena.run.config import MatchConfig, MatchResult, RunObserver
from arena.run.match import resume_match, run_match
from arena.run.provenance import describe_resumption
from arena.run.resume import check_unchanged, restore_config


def run_or_resume(config: MatchConfig, screen: RunObserver, command_line: Sequence[str]) -> MatchResult:
    """Play a run, or go on with it where its folder holds it already; raise UsageError where it holds another run.

    Who plays the rest, and how much of it at a time, may be another than before.
    """
    if not (config.out / LOG_NAME).exists():
        return run_match(config, screen, command_line)
    run = read_run(config.out)
    replay_games(config.out, run)
    resumed = restore_config(config.out, run.header)
    if _terms(resumed) != _terms(config):
        raise UsageError(f"{config.out} holds another run: choose another --out")
    check_unchanged(resumed, run.header)
    resumed = replace(resumed, scheduler=config.scheduler, concurrency=config.concurrency)
    return resume_match(resumed, screen, describe_resumption(resumed, forced=False))


def _terms(config: MatchConfig) -> tuple[object, ...]:
    """What must be the same where a run goes on."""
    played = config.game.name, config.setup, config.engines, config.gauntlet, config.book.lines
    return (*played, config.games, config.seed, config.control, config.max_plies)
