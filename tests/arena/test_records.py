"""The log comes back as it was written, and what derives from it is pinned to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from arena.ending import Ending
from arena.log import (
    LOG_NAME,
    EngineEntry,
    GameEnded,
    GameStarted,
    LogError,
    LogWriter,
    MoveEntry,
    RunEnded,
    RunStarted,
    read_log,
)
from arena.records import format_game_string, format_moves, format_psq, rebuild, write_results

HEADER = RunStarted(
    engines=(EngineEntry("A", command="./a"), EngineEntry("B", player="paper", options=(("x", "1"),))),
    game="gomoku",
    width=15,
    height=15,
    variant="freestyle",
    games=2,
    seed=1,
    order="random",
    control={"move_ms": 1000, "game_ms": None},
    openings="book.txt",
    openings_hash="00",
    concurrency=1,
    restart=False,
    command_line=("pentad", "match"),
    versions={"python": "3.11"},
    machine={"cpu": "one"},
    started="2026-11-20T12:00:00+00:00",
)
ENTRIES = (MoveEntry("h9", 120, 15, 4, 1000), MoveEntry("j10", 80), MoveEntry("a15", 45, 99999, 6, 52000))
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
)
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
LOST = GameEnded(2, 1, "B", "A", Ending.TIME, "A", "B", "1400 ms", ("h8", "i9"), ENTRIES)


def test_psq() -> None:
    assert format_psq(HEADER, GAME) == PSQ


@pytest.mark.parametrize(
    ("ending", "code"),
    [(Ending.TIME, 15), (Ending.ILLEGAL, 7), (Ending.DISCONNECT, -2), (Ending.DRAW, -1), (Ending.VOID, -1)],
)
def test_psq_result_codes(ending: Ending, code: int) -> None:
    game = GameEnded(1, 1, "A", "B", ending, "", "", "", (), ())
    assert format_psq(HEADER, game) == f"Piskvorky 15x15, 11:11, 0\nA\nB\n{code}\n"


def test_moves_format() -> None:
    wanted = "# gomoku freestyle: A against B; win by rule, won by A\nh8 i9 h9 j10 a15\n"
    assert format_moves(HEADER, GAME) == wanted


def test_game_string_stands_alone_and_tells_the_board() -> None:
    header = structs.replace(HEADER, game="hive", width=0, height=0, variant="Base+M")
    entries = (MoveEntry("wQ -wS1", 10), MoveEntry("bM bS1-", 10))
    game = GameEnded(1, 1, "A", "B", Ending.TIME, "B", "A", "", ("wS1", "bS1 wS1-"), entries)
    assert format_game_string(header, game) == "Base+M;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bM bS1-\n"
    none = GameEnded(1, 1, "A", "B", Ending.VOID, "", "A", "", (), ())
    assert format_game_string(header, none) == "Base+M;NotStarted;White[1]\n"


def test_moves_with_blanks_stand_between_semicolons(tmp_path: Path) -> None:
    game = GameEnded(1, 1, "A", "B", Ending.DRAW, "", "", "repetition", ("wS1",), (MoveEntry("bS1 wS1-"),))
    cells = write_results(tmp_path, [game]).read_text(encoding="utf-8").splitlines()[1].split(",")
    assert (cells[2], cells[10]) == ("wS1", "wS1;bS1 wS1-")


def write_log(directory: Path) -> None:
    with LogWriter(directory) as log:
        for event in (HEADER, GameStarted(1, 1, "A", "B", ("h8", "i9")), GAME, LOST, RunEnded(2, 2, "")):
            log.write(event)


def test_log_comes_back(tmp_path: Path) -> None:
    write_log(tmp_path)
    assert list(read_log(tmp_path)) == [
        HEADER,
        GameStarted(1, 1, "A", "B", ("h8", "i9")),
        GAME,
        LOST,
        RunEnded(2, 2, ""),
    ]


def test_log_after_a_power_cut(tmp_path: Path) -> None:
    write_log(tmp_path)
    path = tmp_path / LOG_NAME
    path.write_bytes(path.read_bytes()[:-5])
    assert list(read_log(tmp_path))[-1] == LOST


def test_damaged_log_names_the_line(tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).write_bytes(b'{"event":"stop","played":1,"planned":2,"reason":""}\n{"event":"what"}\n')
    with pytest.raises(LogError, match="line 2"):
        list(read_log(tmp_path))
    with pytest.raises(LogError, match="No such file"):
        list(read_log(tmp_path / "nowhere"))


def test_all_files_are_rebuilt_from_the_log(tmp_path: Path) -> None:
    write_log(tmp_path)
    assert rebuild(tmp_path, "psq") == 2
    assert (tmp_path / "games" / "00001.psq").read_text() == PSQ
    lines = (tmp_path / "results.csv").read_text().splitlines()
    assert lines[1] == "1,1,h8 i9,A,B,A,win by rule,,1,5,h8 i9 h9 j10 a15,,82,120,80,80,five"
    assert lines[2] == "2,1,h8 i9,B,A,A,time,B,1,5,h8 i9 h9 j10 a15,1,82,120,80,80,1400 ms"
