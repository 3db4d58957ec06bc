"""Players where memory is short: one failed allocation must not leave them without a table, or without a move."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from subprocess import PIPE
from typing import Any

import pytest

from bots.registry import GAMES
from core.native.library import new_array
from core.play.player import Limits, build_player
from core.search import alphabeta_search as searcher_module
from core.search.alphabeta_search import AlphaBetaPlayer
from core.search.time_budget import TimeBudget
from core.system import threads as threads_module

TABLE_GAMES = ("gomoku", "hive", "kolibrat", "pentago")
NO_CLOCK = TimeBudget(None, None)
MIB_WORDS = 1 << 17
QUIET = Limits(nodes=50)


def engine(game: str, parameters: str = "hash=4") -> Any:
    """Our strongest player of a game at its start."""
    player = build_player(GAMES[game].players(), f"pentad:{parameters}")
    player.new_game(GAMES[game].default_setup)
    return player


def scarce(most_words: int, seen: list[int] | None = None) -> Callable[..., Any]:
    """An allocator that refuses large arrays and writes down what it gives."""

    def make(scalar: Any, length: int, huge_pages: bool = False) -> Any:
        if length > most_words:
            raise MemoryError
        if seen is not None:
            seen.append(length)
        return new_array(scalar, length, huge_pages)

    return make


@pytest.mark.parametrize("game", TABLE_GAMES)
def test_a_table_that_cannot_be_had_is_made_smaller(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was None from then on, and every move the first legal one."""
    player = engine(game)
    assert isinstance(player, AlphaBetaPlayer)
    monkeypatch.setattr(searcher_module, "new_array", scarce(MIB_WORDS))
    move = player.choose(QUIET).move
    assert len(player._alphabeta.table) == MIB_WORDS
    assert player.take_warnings() == ["no memory for a table of 4 MiB: it has 1 MiB"]
    assert player.choose(QUIET).move == move
    assert player.take_warnings() == []  # what is known is not said again
    monkeypatch.undo()
    player.set_option("hash", 8)
    player.choose(QUIET)
    assert len(player._alphabeta.table) == 8 * MIB_WORDS


def test_the_old_table_stands_until_the_new_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the limit of a manager holds one of them alone, the old one goes first; there is a least one meanwhile."""
    player = engine("gomoku", "hash=4,memory=0")
    player.choose(QUIET)
    seen: list[int] = []
    monkeypatch.setattr(searcher_module, "new_array", scarce(1 << 40, seen))
    for hash_mib, room_mib in ((8, None), (16, 20), (8, 24), (8, 24)):
        player.set_option("hash", hash_mib)
        player._alphabeta.resize(NO_CLOCK, None if room_mib is None else room_mib << 20)
    assert [words // MIB_WORDS for words in seen] == [8, 0, 16, 8]


def test_the_room_of_a_manager_bounds_the_table() -> None:
    player = engine("gomoku", "memory=367001600")
    player.choose(QUIET)
    assert len(player._alphabeta.table) == 128 * MIB_WORDS
    player.set_option("memory", 1)
    player.choose(QUIET)
    assert len(player._alphabeta.table) == 4 * MIB_WORDS
    assert not player.take_warnings()  # that is what was asked for


@pytest.mark.parametrize("game", TABLE_GAMES)
@pytest.mark.usefixtures("many_processors")
def test_threads_that_cannot_be_had_are_left_out(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a record nor a thread more than the system gives; the search goes on with what there is."""
    player = engine(game, "hash=4,threads=4")
    library = player._alphabeta._search.library
    made: list[Any] = []

    def new(record: str) -> Any:
        if len(made) == 2:
            raise MemoryError
        made.append(record)
        return type(library).new(library, record)

    monkeypatch.setattr(library, "new", new)
    refuse_threads(monkeypatch, after=1)
    assert player.choose(QUIET).move in player.position.legal_moves()
    assert len(player._alphabeta._search.helpers) == 2
    assert player.take_warnings() == ["no memory for 4 threads: there are 3"]


def refuse_threads(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let only some threads start."""
    started: list[Any] = []

    class Refused(threading.Thread):
        def start(self) -> None:
            if len(started) >= after:
                raise RuntimeError("can't start new thread")
            started.append(self)
            super().start()

    monkeypatch.setattr(threads_module, "Thread", Refused)


@pytest.mark.usefixtures("many_processors")
def test_a_pentago_proof_does_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shares of threads that cannot be had are worked off one after the other."""
    found = []
    for after in (9, 1, 0):
        player = endgame("threads=4")
        with monkeypatch.context() as patch:
            refuse_threads(patch, after)
            found.append(player.solve(Limits()).result)
    assert found[0] != "unknown"
    assert found == found[:1] * 3


def test_a_pentago_proof_does_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search chooses where the solver has no room."""
    from bots.pentago import solver

    player = endgame("hash=4")
    monkeypatch.setattr(solver, "new_array", scarce(64))
    decision = player.choose(Limits(move_time_ms=1000))
    assert decision.move in player.position.legal_moves()
    assert decision.progress.nodes > 1
    assert player.take_warnings() == ["no memory to solve positions with 12 empty squares"]


def endgame(parameters: str) -> Any:
    """A Pentago player in a position with 12 empty squares and without a five at hand."""
    for seed in range(1, 100):
        chance, player = random.Random(seed), engine("pentago", parameters)
        while player._empty_count() > 12 and (moves := player.position.legal_moves()):
            player.position.play(chance.choice(moves))
        moves = player.position.legal_numbers()
        if player._empty_count() == 12 and moves and not any(map(player._is_immediate_win, moves)):
            return player
    raise AssertionError("there is no such position")


TALKS = {  # what is said to a program, and how each of its two moves looks
    "gomoku": (
        "INFO timeout_turn 300\nINFO max_memory 0\nINFO hash_size 4000000000\nSTART 15\nTURN 7,7\nTURN 0,0\n",
        r"[0-9]+,[0-9]+$",
    ),
    "hive": ("options set Hash 65536\nnewgame Base\nbestmove depth 3\nbestmove depth 2\n", r"w\w+$"),
    "hex": ("param_player hash 65536\nparam_gtp move_time 0.4\nplay b e5\ngenmove w\ngenmove b\n", r"= [a-z]\d+$"),
    "kolibrat": (
        "param_player hash 65536\nparam_player perfect 0\nparam_gtp depth 4\ngenmove red\ngenmove black\n",
        r"= \w+$",
    ),
    "pentago": ("param_player hash 65536\nparam_gtp depth 2\ngenmove w\ngenmove b\n", r"= \w+$"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="limits of the address space are set by ulimit")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("game", sorted(TALKS))
def test_programs_play_in_a_small_address_space(game: str, threads: int) -> None:
    """Less than the usual table wants: no move that a search did not find, and no search that broke off."""
    engine(game)  # where its kernels are still to be compiled, that takes more memory and time
    talk, move = TALKS[game]
    program = [sys.executable, "-m", f"bots.{game}", "--threads", str(threads)]
    command = ["sh", "-c", 'ulimit -v 200000; exec "$@"', "sh", *program]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        watch = threading.Timer(60, process.kill)
        watch.start()
        process.stdin.write(talk)
        process.stdin.flush()
        lines, moves = list[str](), 0
        while moves < 2 and (line := process.stdout.readline()):
            lines.append(line)
            moves += bool(re.match(move, line))
        process.kill()
        watch.cancel()
        told = "".join(lines), process.stderr.read()
    assert moves == 2, told
    assert not re.search("error|trying again|first legal move|internal", "".join(told), re.IGNORECASE)
    refused = {"gomoku": "MESSAGE hash 3906250 is out of range", "hive": "Hash;int;146;0;0;146"}
    assert refused.get(game, "? option hash wants whole number from 0 to 146, not '65536'") in told[0]
    if game == "hive":
        assert "no memory for a table of 128 MiB: it has " in told[1]
