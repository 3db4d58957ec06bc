"""`pentad demo`: builds the executables, and plays a short match of each against a weaker player of its game.

Each match starts as soon as its executable is ready, while the others are still being built.
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

GAME_COUNT = 2  # of each match, one with each colour
MOVE_MS = 500  # time limit per move
GAME_MS = 15_000  # time limit per engine and game, so that long games do not take much longer than short ones
SEED = 1  # of openings and players
RUNS_FOLDER = Path("runs")
BOOKS = Path(__file__).parents[1] / "books"  # folder of the opening books
POLL_S = 0.2  # Ctrl-C is noticed after at most this time; on some systems it cannot interrupt an endless wait


def demo_folder(now: datetime) -> Path:
    """Return the folder for the matches of a demo that starts now."""
    return RUNS_FOLDER / f"demo-{now:%Y%m%d-%H%M%S}"


def iter_built(plan: BuildPlan, print_line: PrintLine) -> Generator[Game, None, None]:
    """Build the executables in a thread, and yield each game as soon as its executable is ready.

    If all are up to date, yield all games. Closing the generator ends the build. Raise CommandFailedError if the build
    fails.
    """
    # games whose executables are ready, then None at the end of the build, or an exception that ended it
    ready: queue.SimpleQueue[Game | BaseException | None] = queue.SimpleQueue()
    build = Build(plan, print_line, ready.put)

    def run_build() -> None:
        try:
            if not build.run():
                print_line("the executables are up to date")
            ready.put(None)
        except BaseException as error:  # raised again in the thread of the generator
            ready.put(error)

    thread = threading.Thread(target=run_build, name="build")
    thread.start()
    remaining = list(plan.games)
    try:
        while True:
            with suppress(queue.Empty):
                item = ready.get(timeout=POLL_S)
                if isinstance(item, BaseException):
                    raise item
                if item is None:
                    break
                remaining.remove(item)
                yield item
        yield from remaining  # those that were up to date
    finally:
        build.end()
        thread.join()


def plan_match(plan: BuildPlan, game: Game, folder: Path) -> MatchConfig:
    """Return a match of a game's executable against a weaker player; `folder` is that of all matches of the demo."""
    control = TimeControl(move_ms=MOVE_MS, game_ms=GAME_MS)
    executable = plan.executable(game)
    return MatchConfig(
        game=game,
        setup=game.default_setup,
        engines=(
            EngineSpec(executable.name, command=join_command([str(executable)]), protocol=game.protocol),
            EngineSpec(choose_opponent(game), player=choose_opponent(game)),
        ),
        games=GAME_COUNT,
        out=folder / game.name,
        control=control,
        seed=SEED,
        book=choose_book(BOOKS / game.book if game.book else None, game, game.default_setup),
        make_player=partial(make_engine_player, game=game, control=control),
    )


def describe_next(plan: BuildPlan, game: Game, folder: Path) -> list[str]:
    """Return lines for the user with commands to try after the demo."""
    program = plan.executable(game)
    short_path = program.relative_to(Path.cwd()) if program.is_relative_to(Path.cwd()) else program
    play = f"pentad play {game.name} --engine {join_command([f'cmd={join_command([str(short_path)])}'])}"
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        play = f'pip install -e ".[web]" && {play}'
    return [
        "to replay these games move by move:",
        f"  pentad report --html {join_command([str(folder / game.name)])}",
        "to play against it yourself:",
        f"  {play}",
    ]


def choose_opponent(game: Game) -> str:
    """Return the last but one of the game's players, which is weak; the last one plays at random."""
    players = game.players()
    return players[max(0, len(players) - 2)].name
