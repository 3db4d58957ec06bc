"""Tests that results of many runs are merged into rating lists, and that different programs stay apart."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.log.events import RunResumed
from arena.log.file import LOG_NAME, read_run
from arena.rating_list.merge import RatingList, make_rating_lists, read_results
from arena.results.ratings import estimate_ratings
from arena.terms.anchors import Anchor
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from tests.arena.rating_list.runs import make_program, make_run_header, play_pairs, write_games
from tests.arena.web.runs import make_game

PROGRAMS = [make_program(name) for name in "ABCD"]


def merge(*directories: Path, merge_names: bool = False) -> RatingList:
    """Return the only rating list of these runs."""
    (rating_list,) = make_rating_lists(read_results(directories), merge_names=merge_names)
    return rating_list


def write_two(tmp_path: Path, first: dict[str, object], second: dict[str, object]) -> tuple[Path, Path]:
    """Write two runs of A and B that differ in fields of A or, with the key `header`, in fields of the header."""
    folders = []
    for number, changes in enumerate((first, second), 1):
        header_changes = dict(changes.pop("header", {}))  # type: ignore[call-overload]
        header = make_run_header([make_program("A", **changes), make_program("B")], seed=number, **header_changes)  # type: ignore[arg-type]
        folders.append(write_games(tmp_path / f"run{number}", header, play_pairs("AB", 5, seed=number)))
    return folders[0], folders[1]


def test_two_halves_of_a_run_equal_the_whole(tmp_path: Path) -> None:
    games = play_pairs("ABCD", 12, seed=4)
    half = len(games) // 2
    whole = merge(write_games(tmp_path / "whole", make_run_header(PROGRAMS), games))
    halves = merge(
        write_games(tmp_path / "first", make_run_header(PROGRAMS, seed=2), games[:half]),
        write_games(tmp_path / "second", make_run_header(PROGRAMS, seed=3), games[half:]),
    )
    assert halves.entries == whole.entries
    assert halves.ratings == whole.ratings
    assert halves.warnings == whole.warnings == ()
    assert whole.ratings == estimate_ratings(tuple("ABCD"), games)


def test_runs_of_different_engines_are_connected_by_common_ones(tmp_path: Path) -> None:
    """A and D never met; both played B and C."""
    games = [play_pairs("ABC", 8, seed=1), play_pairs("BCD", 8, seed=2)]
    rating_list = merge(
        write_games(tmp_path / "first", make_run_header(PROGRAMS[:3], seed=1), games[0]),
        write_games(tmp_path / "second", make_run_header(PROGRAMS[1:], seed=2), games[1]),
    )
    assert rating_list.ratings == estimate_ratings(tuple("ABCD"), [*games[0], *games[1]])
    entries = {entry.name: entry for entry in rating_list.entries}
    assert (entries["A"].games, entries["B"].games) == (32, 64)
    names = [entry.name for entry in rating_list.entries]
    assert {names[index]: count for index, count in entries["D"].opponents.items()} == {"B": 16, "C": 16}


@pytest.mark.parametrize(
    ("first", "second", "labels", "difference"),
    [
        ({"file_hash": "1" * 64}, {"file_hash": "2" * 64}, ("A [11111111]", "A [22222222]"), "hash"),
        ({}, {"options": (("level", "3"),)}, ("A [none]", "A [level=3]"), "options"),
        ({"command": "./A -x"}, {"command": "/opt/A -y"}, ("A [-x]", "A [-y]"), "arguments"),
        ({"tc": "5"}, {"tc": "N=70"}, ("A [5 s per move]", "A [70 nodes]"), "time control"),
        ({"environment": (("T", "1"),)}, {}, ("A [T=1]", "A [none]"), "environment"),
        (
            {
                "command": "",
                "protocol": "",
                "player": "paper",
                "file_hash": "",
                "header": {"versions": {"pentad": "1.0"}},
            },
            {
                "command": "",
                "protocol": "",
                "player": "paper",
                "file_hash": "",
                "header": {"versions": {"pentad": "1.1"}},
            },
            ("A [Pentad 1.0]", "A [Pentad 1.1]"),
            "version",
        ),
        (
            {"file_hash": "1" * 64, "tc": "5"},
            {"file_hash": "2" * 64, "tc": "6"},
            ("A [11111111, 5 s per move]", "A [22222222, 6 s per move]"),
            "hash and time control",
        ),
    ],
)
def test_different_programs_with_one_name_are_rated_apart(
    tmp_path: Path, first: dict[str, object], second: dict[str, object], labels: tuple[str, str], difference: str
) -> None:
    folders = write_two(tmp_path, first, second)
    rating_list = merge(*folders)
    assert [entry.name for entry in rating_list.entries if entry.name != "B"] == list(labels)
    (warning,) = rating_list.warnings
    assert warning == (
        f"A stands for 2 programs that differ in {difference} (rated apart; --merge-names rates them as one):"
        f" {labels[0]} in {folders[0]}; {labels[1]} in {folders[1]}"
    )
    merged = merge(*folders, merge_names=True)
    assert [entry.name for entry in merged.entries] == ["A", "B"]
    assert "rated as one" in merged.warnings[0]
    assert merged.entries[0].games == 20


def test_same_program_in_another_folder_or_with_another_margin_is_one_entry(tmp_path: Path) -> None:
    first: dict[str, object] = {"command": "/home/x/A --weights=/home/x/w.bin", "directory": "/home/x"}
    second: dict[str, object] = {"command": "./A --weights=w.bin"}
    second["header"] = {"control": TimeControl(move_ms=1000, margin_ms=999), "concurrency": 4, "openings": "book"}
    rating_list = merge(*write_two(tmp_path, first, second))
    assert [entry.name for entry in rating_list.entries] == ["A", "B"]
    assert rating_list.warnings == ()


def test_engine_that_a_forced_resumption_changed_is_an_entry_of_its_own(tmp_path: Path) -> None:
    """The header has the old hash only; games after the resumption used to be counted for the old program."""
    changed = RunResumed("2026-01-02T00:00:00+00:00", (make_program("A", "2" * 64), make_program("B")), forced=True)
    header = make_run_header([make_program("A", "1" * 64), make_program("B")])
    folder = write_games(tmp_path / "run", header, play_pairs("AB", 5, seed=1), {3: changed})
    assert [(entry.name, entry.games) for entry in merge(folder).entries] == [
        ("A [11111111]", 4),
        ("A [22222222]", 6),
        ("B", 10),
    ]


def test_copies_of_a_run_count_once(tmp_path: Path) -> None:
    """The copy with the most games counts: the other was made while the run was played."""
    folder = write_games(tmp_path / "run", make_run_header(PROGRAMS[:2]), play_pairs("AB", 5, seed=1))
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    lines = (copy / LOG_NAME).read_bytes().splitlines(keepends=True)
    (copy / LOG_NAME).write_bytes(b"".join(lines[:7]))  # header and two pairs
    rating_list = merge(copy, folder)
    assert [entry.games for entry in rating_list.entries] == [10, 10]
    assert rating_list.warnings == (f"the same run counts once: {copy}, {folder}",)


def test_different_rules_have_lists_of_their_own(tmp_path: Path) -> None:
    changes_by_run: list[dict[str, object]] = [
        {},
        {"variant": "renju"},
        {"width": 20, "height": 20},
        {"position": "h8"},
        {"order": "sequential"},
    ]
    folders = []
    for number, changes in enumerate(changes_by_run):
        header = make_run_header(PROGRAMS[:2], seed=number, **changes)
        folders.append(write_games(tmp_path / str(number), header, play_pairs("AB", 5, seed=number)))
    lists = make_rating_lists(read_results(folders), [Anchor("A", 1000.0)])
    assert [(str(one.rules), len(one.runs)) for one in lists] == [
        ("gomoku freestyle 15x15", 2),
        ("gomoku renju 15x15", 1),
        ("gomoku freestyle 20x20", 1),
        ("gomoku freestyle 15x15 from h8", 1),
    ]
    assert all(one.ratings.anchors == ("A",) for one in lists)


def test_void_games_and_engines_without_games_are_left_out(tmp_path: Path) -> None:
    games = [make_game(1, "A", "B"), make_game(2, "B", "A", winner="", ending=Ending.VOID)]
    rating_list = merge(write_games(tmp_path / "run", make_run_header(PROGRAMS), games))
    assert [(entry.name, entry.games) for entry in rating_list.entries] == [("A", 1), ("B", 1)]
    assert make_rating_lists([]) == []


def test_anchor_of_a_split_name_is_refused_with_the_names_of_the_entries(tmp_path: Path) -> None:
    folders = write_two(tmp_path, {"file_hash": "1" * 64}, {"file_hash": "2" * 64})
    with pytest.raises(UsageError, match=r"no engine is called 'A'; known: A \[11111111\], A \[22222222\], B$"):
        make_rating_lists(read_results(folders), [Anchor("A", 0.0)])
    (rating_list,) = make_rating_lists(read_results(folders), [Anchor("A [22222222]", 50.0)])
    assert rating_list.ratings.anchors == ("A [22222222]",)


def test_run_without_moves_has_the_same_results(tmp_path: Path) -> None:
    """The fast reading of logs skips moves; names and endings must survive, also names that are made printable."""
    names = ("A\x1b[2J", "B\u202e")
    header = make_run_header([make_program(name) for name in names])
    games = [make_game(1, *names), make_game(2, *reversed(names), winner=names[0], ending=Ending.TIME, blamed=names[1])]
    folder = write_games(tmp_path / "run", header, games)
    full, fast = read_run(folder), read_run(folder, with_moves=False)
    assert fast.names == full.names == ("A?[2J", "B?")
    fields = ("number", "pair", "first", "second", "ending", "winner", "blamed")
    assert [[getattr(game, name) for name in fields] for game in fast.games] == [
        [getattr(game, name) for name in fields] for game in full.games
    ]
    assert all(game.moves and not other.moves for game, other in zip(full.games, fast.games, strict=True))
