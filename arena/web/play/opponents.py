"""Who a person may play against: the programs named on the command line, then the game's own players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.engines.clients import make_engine_player
from arena.engines.spec import EngineSpec, parse_engines
from arena.errors import UsageError
from arena.terms.clock import TimeControl
from core.play.game import Game
from core.play.player import Player, PlayerKind
from core.search.engine_options import MAX_LEVEL

LEVEL = "level"
PATIENCE_MS = 5000  # beyond its time that an engine is waited for: nobody forfeits a game against a person


@dataclass(frozen=True)
class Opponent:
    """An engine that can be chosen. `level` is the one it has where nothing else is said, None where it has none."""

    name: str
    help: str
    spec: EngineSpec
    level: int | None = None

    def start(self, game: Game, level: int | None) -> Player:
        """Make the Player; it may raise anything."""
        spec = self.spec
        if self.level is not None:
            spec = replace(spec, options=(*spec.options, (LEVEL, str(level or self.level))))
        return make_engine_player(spec, game, TimeControl(margin_ms=PATIENCE_MS))


def list_opponents(game: Game, texts: Sequence[str], level: int | None) -> list[Opponent]:
    """Those of `--engine` texts, then the game's players; `level` holds for all that have levels. Raise UsageError."""
    kinds = {kind.name: kind for kind in game.players()}
    specs = parse_engines(texts, game)
    if any(spec.tc for spec in specs):
        raise UsageError("tc= is for matches: --move-time sets the time for a move here")
    found = [_from_spec(spec, kinds, level) for spec in specs]
    if level is not None and found and all(opponent.level is None for opponent in found):
        raise UsageError("--level: only players of ours have levels; a program takes its own option")
    taken = {opponent.name for opponent in found}
    for kind in kinds.values():
        if kind.name not in taken:
            found.append(_from_kind(kind, level))
    if level is not None and not 1 <= level <= MAX_LEVEL:
        raise UsageError(f"--level must be 1..{MAX_LEVEL}, not {level}")
    return found


def start_analyst(game: Game) -> Player:
    """The player that hints and analyses: the game's strongest."""
    return _from_kind(game.players()[0], None).start(game, None)


def _from_spec(spec: EngineSpec, kinds: dict[str, PlayerKind], level: int | None) -> Opponent:
    kind = kinds.get(spec.player.partition(":")[0])
    own = kind is not None and ":" not in spec.player
    about = kind.help if kind and own else spec.command or spec.player
    return Opponent(spec.name, about, spec, _level_of(kind, level) if own else None)


def _from_kind(kind: PlayerKind, level: int | None) -> Opponent:
    return Opponent(kind.name, kind.help, EngineSpec(kind.name, player=kind.name), _level_of(kind, level))


def _level_of(kind: PlayerKind | None, level: int | None) -> int | None:
    has_level = kind is not None and any(option.name == LEVEL for option in kind.options)
    return (level or MAX_LEVEL) if has_level else None
