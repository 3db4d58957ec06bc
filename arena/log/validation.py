"""Checks of the events of a log: each one by itself, and against the header.

A log may come from anybody and may have been edited, so nothing in it is relied on before it was checked here. Every
check raises `FieldError` with `field: what is wrong`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from arena.log.events import GameEnded, GameStarted, RunResumed, RunStarted
from arena.statistics.sprt import check_sprt
from arena.terms.clock import TimeControl, effective_control
from arena.terms.ending import FAULTS, Ending
from arena.terms.plan import list_pairings

_WITH_WINNER = frozenset({Ending.WIN, Ending.RESIGNED, *FAULTS})
_WITHOUT_WINNER = frozenset({Ending.DRAW, Ending.MOVE_CAP, Ending.VOID})  # an adjudicated game may have one or not


class FieldError(ValueError):
    """A field of a log's event has an impossible value. The text begins with the name of the field."""


def check_header(header: RunStarted) -> None:
    """Check engines, number of games, time control and SPRT."""
    names = [engine.name for engine in header.engines]
    if len(names) < 2:
        raise FieldError(f"engines: two or more are needed, not {len(names)}")
    for index, (name, engine) in enumerate(zip(names, header.engines, strict=True)):
        if not name or name in names[:index]:
            raise FieldError(f"engines[{index}].name: each engine needs a name of its own, not {name!r}")
        _check_field(f"engines[{index}].tc", partial(effective_control, engine.tc, TimeControl()))
    if header.gauntlet >= len(names):
        raise FieldError(f"gauntlet: must be 0..{len(names) - 1}, not {header.gauntlet}")
    planned = header.games * len(list_pairings(len(names), header.gauntlet))
    if header.planned not in (0, planned):  # old logs do not have this key, which reads as 0
        raise FieldError(f"planned: {planned} games follow from `games` and `engines`, not {header.planned}")
    _check_field("sprt", lambda: _check_sprt(header))


def check_resumption(header: RunStarted, resumed: RunResumed) -> None:
    """Check that a run was resumed with the engines of its header."""
    names = [engine.name for engine in resumed.engines]
    if names != [engine.name for engine in header.engines]:
        raise FieldError(f"engines: must be those of the header, not {', '.join(names)}")


def check_planned(header: RunStarted, game: GameStarted | GameEnded) -> None:
    """Check that two different engines of the run play the game, and that its numbers are in the plan."""
    known = [engine.name for engine in header.engines]
    for field, name in (("first", game.first), ("second", game.second)):
        if name not in known:
            raise FieldError(f"{field}: no engine {name!r} plays in this run; known: {', '.join(known)}")
    if game.first == game.second:
        raise FieldError(f"second: {game.second!r} plays against itself")
    pairings = len(list_pairings(len(known), header.gauntlet))
    for field, number, last in (
        ("number", game.number, header.games * pairings),
        ("pair", game.pair, (header.games + 1) // 2 * pairings),
    ):
        if number > last:
            raise FieldError(f"{field}: 1..{last} are planned, not {number}")


def check_result(header: RunStarted, game: GameEnded) -> None:
    """Check that winner and blamed engine agree with the way the game ended."""
    check_planned(header, game)
    for field, name in (("winner", game.winner), ("blamed", game.blamed)):
        if name not in ("", game.first, game.second):
            raise FieldError(f"{field}: {name!r} did not play this game")
    if game.ending in _WITH_WINNER and not game.winner:
        raise FieldError(f"winner: a game that ends by {game.ending} has one")
    if game.ending in _WITHOUT_WINNER and game.winner:
        raise FieldError(f"winner: a game that ends by {game.ending} has none, not {game.winner!r}")
    if game.blamed and game.blamed == game.winner:
        raise FieldError(f"blamed: {game.blamed!r} has won")
    if len(game.stderr) not in (0, 2):
        raise FieldError(f"stderr: must have one text for each side, not {len(game.stderr)}")


def check_pair(header: RunStarted, number: int, games: Sequence[GameEnded]) -> None:
    """Check that `games` are all games of pair `number` and are played by the same two engines."""
    if not games:
        raise FieldError(f"number: no game of pair {number} has ended")
    pairings = len(list_pairings(len(header.engines), header.gauntlet))
    # The last pair of a pairing has a single game if the number of games is odd.
    round_games = 1 if header.games - 2 * ((number - 1) // pairings) == 1 else 2
    if len(games) != round_games:
        raise FieldError(f"number: {len(games)} games of pair {number} have ended, not {round_games}")
    if len({frozenset((game.first, game.second)) for game in games}) != 1:
        raise FieldError(f"number: the games of pair {number} are not between the same engines")


def _check_field(field: str, check: Callable[[], object]) -> None:
    """Run the check of another module, which raises ValueError, and name the field in its error."""
    try:
        check()
    except ValueError as error:
        raise FieldError(f"{field}: {error}") from None


def _check_sprt(header: RunStarted) -> None:
    if header.sprt:
        check_sprt(header.sprt)
        if len(header.engines) != 2:
            raise ValueError(f"the SPRT compares two engines, not {len(header.engines)}")
