"""What the events of a log must say to belong together; each check raises ValueError with `field: what is wrong`.

A log may come from anybody, edited or made up: what stands in it is only relied on where it was looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from arena.log.events import GameEnded, GameStarted, RunResumed, RunStarted
from arena.statistics.sprt import check_sprt
from arena.terms.clock import TimeControl, effective_control
from arena.terms.ending import FAULTS, Ending
from arena.terms.plan import list_pairings

_WON = frozenset({Ending.WIN, Ending.RESIGNED, *FAULTS})
_NOT_WON = frozenset({Ending.DRAW, Ending.MOVE_CAP, Ending.VOID})


def check_header(header: RunStarted) -> None:
    """The terms of a run."""
    names = [engine.name for engine in header.engines]
    if len(names) < 2:
        raise ValueError(f"engines: two or more are wanted, not {len(names)}")
    for index, (name, engine) in enumerate(zip(names, header.engines, strict=True)):
        if not name or name in names[:index]:
            raise ValueError(f"engines[{index}].name: each needs a name of its own, not {name!r}")
        _tell_place(f"engines[{index}].tc", partial(effective_control, engine.tc, TimeControl()))
    if header.gauntlet >= len(names):
        raise ValueError(f"gauntlet: 0..{len(names) - 1} is wanted, not {header.gauntlet}")
    planned = header.games * len(list_pairings(len(names), header.gauntlet))
    if header.planned not in (0, planned):  # runs of before have none
        raise ValueError(f"planned: {planned} is what games and engines come to, not {header.planned}")
    _tell_place("sprt", lambda: _check_test(header))


def check_resumption(header: RunStarted, resumed: RunResumed) -> None:
    """The engines are those that the run began with."""
    names = [engine.name for engine in resumed.engines]
    if names != [engine.name for engine in header.engines]:
        raise ValueError(f"engines: those that the run began with are wanted, not {', '.join(names)}")


def check_sides(header: RunStarted, game: GameStarted | GameEnded) -> None:
    """Two engines of the run play a game of its plan."""
    known = [engine.name for engine in header.engines]
    for field, name in (("first", game.first), ("second", game.second)):
        if name not in known:
            raise ValueError(f"{field}: no engine {name!r} plays in this run; known: {', '.join(known)}")
    if game.first == game.second:
        raise ValueError(f"second: {game.second!r} plays against itself")
    pairings = len(list_pairings(len(known), header.gauntlet))
    for field, number, last in (
        ("number", game.number, header.games * pairings),
        ("pair", game.pair, (header.games + 1) // 2 * pairings),
    ):
        if number > last:
            raise ValueError(f"{field}: 1..{last} are planned, not {number}")


def check_game(header: RunStarted, game: GameEnded) -> None:
    """A game's result is one that its ending can have."""
    check_sides(header, game)
    for field, name in (("winner", game.winner), ("blamed", game.blamed)):
        if name not in ("", game.first, game.second):
            raise ValueError(f"{field}: {name!r} did not play this game")
    if game.ending in _WON and not game.winner:
        raise ValueError(f"winner: a game that ends by {game.ending} has one")
    if game.ending in _NOT_WON and game.winner:
        raise ValueError(f"winner: a game that ends by {game.ending} has none, not {game.winner!r}")
    if game.blamed and game.blamed == game.winner:
        raise ValueError(f"blamed: {game.blamed!r} has won")
    if len(game.stderr) not in (0, 2):
        raise ValueError(f"stderr: one text for each side is wanted, not {len(game.stderr)}")


def check_pair(header: RunStarted, number: int, games: Sequence[GameEnded]) -> None:
    """The games of a pair, in the order of their ends."""
    if not games:
        raise ValueError(f"number: no game of pair {number} has ended")
    pairings = len(list_pairings(len(header.engines), header.gauntlet))
    last = header.games - 2 * ((number - 1) // pairings) == 1
    if len(games) != (1 if last else 2):
        raise ValueError(f"number: {len(games)} games of pair {number} have ended, not {1 if last else 2}")
    if len({frozenset((game.first, game.second)) for game in games}) != 1:
        raise ValueError(f"number: the games of pair {number} are not between the same engines")


def _tell_place(place: str, check: Callable[[], object]) -> None:
    try:
        check()
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _check_test(header: RunStarted) -> None:
    if header.sprt:
        check_sprt(header.sprt)
        if len(header.engines) != 2:
            raise ValueError(f"one engine is tested against another, not {len(header.engines)} engines")
