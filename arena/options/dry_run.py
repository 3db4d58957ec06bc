"""The text that `pentad match --dry-run` prints: what would be played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from arena.options.match import describe_match
from arena.run.display import describe_round

if TYPE_CHECKING:
    from arena.engines.spec import EngineSpec
    from arena.log.events import EngineEntry, RoundPaired
    from arena.run.config import MatchConfig
    from arena.terms.plan import Pair
    from protocols.driving.deadlines import Deadlines

SHOWN_PAIRS = 10  # without --verbose


def describe_plan(config: MatchConfig, *, shows_all: bool) -> Iterator[str]:
    """Yield the lines about a match that would be played: its settings, engines, limits, openings and pairs of games.

    With `shows_all` all pairs are listed, otherwise the first SHOWN_PAIRS.
    """
    yield describe_match(config)
    yield f"records: {config.out} (not written)"
    for spec in config.engines:
        yield from _describe_engine(spec, spec.log_entry(config.game))
    yield f"limits: {_describe_limits(config)}"
    yield f"deadlines: {_describe_deadlines(config.engine_limits.deadlines)}"
    if len(config.book):
        yield f"openings: {config.book.source}, SHA-256 {config.book.digest}"
    paired, pairs = _list_first_pairs(config)
    if paired:
        yield describe_round(paired)
    for pair in pairs if shows_all else islice(pairs, SHOWN_PAIRS):
        yield _describe_pair(config, pair)
    if len(pairs) > SHOWN_PAIRS and not shows_all:
        yield f"... and {len(pairs) - SHOWN_PAIRS} more pairs; --verbose lists all {len(pairs)}"
    if config.rules.is_by_rounds:
        yield "these are the pairs of the first round; later pairings depend on the results"
    yield "nothing was played, and no records were written"


def _list_first_pairs(config: MatchConfig) -> tuple[RoundPaired | None, Sequence[Pair]]:
    """Return all pairs of the run, or the first round with its pairs if later ones depend on results."""
    from arena.log.file import Run
    from arena.run.planner import make_planner
    from arena.run.provenance import describe_run

    if not config.rules.is_by_rounds:
        return None, config.plan()
    batch = make_planner(config, Run(describe_run(config, ()), (), frozenset())).next_batch()
    return (batch.paired, batch.pairs) if batch else (None, ())


def _describe_engine(spec: EngineSpec, entry: EngineEntry) -> Iterator[str]:
    """Yield the line of an engine, and one of its settings if it has any."""
    if spec.command:
        kind = f"{spec.command} ({spec.protocol})" + (f" in {spec.directory}" if spec.directory else "")
        kind += f", unpacked from {spec.archive}" if spec.archive else ""
    else:
        kind = f"player {spec.player}" + (f" from {entry.source}" if entry.source else ", part of Pentad")
    yield f"{spec.name}: {kind}" + (f", SHA-256 {entry.file_hash}" if entry.file_hash else "")
    settings = [f"tc={spec.tc}"] if spec.tc else []
    settings += [f"option.{name}={value}" for name, value in spec.options]
    settings += [f"env.{name}={value}" for name, value in spec.environment]
    if settings:
        yield f"  with {', '.join(settings)}"


def _describe_limits(config: MatchConfig) -> str:
    """Return the limits of games and engines apart from the time for moves."""
    limits = config.engine_limits
    concurrency = config.concurrency or "as many as the cluster has threads"
    parts = [
        f"games at the same time: {concurrency}",
        f"plies per game: {config.max_plies or config.game.max_plies(config.setup)}",
        f"memory per engine: {limits.memory_bytes >> 20} MiB" if limits.memory_bytes else "memory per engine: no limit",
        f"processors per engine: {limits.engine_threads}{' (pinned)' if limits.affinity else ''}",
    ]
    draw, resign = config.adjudication.draw, config.adjudication.resign
    if draw:
        parts.append(f"draw from move {draw.first_move} on after {draw.moves} scores within {draw.score}")
    if resign:
        parts.append(f"resignation after {resign.moves} scores of {resign.score}")
    parts += ["proven games end early"] if config.adjudication.solved else []
    parts += ["engines are suspended during the opponent's turn"] if limits.suspend else []
    parts += ["engines restart for each game"] if config.restart else []
    return "; ".join(parts)


def _describe_deadlines(deadlines: Deadlines) -> str:
    times = {
        "to start": deadlines.start_s,
        "for a new game": deadlines.new_game_s,
        "for other answers": deadlines.ping_s,
        "for a move without a clock": deadlines.move_s,
        "to exit": deadlines.quit_s,
    }
    return ", ".join(f"{seconds:g} s {purpose}" for purpose, seconds in times.items())


def _describe_pair(config: MatchConfig, pair: Pair) -> str:
    """Return the line of a pair: the engine that moves first in each game, and the opening."""
    names = config.names
    games = [f"game {game.number} {names[game.first]} v {names[sum(pair.engines) - game.first]}" for game in pair.games]
    if config.swap2:
        opening = "opening by swap2"
    elif pair.opening is None:
        opening = "no opening"
    else:
        moves = config.game.format_opening(config.opening(pair), config.setup)
        opening = f"opening {config.book.number_in_file(pair.opening)}: {moves}"
    return f"pair {pair.number}: {', '.join(games)}; {opening}"
