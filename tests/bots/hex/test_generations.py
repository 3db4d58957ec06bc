"""Training generations of Hex's network, and matches between two networks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots.hex.network import NETWORK_FILE, WEIGHT_FIELDS
from bots.hex.training.compare import NetworkDuel, count_wins, elo
from core.native.weights import read_weights, weight_bytes
from core.system.files import read_json_object
from core.training.games import record_games
from tests.bots.hex.boards import position_after
from tests.bots.playing import winner_of


def without_weights(network: bytes) -> bytes:
    """Return a network file with all weights 0; this network rates all moves and positions alike."""
    from bots.hex.kernels.records import PLAYOUT

    weights = read_weights(PLAYOUT.dtype(), WEIGHT_FIELDS, network)
    return weight_bytes(PLAYOUT.dtype(), {name: 0 * values for name, values in weights.items()})


def test_duel_records_the_winner(tmp_path: Path) -> None:
    """A network of zeros plays the engine's network; each opening is played from both sides."""
    shipped = NETWORK_FILE.read_bytes()
    settings = (30, 1, 7)  # positions per move, seed, board size
    record_games(tmp_path / "lost", 8, NetworkDuel, without_weights(shipped), shipped, *settings)
    record_games(tmp_path / "won", 8, NetworkDuel, shipped, without_weights(shipped), *settings)
    assert count_wins(tmp_path / "lost")[0] <= 1
    assert count_wins(tmp_path / "won")[0] >= 7
    games = [json.loads(line) for line in (tmp_path / "won").read_text(encoding="utf-8").splitlines()]
    for index, game in enumerate(games):  # the new network is black in games with an even index
        position = position_after(7, game["moves"])
        assert game["won"] == (winner_of(position) == index % 2)
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one["moves"][0] == other["moves"][0]


def test_elo_of_a_score() -> None:
    assert elo(50, 100) == 0
    assert elo(10, 11) == pytest.approx(400)
    assert elo(9, 9) == pytest.approx(-elo(0, 9))
    assert 400 < elo(9, 9) < 600
    assert elo(0, 0) == 0  # a generation without match games


def test_interrupted_generations_resume(tmp_path: Path) -> None:
    """Existing files are kept, missing parts are added, and a finished run changes nothing."""
    pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.hex.training.generations import TrainingPlan, run

    def plan(name: str) -> TrainingPlan:
        return TrainingPlan(tmp_path / name, games=40, searched=24, duels=2, sizes=(4,), duel_size=4)

    run(plan("whole"), 2)
    log = read_json_object(tmp_path / "whole" / "log.json")
    assert list(log) == ["1", "2"]
    assert [row["games"] for row in log.values()] == [40, 40]
    assert log["2"]["positions"] > log["1"]["positions"] > 40
    assert (tmp_path / "whole" / "0.network").read_bytes() == NETWORK_FILE.read_bytes()

    run(plan("parts"), 1)
    file = tmp_path / "parts" / "2.games.jsonl"
    whole = (tmp_path / "whole" / "2.games.jsonl").read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    run(plan("parts"), 2)
    assert file.read_bytes() == whole
    written = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "parts").iterdir()}
    run(plan("parts"), 2)
    assert written == {path.name: path.stat().st_mtime_ns for path in (tmp_path / "parts").iterdir()}
