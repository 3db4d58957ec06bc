"""Tests of rating lists as text, CSV, JSON and PGN."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from arena.rating_list.merge import RatingList, make_rating_lists, read_results
from arena.rating_list.output import format_csv, format_json, format_list_pgn, format_lists
from arena.results.ratings import Estimate
from arena.terms.anchors import Anchor
from tests.arena.rating_list.runs import make_program, make_run_header, play_pairs, write_games
from tests.arena.web.runs import make_game


@pytest.fixture
def rating_list(tmp_path: Path) -> RatingList:
    """Return the list of A to D with B at 2000; D has four games and lost them all."""
    games = play_pairs("ABC", 20, seed=6)
    for number in range(2):
        games += [make_game(2 * number + 1, "A", "D"), make_game(2 * number + 2, "D", "A", winner="A")]
    folder = write_games(tmp_path / "run", make_run_header([make_program(name) for name in "ABCD"]), games)
    (rating_list,) = make_rating_lists(read_results([folder]), [Anchor("B", 2000.0)])
    return rating_list


def test_table_is_ordered_by_rating(rating_list: RatingList) -> None:
    lines = format_lists([rating_list]).splitlines()
    assert lines[0] == "gomoku freestyle 15x15: 124 games of 1 run"
    assert [line.split()[:2] for line in lines[3:7]] == [["1", "A"], ["2", "B"], ["3", "C"], ["4", "D"]]
    assert "2000 (anchor)" in lines[4]
    assert "at most" in lines[6]
    assert "fixed: B" in "\n".join(lines[7:])
    assert not any("+" in line for line in lines[3:7])  # absolute numbers have no sign


def test_entries_with_few_games_are_not_shown_but_count(rating_list: RatingList) -> None:
    text = format_lists([rating_list], min_games=5)
    assert "\n4 D" not in text
    assert "not shown, with fewer than 5 games: 1" in text
    assert "124 games" in text
    assert [row["name"] for row in csv.DictReader(io.StringIO(format_csv([rating_list], 5)))] == ["A", "B", "C"]
    assert len(json.loads(format_json([rating_list], 5))[0]["entries"]) == 3


def test_csv_and_json_have_the_ratings(rating_list: RatingList) -> None:
    rows = list(csv.DictReader(io.StringIO(format_csv([rating_list]))))
    (section,) = json.loads(format_json([rating_list]))
    entries: list[dict[str, Any]] = section["entries"]
    for row, entry in zip(rows, entries, strict=True):
        rating = rating_list.ratings.engines[row["name"]]
        assert entry["name"] == row["name"]
        if isinstance(rating, Estimate):
            assert entry["elo"] == rating.elo == pytest.approx(float(row["elo"]), abs=1e-3)
            assert entry["error"] == rating.half_width
            assert row["error"] == ("" if rating.half_width is None else f"{round(rating.half_width, 3)}")
    assert (rows[3]["elo"], rows[3]["low"], entries[3]["low"]) == ("", "", None)
    assert float(rows[3]["high"]) == pytest.approx(entries[3]["high"], abs=1e-3)
    assert (section["anchors"], section["game"], section["width"]) == (["B"], "gomoku", 15)
    assert entries[3]["score"] == 0


def test_mean_rating_of_the_opponents(rating_list: RatingList) -> None:
    """C played A and B 40 times each; A also played D, whose rating is not a number."""
    entries = {entry["name"]: entry for entry in json.loads(format_json([rating_list]))[0]["entries"]}
    assert entries["C"]["opponents"] == pytest.approx((entries["A"]["elo"] + 2000) / 2)
    assert entries["A"]["opponents"] is None


def test_groups_that_never_met_have_tables_of_their_own(tmp_path: Path) -> None:
    folders = [
        write_games(
            tmp_path / names,
            make_run_header([make_program(name) for name in names], seed=number),
            play_pairs(names, 6, seed=number),
        )
        for number, names in enumerate(("AB", "CDE"))
    ]
    lists = make_rating_lists(read_results(folders))
    assert [(row["group"], row["rank"]) for row in csv.DictReader(io.StringIO(format_csv(lists)))] == [
        ("1", "1"),
        ("1", "2"),
        ("1", "3"),
        ("2", "1"),
        ("2", "2"),
    ]
    text = format_lists(lists)
    assert text.count("# name") == 2
    assert "groups whose ratings do not compare: A, B | C, D, E" in text


def test_pgn_has_the_names_of_the_entries(tmp_path: Path) -> None:
    folders = [
        write_games(
            tmp_path / file_hash,
            make_run_header([make_program("A", file_hash), make_program("B")], seed=int(file_hash)),
            play_pairs("AB", 3, seed=1),
        )
        for file_hash in ("1", "2")
    ]
    (rating_list,) = make_rating_lists(read_results(folders))
    stream = io.StringIO(format_list_pgn(rating_list))
    games = [game for _ in range(12) if (game := chess.pgn.read_game(stream))]
    assert chess.pgn.read_game(stream) is None
    assert [game.headers["White"] for game in games] == ["A [1]", "B"] * 3 + ["A [2]", "B"] * 3
    assert sum(game.headers["Result"] == "1/2-1/2" for game in games) == sum(
        entry.drawn for entry in rating_list.entries if entry.name == "B"
    )


def test_run_without_games_is_an_empty_list(tmp_path: Path) -> None:
    folder = write_games(tmp_path / "run", make_run_header([make_program("A"), make_program("B")]), [])
    lists = make_rating_lists(read_results([folder]))
    assert format_lists(lists).startswith("gomoku freestyle 15x15: 0 games of 1 run\n")
    assert json.loads(format_json(lists))[0]["entries"] == []
    assert format_list_pgn(lists[0]) == ""
