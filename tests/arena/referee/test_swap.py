"""Tests of Hex matches with the swap rule: it is sent to programs, both sides may swap, swaps are recorded."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.engines.gtp import build_gtp_client
from arena.engines.spec import EngineSpec
from arena.log.file import read_run
from arena.terms.ending import Ending
from bots.hex.gtp import GTP
from bots.hex.sgf import read_game
from core.play.player import Limits, Setup

ROOT = Path(__file__).parents[3]
SOURCES = f"{sys.executable} -m bots.hex"  # our Hex program, started from its sources
MOCK = f"{sys.executable} -S -m tests.mocks.gtp_engine"


def test_match_with_swap_is_played_and_recorded(tmp_path: Path) -> None:
    """On 4x4 the stone of the opening wins, so the second engine swaps. Each engine is the second one in one game."""
    book = tmp_path / "book.txt"
    book.write_text("c2\n", encoding="utf-8")
    command = ["match", "--game", "hex", "--size", "4", "--rule", "swap", "--games", "2", "--openings", str(book)]
    command += ["--engine", "player=pentad,name=here", "--engine", f"cmd={SOURCES},name=program,dir={ROOT}"]
    assert cli.run([*command, "--tc", "3", "--out", str(tmp_path / "run")]) == 0
    games = read_run(tmp_path / "run").games
    assert [game.second for game in games] == ["program", "here"]
    for game in games:
        assert (game.ending, game.winner) == (Ending.WIN, game.second)
        assert game.all_moves[:2] == ("c2", "swap-pieces")
        text = (tmp_path / "run" / "games" / f"{game.number:05}.sgf").read_text(encoding="utf-8")
        assert ";W[swap-pieces]C[time_ms=" in text
        record = read_game(text)
        assert tuple(move for _, move in record.moves) == game.all_moves
        assert [colour for colour, _ in record.moves] == [ply % 2 for ply in range(len(game.all_moves))]


@pytest.mark.parametrize(("variant", "value"), [("swap", "1"), ("standard", "0")])
@pytest.mark.parametrize("lists_command", [True, False])
def test_swap_rule_is_sent_to_programs(variant: str, value: str, lists_command: bool, tmp_path: Path) -> None:
    """MoHex plays without swap by default, so the rule is sent, but only to engines that list the command.

    With `bare=1` the mock has no command `list_commands`.
    """
    log = tmp_path / "log"
    command = f"{MOCK} log={log}" + ("" if lists_command else " bare=1")
    client = build_gtp_client(EngineSpec("mock", command=command), GTP, {"cwd": ROOT})
    try:
        client.new_game(Setup(4, 4, variant))
        client.set_position(["d1"])
        assert client.choose(Limits(move_time_ms=2000)).move == "a1"
    finally:
        client.close()
    received = [line.partition(" ")[2] or line for line in log.read_text(encoding="utf-8").splitlines()]
    start = received.index("clear_board")
    assert (f"param_game allow_swap {value}" in received[start:]) == lists_command
