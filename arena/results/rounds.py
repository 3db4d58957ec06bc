"""The result of a Swiss or a knock-out by rounds: the order of the engines, and every encounter.

`summary.json`, the CSV files, the text tables (round_tables.py) and the HTML report show these structures.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from arena.formats.tournament import Encounter, Tournament
from arena.results.game_records import escape_formula
from arena.terms.settings import KNOCKOUT, SWISS
from core.system.files import replace_text_file

ROUNDS_NAME, STANDINGS_NAME = "rounds.csv", "standings.csv"
ENCOUNTER_COLUMNS = (
    *("round", "first", "second", "first_points", "second_points"),
    *("games", "tie_break_games", "winner", "by_seed"),
)
RANK_COLUMNS = ("rank", "engine", "seed", "points", "buchholz", "sonneborn_berger", "direct")


class EncounterResult(msgspec.Struct, frozen=True):
    """An encounter of two engines in one round, or a bye; only games of complete pairs count."""

    round: int  # from 1
    first: str  # name; empty if this engine of the bracket is not known yet
    second: str  # likewise; empty in a bye, too
    is_bye: bool = False
    points: tuple[float, float] = (0.0, 0.0)  # of first and second; a bye gives points in a Swiss only
    games: int = 0  # played so far, with tie-breaks
    tie_break_games: int = 0  # planned so far
    winner: str = ""  # the engine with more points, or that advances; empty if there is none (yet)
    by_seed: bool = False  # whether the winner of a drawn encounter advances as the better seed


class RoundCell(msgspec.Struct, frozen=True):
    """An engine's encounter in one round; in a bye without an opponent."""

    opponent: str  # name; empty: a bye
    points: float
    opponent_points: float
    games: int  # played so far


class RankedEngine(msgspec.Struct, frozen=True):
    """A row of the crosstable by rounds."""

    rank: int  # from 1; equal for engines that nothing separates, or that lost in the same round of a knock-out
    name: str
    seed: int  # from 1
    points: float  # of all games, in a Swiss with those of byes
    buchholz: float | None  # None in a knock-out, like the other tie-breaks
    sonneborn_berger: float | None
    direct: float | None  # points against the engines that are equal in all of these
    rounds: tuple[RoundCell | None, ...]  # None: not played, or not paired yet


class RoundsResult(msgspec.Struct, frozen=True):
    """The result of a Swiss or knock-out so far."""

    format: str
    rounds: int  # number of all rounds
    engines: tuple[RankedEngine, ...]  # best first
    encounters: tuple[EncounterResult, ...]  # with byes, by round; in a knock-out each round from top to bottom

    @property
    def winner(self) -> str:
        """The winner of a knock-out; empty if the final is not decided, and in a Swiss."""
        return self.encounters[-1].winner if self.format == KNOCKOUT else ""


def describe_rounds(tournament: Tournament, names: Sequence[str]) -> RoundsResult:
    """Return the result of a tournament; `names` are its engines in order of their seeds."""
    rules = tournament.rules
    encounters = _list_bracket(tournament, names) if rules.format == KNOCKOUT else _list_swiss(tournament, names)
    cells = {name: _list_cells(name, encounters, rules.rounds) for name in names}
    rank = _rank_swiss if rules.format == SWISS else _rank_knockout
    return RoundsResult(rules.format, rules.rounds, tuple(rank(tournament, names, cells)), tuple(encounters))


def write_rounds(directory: Path, result: RoundsResult | None) -> None:
    """Write `rounds.csv` (a row per encounter) and `standings.csv` (the crosstable); none in formats without rounds."""
    if result is None:
        return
    encounters = (
        (
            *(row.round, escape_formula(row.first), escape_formula(row.second), *row.points),
            *(row.games, row.tie_break_games, escape_formula(row.winner), int(row.by_seed)),
        )
        for row in result.encounters
    )
    _write_csv(directory / ROUNDS_NAME, ENCOUNTER_COLUMNS, encounters)
    numbers = range(1, result.rounds + 1)
    columns = [f"round{number}_{part}" for number in numbers for part in ("opponent", "points", "against")]
    _write_csv(directory / STANDINGS_NAME, (*RANK_COLUMNS, *columns), map(_make_standings_row, result.engines))


def _make_standings_row(engine: RankedEngine) -> list[object]:
    """Return the cells of an engine's row; the opponent of a bye is `-`."""
    tie_breaks = (engine.buchholz, engine.sonneborn_berger, engine.direct)
    row: list[object] = [engine.rank, escape_formula(engine.name), engine.seed, engine.points]
    row += ["" if value is None else value for value in tie_breaks]
    for cell in engine.rounds:
        if cell is None:
            row += ["", "", ""]
        else:
            row += [escape_formula(cell.opponent) if cell.opponent else "-", cell.points, cell.opponent_points]
    return row


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([f"{cell:g}" if isinstance(cell, float) else cell for cell in row] for row in rows)
    replace_text_file(path, text.getvalue())


def _list_swiss(tournament: Tournament, names: Sequence[str]) -> list[EncounterResult]:
    """Return the encounters and byes of a Swiss, in the order of their pairing."""
    results = []
    for stage in tournament.stages:
        encounters = (tournament.find_encounter(stage.round, *pairing) for pairing in stage.pairings)
        results += [_describe_encounter(encounter, names, encounter.leader) for encounter in encounters if encounter]
        points = (float(tournament.rules.games), 0.0)
        results += [EncounterResult(stage.round, names[bye], "", is_bye=True, points=points) for bye in stage.byes]
    return results


def _list_bracket(tournament: Tournament, names: Sequence[str]) -> list[EncounterResult]:
    """Return the matches of all rounds of a bracket, also those that are not known yet."""
    results = []
    for number, matches in enumerate(tournament.list_bracket(), 1):
        for one, other in matches:
            first, second = ("" if engine is None else names[engine] for engine in (one, other))
            if number == 1 and not (first and second):
                results.append(EncounterResult(1, first or second, "", is_bye=True, winner=first or second))
                continue
            encounter = None if one is None or other is None else tournament.find_encounter(number, one, other)
            if encounter is None or one is None or other is None:
                results.append(EncounterResult(number, first, second))
                continue
            described = _describe_encounter(encounter, names, tournament.find_winner(number, one, other))
            # the order of the bracket, from top to bottom
            results.append(described if one == encounter.engines[0] else _swap_engines(described))
    return results


def _describe_encounter(encounter: Encounter, names: Sequence[str], winner: int | None) -> EncounterResult:
    first, second = (names[engine] for engine in encounter.engines)
    return EncounterResult(
        round=encounter.round,
        first=first,
        second=second,
        points=(encounter.points[0], encounter.points[1]),
        games=2 * encounter.complete_pairs,
        tie_break_games=2 * encounter.tie_breaks,
        winner="" if winner is None else names[winner],
        by_seed=winner is not None and encounter.leader is None,
    )


def _swap_engines(result: EncounterResult) -> EncounterResult:
    return msgspec.structs.replace(
        result, first=result.second, second=result.first, points=(result.points[1], result.points[0])
    )


def _list_cells(name: str, encounters: Sequence[EncounterResult], rounds: int) -> tuple[RoundCell | None, ...]:
    """Return an engine's cell of each round."""
    cells: list[RoundCell | None] = [None] * rounds
    for encounter in encounters:
        if encounter.is_bye and encounter.first == name:
            cells[encounter.round - 1] = RoundCell("", encounter.points[0], 0.0, 0)
        elif name in (encounter.first, encounter.second) and encounter.first and encounter.second:
            own, other = encounter.points if encounter.first == name else encounter.points[::-1]
            opponent = encounter.second if encounter.first == name else encounter.first
            cells[encounter.round - 1] = RoundCell(opponent, own, other, encounter.games)
    return tuple(cells)


Cells = dict[str, tuple[RoundCell | None, ...]]


def _rank_swiss(tournament: Tournament, names: Sequence[str], cells: Cells) -> list[RankedEngine]:
    return [
        RankedEngine(
            rank=rank.rank,
            name=names[rank.engine],
            seed=rank.engine + 1,
            points=rank.score,
            buchholz=rank.buchholz,
            sonneborn_berger=rank.sonneborn_berger,
            direct=rank.direct,
            rounds=cells[names[rank.engine]],
        )
        for rank in tournament.rank()
    ]


def _rank_knockout(tournament: Tournament, names: Sequence[str], cells: Cells) -> list[RankedEngine]:
    """Return the engines by the round that they reached, then by seed; those that are still in come first."""
    advanced = [0] * len(names)  # number of rounds that an engine survived
    is_out = [False] * len(names)
    for number, matches in enumerate(tournament.list_bracket(), 1):
        for match in matches:
            engines = [engine for engine in match if engine is not None]
            if number == 1 and len(engines) == 1:
                advanced[engines[0]] += 1
            elif len(engines) == 2:
                winner = tournament.find_winner(number, *engines)
                if winner is not None:
                    advanced[winner] += 1
                    is_out[sum(engines) - winner] = True
    keys = [(-advanced[engine], is_out[engine]) for engine in range(len(names))]
    return [
        RankedEngine(
            rank=1 + sum(key < keys[engine] for key in keys),
            name=names[engine],
            seed=engine + 1,
            points=sum(cell.points for cell in cells[names[engine]] if cell and cell.opponent),
            buchholz=None,
            sonneborn_berger=None,
            direct=None,
            rounds=cells[names[engine]],
        )
        for engine in sorted(range(len(names)), key=lambda engine: (keys[engine], engine))
    ]
