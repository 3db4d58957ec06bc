"""Weights files: damaged ones and those of other games are refused, and the engines play without them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bots.gomoku import network as gomoku_network
from bots.gomoku.engine import GomokuEngine
from bots.gomoku.players import PLAYERS as GOMOKU_PLAYERS
from bots.hex import network as hex_network
from bots.hex.engine import HexEngine
from bots.hex.players import PLAYERS as HEX_PLAYERS
from bots.hive import network as hive_network
from bots.hive.engine import HiveEngine
from bots.hive.kernels.board import HIVE
from bots.hive.players import PLAYERS as HIVE_PLAYERS
from bots.hive.position import HivePosition
from core.native.weights import load_weights, read_weights, weight_bytes, write_weights
from core.play.player import Limits, Player, Setup, build_player

FIELDS = hive_network.WEIGHT_FIELDS
SHIPPED = hive_network.NETWORK_FILE.read_bytes()
# Module and name of the path that an engine loads its network from, its players, and a setup of the game.
ENGINES = {
    "gomoku": (gomoku_network, "FOLDER", GOMOKU_PLAYERS, Setup(15, 15, "freestyle")),
    "hex": (hex_network, "NETWORK_FILE", HEX_PLAYERS, Setup(7, 7, "standard")),
    "hive": (hive_network, "NETWORK_FILE", HIVE_PLAYERS, Setup(variant="Base+MLP")),
}


@pytest.fixture
def state() -> Any:
    return HivePosition(Setup(variant="Base")).state


@pytest.mark.parametrize("byte", [0, 3, 4, 40_000, len(SHIPPED) - 1])
def test_a_flipped_bit_is_noticed(byte: int, state: Any, tmp_path: Path) -> None:
    """A file damaged on its way would make the engine play badly without any sign."""
    before = bytes(state)
    data = bytearray(SHIPPED)
    data[byte] ^= 4
    file = tmp_path / "damaged.network"
    file.write_bytes(data)
    with pytest.raises(ValueError, match=r"damaged\.network: the checksum is wrong"):
        load_weights(state, FIELDS, file)
    assert bytes(state) == before


@pytest.mark.parametrize("size", [0, len(SHIPPED) - 1, len(SHIPPED) + 1])
def test_a_file_of_another_size_is_refused(size: int, state: Any) -> None:
    before = bytes(state)
    with pytest.raises(ValueError, match=f"the file has {size} bytes instead of {len(SHIPPED)}"):
        write_weights(state, FIELDS, (SHIPPED + b"x")[:size])
    assert bytes(state) == before


def test_a_file_of_other_fields_is_refused(state: Any) -> None:
    """Fields of the same sizes may mean something else in another game."""
    weights = read_weights(HIVE.dtype(), FIELDS, SHIPPED)
    reordered = {"output_weights": weights["output_weights"], "hidden_weights": weights["hidden_weights"]}
    data = weight_bytes(HIVE.dtype(), reordered)
    write_weights(state, tuple(reordered), data)
    with pytest.raises(ValueError, match="the checksum is wrong"):
        write_weights(state, tuple(reversed(reordered)), data)


def test_weights_are_read_as_they_were_written() -> None:
    weights = read_weights(HIVE.dtype(), FIELDS, SHIPPED)
    assert weight_bytes(HIVE.dtype(), weights) == SHIPPED


def uses_network(player: Player) -> bool:
    if isinstance(player, HexEngine):
        return bool(player._search.states[0].network)
    assert isinstance(player, GomokuEngine | HiveEngine)
    return bool(player.position.state.network)


@pytest.mark.parametrize("game", ENGINES)
@pytest.mark.parametrize("damage", ["missing", "empty", "flipped"])
def test_an_engine_plays_without_a_refused_network(
    game: str, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game must not be lost by a missing or damaged file. The engine names it once."""
    module, name, players, setup = ENGINES[game]
    shipped = getattr(module, name)
    file = tmp_path / "freestyle.network"
    if damage != "missing":
        data = bytearray((shipped / file.name if shipped.is_dir() else shipped).read_bytes())
        data[100] ^= 1
        file.write_bytes(data if damage == "flipped" else b"")
    monkeypatch.setattr(module, name, tmp_path if shipped.is_dir() else file)
    player = build_player(players, "pentad:seed=1")
    player.new_game(setup)
    moves = [player.choose(Limits(nodes=500)).move for _ in range(2)]
    assert all(moves)
    (warning,) = player.take_warnings()
    assert "cannot load the network, so the engine plays weaker: " in warning
    assert str(file) in warning
    assert not uses_network(player)


@pytest.mark.parametrize("game", ENGINES)
def test_an_engine_uses_the_shipped_network(game: str) -> None:
    """The test above could not fail if no engine used its network."""
    _, _, players, setup = ENGINES[game]
    player = build_player(players, "pentad:seed=1")
    player.new_game(setup)
    player.choose(Limits(nodes=500))
    assert uses_network(player)
    assert not player.take_warnings()


def test_a_refused_network_does_not_leave_that_of_another_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Freestyle's weights would evaluate renju badly."""
    (tmp_path / "freestyle.network").write_bytes((gomoku_network.FOLDER / "freestyle.network").read_bytes())
    monkeypatch.setattr(gomoku_network, "FOLDER", tmp_path)
    player = build_player(GOMOKU_PLAYERS, "pentad:seed=1")
    for rule, expected in (("freestyle", True), ("renju", False), ("freestyle", True)):
        player.new_game(Setup(15, 15, rule))
        player.choose(Limits(nodes=100))
        assert uses_network(player) == expected
