"""Configuration of a tuning: from the options of the command line, or restored from the header of a log."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import field, structs

from arena.engines.spec import EngineSpec, parse_engine
from arena.errors import UsageError
from arena.options.match import MatchOptions, configure_match
from arena.options.tune import SpsaOptions
from arena.options.tuning_file import parse_parameters
from arena.run.config import MatchConfig
from arena.run.provenance import describe_run
from arena.run.resume import restore_config
from arena.terms.arguments import choose_book, find_game
from arena.terms.openings import OpeningBook
from arena.terms.plan import MAX_GAMES
from arena.terms.struct_options import check_limits
from arena.terms.tuning import TunedParameter, TuneSettings, tune_settings_by_name
from arena.tune.events import MINUS, PLUS, OptionValue, TuneStarted
from core.play.game import Game
from core.play.player import Setup

MAX_HELD_OUT_SHARE = 2  # at most one opening in this many is kept for the verification
SHARED_OPTIONS = (  # fields that SpsaOptions and MatchOptions have in common, apart from those of the engine
    *("game", "rule", "size", "tc", "depth", "nodes", "margin_ms", "openings", "openings_plies", "order", "transform"),
    *("concurrency", "force", "max_plies", "seed", "adjudication", "engine_limits", "max_faults"),
)


# Options that the arena sets itself in every game or move, in lower case, by protocol; "" stands for players
RESERVED_NAMES = {
    "gomocup": {
        *("rule", "game_type", "folder", "evaluate", "max_memory", "timeout_turn", "timeout_match", "time_left"),
        *("time_increment", "max_depth", "max_node"),
    },
    "uhp": {"nodes", "verbosity", "player"},
    "gtp": {"gtp.depth", "gtp.nodes", "depth", "nodes", "startup", "time", "dialect"},
    "": {"seed"},
}


class TuneConfig(TuneSettings, frozen=True, kw_only=True):
    """Everything needed to tune: settings, parameters, and a match whose engines are `plus` and `minus`."""

    engine: str  # its name
    parameters: tuple[TunedParameter, ...]
    match: MatchConfig  # its folder, `out`, is that of the tuning
    held_out: tuple[tuple[str, ...], ...] = ()  # openings that the verification plays
    verify_sprt: str = ""
    options: dict[str, OptionValue] = field(default_factory=dict)  # as given by the user


def configure_tuning(options: SpsaOptions) -> TuneConfig:
    """Return the tuning that the options describe; raise UsageError with a message of one line if they are wrong."""
    check_limits(options)
    if not options.engine:
        raise UsageError("no engine to tune: give --engine cmd=COMMAND or player=NAME, or the key engine in the file")
    if not options.parameter:
        raise UsageError("no parameter to tune: give a table [parameters] in the file, or --parameter")
    parameters = parse_parameters(options.parameter)
    games = 2 * options.iterations * options.pairs
    if games > MAX_GAMES:
        raise UsageError(f"--iterations times --pairs must be at most {MAX_GAMES // 2}, not {games // 2}")
    if options.concurrency > options.pairs:
        reason = "iterations follow each other, so that only pairs of one iteration are played at the same time"
        raise UsageError(f"--concurrency must be at most --pairs, {options.pairs}, not {options.concurrency}: {reason}")
    if options.verify % 2:
        raise UsageError(f"--verify counts pairs of games: it must be even, not {options.verify}")
    game = find_game(options.game)
    spec = parse_engine(options.engine, game)
    check_names(parameters, spec)
    shared: dict[str, Any] = {name: getattr(options, name) for name in SHARED_OPTIONS}
    engines = [engine_text(spec, PLUS), engine_text(spec, MINUS)]
    out = options.out or Path("runs") / f"tune-{datetime.now():%Y%m%d-%H%M%S-%f}"
    match = configure_match(MatchOptions(**shared, engine=engines, games=games))
    match = structs.replace(match, out=out, concurrency=min(match.concurrency, options.pairs))
    book, held_out = _hold_out_openings(options, match.book, game, match.setup)
    given = json.loads(options.given) if options.given else {}
    return TuneConfig(
        **tune_settings_by_name(options),
        engine=spec.name,
        parameters=parameters,
        match=structs.replace(match, book=book),
        held_out=held_out,
        verify_sprt=options.verify_sprt,
        options=given | {"engine": options.engine},
    )


def engine_text(spec: EngineSpec, name: str) -> str:
    """Return an engine under another name as text that `--engine` accepts."""
    fields = {"cmd": spec.command, "player": spec.player, "dir": spec.directory, "tc": spec.tc}
    table: dict[str, object] = {key: value for key, value in fields.items() if value}
    if spec.command:
        table["proto"] = spec.protocol
    return json.dumps({**table, "name": name, "options": dict(spec.options), "env": dict(spec.environment)})


def describe_tuning(config: TuneConfig, command_line: Sequence[str]) -> TuneStarted:
    """Return the header of the log of a new tuning."""
    return TuneStarted(
        **tune_settings_by_name(config),
        engine=config.engine,
        parameters=config.parameters,
        match=describe_run(config.match, command_line),
        held_out=config.held_out,
        options={name: value for name, value in config.options.items() if name != "seed"},
        verify_sprt=config.verify_sprt,
    )


def restore_tuning(directory: Path, header: TuneStarted) -> TuneConfig:
    """Return the configuration that a header describes; raise UsageError if its game or a player's file is missing."""
    return TuneConfig(
        **tune_settings_by_name(header),
        engine=header.engine,
        parameters=header.parameters,
        match=restore_config(directory, header.match),
        held_out=header.held_out,
        options=header.options,
        verify_sprt=header.verify_sprt,
    )


def is_same_tuning(config: TuneConfig, restored: TuneConfig) -> bool:
    """Return whether the options describe a tuning that has begun. A seed that was not given may be any."""

    def settings(tuning: TuneConfig, seed: int) -> tuple[object, ...]:
        match = tuning.match
        games = (match.game.name, match.setup, match.engines, match.control, match.max_plies, match.adjudication, seed)
        openings = (match.book.lines, match.order, match.transform, tuning.held_out)
        return (*tune_settings_by_name(tuning).values(), tuning.parameters, *games, *openings)

    seed = config.match.seed if "seed" in config.options else restored.match.seed
    return settings(config, seed) == settings(restored, restored.match.seed)


def check_names(parameters: Sequence[TunedParameter], spec: EngineSpec) -> None:
    """Raise UsageError for a parameter that the arena sets itself, which would replace the tuned value."""
    for parameter in parameters:
        if parameter.name.lower() in RESERVED_NAMES[spec.protocol]:
            reserved = ", ".join(sorted(RESERVED_NAMES[spec.protocol]))
            raise UsageError(f"parameters: {parameter.name} cannot be tuned: the arena itself sets {reserved}")


def _hold_out_openings(
    options: SpsaOptions, book: OpeningBook, game: Game, setup: Setup
) -> tuple[OpeningBook, tuple[tuple[str, ...], ...]]:
    """Return the openings of the tuning and those of the verification."""
    if options.verify_openings and not options.verify:
        raise UsageError("--verify-openings is for --verify: give the number of games, too")
    if not options.verify:
        return book, ()
    if options.verify_openings:
        return book, unused_openings(choose_book(options.verify_openings, game, setup), book, "--verify-openings")
    if not len(book):
        raise UsageError("--verify needs openings, without which games repeat each other: give --openings FILE")
    count = min((options.verify + 1) // 2, book.distinct // MAX_HELD_OUT_SHARE)
    if not count:
        raise UsageError(f"--verify needs openings that the tuning does not play: {book.source} has only one")
    # By a fixed seed, so that the same command with another random seed makes the same choice
    distinct = list(dict.fromkeys(book.lines))
    held_out = set(random.Random("held out").sample(distinct, count))
    kept = tuple(line for line in book.lines if line not in held_out)
    return replace(book, lines=kept), tuple(line for line in distinct if line in held_out)


def unused_openings(book: OpeningBook, used: OpeningBook, option: str) -> tuple[tuple[str, ...], ...]:
    """Return the distinct openings of a book that are not in another one; raise UsageError if there are none."""
    unused = tuple(line for line in dict.fromkeys(book.lines) if line not in set(used.lines))
    if not unused:
        raise UsageError(f"{option}: the tuning plays all openings of {book.source}; others are needed")
    return unused
