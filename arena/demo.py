"""`pentad demo`: builds what is needed and lets each game's executable play a short match against a weaker player."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from arena.build import BuildPlan
from arena.choose import choose_book
from arena.clock import TimeControl
from arena.config import MatchConfig
from arena.engines import EngineSpec, start_engine
from core.game import Game

GAMES = 2  # one with each colour
MOVE_MS = 500
GAME_MS = 15_000  # so that a long game of many moves takes no longer than a short one
SEED = 1
RUNS = Path("runs")
BOOKS = Path(__file__).parent / "books"


def plan_demo(plan: BuildPlan, now: datetime) -> Iterator[tuple[Game, MatchConfig]]:
    """One match a game: the built executable against a weaker one of its named players."""
    folder = RUNS / f"demo-{now:%Y%m%d-%H%M%S}"
    control = TimeControl(move_ms=MOVE_MS, game_ms=GAME_MS)
    for game in plan.games:
        executable = plan.executable(game)
        yield (
            game,
            MatchConfig(
                game=game,
                setup=game.default_setup,
                engines=(
                    EngineSpec(executable.name, command=shlex.quote(str(executable)), protocol=game.protocol),
                    EngineSpec(choose_opponent(game), player=choose_opponent(game)),
                ),
                games=GAMES,
                out=folder / game.name,
                control=control,
                seed=SEED,
                book=choose_book(BOOKS / game.book if game.book else None, game, game.default_setup),
                start=partial(start_engine, game=game, control=control),
            ),
        )


def choose_opponent(game: Game) -> str:
    """The last but one of the named players: weak, but not the random one at the end."""
    players = game.players()
    return players[max(0, len(players) - 2)].name
