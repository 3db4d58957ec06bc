"""Create the `Player` of an engine: a player that runs in this process, or the protocol client of a program."""

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
from protocols.driving.engine_client import ClientSettings, EngineClient

BENCH_SEED = 1  # of the programs that `pentad bench --exe` measures
MIN_START_FROM_SOURCE_S = 60.0  # for one of our bots that runs from source, as its kernels may have to be compiled
_BOT_FROM_SOURCE = re.compile(r"\s-m\s+bots\.")  # in a command line such as `python3 -m bots.hex`


def make_engine_player(
    spec: EngineSpec, game: Game, control: TimeControl, deadlines: Deadlines = DEFAULT_DEADLINES
) -> Player:
    """Return the Player of an engine; a program is started with its first game."""
    if spec.player:
        return make_player(spec, game)
    client = make_client(spec, game, control.margin_ms + STALL_MS, deadlines)
    engine_control = effective_control(spec.tc, control)
    client.required_limits = tuple(name for name in ("depth", "nodes") if getattr(engine_control, name) is not None)
    return client


def make_client(spec: EngineSpec, game: Game, grace_ms: int, deadlines: Deadlines = DEFAULT_DEADLINES) -> EngineClient:
    """Return the client of an engine that is a program; the program is started with its first game.

    `grace_ms` is how long the client waits for an answer after its time limit.
    """
    if _BOT_FROM_SOURCE.search(spec.command):
        deadlines = structs.replace(deadlines, start_s=max(deadlines.start_s, MIN_START_FROM_SOURCE_S))
    return PROTOCOL_ADAPTERS[spec.protocol].make(spec, game, spec.client_settings(grace_ms, deadlines))


def _make_gomocup_client(spec: EngineSpec, _game: Game, client_settings: ClientSettings) -> EngineClient:
    """Return a client with the options that it declares; all others are sent to the engine by INFO."""
    from bots.gomoku.notation import parse_variant
    from protocols.gomocup.client import OPTIONS, GomocupClient

    declared = {option.name for option in OPTIONS}
    info = {key: value for key, value in spec.options if key not in declared}
    client = GomocupClient(spec.command, parse_variant, info=info, **client_settings)
    client.options.update([(key, value) for key, value in spec.options if key in declared])
    return client


def _make_uhp_client(spec: EngineSpec, _game: Game, client_settings: ClientSettings) -> EngineClient:
    """Return a client that sends all options to the engine at each start."""
    from protocols.uhp.client import UhpClient

    return UhpClient(spec.command, settings=dict(spec.options), **client_settings)


@dataclass(frozen=True)
class ProtocolAdapter:
    """How the client of a protocol is made."""

    make: Callable[[EngineSpec, Game, ClientSettings], EngineClient]
    bench_options: tuple[tuple[str, str], ...]  # with them our executable searches like our player in `pentad bench`


PROTOCOL_ADAPTERS = {
    "gomocup": ProtocolAdapter(_make_gomocup_client, bench_options=(("memory", "0"),)),  # 0: no limit
    "uhp": ProtocolAdapter(_make_uhp_client, bench_options=(("Seed", str(BENCH_SEED)),)),
    "gtp": ProtocolAdapter(make_gtp_client, bench_options=(("player.seed", str(BENCH_SEED)),)),
}
