"""Check that the values of the events in a log agree with each other and with the header.

A log may come from anybody and may have been edited, so log/file.py calls these checks for each event that it reads.
msgspec has already checked types and ranges. A check raises FieldError, such as `second: 'A' plays against itself`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from arena.formats.rules import RulesError, TournamentRules, find_rules
from arena.formats.tournament import Stage, Tournament
from arena.log.events import GameEnded, GameStarted, RoundPaired, RunResumed, RunStarted
from arena.statistics.sprt import check_sprt
from arena.terms.clock import TimeControl, effective_control
from arena.terms.ending import FAULTS, Ending

_WITH_WINNER = frozenset({Ending.WIN, Ending.RESIGNED, *FAULTS})
_WITHOUT_WINNER = frozenset({Ending.DRAW, Ending.MOVE_CAP, Ending.VOID})
# Ending.ADJUDICATED is in neither set: such a game may be won or drawn.


class FieldError(ValueError):
    """A field of an event in a log has an impossible value. The message begins with the name of the field."""


def check_header(header: RunStarted) -> None:
    """Check names and time controls of the engines, the format and its numbers, `planned`, the SPRT and the anchors."""
    names = [engine.name for engine in header.engines]
    if len(names) < 2:
        raise FieldError(f"engines: must be at least two, not {len(names)}")
    for index, (name, engine) in enumerate(zip(names, header.engines, strict=True)):
        if not name or name in names[:index]:
            raise FieldError(f"engines[{index}].name: names must be unique and not empty, not {name!r}")
        _check_field(f"engines[{index}].tc", partial(effective_control, engine.tc, TimeControl()))
    planned = read_rules(header).planned
    if header.planned not in (0, planned):  # 0: the key is missing, as in old logs
        raise FieldError(f"planned: must be {planned} for these `games` and `engines`, not {header.planned}")
    _check_field("sprt", lambda: _check_sprt(header))
    _check_anchors(header, names)


def read_rules(header: RunStarted) -> TournamentRules:
    """Return the rules of the tournament that a header describes; raise FieldError if they contradict each other."""
    try:
        return find_rules(header, len(header.engines))
    except RulesError as error:
        raise FieldError(str(error)) from None


def make_tournament(header: RunStarted) -> Tournament | None:
    """Return the tournament of a Swiss or knock-out before its first round; None in other formats."""
    rules = read_rules(header)
    return Tournament(rules) if rules.is_by_rounds else None


def score_pair(
    header: RunStarted, tournament: Tournament, number: int, games: Sequence[GameEnded]
) -> tuple[float, float]:
    """Return the points of the engines of a complete pair, in the order of its encounter; void games give none."""
    first, second = (header.engines[engine].name for engine in tournament.find_engines(number))
    counted = [game for game in games if game.ending.counts]
    return sum(game.score(first) for game in counted), sum(game.score(second) for game in counted)


def make_stage(header: RunStarted, paired: RoundPaired) -> Stage:
    """Return the stage of a round, with indices of engines instead of names; raise FieldError for an unknown name."""
    index_of = {engine.name: index for index, engine in enumerate(header.engines)}
    names = [name for pairing in paired.pairings for name in pairing]
    for field, name in (*(("pairings", name) for name in names), *(("byes", name) for name in paired.byes)):
        if name not in index_of:
            raise FieldError(f"{field}: no engine {name!r} plays in this run; known: {', '.join(index_of)}")
    pairings = tuple((index_of[first], index_of[second]) for first, second in paired.pairings)
    return Stage(paired.number, pairings, tuple(index_of[name] for name in paired.byes), paired.tie_break)


def add_round(header: RunStarted, tournament: Tournament | None, paired: RoundPaired) -> None:
    """Add a round to the tournament; raise FieldError if it cannot follow, or if the format has no rounds."""
    if tournament is None:
        raise FieldError(f"event: the format {read_rules(header).format} has no rounds")
    stage = make_stage(header, paired)
    try:
        tournament.add_stage(stage)
    except ValueError as error:
        raise FieldError(str(error)) from None


def check_resumption(header: RunStarted, resumed: RunResumed) -> None:
    """Check that a run was resumed with engines of the same names, in the same order."""
    names = [engine.name for engine in resumed.engines]
    if names != [engine.name for engine in header.engines]:
        raise FieldError(f"engines: must be those of the header, not {', '.join(names)}")


def check_planned(header: RunStarted, tournament: Tournament | None, game: GameStarted | GameEnded) -> None:
    """Check that two different engines of the run play the game, and that its numbers do not exceed the plan.

    `tournament` has the rounds so far; None if the format has no rounds.
    """
    names = [engine.name for engine in header.engines]
    for field, name in (("first", game.first), ("second", game.second)):
        if name not in names:
            raise FieldError(f"{field}: no engine {name!r} plays in this run; known: {', '.join(names)}")
    if game.first == game.second:
        raise FieldError(f"second: {game.second!r} plays against itself")
    if tournament:
        game_count, pair_count = 2 * tournament.pair_count, tournament.pair_count
    else:
        pairings = read_rules(header).pairing_count
        game_count, pair_count = header.games * pairings, (header.games + 1) // 2 * pairings
    for field, number, highest in (("number", game.number, game_count), ("pair", game.pair, pair_count)):
        if number > highest:
            raise FieldError(f"{field}: must be 1..{highest}, not {number}")
    if tournament:
        _check_round_game(names, tournament, game)


def _check_round_game(names: Sequence[str], tournament: Tournament, game: GameStarted | GameEnded) -> None:
    """Check that a game of a Swiss or knock-out has the engines of its pair, and a number of this pair."""
    engines = [names[engine] for engine in tournament.find_engines(game.pair)]
    if {game.first, game.second} != set(engines):
        raise FieldError(f"pair: pair {game.pair} is of {' and '.join(engines)}, not {game.first} and {game.second}")
    if game.number not in (2 * game.pair - 1, 2 * game.pair):
        numbers = f"{2 * game.pair - 1} and {2 * game.pair}"
        raise FieldError(f"number: pair {game.pair} has the games {numbers}, not {game.number}")


def check_result(header: RunStarted, tournament: Tournament | None, game: GameEnded) -> None:
    """Check a finished game: its engines and numbers, and that winner and blamed engine agree with its ending."""
    check_planned(header, tournament, game)
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
    pairings = read_rules(header).pairing_count
    # If the number of games per pairing is odd, its last pair has a single game. Pairs are numbered round by round.
    # In a Swiss or knock-out the number of games is even.
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
