"""Tests of GTP clients made from engine specifications: start-up commands, time commands, parameters, dialects."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.engines.gtp import build_gtp_client, find_gtp_game, make_gtp_client, with_dialect
from arena.engines.spec import EngineSpec
from arena.errors import UsageError
from bots.registry import GAMES
from core.play.player import Limits, Setup
from tests.mocks.tiny_hex import TINY_HEX

ROOT = Path(__file__).parents[3]


def test_start_up_time_and_parameter_commands_are_sent(tmp_path: Path) -> None:
    log = tmp_path / "log"
    spec = EngineSpec(
        name="mock",
        command=f"{sys.executable} -S -m tests.mocks.gtp_engine log={log}",
        directory=str(ROOT),
        options=(
            ("startup", "param_game allow_swap 0; komi 0"),
            ("time", "param_gtp move_time {seconds}"),
            ("player.level", "3"),
        ),
    )
    client = build_gtp_client(spec, TINY_HEX, spec.client_settings(1000))
    try:
        client.new_game(Setup(3, 3, "swap"))
        assert client.choose(Limits(move_time_ms=1500)).move == "a1"
    finally:
        client.close()
    received = [line.partition(" ")[2] for line in log.read_text(encoding="utf-8").splitlines()]
    order = [received.index(line) for line in ("param_game allow_swap 0", "komi 0", "param_player level 3")]
    assert order == sorted(order)
    assert received[-4:-1] == ["param_gtp move_time 1.5", "genmove black", "last_search"]


def test_moves_are_sent_in_the_dialect_of_the_engine() -> None:
    """Pentagod's a2s is our b1s; without the dialect the two boards would differ unnoticed."""
    game = GAMES["pentago"]
    gtp_game, setup = with_dialect(find_gtp_game(game), "pentagod"), game.default_setup
    assert (gtp_game.format_move("b1s", setup), gtp_game.parse_move("a2s", setup)) == ("a2s", "b1s")
    assert gtp_game.setup_commands(setup) == ["boardsize 6", "clear_board"]


@pytest.mark.parametrize(("game", "error"), [("pentago", "must be one of"), ("hex", "unknown option 'dialect'")])
def test_unknown_dialects_are_refused(game: str, error: str) -> None:
    with pytest.raises(UsageError, match=error):
        with_dialect(find_gtp_game(GAMES[game]), "klingon")


def test_a_game_of_another_protocol_has_no_gtp_client() -> None:
    with pytest.raises(UsageError, match="not over GTP"):
        make_gtp_client(EngineSpec("a", command="a"), GAMES["gomoku"], {})
