"""Tests of game records, results.csv and tables against exact texts, and of reading the log back.

The first arguments of `GameEnded` are the numbers of the game and its pair, the first and the second engine, the
ending, the winner, the blamed engine, a detail of the ending, the opening and the moves. Those of `MoveEntry` are the
move, its milliseconds, score, plies to a win, depth, nodes, side, principal variation and messages.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec import structs

from arena.log.events import (
    EngineEntry,
    Event,
    GameEnded,
    GameStarted,
    MoveEntry,
    PairEnded,
    RunEnded,
    RunResumed,
    RunStarted,
)
from arena.log.file import LOG_NAME, LogError, LogWriter, Run, read_run
from arena.results.derived_files import write_derived_files
from arena.results.game_records import (
    format_game_string,
    format_moves,
    format_psq,
    write_collections,
    write_game,
    write_results,
)
from arena.results.outcome import compute_outcome
from arena.results.sgf import format_sgf
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from tests.arena.events import read_log

HEADER = RunStarted(
    engines=(EngineEntry("A", command="./a"), EngineEntry("B", player="paper", options=(("x", "1"),))),
    game="gomoku",
    width=15,
    height=15,
    variant="freestyle",
    games=2,
    seed=1,
    order="random",
    control=TimeControl(move_ms=1000),
    openings="book.txt",
    openings_hash="00",
    concurrency=1,
    restart=False,
    command_line=("pentad", "match"),
    versions={"python": "3.11"},
    machine={"cpu": "one"},
    started="2026-11-20T12:00:00+00:00",
    planned=2,
)
# Moves after the opening: the engine that began plays the first and the third
ENTRIES = (
    MoveEntry("h9", 120, 15, None, 4, 1000, over_ms=20, overhead_us=250, reported_ms=112),
    MoveEntry("j10", 80, side=1),
    MoveEntry("a15", 45, 99999, 1, 6, 52000, over_ms=0, overhead_us=150),
)
GAME = GameEnded(
    number=1,
    pair=1,
    first="A",
    second="B",
    ending=Ending.WIN,
    winner="A",
    blamed="",
    detail="five",
    opening=("h8", "i9"),
    moves=ENTRIES,
    cpu_ms=(400, None),
)
# The record of GAME in Piskvork's format
PSQ = """Piskvorky 15x15, 11:11, 0
8,8,0
9,9,0
8,9,120
10,10,80
1,15,45
A
B
0
"""
# The second game of the pair, lost on time by B, which began, with the moves of GAME
LOST = GameEnded(
    *(2, 1, "B", "A", Ending.TIME, "A", "B", "1400 ms"),
    opening=("h8", "i9"),
    moves=ENTRIES,
    over_ms=400,
    cpu_ms=(None, 60),
)


def test_psq_format() -> None:
    assert format_psq(HEADER, GAME) == PSQ


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        *((Ending.TIME, 15), (Ending.MEMORY, 16), (Ending.ILLEGAL, 7)),
        *((Ending.DISCONNECT, -2), (Ending.DRAW, -1), (Ending.VOID, -1)),
    ],
)
def test_psq_result_codes(ending: Ending, code: int) -> None:
    game = GameEnded(1, 1, "A", "B", ending, "", "", "", (), ())
    assert format_psq(HEADER, game) == f"Piskvorky 15x15, 11:11, 0\nA\nB\n{code}\n"


def test_moves_format() -> None:
    assert format_moves(HEADER, GAME).splitlines() == [
        "# gomoku freestyle: A against B; win by rule, won by A",
        "h8 i9 h9 j10 a15",
        "# 3 h9: time_ms=120 score=15 depth=4 nodes=1000",
        "# 4 j10: time_ms=80",
        "# 5 a15: time_ms=45 score=99999 win_in=1 depth=6 nodes=52000",
    ]


def test_game_string_has_the_state_of_the_board() -> None:
    header = structs.replace(HEADER, game="hive", width=0, height=0, variant="Base+M")
    entries = (MoveEntry("wQ -wS1", 10), MoveEntry("bM bS1-", 10))
    game = GameEnded(1, 1, "A", "B", Ending.TIME, "B", "A", "", ("wS1", "bS1 wS1-"), entries)
    assert format_game_string(header, game) == "Base+M;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bM bS1-\n"
    game_without_moves = GameEnded(1, 1, "A", "B", Ending.VOID, "", "A", "", (), ())
    assert format_game_string(header, game_without_moves) == "Base+M;NotStarted;White[1]\n"


def test_moves_with_blanks_are_joined_by_semicolons(tmp_path: Path) -> None:
    game = GameEnded(1, 1, "A", "B", Ending.DRAW, "", "", "repetition", ("wS1",), (MoveEntry("bS1 wS1-"),))
    write_results(tmp_path, [game])
    cells = (tmp_path / "results.csv").read_text(encoding="utf-8").splitlines()[1].split(",")
    assert (cells[2], cells[10]) == ("wS1", "wS1;bS1 wS1-")  # columns opening and moves


# The events of a complete run of one pair
LOG = (HEADER, GameStarted(1, 1, "A", "B", ("h8", "i9")), GAME, LOST, PairEnded(1), RunEnded(2, 2, ""))


def write_log(directory: Path, *events: Event) -> None:
    """Append events, by default those of LOG, to the log in a folder."""
    with LogWriter(directory) as log:
        for event in events or LOG:
            log.write(event)


def test_log_is_read_as_written(tmp_path: Path) -> None:
    write_log(tmp_path)
    assert tuple(read_log(tmp_path)) == LOG
    assert read_run(tmp_path) == Run(HEADER, (GAME, LOST), frozenset({1}), RunEnded(2, 2, ""))


def test_incomplete_last_line_is_removed(tmp_path: Path) -> None:
    """After a power cut the log may end in half a line; it is removed before the next line is written."""
    write_log(tmp_path)
    path = tmp_path / LOG_NAME
    path.write_bytes(path.read_bytes()[:-5])
    assert read_run(tmp_path) == Run(HEADER, (GAME, LOST), frozenset({1}))
    write_log(tmp_path, RunEnded(2, 2, "again"))
    assert read_run(tmp_path).ended == RunEnded(2, 2, "again")
    assert read_log(tmp_path)[-2:] == [PairEnded(1), RunEnded(2, 2, "again")]


def test_games_count_when_their_pair_is_complete(tmp_path: Path) -> None:
    """The first session ended within the second pair. The next session played this pair again with another result."""
    third, fourth = structs.replace(GAME, number=3, pair=2), structs.replace(LOST, number=4, pair=2)
    replayed_third = structs.replace(third, ending=Ending.RESIGNED)
    header = structs.replace(HEADER, games=4, planned=4)
    write_log(tmp_path, header, *LOG[1:-1], third)
    assert read_run(tmp_path).games == (GAME, LOST)
    assert read_run(tmp_path).unfinished == (third,)
    resumed = RunResumed("2026-11-20T13:00:00+00:00", HEADER.engines, forced=False)
    write_log(tmp_path, resumed, replayed_third, fourth, PairEnded(2))
    assert read_run(tmp_path) == Run(header, (GAME, LOST, replayed_third, fourth), frozenset({1, 2}))
    assert not read_run(tmp_path).unfinished


def test_damaged_or_missing_log_is_reported(tmp_path: Path) -> None:
    write_log(tmp_path, HEADER)
    with (tmp_path / LOG_NAME).open("ab") as log:
        log.write(b'{"event":"what"}\n')
    with pytest.raises(LogError, match="line 2"):
        read_run(tmp_path)
    with pytest.raises(LogError, match="No such file"):
        read_run(tmp_path / "nowhere")


def test_log_without_a_header_is_refused(tmp_path: Path) -> None:
    write_log(tmp_path, RunEnded(0, 2, ""))
    with pytest.raises(LogError, match="the first line must have the event 'run'"):
        read_run(tmp_path)


def test_all_files_are_derived_from_the_log(tmp_path: Path) -> None:
    write_log(tmp_path)
    outcome = compute_outcome(read_run(tmp_path))
    write_derived_files(tmp_path, ("psq", "sgf"), outcome)
    assert outcome.is_finished
    assert (tmp_path / "games" / "00001.psq").read_text() == PSQ
    assert (tmp_path / "games" / "00001.sgf").read_text() == SGF
    lines = (tmp_path / "results.csv").read_text().splitlines()
    assert lines[1] == "1,1,h8 i9,A,B,A,win by rule,,1,5,h8 i9 h9 j10 a15,,82,120,80,80,165,400,80,,five"
    assert lines[2] == "2,1,h8 i9,B,A,A,time,B,1,5,h8 i9 h9 j10 a15,1,82,120,80,80,165,,80,60,1400 ms"
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["standing"]["pairings"][0]["pair_counts"] == [0, 0, 0, 0, 1]
    score = summary["standing"]["pairings"][0]["summary"]
    assert (score["elo"], score["elo_high"], score["interval"]) == (None, None, "gaffke")
    assert score["elo_low"] == pytest.approx(-636.4, abs=0.1)  # one pair won: a score of 0.025 or more
    assert (tmp_path / "crosstable.txt").read_text() == TABLES


# The record of GAME in SGF
SGF = """(;FF[4]GM[4]CA[UTF-8]AP[pentad]SZ[15]RU[freestyle]PB[A]PW[B]RE[B+]GC[five]
;B[hh]
;W[ii]
;B[hi]C[time_ms=120 score=15 depth=4 nodes=1000]
;W[jj]C[time_ms=80]
;B[ao]C[time_ms=45 score=99999 win_in=1 depth=6 nodes=52000])
"""


def test_sgf_has_the_messages_of_the_engines() -> None:
    """Closing brackets and backslashes in a message are escaped, because they would end the comment."""
    entry = MoveEntry("h9", 5, 1, None, 2, 9, 0, ("h9", "j10"), ("MESSAGE [x] \\\\o/", "bye"))
    game = structs.replace(LOST, opening=(), moves=(entry,), messages=("no [idea",))
    assert format_sgf(HEADER, game).splitlines() == [
        "(;FF[4]GM[4]CA[UTF-8]AP[pentad]SZ[15]RU[freestyle]PB[B]PW[A]RE[W+T]GC[1400 ms",
        "no [idea]",
        ";B[hi]C[time_ms=5 score=1 depth=2 nodes=9",
        "pv h9 j10",
        "MESSAGE [x\\] \\\\\\\\o/",
        "bye])",
    ]


TAGGED = structs.replace(HEADER, event_name="Cup [2026]", site="Bonn")


def test_event_and_site_are_in_formats_with_fields_for_them() -> None:
    assert "RE[B+]EV[Cup [2026\\]]PC[Bonn]GC[five]\n" in format_sgf(TAGGED, GAME)
    assert format_moves(TAGGED, GAME).splitlines()[1:3] == ["# event: Cup [2026]", "# site: Bonn"]
    assert "EV[" not in format_sgf(HEADER, GAME)
    assert "event" not in format_moves(HEADER, GAME)
    assert format_psq(TAGGED, GAME) == PSQ


def test_each_format_has_a_file_of_all_games(tmp_path: Path) -> None:
    write_collections(tmp_path, ("psq", "sgf", "moves"), HEADER, (GAME, LOST))
    assert (tmp_path / "games.sgf").read_text(encoding="utf-8") == format_sgf(HEADER, GAME) + format_sgf(HEADER, LOST)
    blocks = (tmp_path / "games.txt").read_text(encoding="utf-8").split("\n\n")
    assert [block.rstrip() + "\n" for block in blocks] == [format_moves(HEADER, game) for game in (GAME, LOST)]
    with ZipFile(tmp_path / "games.psq.zip") as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == {
            "00001.psq": PSQ,
            "00002.psq": format_psq(HEADER, LOST),
        }
    archive_bytes = (tmp_path / "games.psq.zip").read_bytes()
    write_collections(tmp_path, ("psq",), HEADER, (GAME, LOST))
    assert (tmp_path / "games.psq.zip").read_bytes() == archive_bytes


def test_hive_games_are_one_game_string_per_line(tmp_path: Path) -> None:
    header = structs.replace(HEADER, game="hive", variant="Base+M", width=0, height=0)
    game = structs.replace(GAME, opening=("wS1",), moves=(MoveEntry("bS1 wS1-"),))
    write_collections(tmp_path, ("uhp",), header, (game, structs.replace(game, number=2)))
    assert (tmp_path / "games.uhp").read_text(encoding="utf-8").splitlines() == [
        "Base+M;InProgress;White[2];wS1;bS1 wS1-"
    ] * 2


def test_standard_error_is_written_beside_the_record(tmp_path: Path) -> None:
    write_game(tmp_path, ("psq",), HEADER, structs.replace(GAME, stderr=("", "warning: [no] book\n")))
    assert (tmp_path / "games" / "00001.stderr.txt").read_text() == "== B ==\nwarning: [no] book\n"
    write_game(tmp_path, ("psq",), HEADER, structs.replace(GAME, number=2))
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == [
        "00001.psq",
        "00001.stderr.txt",
        "00002.psq",
    ]


# The content of crosstable.txt for the run of LOG
TABLES = """engine  games  won  drawn  lost   score            Elo
A           2    2      0     0  100.0%  at least -636
B           2    0      0     2    0.0%   at most +636
too few or too one-sided games for ±: 95 % bounds by Gaffke's method

engine  time losses  stalls  crashes  memory  illegal  refused
A                 0       0        0       0        0        0
B                 1       0        0       0        0        0

ms per move  mean  max  CPU  overhead  (p99)  unreported  (max)
A              82  120  153      0.15   0.25           8      8
B              82  120  n/a      0.15   0.25           8      8

answers beyond limit  none  to 10 ms  to 50 ms  to 250 ms  more  max ms
A                        1         0         1          0     0      20
B                        1         0         1          0     1     400
A: 1 of 2 answers came more than 10 ms beyond the limit; the engine answered late, the runner did not
B: 2 of 3 answers came more than 10 ms beyond the limit; the engine answered late, the runner did not

pairs  LL  LD  even  WD  WW  W:L  split  drawn  nElo    LOS
A - B   0   0     0   0   1  n/a     0%     0%   n/a  75.0%
W, D, L: first engine won, drew, lost; drawn: of all games; split: pairs won 1:1
warning: 1 of 2 games repeat an earlier one move for move
warning: lost by their own fault: B 1 time

played 2 of 2 games, 1 distinct, 0% of pairs split; 1 s per move, margin 250 ms
"""


def test_hex_sgf_has_cells_and_results() -> None:
    header = structs.replace(HEADER, game="hex", width=4, height=3, variant="standard")
    # RE is the result: white won on time
    game = structs.replace(LOST, first="a]b", opening=("b2",), moves=(MoveEntry("swap-pieces"),), detail="")
    assert format_sgf(header, game) == (
        "(;FF[4]GM[11]CA[UTF-8]AP[pentad]SZ[4:3]RU[standard]PB[a\\]b]PW[A]RE[W+T]\n;B[b2]\n;W[swap-pieces]"
        "C[time_ms=0])\n"
    )
    assert "RE[0]" in format_sgf(header, structs.replace(game, ending=Ending.DRAW, winner=""))
    assert "RE[Void]" in format_sgf(header, structs.replace(game, ending=Ending.VOID, winner=""))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_names_and_details_are_not_evaluated_as_formulas(start: str, tmp_path: Path) -> None:
    """A spreadsheet program would run an engine name such as `=cmd|...` when it opens the results."""
    game = structs.replace(GAME, first=f"{start}1+1", winner=f"{start}1+1", detail=f"{start}x")
    write_results(tmp_path, [game])
    with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as file:
        [row] = csv.DictReader(file)
    assert (row["first"], row["winner"], row["detail"]) == (f"'{start}1+1", f"'{start}1+1", f"'{start}x")
    assert row["second"] == game.second
