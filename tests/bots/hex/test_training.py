"""The programs that make Hex's tables, training samples and network."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from bots.hex import prior
from bots.hex.network import NETWORK_FILE, WEIGHT_FIELDS
from bots.hex.opening import first_moves, swap
from bots.hex.position import HexPosition
from bots.hex.search_parameters import PLAYOUT_PARAMETERS
from bots.hex.training import fit, judge_proven, make_data, make_proven, make_solved, make_swap_values
from bots.hex.training.prior_evaluator import PriorEvaluator
from bots.hex.training.samples import (
    EARLY_FILL,
    LAMBDA,
    MAX_FAST_POSITIONS,
    SCORE_WEIGHT,
    VALIDATION_EVERY,
    list_value_targets,
    read_samples,
)
from bots.hex.training.side_view import EMPTY, OPPONENT, OWN, to_side_view
from core.native.library import new_array
from core.native.weights import write_weights
from core.play.player import Setup
from core.play.squares import format_square, parse_square
from core.search.mcts_search import CERTAIN_WIN_SCORE
from core.system.files import read_json_object
from core.training.games import drop_partial_line, record_games
from tests.bots.hex.boards import position_after
from tests.bots.hex.naive import NaiveHex
from tests.bots.hex.test_network import state_fields

NAIVE_CELLS = 11  # empty cells for which the naive solver is fast enough
SELF_PLAY_SETTINGS = (400, 5, (4,))  # playouts of a full search, seed, board sizes


def test_solved_openings_are_right_and_can_be_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_moves, "SOLVED_FILE", tmp_path / "solved.json")
    make_solved.main(tmp_path / "solved.json", sizes=(3,))
    table = first_moves.solved_openings.__wrapped__(3)  # without the cache
    assert {cell: winner for cell, (winner, _) in table.items()} == {
        format_square(*cell): NaiveHex(3, 3, {cell: 0}).solve(1) for cell in NaiveHex(3, 3).cells()
    }
    for cell, (winner, reply) in table.items():
        if winner == 1:
            stones = {parse_square(cell) or (0, 0): 0, parse_square(reply) or (0, 0): 1}
            assert NaiveHex(3, 3, stones).solve(0) == 1
    assert not first_moves.solved_openings.__wrapped__(4)


def test_swap_values_of_solved_boards_are_made_anew_without_a_difference(tmp_path: Path) -> None:
    make_swap_values.main(tmp_path / "values.json", sizes=(5, 6))
    assert read_json_object(tmp_path / "values.json") == {str(size): swap.opening_values(size) for size in (5, 6)}


def test_fitted_weights_prefer_the_replies_of_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All games answer the first stone a bridge away, so the fitted weights prefer such moves, for both sides."""
    games, weights = tmp_path / "games.jsonl", tmp_path / "weights.json"
    # After black's stone on e5 or d4 (y * 9 + x = 40 or 30), all visits go to the cell below and to the right.
    rows = [{"size": 9, "moves": [first], "visits": [[1, [first + 10], [1000]]]} for first in (40, 30)]
    games.write_text("".join(json.dumps(row) + "\n" for row in rows * 10))
    monkeypatch.setattr(fit, "WEIGHTS_FILE", weights)
    monkeypatch.setattr(sys, "argv", ["fit", str(games)])
    fit.main()
    monkeypatch.setattr(prior, "WEIGHTS_FILE", weights)
    state = HexPosition(Setup(9, 9, "standard")).library.new("HexPlayout")
    prior.load_weights(state)
    black, white = state.reply_gamma
    offsets = range(fit.OFFSET_COUNT - 1)  # 5 * dy + dx, both from 0 to 4, of a reply; the last: farther away
    assert max(offsets, key=lambda offset: white[offset]) in (3 * 5 + 3, 1 * 5 + 1)
    assert [black[offset] for offset in offsets] == [white[prior.mirror_offset(offset)] for offset in offsets]


def test_weights_are_the_same_on_the_rotated_board() -> None:
    """Patterns that differ by a rotation of the board by 180 degrees have one weight."""
    weights = read_json_object(prior.WEIGHTS_FILE)
    assert weights["bridge"] == [weights["bridge"][fit.canonical_bridge(index)] for index in range(fit.BRIDGE_COUNT)]
    for name in ("reply", "follow"):
        assert weights[name] == [weights[name][fit.canonical_offset(index)] for index in range(fit.OFFSET_COUNT)]
    rings = {int(ring): weight for ring, weight in weights["ring"].items()}
    assert all(rings.get(fit.canonical_ring(ring)) == weight for ring, weight in rings.items())
    assert len(rings) > 500


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with 24 games on 4x4."""
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    record_games(file, 24, make_data.SelfPlayRecorder, *SELF_PLAY_SETTINGS)
    return file


def test_interrupted_file_resumes_with_the_same_games(games: Path, tmp_path: Path) -> None:
    """A new recorder, without the trees and proofs of the earlier games, makes the same games."""
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"".join(games.read_bytes().splitlines(keepends=True)[:8])[:-20])
    assert drop_partial_line(file) == 7
    record_games(file, 24, make_data.SelfPlayRecorder, *SELF_PLAY_SETTINGS)
    assert file.read_bytes() == games.read_bytes()


def test_proven_results_of_recorded_games_are_right(games: Path) -> None:
    """In each proven position with at most NAIVE_CELLS empty cells, the naive solver finds the same winner."""
    checked = 0
    for line in games.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        size, moves = game["size"], [(move % game["size"], move // game["size"]) for move in game["moves"]]
        for ply in range(max(game["proven"], size * size - NAIVE_CELLS), len(moves) + 1):
            board = NaiveHex(size, size, {cell: index % 2 for index, cell in enumerate(moves[:ply])})
            winner = board.winner()
            assert (board.solve(ply % 2) if winner is None else winner) == game["winner"]
            checked += 1
    assert checked > 30


def test_scores_and_visits_belong_to_positions_of_the_game(games: Path) -> None:
    """There is a score for each position after the opening; from the first proven position on it is that of the result.

    The only visit of a proven position is that of the move played.
    """
    for line in games.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        moves, opening, proven = game["moves"], game["opening"], game["proven"]
        assert len(game["scores"]) == len(moves) - opening
        for ply, score in enumerate(game["scores"], opening):
            assert abs(score) <= CERTAIN_WIN_SCORE
            if ply >= proven:
                assert score == (CERTAIN_WIN_SCORE if ply % 2 == game["winner"] else -CERTAIN_WIN_SCORE)
        for ply, cells, visits in game["visits"]:
            assert opening <= ply < len(moves)
            assert not set(cells) & set(moves[:ply])
            assert len(cells) == len(set(cells)) == len(visits)
            assert min(visits) >= 1
            if ply >= proven:
                assert (cells, visits) == ([moves[ply]], [1])


def test_early_positions_without_full_search_are_sampled(tmp_path: Path) -> None:
    """All positions with a full search are used, and of the others MAX_FAST_POSITIONS early ones."""
    scores = [0] * 59
    game = {"index": 0, "size": 8, "opening": 1, "moves": list(range(60)), "winner": 1, "proven": 60, "scores": scores}
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game | {"visits": [[21, [30], [5]], [59, [62], [1]]]}) + "\n")
    samples = read_samples([file])[8]
    stones = [int((board != EMPTY).sum()) for board in samples.boards]
    assert stones == sorted(set(stones))
    assert {21, 59} <= set(stones)
    assert len(samples) == MAX_FAST_POSITIONS + 2
    assert max(stones[:-1]) <= round(EARLY_FILL * 64)
    assert [bool(policy.any()) for policy in samples.policies] == [count in (21, 59) for count in stones]


def test_value_targets_are_lambda_returns() -> None:
    """Black's win probabilities are 0.5, 0.3, 0.2; then white's win is proven. White sees the complement."""
    game = {"opening": 0, "scores": [0, 4000, -6000, 6000], "visits": [[1, [3], [9]]], "winner": 1, "proven": 3}
    proven = 0.0  # white wins
    at_2 = proven
    at_1 = LAMBDA * at_2 + (1 - LAMBDA) * 0.2
    at_0 = LAMBDA * at_1 + (1 - LAMBDA) * 0.3
    # The move after ply 1 has a full search (an entry of `visits`), so its own score counts, too.
    searched = SCORE_WEIGHT * 0.3 + (1 - SCORE_WEIGHT) * at_1
    assert list_value_targets(game) == pytest.approx([at_0, 1 - searched, at_2, 1 - proven])


def test_samples_are_from_the_view_of_the_side_to_move(tmp_path: Path) -> None:
    """For white, columns and rows are exchanged, and the colours. An incomplete last line is ignored."""
    game = {
        **{"index": VALIDATION_EVERY - 1, "size": 3, "opening": 1, "moves": [1, 6, 4, 7], "winner": 0, "proven": 3},
        **{"scores": [-5000, 4000, -CERTAIN_WIN_SCORE], "visits": [[1, [6, 8], [3, 1]], [2, [4], [9]], [3, [8], [1]]]},
    }
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game) + "\n" + json.dumps(game)[:-5])
    samples = read_samples([file])[3]
    assert len(samples) == 3
    assert samples.is_validation.all()
    boards = [
        {3: OPPONENT},  # white sees the stone on b1 on its a2
        {1: OWN, 6: OPPONENT},
        {3: OPPONENT, 2: OWN, 4: OPPONENT},
    ]
    for board, stones in zip(samples.boards, boards, strict=True):
        assert [stones.get(cell, EMPTY) for cell in range(9)] == list(board)
    assert {cell: share for cell, share in enumerate(samples.policies[0]) if share} == {2: 0.75, 8: 0.25}
    assert {cell: share for cell, share in enumerate(samples.policies[1]) if share} == {4: 1}
    assert list(samples.proven) == [False, False, True]


def test_exported_network_evaluates_like_the_trained_one(games: Path, tmp_path: Path) -> None:
    """The engine's integers give the logits of torch's floats, for both sides.

    Training that resumes from a checkpoint gives the same network as training without a break.
    """
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.hex.kernels.network_fields import BLOCKS, CHANNELS
    from bots.hex.training.export import read_checkpoint, to_bytes
    from bots.hex.training.model import Network, encode_boards
    from bots.hex.training.train import train

    samples = read_samples([games])
    torch.manual_seed(1)
    whole, parts = Network(CHANNELS, BLOCKS), Network(CHANNELS, BLOCKS)
    parts.load_state_dict(whole.state_dict())
    train(whole, samples, tmp_path / "whole", 2, 1)
    train(parts, samples, tmp_path / "parts", 1, 1)
    parts = Network(CHANNELS, BLOCKS)
    train(parts, samples, tmp_path / "parts", 2, 1)
    for one, other in zip(whole.parameters(), parts.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-3)
    network = read_checkpoint(tmp_path / "whole")
    position = HexPosition(Setup(4, 4, "standard"))
    state = position.library.new("HexPlayout")
    write_weights(state, WEIGHT_FIELDS, to_bytes(network))
    state.win_reward, state.network = 1024, 1
    for line in games.read_text(encoding="utf-8").splitlines()[:6]:
        game = json.loads(line)
        position.replay([])
        for ply, move in enumerate(game["moves"][: game["opening"] + 4]):
            position.play(position.format(make_data.padded_cell(move, 4)))
            if position.outcome():
                break
            position.library.set_root(position.state, state)
            position.library.init_tree(state, new_array("i32", 1 << 12))
            side = (ply + 1) % 2
            board = np.zeros(16, dtype=np.uint8)
            for index, cell in enumerate(game["moves"][: ply + 1]):
                board[to_side_view(side, cell, 4)] = OWN if index % 2 == side else OPPONENT
            cells = [make_data.padded_cell(to_side_view(side, cell, 4), 4) for cell in range(16)]
            if state.net_rotated:
                board, cells = board[::-1].copy(), cells[::-1]
            with torch.no_grad():
                policy_logits, value_logit = network(encode_boards(board[None], 4))
            assert state.value_logit == pytest.approx(float(value_logit), abs=0.02)
            assert [state.policy_logits[cell] for cell in cells] == pytest.approx(policy_logits[0].tolist(), abs=0.02)


def test_network_file_is_read_and_written_unchanged() -> None:
    pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.hex.training.export import from_bytes, to_bytes

    shipped = NETWORK_FILE.read_bytes()
    assert to_bytes(from_bytes(shipped)) == shipped


@pytest.mark.parametrize("new_blocks", [1, 2, 4])
def test_grown_network_evaluates_as_before(new_blocks: int) -> None:
    """The new blocks change nothing at first, and their weights have gradients."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.hex.training.export import from_bytes
    from bots.hex.training.model import encode_boards

    network = from_bytes(NETWORK_FILE.read_bytes())
    grown = network.grow(len(network.blocks) + new_blocks)
    boards = np.random.default_rng(1).integers(0, 3, (8, 81), dtype=np.uint8)
    planes = encode_boards(boards, 9)
    for old, new in zip(network(planes), grown(planes), strict=True):
        assert torch.allclose(old, new, atol=1e-4)
    grown(planes)[1].sum().backward()
    assert all(block.second.weight.grad.abs().max() > 0 for block in grown.blocks)
    with pytest.raises(ValueError, match=r"a network of [0-9]+ blocks does not become one of 1"):
        network.grow(1)


def test_dead_channels_are_not_counted_as_live() -> None:
    """Regression: live channels used not to be counted, and two blocks died during a generation unnoticed."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.hex.training.model import Network, encode_boards

    torch.manual_seed(1)
    network = Network(16, 3)
    planes = encode_boards(np.random.default_rng(1).integers(0, 3, (8, 81), dtype=np.uint8), 9)
    counts = network.live_channels(planes)
    assert min(counts) > 8
    with torch.no_grad():
        network.blocks[2].first.bias[:] = torch.tensor([-1000.0] * 12 + [1000.0] * 4)
    assert network.live_channels(planes) == [counts[0], counts[1], 4]


def test_a_network_of_another_size_is_not_exported(games: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.hex.training.export import read_checkpoint
    from bots.hex.training.model import Network
    from bots.hex.training.train import train

    train(Network(8, 1), read_samples([games]), tmp_path / "small", 1, 1)
    with pytest.raises(ValueError, match=r"^the network must have [0-9]+ channels and [0-9]+ blocks, not 8 and 1$"):
        read_checkpoint(tmp_path / "small")


def test_proven_positions_have_all_winning_moves_and_no_others(tmp_path: Path) -> None:
    """The winning moves are those of the naive solver. In every third position there are none."""
    file = tmp_path / "proven.jsonl"
    record_games(file, 12, make_proven.ProvenPositionFinder, 1, (3,))
    for index, (position, wins) in enumerate(judge_proven.read_positions(file)):
        stones = {parse_square(cell) or (0, 0): colour for colour, cell in position.stones()}
        assert bool(wins) == (index % make_proven.LOST_EVERY > 0)
        for move in position.legal_moves():
            cell = parse_square(move) or (0, 0)
            board = NaiveHex(3, 3, stones | {cell: position.to_move})
            winner = board.winner()
            winner = board.solve(1 - position.to_move) if winner is None else winner
            assert (winner == position.to_move) == (cell[1] * 3 + cell[0] in wins)
    assert index == 11  # twelve positions


def test_measure_counts_wins_by_the_move_with_the_largest_prior() -> None:
    """The best move of the patterns wins in one of two positions. The network calls both won, and is right in one."""
    evaluator = PriorEvaluator()
    for name in WEIGHT_FIELDS:
        state_fields(evaluator._state)[name] = 0
    evaluator._state.value_bias = 2.0
    position = position_after(3, ["b1", "a1", "b2", "a2"])
    cells, priors = evaluator.evaluate(position, PLAYOUT_PARAMETERS)
    best = make_data.flat_index(cells[priors.index(max(priors))], 3)
    results = judge_proven.measure([(position, {best}), (position, set())], evaluator)
    assert results["positions"] == 2
    assert results["with a win"] == 1
    assert results["playouts: move with the largest prior wins"] == 1
    assert results["network: right side"] == 0.5
    assert results["network: mean error of the chance"] == pytest.approx(0.5, abs=0.001)
