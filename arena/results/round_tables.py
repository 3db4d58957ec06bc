"""Format the result of a Swiss or a knock-out as plain text: the crosstable by rounds, and the bracket."""

from __future__ import annotations

from collections.abc import Sequence

from arena.results.rounds import EncounterResult, RankedEngine, RoundCell, RoundsResult
from arena.results.tables import WIDTH, cut_middle, format_table
from arena.terms.settings import KNOCKOUT

MIN_CELL_NAME = 8  # characters of a name in the bracket, however many rounds it has
CONNECTOR_WIDTH = 4  # of the lines between two rounds of the bracket
_CELL_NOTE = "2-0 v3: two points to none against number 3 of this table; = after a number: equal with the one above\n"
_SEED_NOTE = "*: advanced as the better seed, because the encounter was drawn\n"


def format_rounds(result: RoundsResult) -> str:
    """Return the bracket of a knock-out, or the crosstable by rounds of a Swiss."""
    if result.format == KNOCKOUT:
        winner = f"winner: {result.winner}\n" if result.winner else ""
        note = _SEED_NOTE if any(encounter.by_seed for encounter in result.encounters) else ""
        return format_bracket(result) + note + winner
    return format_round_crosstable(result)


def format_round_crosstable(result: RoundsResult) -> str:
    """Return a row per engine: points, tie-breaks, and the points and the opponent's number of each round."""
    numbers = {engine.name: str(number) for number, engine in enumerate(result.engines, 1)}
    rounds = [f"round {number}" for number in range(1, result.rounds + 1)]
    rows: list[Sequence[str]] = [("Swiss", "points", "Buchholz", "S-B", *rounds)]
    for position, engine in enumerate(result.engines):
        is_equal = position > 0 and result.engines[position - 1].rank == engine.rank
        cells = (_format_cell(cell, numbers) for cell in engine.rounds)
        name = f"{numbers[engine.name]}{'=' if is_equal else ''} {engine.name}"
        rows.append((name, f"{engine.points:g}", *_format_tie_breaks(engine), *cells))
    return format_table(rows) + _CELL_NOTE


def _format_tie_breaks(engine: RankedEngine) -> tuple[str, str]:
    return f"{engine.buchholz or 0:g}", f"{engine.sonneborn_berger or 0:g}"


def _format_cell(cell: RoundCell | None, numbers: dict[str, str]) -> str:
    if cell is None:
        return ""
    if not cell.opponent:
        return f"{cell.points:g} bye"
    return f"{cell.points:g}-{cell.opponent_points:g} v{numbers[cell.opponent]}"


def format_bracket(result: RoundsResult) -> str:
    """Return the bracket as text: a column per round and one for the winner, with lines between them.

    Each engine of a round has its points there. An engine with a bye first appears in the second round.
    """
    by_round = [[row for row in result.encounters if row.round == number] for number in range(1, result.rounds + 1)]
    columns = [[cell for row in rows for cell in _format_match(row)] for rows in by_round]
    columns.append([(result.winner, "")])
    name_width = _find_name_width(columns)
    points_width = max(len(points) for column in columns for _, points in column)
    cell_width = name_width + 1 + points_width
    lines = [[" " * (cell_width + CONNECTOR_WIDTH) for _ in columns] for _ in range(2 * len(columns[0]) - 1)]
    for depth, column in enumerate(columns):
        for index, (name, points) in enumerate(column):
            row = (2 * index + 1) * 2**depth - 1
            is_bye = depth == 0 and by_round[0][index // 2].is_bye
            text = "" if is_bye else f"{cut_middle(name, name_width):<{name_width}} {points:>{points_width}}"
            has_line = depth < result.rounds and not is_bye
            lines[row][depth] = f"{text:<{cell_width}}" + (f" {'┐┘'[index % 2]}  " if has_line else "    ")
            if has_line and index % 2 == 0:
                for between in range(row + 1, row + 2 ** (depth + 1)):
                    middle = between == row + 2**depth
                    lines[between][depth] = " " * cell_width + (" ├─ " if middle else " │  ")
    return "".join("".join(line).rstrip() + "\n" for line in lines if "".join(line).strip())


def _format_match(row: EncounterResult) -> list[tuple[str, str]]:
    """Return name and points of both engines of a match; `*` marks one that advanced as the better seed."""
    cells = []
    for name, points in zip((row.first, row.second), row.points, strict=True):
        mark = "*" if row.by_seed and row.winner == name else ""
        cells.append((name, f"{points:g}{mark}" if row.games else ""))
    return cells


def _find_name_width(columns: Sequence[Sequence[tuple[str, str]]]) -> int:
    """Return the characters for a name, so that the bracket fits into the width of a terminal if possible."""
    longest = max(len(name) for column in columns for name, _ in column)
    points_width = max(len(points) for column in columns for _, points in column)
    room = WIDTH // len(columns) - CONNECTOR_WIDTH - 1 - points_width
    return min(longest, max(MIN_CELL_NAME, room))
