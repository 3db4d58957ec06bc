"""Start a run, or resume it if its folder already holds it.

Used by `pentad openings --test`, `pentad study` and the verification of a tuning: repeating their command continues an
interrupted run.
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


def run_or_resume(
    config: MatchConfig, observer: RunObserver, command_line: Sequence[str], advice: str = "choose another --out"
) -> MatchResult:
    """Play a run, or resume it if its folder already holds it; raise UsageError if the folder holds a different run.

    The error names the settings that differ, and ends with the advice. A resumed run takes `scheduler` and
    `concurrency` from `config`, and all other settings from its log.
    """
    if not (config.out / LOG_NAME).exists():
        return run_match(config, observer, command_line)
    run = read_run(config.out)
    replay_games(config.out, run)
    restored = restore_config(config.out, run.header)
    fixed = _fixed_settings(config)
    different = [name for name, value in _fixed_settings(restored).items() if value != fixed[name]]
    if different:
        raise UsageError(f"{config.out} holds a different run, with other {', '.join(different)}: {advice}")
    check_unchanged(restored, run.header)
    restored = replace(restored, scheduler=config.scheduler, concurrency=config.concurrency)
    return resume_match(restored, observer, describe_resumption(restored, forced=False))


def _fixed_settings(config: MatchConfig) -> dict[str, object]:
    """Return the settings that must be the same for a run to be resumed, by their names for people."""
    return {
        "game": (config.game.name, config.setup, config.max_plies),
        "engines": config.engines,
        "openings": (config.book.lines, config.order, config.transform),
        "number of games": (config.rules, config.games),
        "SPRT": config.sprt,
        "seed": config.seed,
        "time control": config.control,
        "adjudication": config.adjudication,
    }
