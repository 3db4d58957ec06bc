"""Files derived from a run's log: a record a game in the game's own format, and `results.csv` with a line a game."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from arena.ending import Ending
from arena.log import GameEnded, RunStarted, read_log
from core.squares import parse_square

GAMES_FOLDER = "games"
RESULTS_NAME = "results.csv"
COLUMNS = [
    *("game", "pair", "opening", "first", "second", "winner", "ending", "blamed", "counts"),
    *("plies", "moves", "repeats", "first_mean_ms", "first_max_ms", "second_mean_ms", "second_max_ms", "detail"),
]

# result codes that Piskvork and Gomotur write
_PSQ_CODES = {Ending.WIN: 0, Ending.TIME: 15, Ending.STALL: 15, Ending.ILLEGAL: 7}
_PSQ_CODES |= {Ending.DISCONNECT: -2, Ending.REFUSED: -2}
_PSQ_UNKNOWN = -1


def format_psq(header: RunStarted, game: GameEnded) -> str:
    """A Piskvork record: coordinates from 1, milliseconds a move (0 for the opening), names, result code.

    `11:11` marks both sides as programs, the 0 that the first named one began.
    """
    times = [0] * len(game.opening) + [entry.time_ms for entry in game.moves]
    rows = [f"Piskvorky {header.width}x{header.height}, 11:11, 0"]
    for move, time_ms in zip(game.line, times, strict=True):
        square = parse_square(move)
        assert square is not None  # the rules have let every recorded move pass
        rows.append(f"{square[0] + 1},{square[1] + 1},{time_ms}")
    rows += [game.first, game.second, str(_PSQ_CODES.get(game.ending, _PSQ_UNKNOWN))]
    return "\n".join(rows) + "\n"


def format_moves(header: RunStarted, game: GameEnded) -> str:
    """Plain text for games without a format of their own: players, result, then the moves."""
    result = f"{game.ending}, won by {game.winner}" if game.winner else str(game.ending)
    title = f"# {header.game} {header.variant}: {game.first} against {game.second}; {result}"
    return "\n".join((title, " ".join(game.line))) + "\n"


def format_game_string(header: RunStarted, game: GameEnded) -> str:
    """A UHP GameString alone on its line, so that `newgame` takes it as it is; who played stands in `results.csv`.

    State and turn are those of the board: a game that ended in another way is still in progress there.
    """
    from bots.hive.position import HivePosition

    return HivePosition.from_game(";".join([header.variant, "", "", *game.line])).game_string() + "\n"


Format = Callable[[RunStarted, GameEnded], str]
FORMATS: dict[str, tuple[str, Format]] = {
    "psq": (".psq", format_psq),
    "uhp": (".uhp", format_game_string),
    "moves": (".txt", format_moves),
}


def write_game(directory: Path, record: str, header: RunStarted, game: GameEnded) -> Path:
    """Write the record of one game in format `record` and return its path."""
    suffix, format_record = FORMATS[record]
    path = directory / GAMES_FOLDER / f"{game.number:05}{suffix}"
    path.parent.mkdir(exist_ok=True)
    _replace(path, format_record(header, game))
    return path


def write_results(directory: Path, games: Iterable[GameEnded]) -> Path:
    """Write `results.csv`, ordered by game; `repeats` names the first game with the same moves."""
    path = directory / RESULTS_NAME
    part = path.with_suffix(".part")
    seen: dict[tuple[str, ...], int] = {}
    with part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for game in sorted(games, key=lambda game: game.number):
            original = seen.setdefault(game.line, game.number)
            writer.writerow(_row(game, "" if original == game.number else str(original)))
    part.replace(path)
    return path


def rebuild(directory: Path, record: str) -> int:
    """Write all derived files anew from the log and return the number of games; raise LogError."""
    header: RunStarted | None = None
    games = []
    for event in read_log(directory):
        if isinstance(event, RunStarted):
            header = event
        elif isinstance(event, GameEnded) and header is not None:
            games.append(event)
            write_game(directory, record, header, event)
    write_results(directory, games)
    return len(games)


def _row(game: GameEnded, repeats: str) -> list[str | int]:
    offset = len(game.opening)
    cells: list[str | int] = [game.number, game.pair, _join(game.opening), game.first, game.second, game.winner]
    cells += [game.ending.value, game.blamed, int(game.ending.counts), len(game.line), _join(game.line), repeats]
    for side in (0, 1):
        times = [entry.time_ms for ply, entry in enumerate(game.moves, offset) if ply % 2 == side]
        cells += [round(sum(times) / len(times)), max(times)] if times else ["", ""]
    return [*cells, game.detail]


def _join(moves: Sequence[str]) -> str:
    """Moves in one cell: between blanks, or between semicolons where a move has a blank itself."""
    return (";" if any(" " in move for move in moves) else " ").join(moves)


def _replace(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(part, path)
