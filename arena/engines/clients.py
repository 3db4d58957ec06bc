"""Create the `Player` of an engine: a built-in player, or the client of a program for its protocol."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from msgspec import structs

from arena.engines.gtp import make_gtp_client
from arena.engines.spec import EngineSpec, make_player
from arena.terms.clock import STALL_MS, TimeControl, effective_control
from core.play.game import Game
from core.play.player import Player
from protocols.driving.deadlines import DEFAULT_DEADLINES, Deadlines
from protocols.driving.engine_client import EngineClient

BENCH_SEED = 1
MIN_START_FROM_SOURCE_S = 60.0  # at least, for our bots where their sources are run: kernels may have to be compiled
_OWN_SOURCES = re.compile(r"\s-m\s+bots\.")


def make_engine_player(
    spec: EngineSpec, game: Game, control: TimeControl, deadlines: Deadlines = DEFAULT_DEADLINES
) -> Player:
    """Make the Player of an engine, whatever it is; programs start with their first game."""
    if spec.player:
        return make_player(spec, game)
    client = make_client(spec, game, control.margin_ms + STALL_MS, deadlines)
    own = effective_control(spec.tc, control)
    client.required_limits = tuple(name for name in ("depth", "nodes") if getattr(own, name) is not None)
    return client


def make_client(spec: EngineSpec, game: Game, grace_ms: int, deadlines: Deadlines = DEFAULT_DEADLINES) -> EngineClient:
    """Make the client of an engine that is a program of its own; it starts with its first game.

    `grace_ms` is how long the client waits for an answer after its time limit.
    """
    if _OWN_SOURCES.search(spec.command):
        deadlines = structs.replace(deadlines, start_s=max(deadlines.start_s, MIN_START_FROM_SOURCE_S))
    return PROTOCOL_ADAPTERS[spec.protocol].make(spec, game, grace_ms, deadlines)


def _make_gomocup_client(spec: EngineSpec, _game: Game, grace_ms: int, deadlines: Deadlines) -> EngineClient:
    """Set the options that the client declares; send all others to the engine unchanged."""
    from bots.gomoku.notation import parse_variant
    from protocols.gomocup.client import OPTIONS, GomocupClient

    declared = {option.name for option in OPTIONS}
    told = {key: value for key, value in spec.options if key not in declared}
    client = GomocupClient(
        spec.command,
        parse_variant,
        cwd=spec.directory or None,
        env=dict(spec.environment),
        info=told,
        grace_ms=grace_ms,
        deadlines=deadlines,
    )
    client.options.update([(key, value) for key, value in spec.options if key in declared])
    return client


def _make_uhp_client(spec: EngineSpec, _game: Game, grace_ms: int, deadlines: Deadlines) -> EngineClient:
    """Send all options to the engine at each start."""
    from protocols.uhp.client import UhpClient

    return UhpClient(
        spec.command,
        cwd=spec.directory or None,
        env=dict(spec.environment),
        settings=dict(spec.options),
        grace_ms=grace_ms,
        deadlines=deadlines,
    )


@dataclass(frozen=True)
class Driver:
    """How programs of one protocol are driven."""

    make: Callable[[EngineSpec, Game, int, Deadlines], EngineClient]
    bench_options: tuple[tuple[str, str], ...] = ()  # with which our executable searches as a player here does


PROTOCOL_ADAPTERS = {
    "gomocup": Driver(_make_gomocup_client, bench_options=(("memory", "0"),)),  # no limit, and no chance
    "uhp": Driver(_make_uhp_client, bench_options=(("Seed", str(BENCH_SEED)),)),
    "gtp": Driver(make_gtp_client, bench_options=(("player.seed", str(BENCH_SEED)),)),
}
