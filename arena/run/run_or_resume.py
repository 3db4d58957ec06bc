"""Start a run, or resume it if its folder already holds it.

Used by `pentad openings --test` and `pentad study`: repeating their command continues an interrupted run.
"""

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


def run_or_resume(config: MatchConfig, observer: RunObserver, command_line: Sequence[str]) -> MatchResult:
    """Play a run, or resume it if its folder already holds it; raise UsageError if the folder holds a different run.

    A resumed run takes `scheduler` and `concurrency` from `config`, and all other settings from its log.
    """
    if not (config.out / LOG_NAME).exists():
        return run_match(config, observer, command_line)
    run = read_run(config.out)
    replay_games(config.out, run)
    restored = restore_config(config.out, run.header)
    if _fixed_settings(restored) != _fixed_settings(config):
        raise UsageError(f"{config.out} holds a different run: choose another --out")
    check_unchanged(restored, run.header)
    restored = replace(restored, scheduler=config.scheduler, concurrency=config.concurrency)
    return resume_match(restored, observer, describe_resumption(restored, forced=False))


def _fixed_settings(config: MatchConfig) -> tuple[object, ...]:
    """Return the settings that must be the same for a run to be resumed."""
    participants = config.game.name, config.setup, config.engines, config.rules, config.book.lines
    return (*participants, config.games, config.seed, config.control, config.max_plies)
