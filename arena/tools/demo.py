"""`pentad demo`: builds what is needed and lets each game's executable play a short match against a weaker player.

A game is played as soon as its executable stands; the build of the others goes on meanwhile.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator
from contextlib import suppress
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from arena.engines.clients import make_engine_player
from arena.engines.spec import EngineSpec
from arena.run.config import MatchConfig
from arena.terms.arguments import choose_book
from arena.terms.clock import TimeControl
from arena.tools.build import Build, BuildPlan, PrintLine
from core.play.game import Game
from protocols.command_line import join_command

GAMES = 2  # one with each colour
MOVE_MS = 500
GAME_MS = 15_000  # so that a long game of many moves takes no longer than a short one
SEED = 1
RUNS = Path("runs")
BOOKS = Path(__file__).parents[1] / "books"
POLL_S = 0.2  # how soon an interruption is noticed; some systems deliver none to a thread that waits for ever


def name_folder(now: datetime) -> Path:
    """Where the matches of a demo keep their records."""
    return RUNS / f"demo-{now:%Y%m%d-%H%M%S}"


def iter_built(plan: BuildPlan, print_line: PrintLine) -> Generator[Game, None, None]:
    """Build, and give each game as its executable stands; to be closed, which ends what is still being built.

    Raise CommandFailedError where the build fails.
    """
    ready: queue.SimpleQueue[Game | BaseException | None] = queue.SimpleQueue()
    build = Build(plan, print_line, ready.put)

    def work() -> None:
        try:
            if not build.run():
                print_line("the executables are up to date")
            ready.put(None)
        except BaseException as error:  # for who waits
            ready.put(error)

    thread = threading.Thread(target=work, name="build")
    thread.start()
    left = list(plan.games)
    try:
        while True:
            with suppress(queue.Empty):
                found = ready.get(timeout=POLL_S)
                if isinstance(found, BaseException):
                    raise found
                if found is None:
                    break
                left.remove(found)
                yield found
        yield from left
    finally:
        build.end()
        thread.join()


def plan_match(plan: BuildPlan, game: Game, folder: Path) -> MatchConfig:
    """The built executable of a game against a weaker one of its named players."""
    control = TimeControl(move_ms=MOVE_MS, game_ms=GAME_MS)
    executable = plan.executable(game)
    return MatchConfig(
        game=game,
        setup=game.default_setup,
        engines=(
            EngineSpec(executable.name, command=join_command([str(executable)]), protocol=game.protocol),
            EngineSpec(choose_opponent(game), player=choose_opponent(game)),
        ),
        games=GAMES,
        out=folder / game.name,
        control=control,
        seed=SEED,
        book=choose_book(BOOKS / game.book if game.book else None, game, game.default_setup),
        make_player=partial(make_engine_player, game=game, control=control),
    )


def describe_next(plan: BuildPlan, game: Game, folder: Path) -> list[str]:
    """The commands that a person may want to type after the demo."""
    program = plan.executable(game)
    shown = program.relative_to(Path.cwd()) if program.is_relative_to(Path.cwd()) else program
    play = f"pentad play {game.name} --engine {join_command([f'cmd={join_command([str(shown)])}'])}"
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        play = f'pip install -e ".[web]" && {play}'
    return [
        "to look at these games, move by move:",
        f"  pentad report --html {join_command([str(folder / game.name)])}",
        "to play yourself:",
        f"  {play}",
    ]


def choose_opponent(game: Game) -> str:
    """The last but one of the named players: weak, but not the random one at the end."""
    players = game.players()
    return players[max(0, len(players) - 2)].name
