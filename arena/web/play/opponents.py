"""The opponents to choose from on the play page: the engines of the command line, then the game's own players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.engines.clients import make_engine_player
from arena.engines.gomocup_zip import ZipTarget
from arena.engines.spec import EngineSpec, parse_engines
from arena.errors import UsageError
from arena.terms.clock import TimeControl
from core.play.game import Game
from core.play.player import Player, PlayerKind
from core.search.engine_options import MAX_LEVEL

LEVEL = "level"  # name of the option of our players for their strength
MARGIN_MS = 5000  # time that an engine may overrun; generous, as no game against a person is lost on time


@dataclass(frozen=True)
class Opponent:
    """An engine to play against."""

    name: str
    help: str  # description for the page
    spec: EngineSpec
    level: int | None = None  # default level; None if the engine has no levels

    def start(self, game: Game, level: int | None) -> Player:
        """Make the player at a level, or at the default level for None. Programs and plugins may raise any error."""
        spec = self.spec
        if self.level is not None:
            spec = replace(spec, options=(*spec.options, (LEVEL, str(level or self.level))))
        return make_engine_player(spec, game, TimeControl(margin_ms=MARGIN_MS))


def list_opponents(
    game: Game, engine_texts: Sequence[str], level: int | None, target: ZipTarget | None = None
) -> list[Opponent]:
    """Return the engines of the `--engine` texts, then the game's players whose names are still free.

    `level` is the default level of opponents that have levels, unless an engine's text sets its own. `target` is the
    game for which the programs of ZIPs are chosen. Raise UsageError for wrong texts or levels.
    """
    kinds = {kind.name: kind for kind in game.players()}
    specs = parse_engines(engine_texts, game, target=target)
    if any(spec.tc for spec in specs):
        raise UsageError("tc= works in matches only; here --move-time sets the time per move")
    opponents = [_opponent_from_spec(spec, kinds, level) for spec in specs]
    if level is not None and opponents and all(opponent.level is None for opponent in opponents):
        raise UsageError(
            "--level needs an engine with levels, such as player=pentad; a program may have its own option"
        )
    used_names = {opponent.name for opponent in opponents}
    opponents += [_opponent_from_kind(kind, level) for kind in kinds.values() if kind.name not in used_names]
    if level is not None and not 1 <= level <= MAX_LEVEL:
        raise UsageError(f"--level must be 1..{MAX_LEVEL}, not {level}")
    return opponents


def start_analyst(game: Game) -> Player:
    """Make the player for hints and analysis: the game's strongest."""
    return _opponent_from_kind(game.players()[0], None).start(game, None)


def _opponent_from_spec(spec: EngineSpec, kinds: dict[str, PlayerKind], level: int | None) -> Opponent:
    name, colon, _ = spec.player.partition(":")
    kind = None if colon else kinds.get(name)  # with a colon the text has options, or names a plugin
    if kind is None:
        return Opponent(spec.name, spec.command or spec.player, spec)
    own_levels = [int(value) for option, value in spec.options if option.lower() == LEVEL]
    return Opponent(spec.name, kind.help, spec, _default_level(kind, own_levels[-1] if own_levels else level))


def _opponent_from_kind(kind: PlayerKind, level: int | None) -> Opponent:
    return Opponent(kind.name, kind.help, EngineSpec(kind.name, player=kind.name), _default_level(kind, level))


def _default_level(kind: PlayerKind, level: int | None) -> int | None:
    has_level = any(option.name == LEVEL for option in kind.options)
    return (level or MAX_LEVEL) if has_level else None
