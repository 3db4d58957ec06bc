"""Rating lists as text, CSV, JSON and PGN headers."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from arena.rating_list.merge import Entry, RatingList
from arena.results.game_records import escape_formula
from arena.results.pgn import format_pgn
from arena.results.ratings import Estimate, RatingInterval
from arena.results.tables import UNDEFINED, format_engine_rating, format_rating_model, format_table

_HEADINGS = ("# name", "Elo", "games", "won", "drawn", "lost", "score", "opponents")
_NOTE = "Elo with its 95 % interval; opponents: mean rating of the opponents\n"
_RANGE_NOTE = "at least, at most: the results are too one-sided for an estimate\n"


class EntryRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the CSV and an object of the JSON. Undefined values are null, or empty in the CSV."""

    game: str
    variant: str
    board: str  # width x height, empty for a game with one board
    group: int  # ratings of different groups do not compare; from 1
    rank: int  # in its group, from 1
    name: str
    elo: float | None
    error: float | None  # half the width of the 95 % interval; undefined for an anchor
    low: float | None  # of the interval of one-sided results
    high: float | None  # likewise
    games: int
    won: int
    drawn: int
    lost: int
    score: float  # points per game
    opponents: float | None  # mean rating of the opponents
    program: str  # hash, or version of a player of Pentad; several are separated by blanks
    limits: str  # time control


class ListSection(msgspec.Struct, frozen=True, kw_only=True):
    """A rating list in the JSON."""

    game: str
    variant: str
    width: int
    height: int
    position: str
    runs: tuple[str, ...]
    anchors: tuple[str, ...]
    anchor_p_value: float | None
    first_move: float | None  # Elo
    draw_share: float | None
    entries: tuple[EntryRow, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class _Ranked:
    """An entry with its place in the list."""

    entry: Entry
    group: int
    rank: int


def format_lists(lists: Sequence[RatingList], min_games: int = 0) -> str:
    """Return the lists as text, without their warnings. Entries with fewer games than `min_games` are not shown."""
    return "\n".join(_format_list(rating_list, min_games) for rating_list in lists)


def format_csv(lists: Sequence[RatingList], min_games: int = 0) -> str:
    """Return the lists as one table of CSV."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(EntryRow.__struct_fields__)
    for row in (row for rating_list in lists for row in _list_rows(rating_list, min_games)):
        cells = ("" if value is None else value for value in msgspec.structs.astuple(row))
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else _round(cell) for cell in cells])
    return text.getvalue()


def format_json(lists: Sequence[RatingList], min_games: int = 0) -> str:
    """Return the lists as a JSON array."""
    sections = [
        ListSection(
            game=rating_list.rules.game,
            variant=rating_list.rules.variant,
            width=rating_list.rules.width,
            height=rating_list.rules.height,
            position=rating_list.rules.position,
            runs=tuple(str(run.directory) for run in rating_list.runs),
            anchors=rating_list.ratings.anchors,
            anchor_p_value=rating_list.ratings.anchor_p_value,
            first_move=rating_list.ratings.first_move.elo if rating_list.ratings.first_move else None,
            draw_share=rating_list.ratings.draw_share,
            entries=tuple(_list_rows(rating_list, min_games)),
            warnings=rating_list.warnings,
        )
        for rating_list in lists
    ]
    return msgspec.json.format(msgspec.json.encode(sections), indent=2).decode() + "\n"


def format_list_pgn(rating_list: RatingList) -> str:
    """Return all games of a list as PGN headers for BayesElo and Ordo, with the names of the entries."""
    return "\n".join(format_pgn(run.header, rating_list.list_played(run)) for run in rating_list.runs if run.games)


def _format_list(rating_list: RatingList, min_games: int) -> str:
    """Return a table per group of comparable entries, below a heading."""
    games = sum(entry.games for entry in rating_list.entries) // 2
    runs = len(rating_list.runs)
    parts = [f"{rating_list.rules}: {games} games of {runs} {'run' if runs == 1 else 'runs'}\n"]
    shown = [ranked for ranked in _rank(rating_list) if ranked.entry.games >= min_games]
    for group in dict.fromkeys(ranked.group for ranked in shown):
        rows: list[Sequence[str]] = [_HEADINGS]
        rows += [_format_row(rating_list, ranked) for ranked in shown if ranked.group == group]
        parts.append(format_table(rows))
    hidden = len(rating_list.entries) - len(shown)
    notes = _NOTE + (_RANGE_NOTE if rating_list.ratings.has_ranges else "")
    if hidden:
        notes += f"not shown, with fewer than {min_games} games: {hidden}\n"
    return "\n".join([*parts, notes + format_rating_model(rating_list.ratings)])


def _format_row(rating_list: RatingList, ranked: _Ranked) -> Sequence[str]:
    entry = ranked.entry
    mean = _mean_opponent(rating_list, entry)
    sign = "" if rating_list.ratings.anchors else "+"
    return (
        f"{ranked.rank} {entry.name}",
        format_engine_rating(rating_list.ratings, entry.name),
        *map(str, (entry.games, entry.won, entry.drawn, entry.lost)),
        f"{entry.points / entry.games:.1%}",
        UNDEFINED if mean is None else f"{mean:{sign}.0f}",
    )


def _list_rows(rating_list: RatingList, min_games: int) -> list[EntryRow]:
    """Return the rows of the entries that have enough games, by group and rank."""
    rules = rating_list.rules
    rows = []
    for ranked in _rank(rating_list):
        entry, rating = ranked.entry, rating_list.ratings.engines[ranked.entry.name]
        if entry.games < min_games:
            continue
        estimate = rating if isinstance(rating, Estimate) else None
        interval = rating if isinstance(rating, RatingInterval) else None
        rows.append(
            EntryRow(
                game=rules.game,
                variant=rules.variant,
                board=f"{rules.width}x{rules.height}" if rules.width else "",
                group=ranked.group,
                rank=ranked.rank,
                name=entry.name,
                elo=estimate.elo if estimate else None,
                error=estimate.half_width if estimate else None,
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                games=entry.games,
                won=entry.won,
                drawn=entry.drawn,
                lost=entry.lost,
                score=entry.points / entry.games,
                opponents=_mean_opponent(rating_list, entry),
                program=" ".join(dict.fromkeys(program.version for program in entry.programs)),
                limits="; ".join(dict.fromkeys(program.limits for program in entry.programs)),
            )
        )
    return rows


def _rank(rating_list: RatingList) -> list[_Ranked]:
    """Return the entries by group and rating, the largest group first."""
    entry_of = {entry.name: entry for entry in rating_list.entries}
    ranked = []
    for number, group in enumerate(sorted(rating_list.ratings.groups, key=len, reverse=True), 1):
        entries = sorted((entry_of[name] for name in group), key=lambda entry: _sort_key(rating_list, entry))
        ranked += [_Ranked(entry, number, rank) for rank, entry in enumerate(entries, 1)]
    return ranked


def _sort_key(rating_list: RatingList, entry: Entry) -> tuple[float, float, float]:
    """Return a key that is smaller for better entries.

    As on the page of a run, an entry with only a lower bound comes first and one with only an upper bound last. A
    bounded interval counts as its middle.
    """
    rating, share = rating_list.ratings.engines[entry.name], entry.points / entry.games
    if isinstance(rating, Estimate):
        return -rating.elo, 0.0, -share
    low, high = (rating.low, rating.high) if rating else (None, None)
    if low is not None and high is not None:
        return -(low + high) / 2, 0.0, -share
    if low is not None:
        return -math.inf, -low, -share
    return math.inf, -high if high is not None else 0.0, -share


def _mean_opponent(rating_list: RatingList, entry: Entry) -> float | None:
    """Return the mean rating of an entry's opponents; None if one of them has no estimate."""
    total = 0.0
    for index, games in entry.opponents.items():
        rating = rating_list.ratings.engines[rating_list.entries[index].name]
        if not isinstance(rating, Estimate):
            return None
        total += rating.elo * games
    return total / entry.games


def _round(value: float) -> float:
    return round(value, 3) if isinstance(value, float) else value
