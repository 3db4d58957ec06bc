"""Check that the values of the events in a log agree with each other and with the header.

A log may come from anybody and may have been edited, so log/file.py calls these checks for each event that it reads.
msgspec has already checked types and ranges. A check raises FieldError, such as `second: 'A' plays against itself`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from arena.log.events import GameEnded, GameStarted, RunResumed, RunStarted
from arena.statistics.sprt import check_sprt
from arena.terms.clock import TimeControl, effective_control
from arena.terms.ending import FAULTS, Ending
from arena.terms.plan import count_pairings

_WITH_WINNER = frozenset({Ending.WIN, Ending.RESIGNED, *FAULTS})
_WITHOUT_WINNER = frozenset({Ending.DRAW, Ending.MOVE_CAP, Ending.VOID})
# Ending.ADJUDICATED is in neither set: such a game may be won or drawn.


class FieldError(ValueError):
    """A field of an event in a log has an impossible value. The message begins with the name of the field."""


def check_header(header: RunStarted) -> None:
    """Check names and time controls of the engines, `gauntlet`, `planned`, the SPRT and the anchors."""
    names = [engine.name for engine in header.engines]
    if len(names) < 2:
        raise FieldError(f"engines: must be at least two, not {len(names)}")
    for index, (name, engine) in enumerate(zip(names, header.engines, strict=True)):
        if not name or name in names[:index]:
            raise FieldError(f"engines[{index}].name: names must be unique and not empty, not {name!r}")
        _check_field(f"engines[{index}].tc", partial(effective_control, engine.tc, TimeControl()))
    if header.gauntlet >= len(names):
        raise FieldError(f"gauntlet: must be 0..{len(names) - 1}, not {header.gauntlet}")
    planned = header.games * count_pairings(len(names), header.gauntlet)
    if header.planned not in (0, planned):  # 0: the key is missing, as in old logs
        raise FieldError(f"planned: must be {planned} for these `games` and `engines`, not {header.planned}")
    _check_field("sprt", lambda: _check_sprt(header))
    _check_anchors(header, names)


def check_resumption(header: RunStarted, resumed: RunResumed) -> None:
    """Check that a run was resumed with engines of the same names, in the same order."""
    names = [engine.name for engine in resumed.engines]
    if names != [engine.name for engine in header.engines]:
        raise FieldError(f"engines: must be those of the header, not {', '.join(names)}")


def check_planned(header: RunStarted, game: GameStarted | GameEnded) -> None:
    """Check that two different engines of the run play the game, and that its numbers do not exceed the plan."""
    names = [engine.name for engine in header.engines]
    for field, name in (("first", game.first), ("second", game.second)):
        if name not in names:
            raise FieldError(f"{field}: no engine {name!r} plays in this run; known: {', '.join(names)}")
    if game.first == game.second:
        raise FieldError(f"second: {game.second!r} plays against itself")
    pairings = count_pairings(len(names), header.gauntlet)
    for field, number, highest in (
        ("number", game.number, header.games * pairings),
        ("pair", game.pair, (header.games + 1) // 2 * pairings),
    ):
        if number > highest:
            raise FieldError(f"{field}: must be 1..{highest}, not {number}")


def check_result(header: RunStarted, game: GameEnded) -> None:
    """Check a finished game: its engines and numbers, and that winner and blamed engine agree with its ending."""
    check_planned(header, game)
    for field, name in (("winner", game.winner), ("blamed", game.blamed)):
        if name not in ("", game.first, game.second):
            raise FieldError(f"{field}: {name!r} did not play this game")
    if game.ending in _WITH_WINNER and not game.winner:
        raise FieldError(f"winner: must not be empty for the ending {game.ending.value!r}")
    if game.ending in _WITHOUT_WINNER and game.winner:
        raise FieldError(f"winner: must be empty for the ending {game.ending.value!r}, not {game.winner!r}")
    if game.blamed and game.blamed == game.winner:
        raise FieldError(f"blamed: {game.blamed!r} has won the game")
    if len(game.stderr) not in (0, 2):
        raise FieldError(f"stderr: must have 0 or 2 texts, not {len(game.stderr)}")


def check_pair(header: RunStarted, number: int, games: Sequence[GameEnded]) -> None:
    """Check a finished pair: the number of its games, and that the same two engines played them."""
    if not games:
        raise FieldError(f"number: no game of pair {number} has ended")
    pairings = count_pairings(len(header.engines), header.gauntlet)
    # If the number of games per pairing is odd, its last pair has a single game. Pairs are numbered round by round.
    expected = 1 if header.games - 2 * ((number - 1) // pairings) == 1 else 2
    if len(games) != expected:
        raise FieldError(f"number: pair {number} must have {expected} finished games, not {len(games)}")
    if len({frozenset((game.first, game.second)) for game in games}) != 1:
        raise FieldError(f"number: the games of pair {number} are not between the same engines")


def _check_field(field: str, check: Callable[[], object]) -> None:
    """Call a check that raises ValueError; turn this into a FieldError that begins with the name of the field."""
    try:
        check()
    except ValueError as error:
        raise FieldError(f"{field}: {error}") from None


def _check_anchors(header: RunStarted, names: Sequence[str]) -> None:
    anchors = [anchor.name for anchor in header.anchor]
    for index, name in enumerate(anchors):
        if name not in names or name in anchors[:index]:
            raise FieldError(f"anchor[{index}].name: must be an engine of the run, each once, not {name!r}")


def _check_sprt(header: RunStarted) -> None:
    if header.sprt:
        check_sprt(header.sprt)
        if len(header.engines) != 2:
            raise ValueError(f"the SPRT compares two engines, not {len(header.engines)}")
