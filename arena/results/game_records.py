"""Game records in the formats of each game, and `results.csv` with a row per game, all derived from the log.

A `RunStarted` event is the header of a run, a `GameEnded` event has a game with its moves and times.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from arena.log.events import GameEnded, RunStarted
from arena.results.sgf import describe_numbers, format_sgf
from arena.terms.ending import Ending
from core.play.squares import parse_square
from core.system.files import replace_binary_file, replace_text_file

GAMES_FOLDER = "games"
STDERR_SUFFIX = ".stderr.txt"
RESULTS_NAME = "results.csv"
COLUMNS = [  # of results.csv; arena/results/README.md explains them
    *("game", "pair", "opening", "first", "second", "winner", "ending", "blamed", "counts"),
    *("plies", "moves", "repeats", "first_mean_ms", "first_max_ms", "second_mean_ms", "second_max_ms"),
    *("first_time_ms", "first_cpu_ms", "second_time_ms", "second_cpu_ms", "detail"),
]
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # first characters of cells that a spreadsheet evaluates

# result codes of the game managers Piskvork and Gomotur
_PSQ_CODES = {Ending.WIN: 0, Ending.TIME: 15, Ending.STALL: 15, Ending.MEMORY: 16, Ending.ILLEGAL: 7}
_PSQ_CODES |= {Ending.DISCONNECT: -2, Ending.REFUSED: -2}
_PSQ_UNKNOWN = -1  # for all other endings


def format_psq(header: RunStarted, game: GameEnded) -> str:
    """Format one game as a Piskvork record: moves `x,y,ms`, then both names and a result code, a line each.

    Coordinates count from 1; opening moves have 0 ms. In the first line `11:11` marks both sides as programs, and 0
    means that the engine named first began.
    """
    times = [0] * len(game.opening) + [entry.time_ms for entry in game.moves]
    lines = [f"Piskvorky {header.width}x{header.height}, 11:11, 0"]
    for move, time_ms in zip(game.all_moves, times, strict=True):
        square = parse_square(move)
        assert square is not None  # recorded moves are legal
        lines.append(f"{square[0] + 1},{square[1] + 1},{time_ms}")
    lines += [game.first, game.second, str(_PSQ_CODES.get(game.ending, _PSQ_UNKNOWN))]
    return "\n".join(lines) + "\n"


def format_moves(header: RunStarted, game: GameEnded) -> str:
    """Format one game as plain text: comment lines about the game, all moves in a line, a comment per move.

    The moves of the opening have no comment.
    """
    tags = [f"# {name}: {value}" for name, value in (("event", header.event_name), ("site", header.site)) if value]
    result = f"{game.ending}, won by {game.winner}" if game.winner else str(game.ending)
    title = f"# {header.game} {header.variant}: {game.first} against {game.second}; {result}"
    numbered = enumerate(game.moves, len(game.opening) + 1)
    numbers = (f"# {ply} {entry.move}: {describe_numbers(entry)}" for ply, entry in numbered)
    return "\n".join((title, *tags, join_moves(game.all_moves), *numbers)) + "\n"


def format_game_string(header: RunStarted, game: GameEnded) -> str:
    """Format one game as a UHP GameString, which the command `newgame` accepts; it has no players' names.

    Its state and turn come from the board. A game that did not end by the rules is in progress there.
    """
    from bots.hive.position import HivePosition

    return HivePosition.from_game(";".join([header.variant, "", "", *game.all_moves])).game_string() + "\n"


def _join(texts: Mapping[str, str], separator: str = "") -> bytes:
    """Return records, given by file name, one after the other: an SGF collection, or one GameString per line."""
    return separator.join(texts.values()).encode()


def _bundle(texts: Mapping[str, str]) -> bytes:
    """Return a zip archive of records, given by file name, for a format with one game per file.

    Equal records give equal bytes.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(name), text.encode(), zipfile.ZIP_DEFLATED)
    return content.getvalue()


@dataclass(frozen=True)
class Format:
    """A format of game records: one file per game, and a file `games` + `all_suffix` with all games."""

    suffix: str  # of a game's file
    format: Callable[[RunStarted, GameEnded], str]  # returns the record of a game
    all_suffix: str
    join: Callable[[Mapping[str, str]], bytes]  # from records by file name to the content of the file of all games


# By the name that the definitions of the games use
FORMATS = {
    "psq": Format(".psq", format_psq, ".psq.zip", _bundle),
    "sgf": Format(".sgf", format_sgf, ".sgf", _join),
    "uhp": Format(".uhp", format_game_string, ".uhp", _join),
    "moves": Format(".txt", format_moves, ".txt", partial(_join, separator="\n")),  # with empty lines between the games
}


def write_game(directory: Path, formats: Iterable[str], header: RunStarted, game: GameEnded) -> None:
    """Write the records of one game and, if the engines wrote to standard error, a file of that output."""
    folder = directory / GAMES_FOLDER
    folder.mkdir(exist_ok=True)
    for name in formats:
        record_format = FORMATS[name]
        replace_text_file(folder / name_record(game, record_format.suffix), record_format.format(header, game))
    if game.stderr:
        replace_text_file(folder / name_record(game, STDERR_SUFFIX), format_stderr(game))


def name_record(game: GameEnded, suffix: str) -> str:
    """Return the name of a game's file in the folder of records, such as `00012.psq`."""
    return f"{game.number:05}{suffix}"


def list_record_files(formats: Iterable[str], game: GameEnded) -> list[str]:
    """Return the names of the files that `write_game` writes for a game."""
    suffixes = [FORMATS[name].suffix for name in formats]
    return [name_record(game, suffix) for suffix in (*suffixes, *([STDERR_SUFFIX] if game.stderr else []))]


def write_collections(directory: Path, formats: Iterable[str], header: RunStarted, games: Sequence[GameEnded]) -> None:
    """Write one file with all games in each format."""
    for record_format in (FORMATS[name] for name in formats):
        texts = {name_record(game, record_format.suffix): record_format.format(header, game) for game in games}
        replace_binary_file(directory / f"{GAMES_FOLDER}{record_format.all_suffix}", record_format.join(texts))


def format_stderr(game: GameEnded) -> str:
    """Return the standard error output of both engines, each below a line with its name."""
    parts = zip((game.first, game.second), game.stderr, strict=True)
    return "".join(f"== {name} ==\n{text.rstrip()}\n" for name, text in parts if text)


def write_results(directory: Path, games: Iterable[GameEnded]) -> None:
    """Write `results.csv`, ordered by game number.

    The column `repeats` has the number of the first game with the same moves, and is empty in the row of that game.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    first_game_by_moves: dict[tuple[str, ...], int] = {}
    for game in sorted(games, key=lambda game: game.number):
        first_number = first_game_by_moves.setdefault(game.all_moves, game.number)
        writer.writerow(_row(game, "" if first_number == game.number else str(first_number)))
    replace_text_file(directory / RESULTS_NAME, text.getvalue())


def _row(game: GameEnded, repeats: str) -> list[str | int]:
    """Return the cells of a game's row, in the order of COLUMNS."""
    cells: list[str | int] = [game.number, game.pair, join_moves(game.opening), game.first, game.second, game.winner]
    cells += [game.ending.value, game.blamed, int(game.ending.counts)]
    cells += [len(game.all_moves), join_moves(game.all_moves), repeats]
    for side in (0, 1):
        times = game.times_ms(side)
        cells += [round(sum(times) / len(times)), max(times)] if times else ["", ""]
    for side in (0, 1):
        cpu_ms = game.cpu_ms[side]
        cells += [sum(game.times_ms(side)), "" if cpu_ms is None else cpu_ms]
    cells.append(game.detail)
    return [escape_formula(cell) if isinstance(cell, str) else cell for cell in cells]


def escape_formula(cell: str) -> str:
    """Return the cell with an apostrophe before the start of a formula, so that spreadsheets do not evaluate it."""
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def join_moves(moves: Sequence[str]) -> str:
    """Join moves with blanks, or with semicolons if a move contains a blank, as in Hive."""
    return (";" if any(" " in move for move in moves) else " ").join(moves)
