"""Players that get too little memory or too few threads still choose their moves by search."""

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
from core.search import alphabeta_search as alphabeta_module
from core.search.alphabeta_search import AlphaBetaEngine
from core.search.time_budget import TimeBudget
from core.system import threads as threads_module

# Games whose engine has a transposition table; Hex has a tree.
TABLE_GAMES = ("gomoku", "hive", "kolibrat", "pentago")
NO_CLOCK = TimeBudget(None, None)  # neither a soft nor a hard limit
MIB_WORDS = 1 << 17  # 8-byte words per MiB
SHORT_SEARCH = Limits(nodes=50)


def strongest_player(game: str, parameters: str = "hash=4") -> Any:
    """Return the engine of a game at the start position."""
    player = build_player(GAMES[game].players(), f"pentad:{parameters}")
    player.new_game(GAMES[game].default_setup)
    return player


def failing_allocator(max_words: int, allocated: list[int] | None = None) -> Callable[..., Any]:
    """Return an allocator that fails for arrays above `max_words` and appends the other lengths to `allocated`."""

    def allocate(scalar: Any, length: int, huge_pages: bool = False) -> Any:
        if length > max_words:
            raise MemoryError
        if allocated is not None:
            allocated.append(length)
        return new_array(scalar, length, huge_pages)

    return allocate


@pytest.mark.parametrize("game", TABLE_GAMES)
def test_a_table_that_does_not_fit_is_made_smaller(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the table used to become None, so that every move was the first legal one."""
    player = strongest_player(game)
    assert isinstance(player, AlphaBetaEngine)
    monkeypatch.setattr(alphabeta_module, "new_array", failing_allocator(MIB_WORDS))
    assert player.choose(SHORT_SEARCH).progress.nodes > 0
    assert len(player._alphabeta.table) == MIB_WORDS
    assert player.take_warnings() == ["no memory for a table of 4 MiB: it has 1 MiB"]
    assert player.choose(SHORT_SEARCH).progress.nodes > 0
    assert player.take_warnings() == []  # the warning is not repeated
    monkeypatch.undo()
    player.set_option("hash", 8)
    player.choose(SHORT_SEARCH)
    assert len(player._alphabeta.table) == 8 * MIB_WORDS


def test_the_old_table_is_kept_until_the_new_one_is_allocated(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the memory limit does not allow both at once, a minimal table replaces the old one first."""
    player = strongest_player("gomoku", "hash=4,memory=0")
    player.choose(SHORT_SEARCH)
    allocated: list[int] = []
    monkeypatch.setattr(alphabeta_module, "new_array", failing_allocator(1 << 40, allocated))
    for hash_mib, limit_mib in ((8, None), (16, 20), (8, 24), (8, 24)):
        player.set_option("hash", hash_mib)
        player._alphabeta.resize(NO_CLOCK, None if limit_mib is None else limit_mib << 20)
    # 0 MiB is the minimal table. The second step to 8 MiB allocates nothing, because the size stays the same.
    assert [words // MIB_WORDS for words in allocated] == [8, 0, 16, 8]


def test_the_memory_option_limits_the_table() -> None:
    """350 MiB leave room for the default table of 128 MiB. A process that exceeds its limit gets a table of 4 MiB."""
    player = strongest_player("gomoku", "memory=367001600")  # 350 MiB, in bytes
    player.choose(SHORT_SEARCH)
    assert len(player._alphabeta.table) == 128 * MIB_WORDS
    player.set_option("memory", 1)
    player.choose(SHORT_SEARCH)
    assert len(player._alphabeta.table) == 4 * MIB_WORDS
    assert not player.take_warnings()  # no warning, because the limit was set on purpose


@pytest.mark.parametrize("game", TABLE_GAMES)
@pytest.mark.usefixtures("many_processors")
def test_a_search_uses_as_many_threads_as_it_can_get(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here only two helper states can be created, and only one thread can be started."""
    player = strongest_player(game, "hash=4,threads=4")
    library = player._alphabeta._search.library
    created: list[Any] = []

    def new(state_type: str) -> Any:
        if len(created) == 2:
            raise MemoryError
        created.append(state_type)
        return type(library).new(library, state_type)

    monkeypatch.setattr(library, "new", new)
    refuse_threads(monkeypatch, max_started=1)
    assert player.choose(SHORT_SEARCH).move in player.position.legal_moves()
    assert len(player._alphabeta._search.helpers) == 2
    assert player.take_warnings() == ["no memory for 4 threads: there are 3"]


def refuse_threads(monkeypatch: pytest.MonkeyPatch, max_started: int) -> None:
    """Let only `max_started` threads start; make the others fail."""
    started: list[Any] = []

    class FailingThread(threading.Thread):
        def start(self) -> None:
            if len(started) >= max_started:
                raise RuntimeError("can't start new thread")
            started.append(self)
            super().start()

    monkeypatch.setattr(threads_module, "Thread", FailingThread)


@pytest.mark.usefixtures("many_processors")
def test_the_pentago_solver_works_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The threads that have started do the work of those that fail to start."""
    results = []
    for max_started in (9, 1, 0):
        player = find_endgame("threads=4")
        with monkeypatch.context() as patch:
            refuse_threads(patch, max_started)
            results.append(player.solve(Limits()).result)
    assert results[0] != "unknown"
    assert results == results[:1] * 3


def test_pentago_searches_if_the_solver_has_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from bots.pentago import solver

    player = find_endgame("hash=4")
    monkeypatch.setattr(solver, "new_array", failing_allocator(64))
    decision = player.choose(Limits(move_time_ms=1000))
    assert decision.move in player.position.legal_moves()
    assert decision.progress.nodes > 1
    assert player.take_warnings() == ["no memory to solve positions with 12 empty squares"]


def find_endgame(parameters: str) -> Any:
    """Return a Pentago engine at a position with 12 empty squares and no winning move."""
    for seed in range(1, 100):
        rng, player = random.Random(seed), strongest_player("pentago", parameters)
        while player._empty_count() > 12 and (moves := player.position.legal_moves()):
            player.position.play(rng.choice(moves))
        moves = player.position.legal_numbers()
        if player._empty_count() == 12 and moves and not any(map(player._is_immediate_win, moves)):
            return player
    raise AssertionError("no such position found")


# By game: input of the program, and a regular expression for each of the two moves that it answers. The hash option
# of 65536 MiB (4,000,000,000 KiB in Gomoku) is out of range and refused.
COMMANDS = {
    "gomoku": (
        "INFO timeout_turn 300\nINFO max_memory 0\nINFO hash_size 4000000000\nSTART 15\nTURN 7,7\nTURN 0,0\n",
        r"[0-9]+,[0-9]+$",
    ),
    "hive": (
        "options set Hash 65536\noptions set Hash 146\nnewgame Base\nbestmove depth 3\nbestmove depth 2\n",
        r"w\w+$",
    ),
    "hex": ("param_player hash 65536\nparam_gtp move_time 0.4\nplay b e5\ngenmove w\ngenmove b\n", r"= [a-z]\d+$"),
    "kolibrat": (
        "param_player hash 65536\nparam_player perfect 0\nparam_gtp depth 4\ngenmove red\ngenmove black\n",
        r"= \w+$",
    ),
    "pentago": ("param_player hash 65536\nparam_gtp depth 2\ngenmove w\ngenmove b\n", r"= \w+$"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="limits of the address space are set by ulimit")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("game", sorted(COMMANDS))
def test_programs_play_in_a_small_address_space(game: str, threads: int) -> None:
    """The limit is less than the default table needs; both moves must still come from complete searches."""
    strongest_player(game)  # compiles the kernels if necessary, which needs more memory
    commands, move = COMMANDS[game]
    program = [sys.executable, "-m", f"bots.{game}", "--threads", str(threads)]
    # ulimit counts KiB.
    command = ["sh", "-c", 'ulimit -v 200000; exec "$@"', "sh", *program]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        kill_timer = threading.Timer(60, process.kill)
        kill_timer.start()
        process.stdin.write(commands)
        process.stdin.flush()
        lines, moves = list[str](), 0
        while moves < 2 and (line := process.stdout.readline()):
            lines.append(line)
            moves += bool(re.match(move, line))
        process.kill()
        kill_timer.cancel()
        output = "".join(lines), process.stderr.read()
    assert moves == 2, output
    assert not re.search("error|trying again|first legal move|internal", "".join(output), re.IGNORECASE)
    refused = {"gomoku": "MESSAGE hash 3906250 is out of range", "hive": "err option hash must be"}
    assert refused.get(game, "? option hash must be a whole number from 0 to 146, not '65536'") in output[0]
    if game == "hive":
        assert "no memory for a table of 128 MiB: it has " in output[1]
